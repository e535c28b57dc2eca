// What does each rule alone do to a list? Its image of a URL is the result of one application, as in validation. One
// external sort joins images with the URLs of the list:
//
//   URL | 0              : label             a row for each URL
//   image | 1 | rule | u : label of u        a row for each URL u and rule that changes it
//
// A rule is judged by the URLs u that have a label and whose image is in the list with a label. It is right about u if
// the labels are equal. URLs are compared in prepared form. Several listed URLs with one prepared form count once, and
// not at all if their labels disagree.
import { decodeText, sameBytes } from '../base/bytes.js';
import { readU32, type Row, type RowReader, RowWriter } from '../base/row.js';
import { Run } from '../base/run.js';
import { type SpillOptions, SpillSorter, type SpillStats } from '../base/spill.js';
import { type CanonizerOptions, createCanonizer } from '../canonize/canonizer.js';
import { type CompiledRule, compileRule, imageOf } from '../rule/apply.js';
import { createLookup, lookupKey } from '../rule/lookup.js';
import type { Rule } from '../rule/rule.js';
import { isUrl, pathStart } from '../url/form.js';
import { createSiteOf } from '../url/public-suffix.js';
import { masked } from '../url/secret.js';
import { shareOf } from './measure-forms.js';
import type { LabelledUrl } from './measure-labels.js';
import { partEnd, putPart } from './sort-keys.js';

export interface RuleMeasures {
  readonly rule: Rule;
  /** URLs of the list that the rule changes. */
  readonly touched: number;
  /** How many fewer distinct URLs there would be if each were replaced by its image. */
  readonly saved: number;
  /** Of the URLs with a label whose image has one too: URLs with equal labels, and with different ones. */
  readonly right: number;
  readonly wrong: number;
  /** True if at least 95 % of these URLs have equal labels; null if there are none. */
  readonly isRight: boolean | null;
  /** Up to three URLs and images with different labels. */
  readonly wrongExamples: readonly (readonly [url: string, image: string])[];
}

/** The minimum share of right URLs for a rule to count as right. */
const LEAST_RIGHT_SHARE = 0.95;
const MAX_EXAMPLES = 3;
const IN_LIST = 0;
const IMAGE = 1;
/** Bytes of the kind and the number of a rule. */
const RULE_BYTES = 5;

type Counts = { -readonly [Key in 'touched' | 'saved' | 'right' | 'wrong']: number } & {
  readonly wrongExamples: (readonly [string, string])[];
};

/** Call `add` for each URL, then `finish`. */
export class RuleMeter {
  readonly #rules: readonly Rule[];
  readonly #compiled: readonly CompiledRule[];
  readonly #findRules: FindRules;
  readonly #prepare: (url: Uint8Array) => Uint8Array;
  readonly #pathOnly: boolean;
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();

  constructor(rules: readonly Rule[], how: CanonizerOptions, room: SpillOptions, stats: SpillStats) {
    this.#rules = rules;
    this.#compiled = rules.map(compileRule);
    this.#findRules = createFindRules(rules, this.#compiled, how);
    // A canonizer without rules only prepares URLs.
    const bare = createCanonizer([], how);
    this.#prepare = (url) => bare.canonize(url);
    this.#pathOnly = how.urlForm === 'path';
    this.#sorter = new SpillSorter(room, stats);
  }

  add({ url: listed, label }: LabelledUrl): void {
    const url = this.#prepare(listed);
    const row = putPart(this.#row.clear(), url).byte(IN_LIST);
    const keyLength = row.length;
    putLabel(row, label);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
    if (!isUrl(url)) return;
    for (const index of this.#findRules(url)) {
      const image = this.#imageOf(index, url);
      if (image !== undefined) this.#addImage(index, image, url, label);
    }
  }

  #imageOf(index: number, url: Uint8Array): Uint8Array | undefined {
    const changed = imageOf(this.#compiled[index]!, url, this.#pathOnly ? pathStart(url) : 0);
    if (changed === url) return undefined;
    const image = this.#prepare(changed);
    return sameBytes(image, url) ? undefined : image;
  }

  #addImage(index: number, image: Uint8Array, url: Uint8Array, label: Uint8Array | undefined): void {
    const row = putPart(putPart(this.#row.clear(), image).byte(IMAGE).u32(index), url);
    const keyLength = row.length;
    putLabel(row, label);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  /** The measures of the rules, in their order. */
  finish(): RuleMeasures[] {
    const counts = this.#rules.map((): Counts => ({ touched: 0, saved: 0, right: 0, wrong: 0, wrongExamples: [] }));
    this.#count(this.#sorter.finish(), counts);
    return this.#rules.map((rule, index) => {
      const { right, wrong } = counts[index]!;
      const share = shareOf(right, right + wrong);
      return { rule, ...counts[index]!, isRight: share === null ? null : share >= LEAST_RIGHT_SHARE };
    });
  }

  #count(rows: RowReader, counts: readonly Counts[]): void {
    const target = new Run();
    const images = new Run();
    const pair = new Run();
    let listed: Known | undefined;
    let changed: Known | undefined;
    const close = () => {
      if (changed !== undefined && listed !== undefined) judge(pair.view, listed, changed, counts);
      changed = undefined;
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const targetEnd = partEnd(row, row.keyStart);
      if (!target.is(row, row.keyStart, targetEnd)) {
        close();
        target.remember(row, row.keyStart, targetEnd);
        listed = undefined;
      }
      const label = labelIn(row, row.keyEnd);
      if (row.bytes[targetEnd] === IN_LIST) {
        listed = agreed(listed, label);
        continue;
      }
      if (changed !== undefined && pair.is(row, row.keyStart, row.keyEnd)) {
        changed = agreed(changed, label);
        continue;
      }
      close();
      pair.remember(row, row.keyStart, row.keyEnd);
      changed = { label, isMixed: false };
      const index = readU32(row.bytes, targetEnd + 1);
      const count = counts[index]!;
      count.touched++;
      // Several URLs with one image become one URL. If the list has the image, one more URL is saved.
      if (!images.isNew(row, row.keyStart, targetEnd + RULE_BYTES)) count.saved++;
      else if (listed !== undefined && this.#imageOf(index, target.bytes.subarray(4)) === undefined) count.saved++;
    }
    close();
    rows.close();
  }
}

/** The label of all listed URLs with the same prepared form. */
interface Known {
  readonly label: Uint8Array | undefined;
  /** True if two of these URLs have different labels. */
  readonly isMixed: boolean;
}

function agreed(known: Known | undefined, label: Uint8Array | undefined): Known {
  if (known?.label === undefined) return { label, isMixed: false };
  if (label === undefined || Buffer.compare(label, known.label) === 0) return known;
  return { ...known, isMixed: true };
}

/** `pair` is a key of the sort: image, kind, rule, URL. */
function judge(pair: Uint8Array, listed: Known, changed: Known, counts: readonly Counts[]): void {
  if (listed.isMixed || changed.isMixed || listed.label === undefined || changed.label === undefined) return;
  const imageEnd = partEnd({ bytes: pair }, 0);
  const count = counts[readU32(pair, imageEnd + 1)]!;
  if (sameBytes(changed.label, listed.label)) {
    count.right++;
    return;
  }
  count.wrong++;
  if (count.wrongExamples.length === MAX_EXAMPLES) return;
  const urlAt = imageEnd + RULE_BYTES;
  count.wrongExamples.push([masked(decodeText(pair, urlAt + 4)), masked(decodeText(pair, 4, imageEnd))]);
}

/** Writes a byte for whether there is a label, then the label. */
function putLabel(row: RowWriter, label: Uint8Array | undefined): RowWriter {
  return putPart(row.byte(label === undefined ? 0 : 1), label ?? new Uint8Array(0));
}

function labelIn(row: Row, at: number): Uint8Array | undefined {
  return row.bytes[at] === 1 ? row.bytes.slice(at + 5, partEnd(row, at + 1)) : undefined;
}

/** Finds the rules that may change a URL, each tried alone. */
export type FindRules = (url: Uint8Array) => Int32Array;

/** The returned function gives indexes of rules, valid until its next call. */
export function createFindRules(
  rules: readonly Rule[],
  compiled: readonly CompiledRule[],
  { sitePolicy, urlForm }: CanonizerOptions,
): FindRules {
  const lookup = createLookup(rules.map(({ site }, at) => ({ site, text: lookupKey(compiled[at]!) })));
  const siteOf = createSiteOf(sitePolicy);
  const pathGroup = lookup.groupOf('');
  return (url) => {
    const isPath = urlForm === 'path';
    const group = isPath ? pathGroup : lookup.groupOf(siteOf(url, 0, url.length));
    const count = lookup.find(url, isPath ? pathStart(url) : 0, group, 0);
    return lookup.found.subarray(0, count);
  };
}
