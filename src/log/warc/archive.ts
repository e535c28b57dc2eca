// Looks up what crawlers fetched for a URL. WARC archives are opened once and then queried:
//
//   files ──scan──▶ index: hash of URL → region, offset      a few bytes a record, all that stays in memory
//   URL ──index──▶ candidates ──read──▶ record ──decode──▶ capture
//
// A record counts if it is a response, a revisit or a resource for an http(s) URL. Of several captures of a URL, the
// latest readable one with a 2xx status is used, else the latest. A revisit gets the payload of the record that it
// refers to, by URL and date, else by payload digest.
import { stat } from 'node:fs/promises';
import { systemCode, UserError } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';
import { normalizeSafe } from '../../url/normalize.js';
import { isHttp, parseUrl } from '../../url/parse.js';
import { type Input, readBytes } from '../bytes.js';
import type { Condition } from '../record.js';
import { MAGIC_BYTES, packingOf } from '../unpack.js';
import { type GrowingBytes, inWindows, openBytes, type RandomBytes, scratchBytes } from './bytes.js';
import { MAX_REGIONS, WarcIndexBuilder } from './capture-index.js';
import { type Capture, CaptureReader } from './capture.js';
import { dateSeconds, type HeaderBlock, httpStatus, payloadDigest, targetUrl } from './head.js';
import { MemberReader } from './member.js';
import { type Region, scanWarc } from './scan.js';
import { isZip, readWacz } from './wacz.js';

export interface WarcOptions {
  /** The folder for decompressed copies of files that are one gzip member, or zstd. */
  readonly tmpdir: string;
  /** Larger bodies are `too-large`, compressed or not. SPEC 11: 5 MiB. */
  readonly maxBodyBytes?: number;
}

/** A part of an archive that could not be read. */
interface Damage {
  readonly file: string;
  /** The offset in the file; in its decompressed bytes if the file is one gzip member, or zstd. */
  readonly offset: number;
  readonly reason: string;
}

/** The number of records of each kind; of the first three kinds only those for http(s) URLs. */
interface WarcCounts {
  response: number;
  revisit: number;
  resource: number;
  other: number;
}

export interface WarcArchive {
  readonly counts: Readonly<WarcCounts>;
  readonly damages: readonly Damage[];
  /** Files of a folder that are no archives, such as indexes and logs that a crawler writes beside them. */
  readonly passed: readonly string[];
  /**
   * The best capture of an absolute URL, as text of `base/bytes`: with the same bytes, else with the same safe normal
   * form.
   */
  find(url: string): Promise<Capture | undefined>;
  /** All captures in the order of the archives, with their times: seconds since 1970, 0 if unknown. */
  each(): AsyncIterable<{ readonly capture: Capture; readonly time: number }>;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 5 << 20;
/** The skippable frame with the dictionary of all other frames ("WARC file with Zstandard compression", IIPC 2021). */
const DICTIONARY_FRAME = 0x184d2a5d;
/** crawl.warc.gz, and crawl.warc.gz.open while it is written. */
const ARCHIVE_NAME = /\.(warc|wacz)(\.[a-z0-9]+)*$/i;
/** The bytes that `each` reads at once. */
const WINDOW_BYTES = 1 << 18;

/**
 * Reads all archives once, from front to back. Throws a UserError for a file that cannot be opened or has no readable
 * record, unless it was only found in a folder and does not have the name of an archive. Other damage is listed in
 * `damages`.
 */
export async function openWarcs(inputs: readonly Input[], options: WarcOptions): Promise<WarcArchive> {
  const builder = new ArchiveBuilder(options);
  try {
    for (const input of inputs) await builder.addFound(input);
    return builder.finish();
  } catch (error) {
    await builder.close();
    throw error;
  }
}

/** Thrown for a readable file in which no record begins. */
class NoRecord extends UserError {}

class ArchiveBuilder {
  readonly #options: WarcOptions;
  readonly #regions: Region[] = [];
  readonly #numbers = new Map<Region, number>();
  readonly #open: RandomBytes[] = [];
  readonly #index = new WarcIndexBuilder();
  readonly #damages: Damage[] = [];
  readonly #passed: string[] = [];
  #firstPassed: UserError | undefined;
  readonly #counts: WarcCounts = { response: 0, revisit: 0, resource: 0, other: 0 };
  #scratch: ScratchRegion | undefined;

  constructor(options: WarcOptions) {
    this.#options = options;
  }

  /** Skips a file without records, unless its name says that it should have some. */
  async addFound(input: Input): Promise<void> {
    const before = this.#damages.length;
    try {
      await this.#addFile(input);
    } catch (error) {
      if (!(error instanceof NoRecord) || input.inFolder !== true || ARCHIVE_NAME.test(input.name)) throw error;
      this.#damages.length = before;
      this.#passed.push(input.name);
      this.#firstPassed ??= error;
    }
  }

  async #addFile(input: Input): Promise<void> {
    try {
      if (input.path === undefined || !(await isRandom(input.path))) return await this.#addPipe(input);
      const bytes = await openBytes(input.path);
      this.#open.push(bytes);
      const head = await bytes.read(0, MAGIC_BYTES);
      if (isZip(head)) await this.#scanWacz(input.name, input.path);
      else if (packingOf(head) === 'zstd') await this.#scanZstd(input, bytes);
      else await this.#scan(input.name, bytes);
    } catch (error) {
      const code = systemCode(error);
      throw code === undefined ? error : new UserError(`cannot read "${input.name}" (${code}); expected a WARC file`);
    }
  }

  /** A pipe can be read only once, so it is copied to a scratch file. */
  async #addPipe(input: Input): Promise<void> {
    const copy = scratchBytes(this.#options.tmpdir);
    this.#open.push(copy);
    for await (const chunk of input.open()) copy.append(chunk);
    const head = await copy.read(0, MAGIC_BYTES);
    if (isZip(head)) {
      throw new UserError(`"${input.name}" is a zip file in a pipe; expected WARC there: name a WACZ file by its path`);
    }
    if (packingOf(head) !== 'zstd') return this.#scan(input.name, copy);
    return this.#scanZstd({ name: input.name, open: () => chunksOf(copy) }, copy);
  }

  /** Decompresses the frames one after another into a scratch file. */
  async #scanZstd(input: Input, packed: RandomBytes): Promise<void> {
    if ((await packed.read(0, 4)).readUInt32LE() === DICTIONARY_FRAME) {
      throw new UserError(
        `"${input.name}" is compressed by zstd with a dictionary, which cannot be read here; expected WARC, as it is, or ` +
          'with gzip, or with zstd without a dictionary; unpack it first',
      );
    }
    const bytes = scratchBytes(this.#options.tmpdir);
    this.#open.push(bytes);
    const condition: Condition = { reason: null };
    for await (const chunk of readBytes(input, condition)) bytes.append(chunk);
    const { reason } = condition;
    if (bytes.length === 0) throw await notWarc(input.name, packed, reason ?? undefined);
    if (reason !== null) this.#damages.push({ file: input.name, offset: bytes.length, reason });
    await this.#scan(input.name, bytes);
  }

  async #scanWacz(name: string, path: string): Promise<void> {
    let [files, entry] = [0, name];
    let bytes: GrowingBytes | undefined;
    const broken = await readWacz(path, {
      begin: (entryName) => {
        files++;
        entry = `${name}/${entryName}`;
        bytes = scratchBytes(this.#options.tmpdir);
        this.#open.push(bytes);
        return (chunk) => bytes!.append(chunk);
      },
      end: async (reason) => {
        if (reason !== undefined) this.#damages.push({ file: entry, offset: bytes!.length, reason });
        else if (bytes!.length === 0) this.#damages.push({ file: entry, offset: 0, reason: 'the file is empty' });
        if (bytes!.length > 0) await this.#scanPart(entry, bytes!);
      },
    });
    if (broken !== undefined) this.#damages.push({ file: name, offset: 0, reason: broken });
    if (files === 0)
      throw new NoRecord(`no pages in "${name}": ${broken ?? 'it is a zip file'}; expected archive/*.warc.gz in it`);
  }

  /** A part without a record is damage: the other parts may have some. */
  async #scanPart(name: string, bytes: RandomBytes): Promise<void> {
    const before = this.#damages.length;
    try {
      await this.#scan(name, bytes);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (this.#damages.length === before) this.#damages.push({ file: name, offset: 0, reason: error.message });
    }
  }

  async #scan(name: string, bytes: RandomBytes): Promise<void> {
    const damagesBefore = this.#damages.length;
    let records = 0;
    await scanWarc(bytes, {
      record: (region, offset, warc, http) => {
        records++;
        this.#add(region, offset, warc, http);
      },
      damage: (offset, reason) => this.#damages.push({ file: name, offset, reason }),
      scratch: () => (this.#scratch ??= this.#openScratch()),
    });
    if (records === 0) throw await notWarc(name, bytes, this.#damages[damagesBefore]?.reason);
  }

  /** Throws a UserError if no file of the folders was an archive. */
  finish(): WarcArchive {
    if (this.#firstPassed !== undefined && this.#regions.length === 0) throw this.#firstPassed;
    const index = this.#index.freeze();
    const regions = this.#regions;
    const maxBodyBytes = this.#options.maxBodyBytes ?? MAX_BODY_BYTES;
    const reader = new CaptureReader(index, regions, maxBodyBytes);
    return {
      counts: this.#counts,
      damages: this.#damages,
      passed: this.#passed,
      find: (url) => reader.find(url),
      async *each() {
        const windowed = regions.map((region) => ({ ...region, bytes: inWindows(region.bytes, WINDOW_BYTES) }));
        const inOrder = new CaptureReader(index, windowed, maxBodyBytes);
        for (let number = 0; number < index.length; number++) {
          const capture = await inOrder.at(number);
          if (capture !== undefined) yield { capture, time: index.date[number]! };
        }
      },
      close: () => this.close(),
    };
  }

  async close(): Promise<void> {
    for (const bytes of this.#open.splice(0)) await bytes.close();
  }

  #add(region: Region, offset: number, warc: HeaderBlock, http: HeaderBlock | undefined): void {
    const type = warc.get('WARC-Type');
    const url = targetUrl(warc);
    if ((type !== 'response' && type !== 'revisit' && type !== 'resource') || !url || !isHttp(parseUrl(url))) {
      this.#counts.other++;
      return;
    }
    this.#counts[type]++;
    this.#index.add({
      url,
      normalUrl: normalizeSafe(url),
      payloadDigest: type === 'revisit' ? undefined : payloadDigest(warc),
      date: dateSeconds(warc.get('WARC-Date')),
      status: type === 'resource' ? 200 : httpStatus(http),
      region: this.#numberOf(region),
      offset,
    });
  }

  #numberOf(region: Region): number {
    const known = this.#numbers.get(region);
    if (known !== undefined) return known;
    if (this.#regions.length === MAX_REGIONS) {
      throw new UserError(`too many archives: got more than ${MAX_REGIONS}; join some of them, as WARC files may be`);
    }
    this.#numbers.set(region, this.#regions.length);
    return this.#regions.push(region) - 1;
  }

  #openScratch(): ScratchRegion {
    const bytes = scratchBytes(this.#options.tmpdir);
    this.#open.push(bytes);
    return { bytes, packing: 'plain' };
  }
}

/** True for a file that can be read at any offset. A folder is refused when it is read. */
async function isRandom(path: string): Promise<boolean> {
  const found = await stat(systemName(path));
  return found.isFile() || found.isDirectory();
}

async function* chunksOf(bytes: RandomBytes): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += WINDOW_BYTES) yield bytes.read(at, WINDOW_BYTES);
}

type ScratchRegion = Region & { readonly bytes: GrowingBytes };

async function notWarc(name: string, bytes: RandomBytes, reason: string | undefined): Promise<UserError> {
  const expected = 'expected WARC, as it is, or with gzip or zstd for each record';
  if (bytes.length === 0) return new NoRecord(`no pages in "${name}": the file is empty; ${expected}`);
  if (await isArc(bytes)) {
    return new UserError(`"${name}" is an ARC file; ${expected}; \`warcio recompress\` makes a WARC of it`);
  }
  return new NoRecord(`no pages in "${name}": ${reason ?? 'there is no record'}; ${expected}`);
}

/** ARC, the format before WARC, begins with a record for a `filedesc:` URL. */
async function isArc(bytes: RandomBytes): Promise<boolean> {
  const member = new MemberReader(bytes, 0);
  const head = (await member.next()) ?? (await bytes.read(0, 16));
  member.close();
  return head.toString('latin1', 0, 11) === 'filedesc://';
}
