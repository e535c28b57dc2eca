// How many requests of a log would a cache answer, if its keys are URLs, and if they are canonical forms? The simulated
// cache has no limits and nothing in it expires, so a request is a hit if its key came before. A redirect or an error is
// no page that a cache could answer with, so it counts for nothing.
import { hashBytes, OTHER_SEED } from '../../base/hash.js';
import { createCanonizer, type Canonizer } from '../../canonize/canonizer.js';
import type { RecordBatch } from '../../log/record.js';
import type { Rule } from '../../rule/rule.js';
import type { ExportRequest } from '../target.js';

export interface Hits {
  readonly requests: number;
  /** Hits with URLs as keys, and hits with canonical forms as keys. */
  readonly before: number;
  readonly after: number;
}

/** The capacity of a set. Requests beyond it are not counted. */
const maxKeys = 1 << 23;

export class HitMeter {
  #requests = 0;
  /** Hashes of 53 bits: with eight million keys, two collide with a probability of 1 in 250. */
  readonly #urls = new Set<number>();
  readonly #forms = new Set<number>();
  readonly #canonizer: Canonizer;

  constructor({ normalization, urlForm, sitePolicy, maxIterations }: ExportRequest, rules: readonly Rule[]) {
    const how = { normalize: normalization, accept: 'likely', maxIterations, urlForm, sitePolicy } as const;
    this.#canonizer = createCanonizer(rules, how);
  }

  add({ rows, bytes, urlStart, urlEnd, status }: RecordBatch): void {
    for (let row = 0; row < rows && this.#urls.size < maxKeys; row++) {
      if (status !== null && !isPage(status[row]!)) continue;
      const [start, end] = [urlStart[row]!, urlEnd[row]!];
      this.#requests++;
      this.#urls.add(keyOf(bytes, start, end));
      this.#canonizer.canonizeLine(bytes, start, end);
      const form = this.#canonizer.canonical;
      this.#forms.add(keyOf(form.bytes, form.start, form.end));
    }
  }

  get hits(): Hits {
    const requests = this.#requests;
    return { requests, before: requests - this.#urls.size, after: requests - this.#forms.size };
  }
}

/** True for an answer with a page, or one without a status. */
function isPage(status: number): boolean {
  return status < 0 || (status >= 200 && status < 300) || status === 304;
}

function keyOf(bytes: Uint8Array, start: number, end: number): number {
  const low = hashBytes(bytes, start, end) >>> 0;
  return (hashBytes(bytes, start, end, OTHER_SEED) >>> 11) * 2 ** 32 + low;
}
