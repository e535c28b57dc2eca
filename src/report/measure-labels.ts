// Which content does a URL of the list have? Its label decides: URLs with the same label are one page.
//
// Labels come with the list (sketch or digest; `measure-near` finds near duplicates among sketches) or from a file. A
// file replaces the labels of the list. Its lines are URL, tab, a label of the page's bytes and, if known, another tab
// and a label of its near duplicates, which then counts instead. URLs of the file are treated like those of the list,
// and an external sort joins both:
//
//   URL | 0 : spelling, label             a row for each line of the file; the last one for a URL counts
//   URL | 1 : spelling, site, own label   a row for each URL of the list
//
// The key is the prepared URL. A label holds for all its spellings, except for a spelling with its own label.
import { TAB } from '../base/ascii.js';
import { decodeText, encodeText } from '../base/bytes.js';
import { RowWriter } from '../base/row.js';
import { Run } from '../base/run.js';
import { type SpillOptions, SpillSorter } from '../base/spill.js';
import { BatchBuilder } from '../log/batch.js';
import { type Input, readBytes } from '../log/bytes.js';
import { type ComposeOptions, Composer } from '../log/compose.js';
import { clearFields, createFields, setSpan } from '../log/format/format.js';
import { readLines } from '../log/lines.js';
import type { Condition } from '../log/record.js';
import { PairWatch } from '../near/pair-line.js';
import type { SiteReader } from '../table/url-list.js';
import { type Normalization, normalizeSafe } from '../url/normalize.js';
import { rawUrl } from '../table/raw-url.js';
import { partEnd, putPart } from './sort-keys.js';

/** A distinct URL as in the list. The label is undefined if the content is unknown. */
export interface LabelledUrl {
  readonly site: string;
  readonly url: Uint8Array;
  readonly label: Uint8Array | undefined;
}

export interface JoinedUrl extends LabelledUrl {
  /** The text of the file for this URL; undefined if the file lacks it. */
  readonly given: Uint8Array | undefined;
}

const NO_LABEL = new Uint8Array(0);

/** The label for a sketch or digest of the list. Near duplicates with other sketches have other labels. */
function labelOf(sketch: Uint8Array): Uint8Array | undefined {
  return sketch.length === 0 ? undefined : sketch;
}

/** The URLs of a list, site by site, with the labels that came with them. Closes the reader. */
export function* eachListed(sites: SiteReader): Generator<LabelledUrl> {
  for (let urls = sites.next(); urls !== undefined; urls = sites.next()) {
    for (let row = 0; row < urls.count; row++) {
      const at = urls.at(row);
      const sketchEnd = urls.sketchEndAt(at);
      const sketch = urls.bytes.slice(sketchEnd - urls.sketchLengthAt(at), sketchEnd);
      yield { site: urls.site, url: rawUrl(urls, row), label: labelOf(sketch) };
    }
  }
  sites.close();
}

/** The counts of a label file: lines = labels + withoutLabel + withoutUrl; a header is not counted. */
export interface LabelReport {
  lines: number;
  labels: number;
  /** Lines without a tab, or with nothing after it. */
  withoutLabel: number;
  /** Lines with text before the tab that is not a URL. */
  withoutUrl: number;
  /** Labels of a URL that contradict its first label. */
  contradicted: number;
  /** Labels of URLs that the list does not have. */
  unlisted: number;
  /** The first line without a label, as text. */
  firstWithout: string | undefined;
  /** The reason why the file could not be read to its end, or null. */
  reason: string | null;
}

const LABEL = 0;
const LISTED = 1;

/** Call `read` for labels, then `label` for the list. */
export class Labels {
  readonly report: LabelReport = {
    lines: 0,
    labels: 0,
    withoutLabel: 0,
    withoutUrl: 0,
    contradicted: 0,
    unlisted: 0,
    firstWithout: undefined,
    reason: null,
  };
  readonly pairs = new PairWatch();
  readonly #sorter: SpillSorter;
  readonly #row = new RowWriter();
  #normalize: Normalization = 'safe';

  constructor(room: SpillOptions) {
    this.#sorter = new SpillSorter(room);
  }

  /** Reads a label file, plain or compressed; if the first column of the first line is not a URL, it is a header. */
  async read(input: Input, options: ComposeOptions): Promise<void> {
    const condition: Condition = { reason: null };
    this.#normalize = options.normalize;
    const composer = new Composer({ ...options, normalize: 'none' });
    const arena = new BatchBuilder();
    const fields = createFields();
    for await (const { bytes, lines, start, end, number } of readLines(readBytes(input, condition))) {
      for (let line = 0; line < lines; line++) {
        const [from, to] = [start[line]!, end[line]!];
        const tab = indexOfTab(bytes, from, to);
        arena.clear();
        clearFields(fields);
        setSpan(fields.url, bytes, from, tab);
        const isUrl = tab > from && composer.compose(fields, arena) === null;
        if (!isUrl && number[line] === 1) continue;
        this.pairs.see(() => decodeText(bytes, from, to));
        this.#addLine(isUrl, arena.bytes.subarray(0, arena.used), bytes, tab, to);
      }
    }
    this.report.reason = condition.reason;
  }

  #addLine(isUrl: boolean, url: Uint8Array, bytes: Uint8Array, tab: number, lineEnd: number): void {
    const { report } = this;
    const [labelStart, labelEnd] = labelRange(bytes, tab + 1, lineEnd);
    report.lines++;
    if (!isUrl) {
      report.withoutUrl++;
    } else if (labelEnd <= labelStart) {
      report.withoutLabel++;
      report.firstWithout ??= decodeText(url);
    } else {
      report.labels++;
      this.#add(url, LABEL, bytes.subarray(labelStart, labelEnd));
    }
  }

  #add(url: Uint8Array, kind: number, payload: Uint8Array): void {
    const prepared = this.#normalize === 'safe' ? normalizeSafe(url) : url;
    const row = putPart(this.#row.clear(), prepared).byte(kind);
    const keyLength = row.length;
    putPart(row, url).raw(payload);
    this.#sorter.add(row.bytes, 0, row.length, keyLength);
  }

  /** The URLs of the list with the labels of the file. `report` is complete once all are read. */
  *label(urls: Iterable<LabelledUrl>): Generator<LabelledUrl> {
    for (const { given, ...one } of this.join(urls)) yield { ...one, label: given };
  }

  /** The URLs of the list with their own labels, and beside them what the file has for them. */
  *join(urls: Iterable<LabelledUrl>): Generator<JoinedUrl> {
    const own = new RowWriter();
    for (const { url, site, label } of urls) {
      putPart(own.clear(), encodeText(site)).byte(label === undefined ? 0 : 1);
      this.#add(url, LISTED, own.raw(label ?? NO_LABEL).bytes.subarray(0, own.length));
    }
    const rows = this.#sorter.finish();
    const run = new Run();
    const given = new Spellings();
    let isListed = true;
    const close = () => {
      if (!isListed) this.report.unlisted += given.count;
      given.clear();
      isListed = false;
    };
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const urlEnd = partEnd(row, row.keyStart);
      if (run.isNew(row, row.keyStart, urlEnd)) close();
      const spellingEnd = partEnd(row, row.keyEnd);
      const spelling = row.bytes.slice(row.keyEnd + 4, spellingEnd);
      const payload = row.bytes.slice(spellingEnd, row.end);
      if (row.bytes[urlEnd] === LISTED) {
        isListed = true;
        const siteEnd = partEnd({ bytes: payload }, 0);
        const label = payload[siteEnd] === 1 ? payload.slice(siteEnd + 1) : undefined;
        yield { site: decodeText(payload, 4, siteEnd), url: spelling, label, given: given.labelOf(spelling) };
      } else if (given.set(spelling, payload) === 'contradicted') this.report.contradicted++;
    }
    close();
    rows.close();
  }
}

/** The labels of all spellings of one URL. There are few. */
class Spellings {
  readonly #labels = new Map<string, Uint8Array>();
  #last: Uint8Array | undefined;

  get count(): number {
    return this.#labels.size;
  }

  clear(): void {
    this.#labels.clear();
    this.#last = undefined;
  }

  /** `contradicted` if the spelling had another label before. */
  set(spelling: Uint8Array, label: Uint8Array): 'new' | 'contradicted' {
    const name = decodeText(spelling);
    const known = this.#labels.get(name);
    this.#labels.set(name, label);
    this.#last = label;
    return known === undefined || Buffer.compare(known, label) === 0 ? 'new' : 'contradicted';
  }

  labelOf(spelling: Uint8Array): Uint8Array | undefined {
    return this.#last && (this.#labels.get(decodeText(spelling)) ?? this.#last);
  }
}

/** The range of the text after the second tab, if there is any; otherwise of the text between the tabs. */
function labelRange(bytes: Uint8Array, start: number, lineEnd: number): readonly [number, number] {
  const end = indexOfTab(bytes, start, lineEnd);
  const nearEnd = indexOfTab(bytes, end + 1, lineEnd);
  return nearEnd > end + 1 ? [end + 1, nearEnd] : [start, end];
}

/** The offset of the first tab from `start` on, or `end`. */
function indexOfTab(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === TAB) return at;
  return Math.max(start, end);
}
