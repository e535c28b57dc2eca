// Learns from a sample of hosts which statements there are, and on which share of the hosts of each software each
// holds. What is learned decides on every host (./decide).
import { CONFIDENT } from '../../rule/standing.js';
import type { SiteUrls } from '../../table/site-urls.js';
import { Examiner, ownForms, wordsOf, type Examined, type Holds } from './examine.js';
import { Proposals } from './near-pairs.js';
import { Shares, type HostFindings, type SharesText } from './share.js';
import { Software, type SoftwareText } from './software.js';
import { compiled, keyOf, type Saying, type Statement, type StatementText } from './statement.js';

/** What hosts know together. */
export interface Learned {
  readonly statements: readonly Statement[];
  readonly shares: Shares;
  readonly software: Software;
}

/** What was learned, as JSON keeps it for other machines. */
export interface LearnedText {
  readonly statements: readonly StatementText[];
  readonly shares: SharesText;
  readonly software: SoftwareText;
}

export function textOfLearned({ statements, shares, software }: Learned): LearnedText {
  const texts = statements.map(({ saying, prior, needsContents }) => ({ saying, prior, needsContents }));
  return { statements: texts, shares: shares.toJSON(), software: software.toJSON() };
}

export function learnedOfText({ statements, shares, software }: LearnedText): Learned {
  return {
    statements: statements.map(compiled),
    shares: Shares.from(shares),
    software: Software.from(software),
  };
}

/** With fewer hosts there is nothing to learn from each other. */
export const LEAST_HOSTS = 50;

/** Looking once at URLs as they are, then at their forms by what was learned, where other differences show. */
const LOOKS = 2;
/** Shares decide what a host's forms are, and forms what it says. */
const SETTLINGS = 2;
/** Own evidence has to speak for a statement at least so much. */
const LEAST_RATIO = 3;
/** Where a host says nothing, so many of the hosts that do must agree, at least. */
const AGREED = 0.995;

/** Undefined if the hosts are too few, or have nothing in common. */
export function learnFrom(hosts: readonly SiteUrls[]): Learned | undefined {
  if (hosts.length < LEAST_HOSTS) return undefined;
  const words = hosts.map(wordsOf);
  const software = Software.of(words);
  const groups = words.map((some) => software.groupOf(some));
  const known = new Map<string, Statement>();
  let shares = new Shares([]);
  let statements: readonly Statement[] = [];
  let examined: readonly Examined[] | undefined;
  for (let look = 0; look < LOOKS; look++) {
    const proposals = new Proposals();
    for (const [at, urls] of hosts.entries()) proposals.add(urls, examined?.[at]!.forms ?? ownForms(urls));
    const isKnown = (saying: Saying) => known.has(keyOf(saying));
    for (const statement of proposals.list()) {
      const { saying } = statement;
      if (!isKnown(saying) && !isOfKnown(saying, isKnown)) known.set(keyOf(saying), statement);
    }
    statements = [...known.values()];
    const priors = statements.map(({ prior }) => prior);
    shares = shares.with(priors);
    for (let k = 0; k < SETTLINGS; k++) {
      examined = examineAll(hosts, groups, { statements, shares });
      shares = Shares.learn(priors, findingsOf(examined, groups));
    }
    if (look + 1 < LOOKS) examined = examineAll(hosts, groups, { statements, shares });
  }
  return statements.length === 0 ? undefined : { statements, shares, software };
}

/** True if the parameters are known one by one. */
function isOfKnown(saying: Saying, isKnown: (saying: Saying) => boolean): boolean {
  if (saying.kind !== 'removal' || saying.names.length === 1) return false;
  return saying.names.every((name) => isKnown({ kind: 'removal', names: [name] }));
}

function examineAll(
  hosts: readonly SiteUrls[],
  groups: readonly number[],
  known: Pick<Learned, 'statements' | 'shares'>,
): Examined[] {
  const examiner = new Examiner(known.statements);
  return hosts.map((urls, at) => examiner.examine(urls, holdsOn(groups[at]!, known)));
}

function findingsOf(examined: readonly Examined[], groups: readonly number[]): HostFindings[] {
  return examined.map(({ chance, found }, at) => ({ group: groups[at]!, chance, found }));
}

/** What decides on a host of the group: what it says, or what all others agree on if it says nothing. */
export function holdsOn(group: number, learned: Pick<Learned, 'statements' | 'shares'>): Holds {
  return (found, chance) => {
    const verdicts = learned.shares.verdicts({ group, chance, found });
    const isOn = ({ statement }: (typeof found)[number], at: number) => {
      const { holds, ratio } = verdicts[at]!;
      if (ratio < LEAST_RATIO) return ratio > 1 / LEAST_RATIO && isAgreed(statement, group, learned);
      return holds >= CONFIDENT;
    };
    return found.filter(isOn).map(({ statement }) => statement);
  };
}

/** True if the statement may be applied where the host says nothing for or against it. */
export function isAgreed(
  statement: number,
  group: number | undefined,
  { statements, shares }: Pick<Learned, 'statements' | 'shares'>,
): boolean {
  if (statements[statement]!.needsContents) return false;
  if (group !== undefined && shares.leastShare(statement, group) >= AGREED) return true;
  return shares.leastShare(statement) >= AGREED && !shares.differBySoftware(statement);
}
