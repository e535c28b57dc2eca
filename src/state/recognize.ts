// Recognizes inputs by their decompressed text: yesterday's access.log is today's access.log.1.gz. An input that begins
// with all of a known text is that log, grown, and is read from there on.
//
//   known     | whole lines ………………\n| a line without end |
//   today     | whole lines ………………\n| a line without end, ended\n …………\n| another |
//              ^ not read again        ^ read from here on             ^ `wholeLines`
import { createHash } from 'node:crypto';
import { ScratchFile } from '../base/scratch.js';
import { type Input, peek, readBytes } from '../log/bytes.js';
import type { FormatOptions } from '../log/format/choose.js';
import { HEAD_BYTES } from '../log/format/detect.js';
import { isDocument } from '../log/range.js';
import type { Condition } from '../log/record.js';
import type { FoldedInput } from './content.js';

/** The size and completeness of an input. */
export interface Content {
  readonly bytes: number;
  readonly sha256: string;
  /** Bytes up to the last newline, included. */
  readonly wholeLines: number;
  /** Why the input could not be read to its end, or null. */
  readonly reason: string | null;
}

interface Recognized<K extends KnownContent> {
  readonly content: Content;
  /** The longest known text that the input begins with. If their lengths are equal, they are the same. */
  readonly known: K | undefined;
}

type KnownContent = Pick<FoldedInput, 'bytes' | 'sha256'>;

/** Reads the input once. SHA-256 takes 0.6 s per GB. A document has no lines: it is known as a whole or not at all. */
export async function recognize<K extends KnownContent>(
  input: Input,
  known: readonly K[],
  options: FormatOptions,
): Promise<Recognized<K>> {
  const condition: Condition = { reason: null };
  const [head, chunks] = await peek(readBytes(input, condition), HEAD_BYTES);
  const isWhole = isDocument(head, options);
  const marks = known.toSorted((a, b) => a.bytes - b.bytes);
  const hash = createHash('sha256');
  let [bytes, wholeLines, next] = [0, 0, 0];
  let found: K | undefined;
  for await (const chunk of chunks) {
    let at = 0;
    while (next < marks.length && marks[next]!.bytes <= bytes + chunk.length) {
      const length = marks[next]!.bytes;
      hash.update(chunk.subarray(at, length - bytes));
      at = length - bytes;
      const digest = hash.copy().digest('hex');
      for (; marks[next]?.bytes === length; next++) if (marks[next]!.sha256 === digest) found = marks[next];
    }
    hash.update(chunk.subarray(at));
    const newline = chunk.lastIndexOf(0x0a);
    if (newline >= 0) wholeLines = bytes + newline + 1;
    bytes += chunk.length;
  }
  const content = { bytes, sha256: hash.digest('hex'), reason: condition.reason };
  if (!isWhole) return { content: { ...content, wholeLines }, known: found };
  return { content: { ...content, wholeLines: bytes }, known: found?.bytes === bytes ? found : undefined };
}

/**
 * Standard input and pipes are copied to a scratch file, so that they can be read twice: once to recognize them, once
 * to mine them.
 */
const CHUNK_BYTES = 1 << 18;

/** The same input, in a scratch file. An error of the copy is thrown again when the copy is read. */
export async function spooled(input: Input, tmpdir: string): Promise<Input> {
  const file = new ScratchFile(tmpdir);
  let failure: unknown;
  try {
    for await (const chunk of input.open()) file.append(chunk);
  } catch (error) {
    failure = error;
  }
  function* chunks(): Generator<Buffer> {
    for (let at = 0; at < file.length;) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, file.length - at));
      at += file.read(chunk, at);
      yield chunk;
    }
    if (failure !== undefined) throw failure;
  }
  return { name: input.name, open: chunks };
}
