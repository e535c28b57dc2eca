// How likely is it that a rule holds, as long as no page was fetched (SPEC 5)? A number that means what it says: of rules with .9,
// nine in ten hold, on sites that it was not made on. A rule holds if at least 95 % of its instances are one page.
//
// A sum of few terms as log-odds, so that each can be read by itself:
//
//   other      log-odds of the share of pairs that are further apart than 2 %: the noise of a page is never so large
//   surprise   how unlikely so many near pairs would be if they were other pages of the template: 0 to 1
//   equal      lower bound of the share that is equal, to the byte or but for its own address
//   loose      share of the near pairs that are within 2 % and not within 0.3 %
//   swap       one word in the place of another: lect1 → lect2, da → fr, movie → politics
//   series     the same but for numbers: page=2 → page=1, 2024 → 2023
//   silent     nothing is known of the pages
//
// The weights are near those of a logistic regression on 1,750 likely rules of five lists: gitweb and cgit, DokuWiki (each as logged,
// and with six of ten answers packed), and a made-up shop and forum. Two were set by what we believe, on the careful side: `surprise`,
// as pages that are all of one size say little, though on these sites they happened to be one page; and `one`. Learned on one of the
// two sites and tried on the other the log-loss was 0.2 to 0.4; that of the share of true rules alone is 0.66.
import { OTHER } from '../table/nearness.js';
import type { Evidence, Levels } from './evidence.js';
import { swapsOneWord, wilsonLower, type Sides } from './rank.js';

const WEIGHTS = {
  one: -2.3,
  other: -1.4,
  surprise: 2.3,
  equal: 0.5,
  loose: -0.5,
  swap: -1.2,
  series: -1.8,
  silent: 0.7,
} as const;

/** What is taken for the share of other pages where nothing is known. */
const UNKNOWN_OTHER = 0.3;
/** Nats of surprise that are as good as certainty. */
const ENOUGH_SURPRISE = 12;

/** Of a rule with this evidence; `sides` are those of a substring rule, in raw bytes. A number in [0, 1], to six places. */
export function confidenceOf({ pairs, chance }: Pick<Evidence, 'pairs' | 'chance'>, sides?: Sides): number {
  let sum = WEIGHTS.one + termsOfPages(pairs, chance);
  if (sides !== undefined && swapsOneWord(sides)) sum += WEIGHTS.swap;
  if (sides !== undefined && isSeries(sides)) sum += WEIGHTS.series;
  return Math.round(1e6 / (1 + Math.exp(-sum))) / 1e6;
}

function termsOfPages(pairs: Levels, chance: Levels): number {
  const count = sumOf(pairs);
  if (count === 0) return WEIGHTS.silent + WEIGHTS.other * logOdds(UNKNOWN_OTHER);
  const other = (pairs[OTHER]! + 0.5) / (count + 1);
  const loose = pairs[OTHER - 1]! / Math.max(1, count - pairs[OTHER]!);
  return (
    WEIGHTS.other * logOdds(other) +
    WEIGHTS.surprise * surpriseOf(pairs, chance) +
    WEIGHTS.equal * wilsonLower(pairs[0]!, count - pairs[0]!) +
    WEIGHTS.loose * loose
  );
}

/** At the level where it is largest: what the pairs say against being pages by chance, in nats, as a share of enough. */
function surpriseOf(pairs: Levels, chance: Levels): number {
  const [count, asked] = [sumOf(pairs), sumOf(chance)];
  let most = 0;
  if (asked === 0) return 0;
  for (let [level, near, nearByChance] = [0, 0, 0]; level < OTHER; level++) {
    near += pairs[level]!;
    nearByChance += chance[level]!;
    const [share, expected] = [(near + 0.5) / (count + 1), (nearByChance + 0.5) / (asked + 1)];
    if (share <= expected) continue;
    const divergence = share * Math.log(share / expected) + (1 - share) * Math.log((1 - share) / (1 - expected));
    most = Math.max(most, Math.min(1, (count * divergence) / ENOUGH_SURPRISE));
  }
  return most;
}

function sumOf(levels: Levels): number {
  let sum = 0;
  for (let level = 0; level < levels.length; level++) sum += levels[level]!;
  return sum;
}

function logOdds(share: number): number {
  return Math.log(share / (1 - share));
}

/** True if α and β are the same but for numbers. */
export function isSeries({ from, to }: Sides): boolean {
  const [alpha, beta] = [withoutNumbers(from), withoutNumbers(to)];
  return alpha === beta;
}

function withoutNumbers(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').replace(/\d+/g, '0');
}
