// Does a substring rule say the same as a parameter rule (SPEC 9.2)?
//
// `&sid=7` → `` is part of "sid does not matter"; `page=2` → `page=1` is not. Parsing α and β alone cannot decide that,
// as it depends on what they merge with. So both are put into URLs, and the parameter rule is applied to both: it has
// to change at least one of them, and make them equal, every time.
//
//   before    α or β      after        before + side + after
//   /x?k=1    &sid=7      &z=2         /x?k=1&sid=7&z=2   /x?k=1&z=2      counts
//   /x?       &sid=7                   /x?&sid=7                          does not: an empty field
//   /x?k=1    &sid=7      -y&z=2       /x?k=1&sid=7-y&z=2 /x?k=1-y&z=2    does not: the field `k=1` is gone
//
// A context counts only if, with either side, it stays intact: its fields and its path, without empty fields. So α and
// β begin and end where fields do, or are equal there. A parameter rule of narrower scope changes nothing in these
// contexts, unless α itself has the place: it subsumes only what is within its scope.
import { AMPERSAND, EQUALS, QUESTION, SEMICOLON } from '../base/ascii.js';
import { encodeText } from '../base/bytes.js';
import { hashBytes } from '../base/hash.js';
import { emptyFields, splitFields } from '../url/fields.js';
import { isUrl, pathStart } from '../url/form.js';
import { isBoundary } from '../url/token.js';
import { compileParameter, editFields, type FieldEdit, type ParameterAction } from './parameter.js';
import type { SubstringPair } from './refine.js';
import type { SubstringRule } from './rule.js';

/**
 * True if the parameter rule makes every URL that the substring rule changes, in either direction, and its image one.
 */
export function saysTheSame(
  substring: Pick<SubstringRule, 'from' | 'to' | 'anchor'>,
  parameter: ParameterAction,
): boolean {
  const pair = { from: encodeText(substring.from), to: encodeText(substring.to), anchor: substring.anchor };
  const edits = [compileParameter(parameter)];
  return new Probes(pair, edits).becomeOne(edits);
}

/**
 * Returns a test whether parameter rules imply a pair of substrings: one rule does, or all rules together whose names
 * occur in the pair (`&a=1&b=2` → ``). Made for very many pairs and rules.
 */
export function createSubsumption(parameters: readonly ParameterAction[]): (pair: SubstringPair) => boolean {
  if (parameters.length === 0) return () => false;
  const rules = new RulesByName(parameters);
  return (pair) => {
    const named = rules.in(pair);
    if (named.length === 0) return false;
    const probes = new Probes(pair, named);
    return named.some((edit) => probes.becomeOne([edit])) || (named.length > 1 && probes.becomeOne(named));
  };
}

/**
 * Rules by the name of their parameter. A rule changes neither side of a pair without a field of its name, which
 * decides most pairs.
 */
class RulesByName {
  readonly #edits: readonly FieldEdit[];
  readonly #byName = new Map<string, number[]>();
  /** The hashes of all names (a Bloom filter). */
  readonly #hashes = new Uint8Array(1 << 12);

  constructor(parameters: readonly ParameterAction[]) {
    this.#edits = parameters.map((parameter) => compileParameter(parameter));
    for (const [index, { name }] of this.#edits.entries()) {
      const ofName = this.#byName.get(latin1(name));
      if (ofName === undefined) this.#byName.set(latin1(name), [index]);
      else ofName.push(index);
      this.#hashes[this.#slot(hashBytes(name, 0, name.length))] = 1;
    }
  }

  /** The rules whose name can be that of a field that begins in one of the sides, in their order. */
  in({ from, to }: SubstringPair): FieldEdit[] {
    const found = new Set<number>();
    if (this.#byName.size > 0) for (const side of [from, to]) this.#findIn(side, found);
    return found.size === 0 ? [] : [...found].sort((a, b) => a - b).map((index) => this.#edits[index]!);
  }

  /**
   * A field begins at the start of a side, or after a separator; its name ends at `=` or, in a query, at the end of the
   * field.
   */
  #findIn(side: Uint8Array, found: Set<number>): void {
    for (let start = 0; start <= side.length; start++) {
      if (start > 0 && !isSeparator(side[start - 1]!)) continue;
      let end = start;
      while (end < side.length && side[end] !== EQUALS && side[end] !== AMPERSAND && side[end] !== SEMICOLON) end++;
      this.#find(side, start, end, found);
    }
  }

  #find(side: Uint8Array, start: number, end: number, found: Set<number>): void {
    if (this.#hashes[this.#slot(hashBytes(side, start, end))] === 0) return;
    for (const index of this.#byName.get(latin1(side.subarray(start, end))) ?? []) found.add(index);
  }

  #slot(hash: number): number {
    return hash & (this.#hashes.length - 1);
  }
}

function isSeparator(byte: number): boolean {
  return byte === QUESTION || byte === AMPERSAND || byte === SEMICOLON;
}

/** Two pairs of names that no URL has. The second pair is used for parameters that have a name of the first. */
const CONTEXT_NAMES = [
  ['k~', 'z~'],
  ['kk~', 'zz~'],
] as const;

/** Both sides of a pair in every context, made lazily, as most rules fail in the first. */
class Probes {
  readonly #made: (readonly [Uint8Array, Uint8Array])[] = [];
  readonly #rest: Iterator<readonly [Uint8Array, Uint8Array]>;

  /** Expects all rules that will be tested. */
  constructor(pair: SubstringPair, edits: readonly FieldEdit[]) {
    const taken = new Set(edits.map(({ name }) => latin1(name)));
    const names = CONTEXT_NAMES.find(([k, z]) => !taken.has(k) && !taken.has(z));
    this.#rest = names === undefined ? [].values() : probesOf(pair, names);
  }

  /** True if the rules together make both sides one URL in every context, and there is at least one context. */
  becomeOne(edits: readonly FieldEdit[]): boolean {
    for (let k = 0; ; k++) {
      if (k === this.#made.length) {
        const next = this.#rest.next();
        if (next.done === true) return k > 0;
        this.#made.push(next.value);
      }
      if (!becomeOne(edits, ...this.#made[k]!)) return false;
    }
  }
}

function* probesOf(
  pair: SubstringPair,
  [nameBefore, nameAfter]: readonly [string, string],
): Generator<readonly [Uint8Array, Uint8Array]> {
  const behind = contextsAfter(pair, nameAfter);
  for (const before of contextsBefore(pair, nameBefore)) {
    for (const after of behind) {
      const from = probe(before, pair.from, after);
      if (from === undefined) continue;
      const to = probe(before, pair.to, after);
      if (to !== undefined && from.endsInQuery === to.endsInQuery) yield [from.url, to.url];
    }
  }
}

interface Probe {
  readonly url: Uint8Array;
  /** True if the text after the side is in the query; this has to be the same with both sides. */
  readonly endsInQuery: boolean;
}

function becomeOne(edits: readonly FieldEdit[], from: Uint8Array, to: Uint8Array): boolean {
  const fromImage = edits.reduce((url, edit) => editFields(edit, url), from);
  const toImage = edits.reduce((url, edit) => editFields(edit, url), to);
  return (fromImage !== from || toImage !== to) && Buffer.compare(fromImage, toImage) === 0;
}

/** The text before or after a side, the field in it, and what ends between the two: the text before, host or path. */
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
    // The last name of a path, and the text after it.
    if (/^[^/?;&=]+[?;]/.test(a) || /^[^/?;&=]+[?;]/.test(b)) contexts.push(context(`${origin}/x/`));
  }
  if (/^(?:https?:\/)?\//.test(a)) contexts.push(context(''));
  if (a.startsWith('//')) contexts.push(context('http:'), context('https:'));
  const field = `${name}=1`;
  // A URL has one kind of separator.
  const separators = ['', ...(/;/.test(a + b) ? [] : ['&']), ...(/&/.test(a + b) ? [] : [';'])];
  if (inQuery) for (const separator of separators) contexts.push(context(`/x?${field}${separator}`, field));
  contexts.push(context(`/x;${field}`, field), context(`/x;${field};`, field));
  return contexts;
}

/** True for a side that begins in the path and ends after the first `?`: `list;v=1?`. */
function opensQuery(side: string): boolean {
  return /^[^?=&;]*(?:;[^?=&;]*(?:=[^?&;]*)?)*\?/.test(side);
}

function contextsAfter({ from, to, anchor }: SubstringPair, name: string): Context[] {
  if (anchor === 'end' || anchor === 'both') return [context('')];
  const field = `${name}=2`;
  const inPath = ['/y', `?${field}`, `/y?${field}`];
  const texts = ['', field, `&${field}`, `;${field}`];
  // A value can only continue if both sides end in the same field.
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

/** The URL of a side in its context; undefined if the context did not stay intact. */
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

/** True if host or path of the context still end at the same place. */
function endsWhole({ ends, text }: Context, url: Uint8Array): boolean {
  const next = url[text.length];
  if (ends === 'nothing' || next === undefined || next === 0x2f || next === 0x3f) return true;
  return ends === 'path' && next === 0x3b;
}

/** False for `&` before the query, or a `;` without a parameter. */
function isWellFormedPath(url: Buffer): boolean {
  const path = url.toString('latin1', pathStart(url), fields.queryStart);
  return !/&|;[^;/=]*(?:[;/]|$)|;=/.test(path);
}
