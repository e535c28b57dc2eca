// What does one host say about the statements? Each is applied to the host's URLs. URLs that get one image, and a URL
// that is the image, are a pair, whose pages are compared:
//
//   /x?sid=1   /x?sid=2   → /x        one pair, though /x itself was never seen
//   /y?sid=3   /y         → /y        one pair
//
// Statements that hold here are applied before the next round, so that what differs in two ways becomes a pair then:
//
//   http://www.a.example/x?sid=1   http://a.example/x     a pair once sid is gone
import { Buffer } from 'node:buffer';
import { decodeText, latin1 } from '../../base/bytes.js';
import { hostOf } from '../../rule/of-hosts.js';
import { createLookup, type Lookup } from '../../rule/lookup.js';
import { drawRows } from '../../table/draw-rows.js';
import { findRow } from '../../table/find-row.js';
import { Nearness, pairsIn, SILENT } from '../../table/nearness.js';
import type { SiteUrls } from '../../table/site-urls.js';
import { rawUrl } from '../../table/raw-url.js';
import { noLevels, type HostFindings, type Testimony } from './share.js';
import { addWords } from './software.js';
import { differInAll, type Statement } from './statement.js';

/** Of a large host, so many URLs are looked at, and images are looked up among all. */
const MOST_ROWS = 500;
const MOST_PAIRS = 64;
const CHANCE_PAIRS = 24;
const CHANCE_SHIFTS = 3;
const ROUNDS = 8;
/** How often statements are applied to one form. */
const TIMES = 20;
const ROOT_TIMES = 4;

/** Which statements hold on the host: by what the host says, or by the other hosts if it says nothing. */
export type Holds = (found: readonly Pairs[], chance: readonly number[]) => readonly number[];

type Pairs = Testimony & { readonly pairs: readonly number[] };

export interface Examined extends Omit<HostFindings, 'group'> {
  readonly found: readonly (Pairs & {
    readonly holds: boolean;
    /** A form that the statement changes, and its image. */
    readonly changed: readonly [string, string];
  })[];
  /** The forms at the end, and a row for each. */
  readonly forms: ReadonlyMap<string, number>;
  /** The hosts of all URLs and of all forms on the way, with their ports. */
  readonly hosts: ReadonlySet<string>;
}

/** What statements do to a form: image by image. */
interface Changes {
  readonly statements: readonly number[];
  readonly images: readonly string[];
}

const NO_CHANGES: Changes = { statements: [], images: [] };

export class Examiner {
  readonly statements: readonly Statement[];
  readonly #lookup: Lookup;

  constructor(statements: readonly Statement[]) {
    this.statements = statements;
    this.#lookup = createLookup(statements.map(({ text }) => ({ site: '*', text })));
  }

  examine(urls: SiteUrls, holds: Holds): Examined {
    return new Examination(urls, this).run(holds);
  }

  /** The form by all statements, whether they hold or not. */
  rootOf(form: string): string {
    let url = bytesOf(form);
    const { found } = this.#lookup;
    for (let time = 0; time < ROOT_TIMES; time++) {
      const before = url;
      const count = this.#lookup.find(url, 0, 0, 0);
      for (let at = 0; at < count; at++) url = this.statements[found[at]!]!.image(url);
      if (url === before) break;
    }
    return latin1(url);
  }

  changesOf(form: string): Changes {
    const url = bytesOf(form);
    const { found } = this.#lookup;
    const count = this.#lookup.find(url, 0, 0, 0);
    if (count === 0) return NO_CHANGES;
    const statements: number[] = [];
    const images: string[] = [];
    for (let at = 0; at < count; at++) {
      const image = this.statements[found[at]!]!.image(url);
      if (image === url) continue;
      statements.push(found[at]!);
      images.push(latin1(image));
    }
    return statements.length === 0 ? NO_CHANGES : { statements, images };
  }
}

/** Forms of the URLs as they are. */
export function ownForms(urls: SiteUrls): Map<string, number> {
  const forms = new Map<string, number>();
  for (const row of drawRows(urls.count, MOST_ROWS)) forms.set(latin1(rawUrl(urls, row)), row);
  return forms;
}

/** The words of the host's URLs (./software). */
export function wordsOf(urls: SiteUrls): ReadonlySet<string> {
  const words = new Set<string>();
  for (const row of drawRows(urls.count, 64)) addWords(rawUrl(urls, row), words);
  return words;
}

class Examination {
  readonly #urls: SiteUrls;
  readonly #examiner: Examiner;
  readonly #known = new Map<string, Changes>();
  readonly #nearness: Nearness;
  readonly #isWhole: boolean;
  /** A row for each form. */
  #forms: ReadonlyMap<string, number>;
  readonly #found = new Map<number, number[]>();
  readonly #changed = new Map<number, readonly [string, string]>();
  readonly #inUse = new Set<number>();
  /** What is asked now: statements that are not more complex. */
  #complexity = 0;
  /** The most complex statement that changes a form. */
  #mostComplex = 0;

  constructor(urls: SiteUrls, examiner: Examiner) {
    this.#urls = urls;
    this.#examiner = examiner;
    this.#nearness = new Nearness(urls);
    this.#isWhole = urls.count <= MOST_ROWS;
    this.#forms = ownForms(urls);
  }

  run(holds: Holds): Examined {
    const chance = this.#chance();
    for (let round = 0; round < ROUNDS; round++) {
      const before = this.#inUse.size;
      if (this.#compare()) {
        const found = Array.from(this.#found, ([statement, pairs]) => ({ statement, pairs }));
        for (const statement of holds(found, chance)) this.#inUse.add(statement);
      }
      if (this.#inUse.size > before) {
        this.#rewrite();
      } else if (this.#complexity++ >= this.#mostComplex) break;
    }
    const found = [...this.#found].map(([statement, pairs]) => ({
      statement,
      pairs,
      holds: this.#inUse.has(statement),
      changed: this.#changed.get(statement)!,
    }));
    return {
      chance,
      found,
      forms: this.#forms,
      hosts: new Set(Array.from(this.#known.keys(), (form) => hostOf(bytesOf(form)))),
    };
  }

  /** Finds the pairs of each statement that is not in use yet. True if there are more than before. */
  #compare(): boolean {
    const images = new Map<number, Map<string, number>>();
    const levels = new Map<number, number[]>();
    for (const [form, row] of this.#forms) {
      const changes = this.#changesOf(form);
      for (const [at, statement] of changes.statements.entries()) {
        if (this.#inUse.has(statement) || !this.#isAsked(statement)) continue;
        const image = changes.images[at]!;
        if (!this.#changed.has(statement)) this.#changed.set(statement, [form, image]);
        const counts = entry(levels, statement, noLevels);
        const first = entry(images, statement, () => new Map<string, number>());
        const other = this.#other(image, row, first);
        if (other !== undefined && pairsIn(counts) < MOST_PAIRS) this.#count(statement, row, other, counts);
      }
    }
    let isMore = false;
    for (const [statement, counts] of levels) {
      const known = this.#found.get(statement);
      if (known !== undefined && pairsIn(counts) <= pairsIn(known)) continue;
      this.#found.set(statement, counts);
      isMore = true;
    }
    return isMore;
  }

  #isAsked(statement: number): boolean {
    const { complexity } = this.#examiner.statements[statement]!;
    if (complexity > this.#mostComplex) this.#mostComplex = complexity;
    return complexity <= this.#complexity;
  }

  #changesOf(form: string): Changes {
    return entry(this.#known, form, () => this.#examiner.changesOf(form));
  }

  /** Another row with the image, or whose image it is too; undefined if there is none yet. */
  #other(image: string, row: number, first: Map<string, number>): number | undefined {
    const other = this.#forms.get(image) ?? first.get(image) ?? this.#listed(image);
    if (other === undefined) first.set(image, row);
    return other === row ? undefined : other;
  }

  #listed(image: string): number | undefined {
    if (this.#isWhole) return undefined;
    const row = findRow(this.#urls, bytesOf(image));
    return row < 0 ? undefined : row;
  }

  #count(statement: number, row: number, other: number, counts: number[]): void {
    if (this.#examiner.statements[statement]!.needsContents && !(this.#hasSketch(row) && this.#hasSketch(other)))
      return;
    const { saying } = this.#examiner.statements[statement]!;
    if (saying.kind === 'removal' && saying.names.length > 1 && !this.#differInAll(row, other, saying.names)) return;
    const level = this.#nearness.between(row, other);
    if (level !== SILENT) counts[level]!++;
  }

  #differInAll(row: number, other: number, names: readonly string[]): boolean {
    return differInAll(rawUrl(this.#urls, row), rawUrl(this.#urls, other), names);
  }

  #hasSketch(row: number): boolean {
    return this.#urls.sketchLengthAt(this.#urls.at(row)) > 0;
  }

  /** Applies the statements in use to all forms. */
  #rewrite(): void {
    const forms = new Map<string, number>();
    for (const [form, row] of this.#forms) {
      const next = this.#rewritten(form);
      if (!forms.has(next) || next === form) forms.set(next, row);
    }
    this.#forms = forms;
  }

  #rewritten(form: string): string {
    let url = form;
    for (let time = 0; time < TIMES; time++) {
      const { statements, images } = this.#changesOf(url);
      const at = statements.findIndex((statement) => this.#inUse.has(statement));
      if (at < 0) break;
      url = images[at]!;
    }
    return url;
  }

  /** Pairs that no statement makes one, whether it holds or not: pairs of two pages. */
  #chance(): number[] {
    const levels = noLevels();
    const rows = Array.from(this.#forms, ([form, row]) => ({ row, root: this.#examiner.rootOf(form) }));
    const order = drawRows(rows.length, CHANCE_PAIRS);
    for (let shift = 1; shift <= CHANCE_SHIFTS && pairsIn(levels) < CHANCE_PAIRS; shift++) {
      for (let k = 0; k < order.length; k++) {
        const [a, b] = [rows[order[k]!]!, rows[order[(k + shift) % order.length]!]!];
        const level = a.root === b.root ? SILENT : this.#nearness.between(a.row, b.row);
        if (level !== SILENT) levels[level]!++;
      }
    }
    return levels;
  }
}

/** A form as text. */
export function textOf(form: string): string {
  return decodeText(bytesOf(form));
}

/** Forms are latin-1: one character a byte. */
function bytesOf(form: string): Uint8Array {
  return Buffer.from(form, 'latin1');
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
