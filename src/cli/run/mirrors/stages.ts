// What does each stage of `mirrors` take (Cho, Shivakumar, Garcia-Molina 2000, Table 1)? It goes to standard error, so
// that the results are the same bytes from run to run.
import type { Effects } from '../../../base/effects.js';
import { many } from '../../../base/plural.js';
import { aligned } from '../../../report/text-table.js';

interface Stage {
  readonly name: string;
  readonly startMs: number;
  /** Sorted runs that had been written to disk by then. */
  readonly startBytes: number;
}

/** Build (`begin`), then report; a stage ends where the next one begins. */
export class Stages {
  readonly #effects: Effects;
  readonly #sorted: { readonly bytes: number };
  readonly #stages: Stage[] = [];

  constructor(effects: Effects, sorted: { readonly bytes: number }) {
    this.#effects = effects;
    this.#sorted = sorted;
  }

  readonly begin = (name: string): void => {
    this.#stages.push({ name, startMs: this.#effects.now().getTime(), startBytes: this.#sorted.bytes });
  };

  /** `fingerprints`: how many were read, of eight bytes each. */
  report(fingerprints: number): string {
    this.begin('all');
    const [first] = this.#stages;
    const rows = this.#stages.map((stage, at) => {
      const next = this.#stages[at + 1];
      const [from, to] = next === undefined ? [first!, stage] : [stage, next];
      return [stage.name, seconds(to.startMs - from.startMs), megabytes(to.startBytes - from.startBytes)];
    });
    const table = aligned([['stage', 'seconds', 'MB sorted on disk'], ...rows], new Set([1, 2]), this.#effects.paint);
    return `${table}${many(fingerprints, 'fingerprint')}, ${megabytes(8 * fingerprints)} MB\n`;
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
