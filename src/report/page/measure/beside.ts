// What does each rule do by itself? That needs only the URLs of a log, and not its groups, so a thread computes it in
// parallel if all URLs are in memory:
//
//   this thread   ladder ─→ groups ─→ visitors
//   another one   savings                          of the same URLs, in memory that both share
import { Crew } from '../../../base/crew.js';
import { packageFile } from '../../../base/package-file.js';
import type { Progress } from '../../../base/progress.js';
import { addScratchUse, type ScratchUse, takeScratchUse } from '../../../base/scratch.js';
import type { CanonizerOptions } from '../../../canonize/canonizer.js';
import { roomFor } from '../../../memory-plan.js';
import type { Rule } from '../../../rule/rule.js';
import { isCandidate, isPinned } from '../../../rule/standing.js';
import { type Saving, SavingMeter } from './savings.js';
import type { SharedTally } from './tally.js';
import { eachVisited, type VisitedUrl, type Visits } from './visits.js';

interface BesideOptions {
  /** In rank order. */
  readonly rules: readonly Rule[];
  readonly how: CanonizerOptions;
  readonly memoryBytes: number;
  readonly tmpdir: string;
}

interface Threads {
  readonly threads: number;
  readonly progress?: Progress | undefined;
}

/** What a thread needs. */
export interface BesideTask extends BesideOptions {
  readonly urls: SharedTally;
}

/** By the position of a rule; only for measured rules. */
export type Savings = ReadonlyMap<number, Saving>;

/** What a thread sends. */
export interface BesideResult {
  readonly savings: Savings;
  readonly scratch: ScratchUse;
}

/** Build (`add`), then read (`finish`). */
export interface Beside {
  /** A distinct URL of the log. */
  add(visited: VisitedUrl): void;
  finish(): Savings;
  /** Stops the thread, whether or not it has finished. */
  close(): void;
}

/** With fewer URLs, starting a thread is not worth it. */
export const FEWEST_URLS = 20_000;

/** Measures the visits, which are also added here; in a thread if there is one and there are enough URLs. */
export function measureBeside(visits: Visits, options: BesideOptions & Threads): Beside {
  const { rules, how, memoryBytes, tmpdir, threads, progress } = options;
  const urls = threads > 1 ? visits.share() : undefined;
  if (urls === undefined || urls.keys.start.length <= FEWEST_URLS) return new BesideMeter(options);
  const crew = new Crew<BesideTask, BesideResult>(
    1,
    packageFile('dist/program/report/page/measure/thread.js'),
    progress,
  );
  const task = crew.begin({ rules, how, memoryBytes, tmpdir, urls });
  return {
    add: () => undefined,
    finish: () => {
      const [result] = task.finish();
      addScratchUse(result!.scratch);
      return result!.savings;
    },
    close: () => crew.stop(),
  };
}

/** The other side of {@link measureBeside}, in a thread. */
export function performBeside({ urls, ...options }: BesideTask): BesideResult {
  const meter = new BesideMeter(options);
  eachVisited(urls, (visited) => meter.add(visited));
  return { savings: meter.finish(), scratch: takeScratchUse() };
}

class BesideMeter implements Beside {
  readonly #places: readonly number[];
  readonly #savings: SavingMeter;

  constructor({ rules, how, memoryBytes, tmpdir }: BesideOptions) {
    const room = { memoryBytes, tmpdir, stats: { runs: 0, bytes: 0 } };
    this.#places = Array.from(rules.keys()).filter((place) => isMeasured(rules[place]!));
    const measured = this.#places.map((place) => rules[place]!);
    this.#savings = new SavingMeter(measured, how, roomFor('report/rules', room));
  }

  add(visited: VisitedUrl): void {
    this.#savings.add(visited);
  }

  finish(): Savings {
    const savings = this.#savings.finish();
    return new Map(this.#places.map((place, at) => [place, savings[at]!]));
  }

  close(): void {}
}

/**
 * True if a rule is tried on every URL by itself. Mining finds thousands of candidates, which change nearly every URL:
 * of a million lines, 8,985 of 9,046 rules, whose images were most of the work.
 */
function isMeasured(rule: Rule): boolean {
  return isPinned(rule) || !isCandidate(rule);
}
