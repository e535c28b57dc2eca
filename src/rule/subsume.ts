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
  return saysTheSameBytes(pair, compileParameter(parameter));
}

/** Tells whether one of the parameter rules says the same as a pair of substrings: for very many pairs. */
export function createSubsumption(parameters: readonly ParameterAction[]): (pair: SubstringPair) => boolean {
  const edits = parameters.map((parameter) => compileParameter(parameter));
  return (pair) => edits.some((edit) => hasPart(pair, edit.name) && saysTheSameBytes(pair, edit));
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

function saysTheSameBytes(pair: SubstringPair, edit: FieldEdit): boolean {
  const name = Buffer.from(edit.name).toString('latin1');
  const names = CONTEXT_NAMES.find(([k, z]) => k !== name && z !== name)!;
  let probes = 0;
  for (const before of contextsBefore(pair, names[0])) {
    for (const after of contextsAfter(pair, names[1])) {
      const from = probe(before, pair.from, after);
      const to = probe(before, pair.to, after);
      if (from === undefined || to === undefined) continue;
      probes++;
      if (!becomeOne(edit, from, to)) return false;
    }
  }
  return probes > 0;
}

function becomeOne(edit: FieldEdit, from: Uint8Array, to: Uint8Array): boolean {
  const fromImage = editFields(edit, from);
  const toImage = editFields(edit, to);
  return (fromImage !== from || toImage !== to) && Buffer.compare(fromImage, toImage) === 0;
}

/** What stands before a side, the field in it, and where its path ends; -1 where the side may go on with the path. */
interface Context {
  readonly text: Uint8Array;
  readonly field: string | undefined;
  readonly pathEnd: number;
}

function context(text: string, field?: string): Context {
  const path = /^(?:http:\/\/h)?\/x(?=[;?]|$)/.exec(text);
  return { text: Buffer.from(text, 'latin1'), field, pathEnd: path === null ? -1 : path[0].length };
}

function contextsBefore({ from, anchor }: SubstringPair, name: string): Context[] {
  if (anchor === 'start' || anchor === 'both') return [context('')];
  const field = `${name}=1`;
  const texts = ['', 'http:', 'http://', 'http://h', 'http://h/x', '/x', '/x?', '/x;', `http://h/x?`];
  const contexts = texts.map((text) => context(text));
  // The last name of a path, and what follows it.
  if (/^[^?;&=]+[?;]/.test(Buffer.from(from).toString('latin1'))) contexts.push(context('/x/'), context('http://h/x/'));
  for (const separator of ['', '&', ';']) contexts.push(context(`/x?${field}${separator}`, field));
  contexts.push(context(`/x;${field}`, field), context(`/x;${field};`, field));
  return contexts;
}

function contextsAfter({ anchor }: SubstringPair, name: string): Context[] {
  if (anchor === 'end' || anchor === 'both') return [context('')];
  const field = `${name}=2`;
  const texts = ['', field, `&${field}`, `;${field}`, `zz`, `zz&${field}`, `-zz&${field}`, `=3&${field}`];
  const inPath = ['/y', '?', `?${field}`, `/y?${field}`, `zz?${field}`, `;${field}?y`, `zz/y`];
  return [...texts, ...inPath].map((text) => context(text, text.includes(field) ? field : undefined));
}

const fields = emptyFields();

/** The URL of a side in its context, or undefined where the context is not what it was. */
function probe(before: Context, side: Uint8Array, after: Context): Uint8Array | undefined {
  const url = Buffer.concat([before.text, side, after.text]);
  if (!isUrl(url) || !isBoundary(url, before.text.length) || !isBoundary(url, url.length - after.text.length)) return;
  if (before.pathEnd >= 0 && !endsPath(url, before.pathEnd)) return;
  splitFields(url, fields);
  let [seenBefore, seenAfter] = [before.field === undefined, after.field === undefined];
  for (let field = 0; field < fields.count; field++) {
    const [start, end] = [fields.start[field]!, fields.end[field]!];
    if (start === end) return;
    const text = url.toString('latin1', start, end);
    if (text === before.field) seenBefore = true;
    if (text === after.field) seenAfter = true;
  }
  return seenBefore && seenAfter && isWellFormedPath(url) ? url : undefined;
}

function endsPath(url: Uint8Array, at: number): boolean {
  return at === url.length || url[at] === 0x2f || url[at] === 0x3b || url[at] === 0x3f;
}

/** No `&` before the query, and behind every `;` a parameter. */
function isWellFormedPath(url: Buffer): boolean {
  const path = url.toString('latin1', pathStart(url), fields.queryStart);
  return !/&|;[^;/=]*(?:[;/]|$)|;=/.test(path);
}
