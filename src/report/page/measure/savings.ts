// What does each rule do to the log by itself: how many URLs does it change, and how many fewer would there be? One
// external sort joins images and URLs, by their hashes (`hash`):
//
//   hash of URL   | 0                        : rules that change it    a row for each URL
//   hash of image | 1 | rule | hash of URL   :                         a row for each URL and rule that changes it
//
// URLs with one image are merged; they become none if the image is in the log and the rule leaves it unchanged. `eval`
// computes the same for a labelled list (`../../measure-rules`), whose texts it has to show; here it is computed for
// every URL of a log.
import { ByteBuffer } from '../../../base/buffer.js';
import { sameRange } from '../../../base/bytes.js';
import { readU32, type Row, RowWriter } from '../../../base/row.js';
import { Run } from '../../../base/run.js';
import { type SpillRoom, SpillSorter } from '../../../base/spill.js';
import { type Canonizer, type CanonizerOptions, createCanonizer } from '../../../canonize/canonizer.js';
import { appendImage, type CompiledRule, compileRule } from '../../../rule/apply.js';
import type { Rule } from '../../../rule/rule.js';
import { isUrl, pathStart } from '../../../url/form.js';
import { createFindRules, type FindRules } from '../../measure-rules.js';
import { HASH_BYTES, hashOfRange, putHash, type UrlHash } from '../../sort-keys.js';
import type { VisitedUrl } from './visits.js';

/** Distinct URLs that a rule changes, and how many fewer that leaves. */
export interface Saving {
  readonly touched: number;
  readonly saved: number;
}

const IN_LOG = 0;
const IMAGE = 1;
/** Of an image: its hash, the kind of the row, the rule. */
const IMAGE_BYTES = HASH_BYTES + 1 + 4;

/** Build (`add`), then read (`finish`). */
export class SavingMeter {
  readonly #compiled: readonly CompiledRule[];
  readonly #findRules: FindRules;
  /** Without rules: it only prepares images. */
  readonly #bare: Canonizer;
  readonly #isPathOnly: boolean;
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();
  readonly #changing = new RowWriter();
  readonly #image = new ByteBuffer(1 << 12);

  constructor(rules: readonly Rule[], how: CanonizerOptions, room: SpillRoom) {
    this.#compiled = rules.map(compileRule);
    this.#findRules = createFindRules(rules, this.#compiled, how);
    this.#bare = createCanonizer([], how);
    this.#isPathOnly = how.urlForm === 'path';
    this.#sorter = new SpillSorter(room, room.stats);
  }

  /** A distinct URL of the log, which reading has prepared. */
  add({ url, hash }: Pick<VisitedUrl, 'url' | 'hash'>): void {
    this.#changing.clear();
    if (isUrl(url)) this.#addImages(url, hash);
    const row = putHash(this.#row.clear(), hash).byte(IN_LOG);
    const keyLength = row.length;
    row.range(this.#changing.bytes, 0, this.#changing.length);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  #addImages(url: Uint8Array, hash: UrlHash): void {
    const rules = this.#findRules(url);
    const path = pathStart(url);
    const places = { origin: this.#isPathOnly ? path : 0, path };
    for (let at = 0; at < rules.length; at++) {
      const rule = rules[at]!;
      this.#image.used = 0;
      const isChanged = appendImage(this.#compiled[rule]!, url, 0, url.length, places, this.#image);
      if (!isChanged) continue;
      this.#bare.trace(this.#image.bytes.subarray(0, this.#image.used));
      const { bytes, start, end } = this.#bare.canonical;
      if (end - start === url.length && sameRange(bytes, start, url, 0, url.length)) continue;
      this.#changing.u32(rule);
      const row = putHash(this.#row.clear(), hashOfRange(bytes, start, end))
        .byte(IMAGE)
        .u32(rule);
      putHash(row, hash);
      this.#sorter.add(row.bytes, 0, row.length, row.length);
    }
  }

  /** By rule, in their order. */
  finish(): Saving[] {
    const counts = this.#compiled.map(() => ({ touched: 0, saved: 0 }));
    const [target, image, pair] = [new Run(), new Run(), new Run()];
    /** Whether the target is in the log, and the rules that change it. */
    let isInLog = false;
    const changing = new Set<number>();
    const rows = this.#sorter.finish();
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      if (target.isNew(row, row.keyStart, row.keyStart + HASH_BYTES)) {
        isInLog = false;
        changing.clear();
      }
      if (row.bytes[row.keyStart + HASH_BYTES] === IN_LOG) {
        isInLog = true;
        eachRule(row, (rule) => changing.add(rule));
        continue;
      }
      if (!pair.isNew(row, row.keyStart, row.keyEnd)) continue;
      const rule = readU32(row.bytes, row.keyStart + HASH_BYTES + 1);
      const count = counts[rule]!;
      count.touched++;
      const isFirst = image.isNew(row, row.keyStart, row.keyStart + IMAGE_BYTES);
      if (!isFirst || (isInLog && !changing.has(rule))) count.saved++;
    }
    rows.close();
    return counts;
  }
}

function eachRule({ bytes, keyEnd, end }: Row, visit: (rule: number) => void): void {
  for (let at = keyEnd; at < end; at += 4) visit(readU32(bytes, at));
}
