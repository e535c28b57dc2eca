// Multiple sequence alignment of the URLs of one cluster of duplicates, unit by unit (DUSTER; `align-rules`):
//
//     //h  /  _export  /  xhtml  /  a             the columns of three URLs with the same page; a gap is where one
//     //h  -  -        -  -      /  a             has nothing. A field of the query is one unit, and fields are in
//     //h  -  -        -  -      /  a  do=show    the order of their names, so that it does not matter where they stand
//
// Pairs are aligned by Needleman and Wunsch's algorithm (1970). The scores are ours, as the paper gives none. The best
// pair becomes one profile, whose columns have the units of both. The profile is aligned with the remaining sequences,
// and so on.
import { byText } from '../base/bytes.js';
import { isRun, tokensOf } from '../url/token.js';

export interface Unit {
  readonly kind: 'host' | 'sign' | 'run' | 'field';
  readonly text: string;
  /** The name of a field, without `=`. */
  readonly name: string;
}

/**
 * Splits a URL into units: the host with its `//`, the tokens of the path, and the fields of the query by name.
 * Undefined if the text is no URL.
 */
export function unitsOf(url: string): Unit[] | undefined {
  const [, host, path, query] = /^(?:https?:(\/\/[^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  if (path === undefined || (host === undefined && !path.startsWith('/')) || /[{}]/.test(url)) return undefined;
  const fields = (query ?? '').split(/[&;]/).filter((field) => field !== '');
  return [
    ...(host === undefined ? [] : [{ kind: 'host', text: host, name: '' } as const]),
    ...tokensOf(path).map((text) => ({ kind: isRun(text) ? 'run' : 'sign', text, name: '' }) as const),
    ...fields
      .map((text) => ({ kind: 'field', text, name: text.split('=', 1)[0]! }) as const)
      .sort((a, b) => byText(a.name, b.name) || byText(a.text, b.text)),
  ];
}

/** By column: the unit of each row there. */
export type Profile = readonly (readonly (Unit | undefined)[])[];

const GAP = -0.5;
/** Higher, so that the structure of a path stays. */
const GAP_AT_SLASH = -1;

function gapScore(column: Profile[number]): number {
  return column.some((unit) => unit?.kind === 'sign' && unit.text === '/') ? GAP_AT_SLASH : GAP;
}

/** What of a column the scores depend on. */
interface Column {
  readonly kind: Unit['kind'];
  readonly name: string;
  /** Distinct, in the order of the rows. */
  readonly texts: readonly string[];
  /** Of the first text of a run or sign. */
  readonly class: ReturnType<typeof classOf>;
}

function columnOf(units: Profile[number]): Column {
  const known = units.filter((unit) => unit !== undefined);
  const { kind, name, text } = known[0]!;
  return { kind, name, texts: [...new Set(known.map((unit) => unit.text))], class: classOf(text) };
}

/** How well two columns correspond; -Infinity if they may not. */
export function columnScore(a: Profile[number], b: Profile[number]): number {
  return scoreOf(columnOf(a), columnOf(b));
}

function scoreOf(a: Column, b: Column): number {
  if (a.kind !== b.kind || (a.kind === 'field' && a.name !== b.name)) return -Infinity;
  const [left, right] = [a.texts, b.texts];
  if (left.length === 1 && right.length === 1 && left[0] === right[0]) return 2;
  let shared = 0;
  for (const text of left) if (right.includes(text)) shared++;
  if (shared > 0) return 1 + shared / (left.length + right.length - shared);
  if (a.kind === 'sign') return -Infinity;
  return a.class === b.class ? 0.25 : -0.5;
}

/** The narrowest class of patterns that matches a run. */
export function classOf(text: string): 'digits' | 'hex' | 'word' {
  if (/^[0-9]+$/.test(text)) return 'digits';
  return text.length >= 8 && /^[0-9a-f]+$/.test(text) && /[0-9]/.test(text) ? 'hex' : 'word';
}

export interface Alignment {
  readonly score: number;
  readonly profile: Profile;
}

const DIAGONAL = 0;
const UP = 1;
const LEFT = 2;

/** The best alignment of two profiles; ties go to the diagonal, then to a gap in `b`. O(|a| |b|). */
export function alignPair(a: Profile, b: Profile): Alignment {
  const width = b.length + 1;
  const score = new Float64Array((a.length + 1) * width);
  const from = new Uint8Array(score.length);
  const [gapsA, gapsB] = [a.map(gapScore), b.map(gapScore)];
  const [columnsA, columnsB] = [a.map(columnOf), b.map(columnOf)];
  for (let i = 1; i <= a.length; i++) {
    score[i * width] = score[(i - 1) * width]! + gapsA[i - 1]!;
    from[i * width] = UP;
  }
  for (let j = 1; j <= b.length; j++) {
    score[j] = score[j - 1]! + gapsB[j - 1]!;
    from[j] = LEFT;
  }
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const at = i * width + j;
      let best = score[at - width - 1]! + scoreOf(columnsA[i - 1]!, columnsB[j - 1]!);
      const up = score[at - width]! + gapsA[i - 1]!;
      const left = score[at - 1]! + gapsB[j - 1]!;
      if (up > best) [best, from[at]] = [up, UP];
      if (left > best) [best, from[at]] = [left, LEFT];
      score[at] = best;
    }
  }
  const [rowsA, rowsB] = [a, b].map((side) => Array.from({ length: side[0]?.length ?? 0 }, () => undefined));
  const profile: (Unit | undefined)[][] = [];
  let [i, j] = [a.length, b.length];
  while (i > 0 || j > 0) {
    const way = from[i * width + j];
    if (way === DIAGONAL) profile.push([...a[--i]!, ...b[--j]!]);
    else if (way === UP) profile.push([...a[--i]!, ...rowsB!]);
    else profile.push([...rowsA!, ...b[--j]!]);
  }
  return { score: score.at(-1)!, profile: profile.reverse() };
}

export interface Consensus {
  readonly profile: Profile;
  /** By row of the profile: its index in the list. */
  readonly rows: readonly number[];
}

/** Aligns all sequences, best pair first; equal scores in the order of the list. */
export function alignAll(sequences: readonly (readonly Unit[])[]): Consensus {
  interface Live extends Consensus {
    readonly order: number;
  }
  const live = new Set<Live>(
    sequences.map((units, at) => ({ profile: units.map((unit) => [unit]), rows: [at], order: at })),
  );
  let pairs: { readonly a: Live; readonly b: Live; readonly found: Alignment }[] = [];
  const pair = (a: Live, b: Live) => pairs.push({ a, b, found: alignPair(a.profile, b.profile) });
  const all = [...live];
  for (const [at, a] of all.entries()) for (const b of all.slice(at + 1)) pair(a, b);
  for (let order = all.length; live.size > 1; order++) {
    const best = pairs.reduce((one, other) => (other.found.score > one.found.score ? other : one));
    live.delete(best.a);
    live.delete(best.b);
    pairs = pairs.filter(({ a, b }) => live.has(a) && live.has(b));
    const joined = { profile: best.found.profile, rows: [...best.a.rows, ...best.b.rows], order };
    for (const other of live) pair(other, joined);
    live.add(joined);
  }
  const [last] = live;
  return { profile: last?.profile ?? [], rows: last?.rows ?? [] };
}
