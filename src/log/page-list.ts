// A list of pages: page records of `dustbuster sketch`, read once and then looked up by URL.
//
//   lines ──read──▶ scratch file: the useful part of each record  index: hash of URL → offset, 36 bytes a record
//   URL ──index──▶ candidates ──read──▶ record
//
// Of several records of a URL, the latest with a 2xx status is used, else the latest. The same holds for WARC archives.
import { many } from '../base/amounts.js';
import { encodeText, sameBytes } from '../base/bytes.js';
import { UserError } from '../base/error.js';
import { normalizeSafe } from '../url/normalize.js';
import { isHttp, parseUrl } from '../url/parse.js';
import { type Input, readBytes } from './bytes.js';
import { MAX_LINE_BYTES, readLines } from './lines.js';
import type { Condition } from './record.js';
import { type RandomBytes, scratchBytes } from './warc/bytes.js';
import { WarcIndexBuilder } from './warc/capture-index.js';
import { withoutFragment } from './warc/capture.js';

/** The part of a record that describes a page. URLs are text of `base/bytes`. */
export interface ListedPage {
  readonly url: string;
  /** 0 if unknown. */
  readonly status: number;
  readonly type?: string;
  readonly digest?: string;
  readonly sketch?: string;
  readonly redirect?: string;
  readonly canonical?: string;
}

export interface PageList {
  readonly lines: number;
  /** The number of lines that are no records. */
  readonly bad: number;
  /** Files that broke off, with the reasons. */
  readonly damages: readonly string[];
  /** The record of an absolute URL: with the same bytes, else with the same safe normal form. */
  find(url: string): Promise<ListedPage | undefined>;
  close(): Promise<void>;
}

const BRACE = 0x7b;
const LINE_FEED = 0x0a;
const MAX_FIELD = 1 << 14;

/** True if the files are lists, false if none is. Throws a UserError if some are. */
export async function arePageRecords(inputs: readonly Input[]): Promise<boolean> {
  const lists = [];
  for (const input of inputs) if (await isPageList(input)) lists.push(input);
  if (lists.length === 0 || lists.length === inputs.length) return lists.length > 0;
  throw new UserError(`--pages: got lists of pages, such as "${lists[0]!.name}", and other files; expected one kind`);
}

/** WARC files are files: an input without a path can only be a list. */
async function isPageList(input: Input): Promise<boolean> {
  return input.path === undefined || (await hasJsonLines(input));
}

/** True if the first line is a JSON object. Opens the input, so a pipe cannot be read afterwards. */
export async function hasJsonLines(input: Input): Promise<boolean> {
  for await (const chunk of readBytes(input, { reason: null })) if (chunk.length > 0) return chunk[0] === BRACE;
  return false;
}

/** Throws a UserError if a file cannot be read, or if no line is a record. */
export async function openPageList(inputs: readonly Input[], tmpdir: string): Promise<PageList> {
  const stored = scratchBytes(tmpdir);
  const builder = new WarcIndexBuilder();
  const damages: string[] = [];
  let [lines, bad] = [0, 0];
  try {
    for (const input of inputs) {
      const condition: Condition = { reason: null };
      for await (const batch of readLines(readBytes(input, condition))) {
        for (let k = 0; k < batch.lines; k++) {
          const line = batch.bytes.subarray(batch.start[k]!, batch.end[k]!);
          if (line.length === 0) continue;
          lines++;
          const record = line.length > MAX_LINE_BYTES ? undefined : recordOf(line);
          if (record === undefined) {
            bad++;
            continue;
          }
          const { time, ...page } = record;
          const url = withoutFragment(encodeText(page.url));
          const [normalUrl, offset] = [normalizeSafe(url), stored.length];
          builder.add({ url, normalUrl, payloadDigest: undefined, date: time, status: page.status, region: 0, offset });
          stored.append(Buffer.from(`${JSON.stringify(page)}\n`));
        }
      }
      if (condition.reason !== null) damages.push(`${input.name}: ${condition.reason}; what came before was used`);
    }
    if (lines === bad) {
      throw new UserError(
        `--pages: got no page record in ${many(lines, 'line')}; expected WARC files, or lists of dustbuster sketch`,
      );
    }
  } catch (error) {
    await stored.close();
    throw error;
  }
  const index = builder.freeze();
  let isOpen = true;
  const at = async (number: number) => JSON.parse(await lineAt(stored, index.offset[number]!)) as ListedPage;
  return {
    lines,
    bad,
    damages,
    find: async (url) => {
      const asked = withoutFragment(encodeText(url));
      const normal = normalizeSafe(asked);
      for (const number of index.withUrl(asked, normal)) {
        const page = await at(number);
        if (sameBytes(withoutFragment(encodeText(page.url)), asked)) return page;
      }
      for (const number of index.withNormalUrl(normal)) {
        const page = await at(number);
        if (sameBytes(normalizeSafe(withoutFragment(encodeText(page.url))), normal)) return page;
      }
      return undefined;
    },
    close: async () => {
      if (isOpen) await stored.close();
      isOpen = false;
    },
  };
}

/** Undefined for a line that is no page record. */
function recordOf(line: Buffer): (ListedPage & { readonly time: number }) | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const fields = parsed as Readonly<Record<string, unknown>>;
  const url = textIn(fields, 'url');
  if (url === undefined || !isHttp(parseUrl(encodeText(url)))) return undefined;
  const status = fields['status'];
  const seconds = Date.parse(textIn(fields, 'time') ?? '') / 1000;
  const page: Record<string, string> = {};
  for (const name of ['type', 'digest', 'sketch', 'redirect', 'canonical']) {
    const text = textIn(fields, name);
    if (text !== undefined) page[name] = text;
  }
  return {
    url,
    status: typeof status === 'number' && Number.isInteger(status) && status > 0 && status < 1000 ? status : 0,
    time: seconds > 0 && seconds < 2 ** 32 ? Math.floor(seconds) : 0,
    ...page,
  };
}

function textIn(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' && value.length <= MAX_FIELD ? value : undefined;
}

async function lineAt(bytes: RandomBytes, start: number): Promise<string> {
  for (let length = 4096; ; length *= 4) {
    const read = await bytes.read(start, length);
    const end = read.indexOf(LINE_FEED);
    if (end >= 0) return read.toString('utf8', 0, end);
  }
}
