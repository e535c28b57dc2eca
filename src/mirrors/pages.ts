// Which pages are there, and what is kept of each? They are numbered in the order of their URLs.
import { decodeText } from '../base/bytes.js';
import { readU32 } from '../base/row.js';
import { RowWriter } from '../base/row-writer.js';
import { SpillSorter, type SpillRoom } from '../base/spill.js';
import { UrlFile } from '../near/folding.js';
import { PAGE, type TakenIn } from './intake.js';

export const NO_PAGE = 0xffffffff;

export interface Pages {
  readonly count: number;
  /** By record: its page; NO_PAGE for a further record of a URL. */
  readonly ofRecord: Uint32Array;
  readonly urls: UrlFile;
  /** By page: its host, numbered from 0 on. */
  readonly hosts: Uint32Array;
  /** Records that are left out, as their URL has one before. */
  readonly again: number;
  /** Links to pages, ⟨target, source⟩ as big-endian pages, not yet sorted. */
  readonly links: SpillSorter;
  /** Links that lead to none of the pages. */
  readonly outside: number;
}

/** Joins the names of pages with the targets of links, both in the order of URLs; redirects are followed once. */
export function joinPages(taken: TakenIn, room: SpillRoom): Pages {
  const ofRecord = new Uint32Array(taken.records).fill(NO_PAGE);
  const hosts = new Uint32Array(taken.records);
  const urls = new UrlFile(room.tmpdir);
  const hostNumbers = new Map<string, number>();
  const third = { ...room, memoryBytes: room.memoryBytes / 3 };
  // Links by the number of the record that they are in, as pages are not numbered before all names were seen.
  const found = new SpillSorter(third, room.stats);
  const redirected = new SpillSorter(third, room.stats);
  const row = new RowWriter();
  let [count, again, outside, redirects] = [0, 0, 0, 0];
  const { names, targets } = taken;
  let target = targets.next();
  let last: Uint8Array | undefined;
  for (let name = names.next(); name !== undefined; name = names.next()) {
    const { bytes, keyStart, keyEnd, end } = name;
    const url = bytes.subarray(keyStart, keyEnd - 2);
    const isPage = bytes[keyEnd - 1] === PAGE;
    if (last !== undefined && Buffer.compare(last, url) === 0) {
      // Of several records of a URL the first page counts; the sort is stable.
      if (isPage) again++;
      continue;
    }
    last = url.slice();
    if (isPage) {
      ofRecord[readU32(bytes, keyEnd)] = count;
      const host = hostOf(decodeText(url));
      if (!hostNumbers.has(host)) hostNumbers.set(host, hostNumbers.size);
      hosts[count] = hostNumbers.get(host)!;
      urls.add(count, url);
    } else redirects++;
    const to = isPage ? undefined : bytes.slice(keyEnd, end);
    for (; target !== undefined; target = targets.next()) {
      const order = Buffer.compare(target.bytes.subarray(target.keyStart, target.keyEnd), last);
      if (order > 0) break;
      const source = readU32(target.bytes, target.keyEnd);
      if (order < 0) outside++;
      else if (to === undefined) {
        row.clear().bigEndian(count).u32(source);
        found.add(row.bytes, 0, row.length, 4);
      } else {
        row.clear().raw(to).u32(source);
        redirected.add(row.bytes, 0, row.length, to.length);
      }
    }
    if (isPage) count++;
  }
  for (; target !== undefined; target = targets.next()) outside++;
  names.close();
  targets.close();
  urls.freeze();
  if (redirects > 0) outside += followRedirects(redirected, urls, found);
  const links = new SpillSorter(third, room.stats);
  const rows = found.finish();
  for (let next = rows.next(); next !== undefined; next = rows.next()) {
    const source = ofRecord[readU32(next.bytes, next.keyEnd)]!;
    if (source === NO_PAGE) continue;
    row.clear().range(next.bytes, next.keyStart, next.keyEnd).bigEndian(source);
    links.add(row.bytes, 0, 8, 8);
  }
  rows.close();
  return { count, ofRecord, urls, hosts: hosts.slice(0, count), again, links, outside };
}

/** Adds the links to URLs that redirect to a page. Returns the number of those that lead elsewhere. */
function followRedirects(redirected: SpillSorter, urls: UrlFile, found: SpillSorter): number {
  const row = new RowWriter();
  const targets = redirected.finish();
  let outside = 0;
  let target = targets.next();
  for (const { number, url } of urls.each()) {
    for (; target !== undefined; target = targets.next()) {
      const order = Buffer.compare(target.bytes.subarray(target.keyStart, target.keyEnd), url);
      if (order > 0) break;
      if (order < 0) outside++;
      else {
        row
          .clear()
          .bigEndian(number)
          .range(target.bytes, target.keyEnd, target.keyEnd + 4);
        found.add(row.bytes, 0, row.length, 4);
      }
    }
    if (target === undefined) break;
  }
  for (; target !== undefined; target = targets.next()) outside++;
  targets.close();
  return outside;
}

/** With the port, without scheme. */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3;
  const slash = url.slice(start).search(/[/?#]/);
  return (slash < 0 ? url.slice(start) : url.slice(start, start + slash)).toLowerCase();
}
