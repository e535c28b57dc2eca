// Patterns that one cluster of duplicates suggests (DUSTER; `align-rules`). Its URLs are aligned. The others should
// become the shortest URL, unless hits say the opposite. From the columns of a URL and its target,
//
//     //h  /  _export  /  xhtml  /  library  /  start  ?do=show        ->   //h  /  library  /  start
//
// come two statements, in a form that clusters of other pages can suggest too:
//
//     wide     /_export/xhtml/{1:path}?do=show&{*}       ->  /{1}?{*}          all text that both have, in one piece
//     narrow   /_export/xhtml/library/{1:word}?do=show   ->  /library/{1}      by token; common tokens are literal
//
// Text that both URLs have, or that the target has elsewhere (COPY), is kept. Text that only one of them has is literal
// if many clusters have it, and otherwise a class that is not kept. There is also a wide statement for each difference
// alone, as clusters have many combinations of differences.
import { knownKindOf } from '../url/names.js';
import { isRun, tokensOf } from '../url/token.js';
import { alignAll, classOf, unitsOf, type Unit } from './align.js';

export interface Statement {
  readonly pattern: string;
  readonly template: string;
  readonly host: string;
}

/** True for text in many clusters: it becomes part of the pattern and is not copied. */
export type IsFrequent = (text: string) => boolean;

export interface ClusterMember {
  readonly url: string;
  readonly hits: number;
}

/**
 * A statement that one cluster suggests, in both directions, with the hits of the URL and of its image if that is
 * listed.
 */
export interface Suggestion {
  readonly statement: Statement;
  readonly turned: Statement | undefined;
  readonly given: number;
  readonly kept: number;
}

/**
 * Longer URLs are not aligned, as an alignment takes the product of two lengths: 20 clusters of 200 URLs with 200 segments
 * took over three minutes. The longest of the URLs of seven sites has 74 parts.
 */
export const MOST_UNITS = 150;

export function isAlignable(url: string): boolean {
  return url.length <= MOST_UNITS || (unitsOf(url)?.length ?? 0) <= MOST_UNITS;
}

/** The distinct statements for the URLs of a cluster. */
export function statementsOf(members: readonly ClusterMember[], isFrequent: IsFrequent): Suggestion[] {
  const sequences = members.flatMap(({ url, hits }) => {
    const units = unitsOf(url);
    return units === undefined ? [] : [{ units, hits }];
  });
  if (sequences.length < 2) return [];
  const { profile, rows: places } = alignAll(sequences.map(({ units }) => units));
  const rows = profile[0]!.map((_, row) => profile.map((column) => column[row]));
  const hitsOf = new Map(rows.map((row, at) => [textOf(row), sequences[places[at]!]!.hits]));
  const target = rows.reduce((least, row) => (isBefore(row, least) ? row : least));
  const found = new Map<string, Suggestion>();
  for (const row of rows) {
    if (row === target) continue;
    for (const [to, isWide] of [[target, false] as const, ...partsOf(row, target).map((one) => [one, true] as const)]) {
      const statement = new Writer(row, to, isFrequent, isWide).statement();
      if (statement === undefined || statement.pattern === statement.template) continue;
      const key = keyOf(statement);
      const turned = new Writer(to, row, isFrequent, isWide).statement();
      const kept = hitsOf.get(textOf(to));
      const [before, given] = [found.get(key), kept === undefined ? 0 : hitsOf.get(textOf(row))!];
      found.set(key, {
        statement,
        turned: before?.turned ?? turned,
        given: (before?.given ?? 0) + given,
        kept: (before?.kept ?? 0) + (kept ?? 0),
      });
    }
  }
  return [...found.values()];
}

export function keyOf({ pattern, template }: Statement): string {
  return `${pattern} ${template}`;
}

function textOf(row: Row): string {
  return row.map((unit) => unit?.text ?? '').join('\n');
}

/**
 * The targets of `row` by all differences to `target` together, and by some of them alone: by those in the path, by
 * these without the fields that are copied into the path, and by each dropped field.
 */
function partsOf(row: Row, target: Row): Row[] {
  const path = target.map((unit, at) => (isField(unit) || isField(row[at]) ? row[at] : unit));
  const head = path.map((unit) => (isField(unit) ? '' : (unit?.text ?? ''))).join('');
  const isCopied = ({ text, name }: Unit) =>
    text.length > name.length + 2 && head.includes(`/${text.slice(name.length + 1)}`);
  const moved = path.map((unit) => (isField(unit) && isCopied(unit!) ? undefined : unit));
  const dropped = row.flatMap((unit, at) =>
    isField(unit) && target[at]?.text !== unit!.text ? [row.map((one) => (one === unit ? undefined : one))] : [],
  );
  return [target, path, moved, ...dropped];
}

function isField(unit: Unit | undefined): boolean {
  return unit?.kind === 'field';
}

/** Order: fewer units first, then fewer characters, then by text. */
function isBefore(a: Row, b: Row): boolean {
  const [left, right] = [a, b].map((row) => row.flatMap((unit) => (unit === undefined ? [] : [unit.text])));
  const [x, y] = [left!.join('&'), right!.join('&')];
  return (
    left!.length - right!.length < 0 ||
    (left!.length === right!.length && (x.length < y.length || (x.length === y.length && x < y)))
  );
}

type Row = readonly (Unit | undefined)[];

/** One URL of a cluster and the one that it should become, as a pattern and its template. */
class Writer {
  readonly #row: Row;
  readonly #target: Row;
  readonly #isFrequent: IsFrequent;
  readonly #isWide: boolean;
  #pattern = '';
  #template = '';
  #copies = 0;
  /** By text: its variable, for copies of the text elsewhere. */
  readonly #kept = new Map<string, string>();

  constructor(row: Row, target: Row, isFrequent: IsFrequent, isWide: boolean) {
    this.#row = row;
    this.#target = target;
    this.#isFrequent = isFrequent;
    this.#isWide = isWide;
  }

  statement(): Statement | undefined {
    const host = this.#row.find((unit) => unit?.kind === 'host')?.text ?? '';
    const targetHost = this.#target.find((unit) => unit?.kind === 'host')?.text ?? '';
    this.#writeHead();
    this.#writeQuery();
    if (this.#copies > 9) return undefined;
    const [from, to] = host === targetHost ? ['', ''] : [host, targetHost];
    return { pattern: from + this.#pattern, template: to + this.#template, host: host.slice(2) };
  }

  #keep(text: string, className: string): void {
    const copy = ++this.#copies;
    this.#pattern += `{${copy}:${className}}`;
    this.#template += `{${copy}}`;
    this.#kept.set(text, `{${copy}}`);
  }

  #writeHead(): void {
    const columns = this.#row
      .map((unit, at) => [unit, this.#target[at]] as const)
      .filter(([a, b]) => isPath(a) || isPath(b));
    const added: string[] = [];
    for (let at = 0; at < columns.length;) {
      const start = at;
      let text = '';
      while (at < columns.length && columns[at]![0]?.text === columns[at]![1]?.text) text += columns[at++]![0]!.text;
      if (at > start)
        this.#writeShared(
          text,
          columns.slice(at).every(([a]) => a === undefined),
        );
      else {
        const [a, b] = columns[at++]!;
        if (a !== undefined) this.#pattern += this.#dropped(a.text);
        // The variables of copies from the query are not known yet.
        if (b !== undefined) this.#template += `\ue000${added.push(b.text) - 1}\ue000`;
      }
    }
    this.#added = added;
  }

  #added: readonly string[] = [];

  /** Writes text that both URLs have: as one variable if it is at the end of the path, else token by token. */
  #writeShared(text: string, isLast: boolean): void {
    const [, signs = '', rest = ''] = /^((?:%[0-9A-Fa-f]{2}|[^0-9A-Za-z\u0080-\uffff])*)(.*)$/s.exec(text) ?? [];
    this.#pattern += signs;
    this.#template += signs;
    if (rest === '') return;
    if (this.#isWide && isLast) return this.#keep(rest, 'path');
    for (const token of tokensOf(rest)) {
      if (isRun(token) && !this.#isFrequent(token)) this.#keep(token, classOf(token));
      else {
        this.#pattern += token;
        this.#template += token;
      }
    }
  }

  #dropped(text: string): string {
    if (!isRun(text) || this.#isFrequent(text)) return text;
    return `{${classOf(text)}}`;
  }

  #writeQuery(): void {
    const fields = (row: Row) => row.flatMap((unit) => (unit?.kind === 'field' ? [unit] : []));
    const [own, wanted] = [fields(this.#row), fields(this.#target)];
    const shared = own.filter(({ text }) => wanted.some((other) => other.text === text));
    const head = this.#template.replace(/\ue000\d+\ue000/g, (mark) => this.#added[Number(mark.slice(1, -1))]!);
    this.#template = head;
    const left: string[] = [];
    const right: string[] = [];
    for (const { text, name } of own) {
      const [value, isShared] = [text.slice(name.length + 1), shared.some((other) => other.text === text)];
      if (isShared && this.#isWide) continue;
      if (!text.includes('=') || (this.#isFrequent(text) && !isShared && !isPassing(name, value))) left.push(text);
      else if (isShared || (value.length > 1 && this.#template.includes(`/${value}`))) {
        const copy = ++this.#copies;
        left.push(`${name}={${copy}:value}`);
        if (isShared) right.push(`${name}={${copy}}`);
        else this.#template = this.#template.replace(`/${value}`, `/{${copy}}`);
      } else left.push(value === '' ? text : `${name}={value}`);
    }
    for (const { text, name } of wanted) {
      if (shared.some((other) => other.text === text)) continue;
      const copy = this.#kept.get(text.slice(name.length + 1));
      right.push(copy === undefined ? text : `${name}=${copy}`);
    }
    if (this.#isWide) {
      left.push('{*}');
      right.push('{*}');
    }
    if (left.length > 0) this.#pattern += `?${left.join('&')}`;
    if (right.length > 0) this.#template += `?${right.join('&')}`;
  }
}

function isPath(unit: Unit | undefined): boolean {
  return unit?.kind === 'sign' || unit?.kind === 'run';
}

/** True for a value that is another one with each campaign, or each day, so that no pattern may name it. */
function isPassing(name: string, value: string): boolean {
  return knownKindOf(name) === 'campaign' || /^(?:19|20)\d\d-\d\d-\d\d$/.test(value);
}
