// What does a substring rule replace? The first of these that fits:
//
//     ⟨http://www.a.com/ → ⟨http://a.com/     the host `www.a.com` becomes `a.com`
//     ⟨http://a.com/ → ⟨https://a.com/        `http://a.com` becomes `https://a.com`
//     ⟨http://a.com/old/ → ⟨http://a.com/     `/old/` at the start of the path becomes `/`
//     /index.html⟩ → /⟩                       `/index.html` at the end is the folder itself (`/`)
//     ?q=1&q → ?q                             `q=1&` is dropped between `?` and `q`
//     .html⟩ → ⟩                              `.html` at the end is dropped
//     : → /                                   `:` becomes `/` wherever it stands
import type { SubstringRule } from '../rule.js';
import { quoted } from './quoted.js';

type Sides = Pick<SubstringRule, 'from' | 'to' | 'anchor'>;

/** `what` the rule does; `everywhere` is added to the sentence of a rule without conditions. */
export function replacedWords(rule: Sides): { readonly what: string; readonly everywhere?: string } {
  const what = originWords(rule) ?? indexWords(rule) ?? insideWords(rule);
  return what === undefined ? plainWords(rule) : { what };
}

const ORIGIN = /^(https?:\/\/)([^/?]+)(\/.*)?$/s;

/** For a rule whose sides begin with scheme and host. */
function originWords({ from, to, anchor }: Sides): string | undefined {
  const [a, b] = [ORIGIN.exec(from), ORIGIN.exec(to)];
  if (anchor !== 'start' || a === null || b === null) return undefined;
  const [, schemeA = '', hostA = '', pathA = ''] = a;
  const [, schemeB = '', hostB = '', pathB = ''] = b;
  if (pathA === pathB && pathA.length < 2) {
    if (schemeA === schemeB) return `the host ${quoted(hostA)} becomes ${quoted(hostB)}`;
    return `${quoted(schemeA + hostA)} becomes ${quoted(schemeB + hostB)}`;
  }
  if (schemeA + hostA !== schemeB + hostB) return undefined;
  return `${quoted(pathA)} at the start of the path becomes ${quoted(pathB)}`;
}

/** For a rule that drops the index page of a folder. */
function indexWords({ from, to, anchor }: Sides): string | undefined {
  if (anchor !== 'end' || !/^\/[^/?]+$/.test(from) || to !== '/') return undefined;
  return `${quoted(from)} at the end is the folder itself (\`/\`)`;
}

/** A letter or digit: beside punctuation alone, readers would not recognise the removed part. */
const NAMES = /[\p{L}\p{N}]/u;

/** For a rule that only removes text, between texts that stay. */
function insideWords({ from, to, anchor }: Sides): string | undefined {
  if (anchor === 'start' || anchor === 'both' || from.length <= to.length || !NAMES.test(to)) return undefined;
  const splits = Array.from({ length: to.length + 1 }, (_, at) => at).filter(
    (at) => from.startsWith(to.slice(0, at)) && from.endsWith(to.slice(at)),
  );
  const goes = (at: number) => from.slice(at, from.length - to.length + at);
  // A whole field or folder reads better than the same letters one place on.
  const at = splits.find((one) => /[&/?=]$/.test(goes(one))) ?? splits[0];
  if (at === undefined) return undefined;
  return `${quoted(goes(at))} is dropped ${besideWords(to.slice(0, at), to.slice(at))}${anchor === 'end' ? ' at the end' : ''}`;
}

function besideWords(before: string, after: string): string {
  if (before === '') return `before ${quoted(after)}`;
  return after === '' ? `after ${quoted(before)}` : `between ${quoted(before)} and ${quoted(after)}`;
}

const PLACES: Readonly<Record<SubstringRule['anchor'], string>> = {
  none: '',
  start: ' at the start',
  end: ' at the end',
  both: ' as a whole',
};

function plainWords({ from, to, anchor }: Sides): { readonly what: string; readonly everywhere?: string } {
  const place = PLACES[anchor];
  if (from === '') return { what: `${quoted(to)} is added${place}` };
  const becomes = to === '' ? 'is dropped' : `becomes ${quoted(to)}`;
  return { what: `${quoted(from)}${place} ${becomes}`, ...(anchor === 'none' && { everywhere: 'wherever it stands' }) };
}
