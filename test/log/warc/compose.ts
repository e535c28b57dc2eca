// Writes WARC files byte by byte, so that a test can put errors into them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileInput } from '../../../src/log/inputs.js';
import { openWarcs, type WarcArchive, type WarcOptions } from '../../../src/log/warc/archive.js';

export interface Composed {
  readonly type?: string;
  readonly version?: string;
  readonly url?: string | Buffer;
  readonly date?: string;
  /** Further WARC headers, in order. */
  readonly warc?: readonly (readonly [string, string])[];
  /** Status line and headers; null for a record without HTTP. */
  readonly http?: readonly string[] | null;
  readonly body?: string | Buffer;
  /** Added to the true Content-Length. */
  readonly lie?: number;
}

export const OK = ['HTTP/1.1 200 OK', 'Content-Type: text/html'];

/** A record with the two line ends after it. */
export function record(what: Composed): Buffer {
  const { type = 'response', version = '1.0', url = 'http://a.example/', date = '2024-01-01T00:00:00Z' } = what;
  const http = what.http === null ? '' : [...(what.http ?? OK), '', ''].join('\r\n');
  const content = Buffer.concat([Buffer.from(http), Buffer.from(what.body ?? '')]);
  const further = (what.warc ?? []).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`WARC/${version}\r\nWARC-Type: ${type}\r\nWARC-Target-URI: `),
    Buffer.from(url),
    Buffer.from(`\r\nWARC-Date: ${date}\r\n${further}Content-Length: ${content.length + (what.lie ?? 0)}\r\n\r\n`),
    content,
    Buffer.from('\r\n\r\n'),
  ]);
}

export const WARCINFO = record({ type: 'warcinfo', url: 'urn:x', http: null, body: 'software: test\r\n' });

export type Packing = 'by record' | 'plain' | 'as one' | 'zstd';

export const PACKINGS: readonly Packing[] = ['by record', 'plain', 'as one', 'zstd'];

export function pack(records: readonly Uint8Array[], packing: Packing): Buffer {
  if (packing === 'by record') return Buffer.concat(records.map((one) => gzipSync(one)));
  if (packing === 'zstd') return Buffer.concat(records.map(zstdFrame));
  return packing === 'plain' ? Buffer.concat(records) : gzipSync(Buffer.concat(records));
}

/** A frame of blocks that are not compressed (RFC 8878, 3.1.1). */
export function zstdFrame(content: Uint8Array): Buffer {
  const head = Buffer.from('28b52ffda000000000', 'hex');
  head.writeUInt32LE(content.length, 5);
  const blocks: Uint8Array[] = [head];
  for (let at = 0, isLast = false; !isLast; at += MAX_BLOCK) {
    const block = content.subarray(at, at + MAX_BLOCK);
    isLast = at + MAX_BLOCK >= content.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE(block.length * 8 + Number(isLast), 0, 3);
    blocks.push(header, block);
  }
  return Buffer.concat(blocks);
}

const MAX_BLOCK = 1 << 17;

export interface Shelf {
  readonly path: string;
  /** Opens files with these contents as one archive; they are named 0.warc, 1.warc and so on. */
  open(files: readonly Uint8Array[], options?: Partial<WarcOptions>): Promise<WarcArchive>;
}

/** A place for archives in a scratch folder. */
export function shelfIn(folder: string): Shelf {
  return {
    path: folder,
    open: (files, options) => {
      const inputs = files.map((bytes, number) => {
        const name = `${number}.warc`;
        writeFileSync(join(folder, name), bytes);
        return fileInput(name, join(folder, name));
      });
      return openWarcs(inputs, { tmpdir: folder, ...options });
    },
  };
}

/** Bytes that do not compress, the same each time. */
export function seededBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 42;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}
