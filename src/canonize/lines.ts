// Lines in, canonical lines out, in order, wherever the chunks were cut. The ending of a line (`\n`, `\r\n`, or nothing at
// the end) stays as it was, and a line that is no URL stays byte for byte, whatever the options but `changed`.
//
// Memory is bounded: the unfinished line at the end of a chunk is carried over up to `maxLineBytes`; a longer one is no URL
// that anybody means, and passes piece by piece. Only `unique` remembers, and it has to: every canonical form seen.
import type { Canonizer } from './canonizer.js';
import { isUrl } from '../url/form.js';

export interface LineOptions {
  /** `url`, tab, canonical form. */
  readonly pairs?: boolean;
  /** Only the first URL of each canonical form. */
  readonly unique?: boolean;
  /** Only URLs that are not their own canonical form. */
  readonly changed?: boolean;
}

export interface LineMapper {
  /** What `chunk` completes. Each piece has to be used or copied before the next one is asked for. */
  push(chunk: Uint8Array): Iterable<Uint8Array>;
  /** The last line, if it has no newline. */
  end(): Iterable<Uint8Array>;
}

export const maxLineBytes = 1 << 20;
const blockBytes = 1 << 16;
const newline = 0x0a;
const carriageReturn = 0x0d;
const tab = Uint8Array.of(0x09);

export function createLineMapper(canonizer: Pick<Canonizer, 'canonize'>, options: LineOptions = {}): LineMapper {
  const { pairs = false, unique = false, changed = false } = options;
  const out = new Block();
  const carry = new Block();
  const isFirst = unique ? createFirstSeen() : () => true;
  let passing = false;

  /** One whole line with its ending. */
  function mapLine(line: Uint8Array): void {
    const end = contentEnd(line);
    const url = end === line.length ? line : line.subarray(0, end);
    const canonical = canonizer.canonize(url);
    const isSame = canonical === url;
    if (changed && isSame) return;
    if ((pairs || unique) && !isUrl(url)) return out.add(line);
    if (!isFirst(canonical)) return;
    if (isSame && !pairs) return out.add(line);
    if (pairs) {
      out.add(url);
      out.add(tab);
    }
    out.add(canonical);
    out.add(line.subarray(end));
  }

  function pass(piece: Uint8Array): void {
    if (!changed) out.add(piece);
  }

  /** The first part of a chunk, up to and with its first newline: the rest of the line that was carried over. */
  function finishCarried(part: Uint8Array): void {
    if (passing) pass(part);
    else {
      carry.add(part);
      mapLine(carry.take());
    }
    passing = false;
  }

  function carryOver(part: Uint8Array): void {
    if (!passing && carry.used + part.length > maxLineBytes) {
      passing = true;
      pass(carry.take());
    }
    if (passing) pass(part);
    else carry.add(part);
  }

  return {
    *push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        const line = chunk.subarray(start, at + 1);
        if (carry.used > 0 || passing) finishCarried(line);
        else mapLine(line);
        start = at + 1;
        if (out.used >= blockBytes) yield out.take();
      }
      if (start < chunk.length) carryOver(chunk.subarray(start));
      if (out.used > 0) yield out.take();
    },
    *end() {
      if (carry.used > 0) mapLine(carry.take());
      passing = false;
      if (out.used > 0) yield out.take();
    },
  };
}

function contentEnd(line: Uint8Array): number {
  const end = line.at(-1) === newline ? line.length - 1 : line.length;
  return end > 0 && line[end - 1] === carriageReturn ? end - 1 : end;
}

/** Bytes that are gathered and then taken as one; the memory is used again after that. */
class Block {
  used = 0;
  #bytes = new Uint8Array(2 * blockBytes);

  add(part: Uint8Array): void {
    if (this.used + part.length > this.#bytes.length) this.#grow(this.used + part.length);
    this.#bytes.set(part, this.used);
    this.used += part.length;
  }

  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.used);
    this.used = 0;
    return taken;
  }

  #grow(least: number): void {
    const bytes = new Uint8Array(2 * least);
    bytes.set(this.#bytes.subarray(0, this.used));
    this.#bytes = bytes;
  }
}

// A Set takes 2^24 values at most, so the forms are spread over several.
const maxSetSize = 1 << 23;

/** True the first time that it is asked for some bytes. */
function createFirstSeen(): (form: Uint8Array) => boolean {
  const sets = [new Set<string>()];
  return (form) => {
    const text = Buffer.from(form.buffer, form.byteOffset, form.length).toString('latin1');
    if (sets.some((set) => set.has(text))) return false;
    if (sets.at(-1)!.size >= maxSetSize) sets.push(new Set());
    sets.at(-1)!.add(text);
    return true;
  };
}
