// Does a substring rule say the same as a parameter rule (SPEC 9, LITERATURE 1.3)?
//
// `&sid=7` → `` is part of "sid does not matter"; `page=2` → `page=1` is not. Parsing α and β alone cannot tell, as it depends on
// what they melt with. So both are put into URLs, and the parameter rule is applied to both: it has to change one of them at
// least, and to make them equal, every time.
//
//   before    α or β      after        before + side + after
//   /x?k=1    &sid=7      &z=2         /x?k=1&sid=7&z=2   /x?k=1&z=2      counts
//   /x?       &sid=7                   /x?&sid=7                          does not: an empty field
//   /x?k=1    &sid=7      -y&z=2       /x?k=1&sid=7-y&z=2 /x?k=1-y&z=2    does not: the field `k=1` is no more
//
// A context counts only where, on both sides, it stays what it was: its fields, its path, with no field empty. So α and β
// begin and end where fields do, or are the same there. A parameter rule of narrower scope changes nothing in these contexts,
// unless α itself says the place: it subsumes only what is within it.
import { encodeText } from '../base/bytes.js';
import { emptyFields, splitFields } from '../url/fields.js';
import { isUrl, pathStart } from '../url/form.js';
import { isBoundary } from '../url/token.js';
import { compileParameter, editFields, type FieldEdit, type ParameterAction } from './parameter.js';
import type { SubstringPair } from './refine.js';
import type { SubstringRule } from './rule.js';

/** True if every URL that the substring rule changes, either way, and its image are one under the parameter rule. */
export function saysTheSame(
  substring: Pick<SubstringRule, 'from' | 'to' | 'anchor'>,
  parameter: ParameterAction,
): boolean {
  const pair = { from: encodeText(substring.from), to: encodeText(substring.to), anchor: substring.anchor };
  return saysTheSameBytes(pair, [compileParameter(parameter)]);
}

/**
 * Tells whether the parameter rules say a pair of substrings too, one of them or, as of `&a=1&b=2` → ``, those whose names
 * stand in it together: for very many pairs.
 */
export function createSubsumption(parameters: readonly ParameterAction[]): (pair: SubstringPair) => boolean {
  const edits = parameters.map((parameter) => compileParameter(parameter));
  return (pair) => {
    const named = edits.filter((edit) => hasPart(pair, edit.name));
    return named.some((edit) => saysTheSameBytes(pair, [edit])) || (named.length > 1 && saysTheSameBytes(pair, named));
  };
}

/** The name stands in one side at least, or the rule cannot make the one out of the other. */
function hasPart({ from, to }: SubstringPair, name: Uint8Array): boolean {
  return indexOf(from, name) >= 0 || indexOf(to, name) >= 0;
}

function indexOf(bytes: Uint8Array, part: Uint8Array): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(part);
}

/** Names that no URL has; where the parameter is one of them, the other one. */
const CONTEXT_NAMES = [
  ['k~', 'z~'],
  ['kk~', 'zz~'],
] as const;

function saysTheSameBytes(pair: SubstringPair, edits: readonly FieldEdit[]): boolean {
  const taken = new Set(edits.map(({ name }) => latin1(name)));
  const names = CONTEXT_NAMES.find(([k, z]) => !taken.has(k) && !taken.has(z));
  if (names === undefined) return false;
  let probes = 0;
  for (const before of contextsBefore(pair, names[0])) {
    for (const after of contextsAfter(pair, names[1])) {
      const from = probe(before, pair.from, after);
      const to = probe(before, pair.to, after);
      if (from === undefined || to === undefined || from.endsInQuery !== to.endsInQuery) continue;
      probes++;
      if (!becomeOne(edits, from.url, to.url)) return false;
    }
  }
  return probes > 0;
}

interface Probe {
  readonly url: Uint8Array;
  /** Whether what follows stands in the query, which has to be so on both sides. */
  readonly endsInQuery: boolean;
}

function becomeOne(edits: readonly FieldEdit[], from: Uint8Array, to: Uint8Array): boolean {
  const fromImage = edits.reduce((url, edit) => editFields(edit, url), from);
  const toImage = edits.reduce((url, edit) => editFields(edit, url), to);
  return (fromImage !== from || toImage !== to) && Buffer.compare(fromImage, toImage) === 0;
}

/** What stands before or behind a side, the field in it, and what ends where the two meet: before it, host or path. */
interface Context {
  readonly text: Uint8Array;
  readonly field: string | undefined;
  readonly ends: 'host' | 'path' | 'nothing';
}

function context(text: string, field?: string, ends: Context['ends'] = 'nothing'): Context {
  return { text: Buffer.from(text, 'latin1'), field, ends };
}

function contextsBefore({ from, to, anchor }: SubstringPair, name: string): Context[] {
  if (anchor === 'start' || anchor === 'both') return [context('')];
  const [a, b] = [latin1(from), latin1(to)];
  const contexts = [context('http://h', undefined, 'host')];
  const inQuery = !opensQuery(a) && !opensQuery(b);
  for (const origin of ['', 'http://h']) {
    contexts.push(context(`${origin}/x`, undefined, 'path'), context(`${origin}/x;`));
    if (inQuery) contexts.push(context(`${origin}/x?`));
    // The last name of a path, and what follows it.
    if (/^[^/?;&=]+[?;]/.test(a) || /^[^/?;&=]+[?;]/.test(b)) contexts.push(context(`${origin}/x/`));
  }
  if (/^(?:https?:\/)?\//.test(a)) contexts.push(context(''));
  if (a.startsWith('//')) contexts.push(context('http:'), context('https:'));
  const field = `${name}=1`;
  // Fields of one URL stand between separators of one kind.
  const separators = ['', ...(/;/.test(a + b) ? [] : ['&']), ...(/&/.test(a + b) ? [] : [';'])];
  if (inQuery) for (const separator of separators) contexts.push(context(`/x?${field}${separator}`, field));
  contexts.push(context(`/x;${field}`, field), context(`/x;${field};`, field));
  return contexts;
}

/** True for a side that begins in the path and ends behind the first `?`: `list;v=1?`. */
function opensQuery(side: string): boolean {
  return /^[^?=&;]*(?:;[^?=&;]*(?:=[^?&;]*)?)*\?/.test(side);
}

function contextsAfter({ from, to, anchor }: SubstringPair, name: string): Context[] {
  if (anchor === 'end' || anchor === 'both') return [context('')];
  const field = `${name}=2`;
  const inPath = ['/y', `?${field}`, `/y?${field}`];
  const texts = ['', field, `&${field}`, `;${field}`];
  // A value can only go on where both sides end in the same field.
  const [a, b] = [latin1(from), latin1(to)].map((side) => /[^&;?]*$/.exec(side)![0]) as [string, string];
  const isSameField = a === b || (a.includes('=') && a.slice(0, a.indexOf('=') + 1) === b.slice(0, b.indexOf('=') + 1));
  if (isSameField && a !== '') texts.push('zz', `zz&${field}`, `-zz&${field}`, `=3&${field}`, `zz?${field}`, 'zz/y');
  const fieldIn = (text: string) => (text.includes(field) ? field : undefined);
  return [
    ...texts.map((text) => context(text, fieldIn(text))),
    ...inPath.map((text) => context(text, fieldIn(text), 'path')),
  ];
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

const fields = emptyFields();

/** The URL of a side in its context, or undefined where the context is not what it was. */
function probe(before: Context, side: Uint8Array, after: Context): Probe | undefined {
  const url = Buffer.concat([before.text, side, after.text]);
  const end = url.length - after.text.length;
  if (!isUrl(url) || !isBoundary(url, before.text.length) || !isBoundary(url, end)) return undefined;
  splitFields(url, fields);
  if (!endsWhole(before, url) || fields.isBareQuery || !isWellFormedPath(url)) return undefined;
  let [seenBefore, seenAfter] = [before.field === undefined, after.field === undefined];
  for (let field = 0; field < fields.count; field++) {
    const [from, to] = [fields.start[field]!, fields.end[field]!];
    if (from === to) return undefined;
    const text = url.toString('latin1', from, to);
    if (text === before.field) seenBefore = true;
    if (text === after.field) seenAfter = true;
  }
  if (!seenBefore || !seenAfter || (after.ends === 'path' && end > fields.queryStart)) return undefined;
  return { url, endsInQuery: after.text.length > 0 && end > fields.queryStart };
}

/** True where host or path of the context still end where they did. */
function endsWhole({ ends, text }: Context, url: Uint8Array): boolean {
  const next = url[text.length];
  if (ends === 'nothing' || next === undefined || next === 0x2f || next === 0x3f) return true;
  return ends === 'path' && next === 0x3b;
}

/** No `&` before the query, and behind every `;` a parameter. */
function isWellFormedPath(url: Buffer): boolean {
  const path = url.toString('latin1', pathStart(url), fields.queryStart);
  return !/&|;[^;/=]*(?:[;/]|$)|;=/.test(path);
}
