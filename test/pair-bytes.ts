// Writes and reads pairs in the format of the heap (kernel/count/pairs).
import { inArena, takeU8 } from '../src/base/heap.js';
import { readU32, RowWriter } from '../src/base/row.js';
import type { Anchor } from '../src/rule/rule.js';
import { type Pair, readPair, type TakePairs } from '../src/table/pair.js';

const ANCHORS: readonly Anchor[] = ['both', 'end', 'none', 'start'];

/** Concatenates pairs, each after its length, and sends them in blocks. */
export class PairWriter {
  readonly #send: (pairs: Uint8Array<ArrayBuffer>) => void;
  readonly #pairs = new RowWriter();
  readonly #one = new RowWriter();

  constructor(send: (pairs: Uint8Array<ArrayBuffer>) => void) {
    this.#send = send;
  }

  add(pair: Pair): void {
    const { bytes, length } = writePair(this.#one.clear(), pair);
    this.#pairs.u32(length).raw(bytes.subarray(0, length));
    if (this.#pairs.length >= SEND_BYTES) this.flush();
  }

  flush(): void {
    this.#send(this.#pairs.bytes.slice(0, this.#pairs.length));
    this.#pairs.clear();
  }
}

const SEND_BYTES = 1 << 20;

/** Passes on pairs from outside of the heap. */
export function handOver(pairs: Uint8Array, take: TakePairs): void {
  inArena(() => {
    const copy = takeU8(pairs.length);
    copy.set(pairs);
    take(copy);
  });
}

/** The pairs in these bytes. */
export function* eachPairOf(pairs: Uint8Array): Generator<Pair> {
  for (let at = 0; at < pairs.length;) {
    const keyEnd = at + 4;
    const end = keyEnd + readU32(pairs, at);
    yield readPair({ bytes: pairs, keyStart: at, keyEnd, end });
    at = end;
  }
}

/** Appends a pair as a payload. */
export function writePair(row: RowWriter, pair: Pair): RowWriter {
  row.byte(ANCHORS.indexOf(pair.anchor)).u32(pair.low).u32(pair.high).u32(pair.against).byte(pair.examples.length);
  for (const [from, to] of pair.examples) row.u32(from).u32(to);
  return row.u32(pair.from.length).raw(pair.from).raw(pair.to);
}
