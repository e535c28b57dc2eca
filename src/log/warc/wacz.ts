// Reads the WARC files in a WACZ file (Web Archive Collection Zipped, 1.1). Of this zip only these entries count:
//
//     archive/data.warc.gz     copied to a scratch file of its own, and read like any WARC file
//     pages/pages.jsonl, indexes/index.cdx.gz, datapackage.json, …    not read
//
// Names are compared, never used as paths. An entry that is larger than it claims, or has another checksum, ends there
// (yauzl checks the size, this file the checksum). An entry that is encrypted or has an unknown method is damage.
import { crc32 } from 'node:zlib';
import { open, type Entry, type ZipFile } from 'yauzl';
import { systemCode } from '../../base/error.js';
import { systemName } from '../../base/file-name.js';

/** A zip begins with an entry or, if it has none, with its end record. */
export function isZip(head: Buffer): boolean {
  const magic = head.toString('latin1', 0, 4);
  return magic === 'PK\x03\x04' || magic === 'PK\x05\x06';
}

const WARC_NAME = /^archive\/[^/]+\.warc(?:\.gz|\.zst)?$/i;

interface WaczSink {
  /** Called when a WARC file begins. Returns a function that takes its bytes. */
  begin(name: string): (chunk: Buffer) => void;
  /** Called when it has no more bytes. `reason` is undefined if these are all, else why they are not. */
  end(reason: string | undefined): Promise<void>;
}

/** Reads all WARC files of a zip, in its order. If the zip is damaged, returns why there may be more. */
export async function readWacz(path: string, sink: WaczSink): Promise<string | undefined> {
  let zip: ZipFile | undefined;
  try {
    zip = await opened(path);
    for (let entry = await nextEntry(zip); entry !== undefined; entry = await nextEntry(zip)) {
      const name = entry.fileNameRaw.toString('latin1');
      if (!WARC_NAME.test(name)) continue;
      const take = sink.begin(name);
      await sink.end(await readEntry(zip, entry, take));
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    zip?.close();
  }
}

function opened(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // Names stay bytes, as yauzl would otherwise refuse a whole file with a name that leads out of its folder. yauzl
    // passes the path on to the system.
    open(systemName(path) as string, { lazyEntries: true, autoClose: false, decodeStrings: false }, (error, zip) =>
      error === null ? resolve(zip) : reject(new ZipError(error.message)),
    );
  });
}

function nextEntry(zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    zip.removeAllListeners();
    zip.once('entry', resolve);
    zip.once('end', () => resolve(undefined));
    zip.once('error', (error: Error) => reject(new ZipError(error.message)));
    zip.readEntry();
  });
}

/** Reads an entry. Returns why the bytes are not all, or undefined. */
async function readEntry(zip: ZipFile, entry: Entry, take: (chunk: Buffer) => void): Promise<string | undefined> {
  let sum = 0;
  try {
    for await (const chunk of await streamOf(zip, entry)) {
      sum = crc32(chunk as Buffer, sum);
      take(chunk as Buffer);
    }
  } catch (error) {
    return reasonOf(error);
  }
  return sum === entry.crc32 ? undefined : 'its check sum is another';
}

function streamOf(zip: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) =>
      error === null ? resolve(stream) : reject(new ZipError(error.message)),
    );
  });
}

/** A fault that yauzl finds in a file, as opposed to a bug. */
class ZipError extends Error {}

function reasonOf(error: unknown): string {
  const isOfFile = error instanceof ZipError || (error instanceof Error && isOfStream(error));
  if (!isOfFile) throw error;
  return `the zip is damaged (${error.message})`;
}

/** True for errors of zlib, and of yauzl's check of the size. */
function isOfStream(error: Error): boolean {
  return (systemCode(error)?.startsWith('Z_') ?? false) || /^(?:too many|not enough) bytes/.test(error.message);
}
