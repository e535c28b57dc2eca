// Which statements could two pages of one host be evidence for? Two URLs whose pages are near differ in parameters, or
// in one text:
//
//   http://www.a.example/x      http://a.example/x        //www. → //
//   http://a.example/x/         http://a.example/x        the step drop-end-slash
//   http://a.example/x.html     http://a.example/x        .html → nothing, at the end
//   http://a.example/s?id=7     http://a.example/s_7      ?id= → _
//   http://a.example/x          https://a.example/x       http → https, at the start
//
// The text is what is left between the tokens that both share at their begin and at their end. If one side is empty,
// punctuation before it belongs to it, as `/` → nothing would say less than `//` → `/`. Labels of hosts are taken whole.
import { decodeText, encodeText, sameBytes } from '../../base/bytes.js';
import { isNumericSeries } from '../../rule/standing.js';
import { compileStep, takeStep } from '../../rule/step.js';
import { pathStart } from '../../url/form.js';
import { isRun, tokensOf } from '../../url/token.js';
import { leftOver, nameOfField } from '../difference.js';
import { parametersOf, type Saying } from './statement.js';

/** The most names that differ at once, and tokens on a side. */
const MOST_NAMES = 4;
const MOST_TOKENS = 8;

/** Undefined if the URLs differ in more than one way. The saying makes the first URL the second one, or the reverse. */
export function sayingFor(one: string, other: string): Saying | undefined {
  const [u, v] = [encodeText(one), encodeText(other)];
  const [a, b] = [parametersOf(u), parametersOf(v)];
  if (a.rest === b.rest) return removal(a.fields, b.fields);
  return stepBetween(u, v) ?? substitution(one, other);
}

/** The step after which both are equal. */
function stepBetween(one: Uint8Array, other: Uint8Array): Saying | undefined {
  const last = [one, other].map(lastSegmentOf).filter((text) => text !== '');
  const steps = [...STEPS, ...last.map((text) => ({ kind: 'step', step: 'drop-last-segment', text }) as const)];
  return steps.find((step) => {
    const compiled = compileStep(step);
    return sameBytes(takeStep(compiled, one), takeStep(compiled, other));
  });
}

const STEPS = [
  { kind: 'step', step: 'fold-slashes', text: '' },
  { kind: 'step', step: 'drop-end-slash', text: '' },
  { kind: 'step', step: 'lower-case', text: '' },
] as const;

function lastSegmentOf(url: Uint8Array): string {
  const [path = ''] = decodeText(url, pathStart(url)).split('?', 1);
  return path.slice(path.lastIndexOf('/') + 1).split(';', 1)[0]!;
}

function removal(a: readonly string[], b: readonly string[]): Saying | undefined {
  const names = new Set([...leftOver(a, b), ...leftOver(b, a)].map(nameOfField));
  if (names.size === 0 || names.size > MOST_NAMES || names.has('')) return undefined;
  return { kind: 'removal', names: [...names].sort() };
}

function substitution(one: string, other: string): Saying | undefined {
  const [a, b] = [tokensOf(one), tokensOf(other)];
  const least = Math.min(a.length, b.length);
  let before = 0;
  while (before < least && a[before] === b[before]) before++;
  let behind = 0;
  while (behind < least - before && a[a.length - 1 - behind] === b[b.length - 1 - behind]) behind++;
  const host = hostTokens(a);
  const isInHost = before >= host.first && before <= host.end && a.length - behind <= host.end + 1;
  if (isInHost) return ofHost(a, b, before, behind);
  // Neither may change the name of a site.
  if (before > 0 && before < host.end) return undefined;
  const isEmpty = a.length - behind === before || b.length - behind === before;
  if (isEmpty && before > host.end && !isRun(a[before - 1]!)) before--;
  const [from, to] = [a.slice(before, a.length - behind), b.slice(before, b.length - behind)];
  // A scheme changes alone.
  if (before === 0 && (from.length > 1 || to.length > 1)) return undefined;
  if (from.length > MOST_TOKENS || to.length > MOST_TOKENS) return undefined;
  return directed(from.join(''), to.join(''), before === 0 ? 'start' : behind === 0 ? 'end' : 'none');
}

/** The tokens of the host: [first, end). */
function hostTokens(tokens: readonly string[]): { readonly first: number; readonly end: number } {
  const first = tokens.indexOf('/') + 2;
  let end = first;
  while (end < tokens.length && tokens[end] !== '/' && tokens[end] !== '?') end++;
  return { first, end };
}

/** Labels before the rest of the host: `//m.` → `//www.`. The rest stays what it is. */
function ofHost(a: readonly string[], b: readonly string[], before: number, behind: number): Saying | undefined {
  if (a[before - 1] !== '/') return undefined;
  const labels = (tokens: readonly string[]) => {
    const own = tokens.slice(before, tokens.length - behind);
    return own.length > 0 && own.at(-1) !== '.' ? [...own, '.'] : own;
  };
  const [from, to] = [labels(a).join(''), labels(b).join('')];
  if (from.split('.').length > 2 || to.split('.').length > 2) return undefined;
  return directed(`//${from}`, `//${to}`, 'none');
}

/** From the longer text to the shorter one, but never away from https. */
function directed(a: string, b: string, anchor: 'none' | 'start' | 'end'): Saying | undefined {
  const isTurned = a.length < b.length || (a.length === b.length && a < b);
  let [from, to] = isTurned ? [b, a] : [a, b];
  if (anchor === 'start' && from === 'https' && to === 'http') [from, to] = [to, from];
  if (from === to) return undefined;
  const saying = { kind: 'substring', from, to, anchor } as const;
  return isNumericSeries({ ...saying } as never) ? undefined : saying;
}
