// On which hosts does each statement hold? What was learned (./learn) decides on one site after another: by the share of
// hosts on which a statement holds, and by what the site itself says; never against it.
//
// Sites may be decided on in parts, by several machines, whose decisions add up to the same whole in any order: names
// are sorted where they are written, sums are of integers, and examples are those of the sites with the least names.
import { byText } from '../../base/bytes.js';
import { hostOf } from '../../rule/of-hosts.js';
import { drawRows } from '../../table/draw-rows.js';
import type { SiteUrls } from '../../table/site-urls.js';
import { rawUrl } from '../../table/raw-url.js';
import { Examiner, textOf, wordsOf } from './examine.js';
import { holdsOn, type Learned } from './learn.js';

/** A site with more hosts makes them up, or has rules of its own. */
const MOST_NAMES = 64;
const EXAMPLES = 3;
/** Posteriors are added as integers of this unit: eight million hosts fit. */
const UNIT = 2 ** 30;

/** A URL of a site, and its image. */
interface Example {
  readonly site: string;
  readonly pair: readonly [string, string];
}

/** What was decided about a statement on the hosts of one software. */
export interface Decided {
  readonly on: string[];
  readonly off: string[];
  pairs: number;
  against: number;
  /** Of the hosts in `on`, in {@link UNIT}. */
  posteriors: number;
  /** By site. */
  examples: readonly Example[];
}

/** The decisions on some of the sites. */
export interface DecidedPart {
  /** Sites with so many hosts that they were left out. */
  readonly leftOut: number;
  /** Statement, group, and what was decided. */
  readonly decided: readonly (readonly [number, number, Decided])[];
}

export class Decisions {
  leftOut = 0;
  readonly #learned: Learned;
  readonly #examiner: Examiner;
  /** By statement, then by group. */
  readonly #decided: Map<number, Decided>[];

  constructor(learned: Learned) {
    this.#learned = learned;
    this.#examiner = new Examiner(learned.statements);
    this.#decided = learned.statements.map(() => new Map());
  }

  decide(urls: SiteUrls): void {
    if (urls.site === '' || urls.count < 2) return;
    if (hasManyHosts(urls)) {
      this.leftOut++;
      return;
    }
    const group = this.#learned.software.groupOf(wordsOf(urls));
    const { found, chance, hosts } = this.#examiner.examine(urls, holdsOn(group, this.#learned));
    const names = [...hosts];
    const verdicts = this.#learned.shares.verdicts({ group, chance, found });
    for (const [at, { statement, pairs, holds, changed }] of found.entries()) {
      const isSilent = pairs.every((count) => count === 0);
      if (isSilent && !holds) continue;
      const decided = this.#of(statement, group);
      if (!holds) {
        decided.off.push(...names);
        continue;
      }
      const pair = [textOf(changed[0]), textOf(changed[1])] as const;
      addTo(decided, {
        on: names,
        off: [],
        pairs: pairs.slice(0, -1).reduce((sum, count) => sum + count, 0),
        against: pairs.at(-1)!,
        posteriors: names.length * Math.round(UNIT * verdicts[at]!.holds),
        examples: [{ site: urls.site, pair }],
      });
    }
  }

  /** What was decided about the statement, by group. */
  of(statement: number): ReadonlyMap<number, Decided> {
    return this.#decided[statement]!;
  }

  /** The decisions so far. */
  part(): DecidedPart {
    const decided = this.#decided.flatMap((groups, statement) =>
      Array.from(groups, ([group, one]) => [statement, group, one] as const),
    );
    return { leftOut: this.leftOut, decided };
  }

  /** Adds decisions on other sites, by the same that was learned. */
  add({ leftOut, decided }: DecidedPart): void {
    this.leftOut += leftOut;
    for (const [statement, group, one] of decided) addTo(this.#of(statement, group), one);
  }

  #of(statement: number, group: number): Decided {
    const groups = this.#decided[statement]!;
    let decided = groups.get(group);
    if (decided === undefined) groups.set(group, (decided = nothing()));
    return decided;
  }
}

function nothing(): Decided {
  return { on: [], off: [], pairs: 0, against: 0, posteriors: 0, examples: [] };
}

function addTo(sum: Decided, more: Decided): void {
  for (const name of more.on) sum.on.push(name);
  for (const name of more.off) sum.off.push(name);
  sum.pairs += more.pairs;
  sum.against += more.against;
  sum.posteriors += more.posteriors;
  const last = sum.examples[EXAMPLES - 1]?.site;
  const isWanted = ({ site }: Example) => last === undefined || byText(site, last) < 0;
  const examples = more.examples.filter(isWanted);
  if (examples.length === 0) return;
  sum.examples = [...sum.examples, ...examples].sort((a, b) => byText(a.site, b.site)).slice(0, EXAMPLES);
}

export function joined(all: readonly Decided[]): Decided {
  const sum = nothing();
  for (const decided of all) addTo(sum, decided);
  return sum;
}

/** The mean probability that the statement holds, of the hosts on which it does. */
export function meanPosterior({ on, posteriors }: Decided): number {
  return posteriors / UNIT / on.length;
}

function hasManyHosts(urls: SiteUrls): boolean {
  const names = new Set<string>();
  for (const row of drawRows(urls.count, 4096)) {
    names.add(hostOf(rawUrl(urls, row)));
  }
  return names.size > MOST_NAMES;
}
