// The measures of a log that do not need its groups: its parameters, and what each rule does by itself. Both need only
// the URLs, so a thread computes them in parallel if all URLs are in memory:
//
//   this thread   ladder ─→ groups ─→ visitors
//   another one   savings, parameters              of the same URLs, in memory that both share
import { Crew } from '../../../base/crew.js';
import { packageFile } from '../../../base/package-file.js';
import type { Progress } from '../../../base/progress.js';
import { addScratchUse, type ScratchUse, takeScratchUse } from '../../../base/scratch.js';
import { type CanonizerOptions, createCanonizer } from '../../../canonize/canonizer.js';
import { roomFor } from '../../../memory-plan.js';
import type { Rule } from '../../../rule/rule.js';
import { accepts, isCandidate, isPinned } from '../../../rule/standing.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { type Inventory, ParameterInventory } from './parameters.js';
import { type Saving, SavingMeter } from './savings.js';
import type { SharedTally } from './tally.js';
import { eachVisited, type VisitedUrl, type Visits } from './visits.js';

interface BesideOptions {
  /** In rank order. */
  readonly rules: readonly Rule[];
  readonly how: CanonizerOptions;
  /** Parameters that are listed individually. */
  readonly top: number;
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

export interface BesideFacts extends Inventory {
  /** By the position of a rule; only for measured rules. */
  readonly savings: ReadonlyMap<number, Saving>;
}

/** What a thread sends. */
export interface BesideResult {
  readonly facts: BesideFacts;
  readonly scratch: ScratchUse;
}

/** Build (`add`), then read (`finish`). */
export interface Beside {
  /** A distinct URL of the log. */
  add(visited: VisitedUrl): void;
  finish(): BesideFacts;
  /** Stops the thread, whether or not it has finished. */
  close(): void;
}

/** With fewer URLs, starting a thread is not worth it. */
export const FEWEST_URLS = 20_000;

/** Measures the visits, which are also added here; in a thread if there is one and there are enough URLs. */
export function measureBeside(visits: Visits, options: BesideOptions & Threads): Beside {
  const { rules, how, top, memoryBytes, tmpdir, threads, progress } = options;
  const urls = threads > 1 ? visits.share() : undefined;
  if (urls === undefined || urls.keys.start.length <= FEWEST_URLS) return new BesideMeter(options);
  const crew = new Crew<BesideTask, BesideResult>(
    1,
    packageFile('dist/program/report/page/measure/thread.js'),
    progress,
  );
  const task = crew.begin({ rules, how, top, memoryBytes, tmpdir, urls });
  return {
    add: () => undefined,
    finish: () => {
      const [result] = task.finish();
      addScratchUse(result!.scratch);
      return result!.facts;
    },
    close: () => crew.stop(),
  };
}

/** The other side of {@link measureBeside}, in a thread. */
export function performBeside({ urls, ...options }: BesideTask): BesideResult {
  const meter = new BesideMeter(options);
  eachVisited(urls, (visited) => meter.add(visited));
  return { facts: meter.finish(), scratch: takeScratchUse() };
}

class BesideMeter implements Beside {
  readonly #places: readonly number[];
  readonly #savings: SavingMeter;
  readonly #inventory: ParameterInventory;

  constructor({ rules, how, top, memoryBytes, tmpdir }: BesideOptions) {
    const room = { memoryBytes, tmpdir, stats: { runs: 0, bytes: 0 } };
    this.#places = Array.from(rules.keys()).filter((place) => isMeasured(rules[place]!));
    const measured = this.#places.map((place) => rules[place]!);
    this.#savings = new SavingMeter(measured, how, roomFor('report/rules', room));
    const applied = rules.filter((rule) => accepts(rule, how.accept));
    const canonizer = createCanonizer(applied, how);
    this.#inventory = new ParameterInventory(
      {
        siteOf: createSiteOf(how.sitePolicy),
        canonize: (url) => canonizer.canonize(url),
        top,
        applied,
        isPathOnly: how.urlForm === 'path',
      },
      roomFor('report/parameters', room),
    );
  }

  add(visited: VisitedUrl): void {
    this.#savings.add(visited);
    this.#inventory.add(visited);
  }

  finish(): BesideFacts {
    const savings = this.#savings.finish();
    return {
      savings: new Map(this.#places.map((place, at) => [place, savings[at]!])),
      ...this.#inventory.finish(),
    };
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
