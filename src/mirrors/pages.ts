// The pages of a crawl, numbered in the order of their URLs, and what is kept of each.
import { decodeText, encodeText } from '../base/bytes.js';
import { Column } from '../base/column.js';
import { Bits } from '../base/numbers.js';
import { NumberPairs } from '../base/number-pairs.js';
import { eachRow, readU32, type Row, type RowReader, RowWriter } from '../base/row.js';
import { type SpillRoom, SpillSorter } from '../base/spill.js';
import { roomFor } from '../memory-plan.js';
import { UrlFile } from '../near/folding.js';
import { PAGE, type TakenIn } from './intake.js';

export interface Pages {
  readonly count: number;
  /** By record: true if it is the first record of its URL and a page. `ofRecord` then has the number of the page. */
  readonly isPage: Bits;
  readonly ofRecord: Column;
  readonly urls: UrlFile;
  /** By page: the number of its host, from 0. */
  readonly hosts: Column;
  /** The number of records that are left out because their URL had an earlier one. */
  readonly again: number;
  /** Links to pages, ⟨target, source⟩, unsorted. */
  readonly links: NumberPairs;
  /** The number of links to URLs that are no page. */
  readonly outside: number;
}

const DEFAULT_PAGE = 'index.html';
const SLASH_DEFAULT_PAGE = encodeText(`/${DEFAULT_PAGE}`);

/** Rows in key order, to be joined with others in the same order. */
class Along {
  /** The number of rows that had no partner, and for which `isTaken` was false. */
  missed = 0;
  readonly #rows: RowReader;
  readonly #isTaken: (row: Row) => boolean;
  #row: Row | undefined;

  /** `isTaken` is called for each row without a partner. */
  constructor(rows: RowReader, isTaken: (row: Row) => boolean = () => false) {
    this.#rows = rows;
    this.#isTaken = isTaken;
    this.#row = rows.next();
  }

  get isDone(): boolean {
    return this.#row === undefined;
  }

  /** Calls `found` for each row with this key. Keys must ascend from call to call. */
  to(key: Uint8Array, found: (row: Row) => void): void {
    for (; this.#row !== undefined; this.#row = this.#rows.next()) {
      const { bytes, keyStart, keyEnd } = this.#row;
      const order = Buffer.compare(bytes.subarray(keyStart, keyEnd), key);
      if (order > 0) return;
      if (order < 0) this.#miss(this.#row);
      else found(this.#row);
    }
  }

  #miss(row: Row): void {
    if (!this.#isTaken(row)) this.missed++;
  }

  close(): void {
    for (; this.#row !== undefined; this.#row = this.#rows.next()) this.#miss(this.#row);
    this.#rows.close();
  }
}

/**
 * Joins the names of pages with the targets of links, both in the order of URLs. Follows one redirect. A link to
 * `index.html` of a folder, if that is no page, counts as a link to the folder.
 */
export function joinPages(taken: TakenIn, room: SpillRoom): Pages {
  const isPage = new Bits(taken.records);
  const hosts = new Column(taken.records, roomFor('mirrors/column', room));
  const urls = new UrlFile(room.tmpdir);
  const hostNumbers = new Map<string, number>();
  const sorts = roomFor('mirrors/sorts', room);
  const quarter = { ...sorts, memoryBytes: sorts.memoryBytes / 4 };
  // Records and their pages.
  const numbered = new NumberPairs(quarter);
  // Links by the record that has them: pages get their numbers only after all names were seen.
  const found = new NumberPairs(quarter);
  // Links by the URL that they finally lead to, for a second join; those to folders, for a third join.
  const onward = new SpillSorter(quarter, room.stats);
  const folders = new SpillSorter(quarter, room.stats);
  const row = new RowWriter();
  const putFound = (page: number, { bytes, keyEnd }: Row) => found.add(readU32(bytes, keyEnd), page);
  const put = (sorter: SpillSorter, target: Uint8Array, source: number) => {
    row.clear().raw(target).u32(source);
    sorter.add(row.bytes, 0, row.length, target.length);
  };
  // wget saves the page of a folder as a file with this name, and links to it.
  const asFolder = ({ bytes, keyStart, keyEnd }: Row): boolean => {
    const start = keyEnd - DEFAULT_PAGE.length;
    if (start <= keyStart || Buffer.compare(bytes.subarray(start - 1, keyEnd), SLASH_DEFAULT_PAGE) !== 0) return false;
    put(folders, bytes.slice(keyStart, start), readU32(bytes, keyEnd));
    return true;
  };
  const targets = new Along(taken.targets, asFolder);
  const table = new Along(taken.table);
  let [count, again] = [0, 0];
  let last: Uint8Array | undefined;
  for (const { bytes, keyStart, keyEnd, end } of eachRow(taken.names)) {
    const isName = bytes[keyEnd - 1] === PAGE;
    if (last !== undefined && Buffer.compare(last, bytes.subarray(keyStart, keyEnd - 2)) === 0) {
      // The first page of a URL counts; the sort is stable.
      if (isName) again++;
      continue;
    }
    last = bytes.slice(keyStart, keyEnd - 2);
    if (!isName) {
      const target = bytes.slice(keyEnd, end);
      targets.to(last, (link) => put(onward, target, readU32(link.bytes, link.keyEnd)));
      continue;
    }
    const [page, record] = [count++, readU32(bytes, keyEnd)];
    isPage.set(record);
    numbered.add(record, page);
    const host = hostOf(decodeText(last));
    if (!hostNumbers.has(host)) hostNumbers.set(host, hostNumbers.size);
    hosts.set(page, hostNumbers.get(host)!);
    urls.add(page, last, 0, last.length);
    targets.to(last, (link) => putFound(page, link));
    table.to(last, (link) => put(onward, link.bytes.subarray(link.keyEnd, link.end), record));
  }
  urls.freeze();
  targets.close();
  table.close();
  const second = new Along(onward.finish(), asFolder);
  joinAll(second, urls, putFound);
  const third = new Along(folders.finish());
  joinAll(third, urls, putFound);
  const ofRecord = new Column(taken.records, roomFor('mirrors/column', room));
  numbered.each((record, page) => ofRecord.set(record, page));
  const links = new NumberPairs(quarter);
  found.each((record, target) => {
    if (isPage.has(record)) links.add(target, ofRecord.get(record));
  });
  const outside = targets.missed + table.missed + second.missed + third.missed;
  return { count, isPage, ofRecord, urls, hosts, again, links, outside };
}

/** Joins rows with all URLs, and closes both. */
function joinAll(along: Along, urls: UrlFile, found: (page: number, row: Row) => void): void {
  for (const { number, url } of urls.each()) {
    if (along.isDone) break;
    along.to(url, (row) => found(number, row));
  }
  along.close();
}

/** The host with its port, without the scheme. */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3;
  const slash = url.slice(start).search(/[/?#]/);
  return (slash < 0 ? url.slice(start) : url.slice(start, start + slash)).toLowerCase();
}
