// Which chunks are the frame of a host? A mirror adds a line to every page, a site has its menu: such chunks are common
// on one host, rare on all others, and say nothing about what a page has in common with its copy. They are not compared.
//
//     a.example/x    [x1] [x2]              [mirrored by b] is on half of the texts of b.example and on no other host
//     b.example/x    [x1] [x2] [mirrored by b]
//     b.example/y    [y1] [y2] [mirrored by b]
//
// Copies of one page on one host also have common chunks. But most of 20 edited copies of a page have the same least
// chunk, while pages that have only a frame in common have different least chunks. So least chunks are counted.
import type { Numbers } from '../base/column.js';
import { readU32 } from '../base/row.js';
import { PRINT } from './intake.js';

/** A host with fewer different texts has no frame. */
export const MIN_TEXTS = 20;
/** A frame is on at least so many texts of its host, and on this share of them. */
const MIN_OCCURRENCES = 5;
const COMMON_SHARE = 0.1;
/** The largest share of its occurrences that may be on other hosts. */
const ELSEWHERE_SHARE = 0.05;
/** At least this share of the texts that have it have a least chunk of their own. */
const OWN_SHARE = 0.5;

/** The host of a text that is on several hosts. */
export const MANY_HOSTS = 0xffffffff;

export class Frames {
  readonly #hostOf: Numbers;
  /** By host: its texts that are on no other host. */
  readonly #texts = new Map<number, number>();

  /** `hostOf`: by text, its host or MANY_HOSTS. */
  constructor(hostOf: Numbers, texts: number) {
    this.#hostOf = hostOf;
    for (let text = 0; text < texts; text++) {
      const host = hostOf.get(text);
      this.#texts.set(host, (this.#texts.get(host) ?? 0) + 1);
    }
  }

  /** `texts`: the first `count` are the texts that have a chunk; `leasts`: of each of them, `leastOf` its chunks. */
  isFrame(texts: Uint32Array, leasts: Uint32Array, count: number): boolean {
    if (count < MIN_OCCURRENCES) return false;
    const host = this.#mostHost(texts, count);
    const all = this.#texts.get(host) ?? 0;
    if (host === MANY_HOSTS || all < MIN_TEXTS) return false;
    const own = new Set<number>();
    let common = 0;
    for (let k = 0; k < count; k++) {
      if (this.#hostOf.get(texts[k]!) !== host) continue;
      common++;
      own.add(leasts[k]!);
    }
    return (
      common >= MIN_OCCURRENCES &&
      common >= COMMON_SHARE * all &&
      count - common <= ELSEWHERE_SHARE * count &&
      own.size >= OWN_SHARE * common
    );
  }

  /** The host of more than half of the texts, if there is one (Boyer and Moore's vote). */
  #mostHost(texts: Uint32Array, count: number): number {
    let [host, votes] = [MANY_HOSTS, 0];
    for (let k = 0; k < count; k++) {
      const own = this.#hostOf.get(texts[k]!);
      if (votes === 0) host = own;
      votes += own === host ? 1 : -1;
    }
    return host;
  }
}

/** The least fingerprint of a text, by 32 bits of each, mixed: fingerprints of other tools may be small numbers. */
export function leastOf(bytes: Uint8Array, start: number, end: number): number {
  let least = 0xffffffff;
  for (let at = start; at < end; at += PRINT) {
    const folded = readU32(bytes, at) ^ readU32(bytes, at + 4);
    least = Math.min(least, Math.imul(folded, 0x9e3779b1) >>> 0);
  }
  return least;
}
