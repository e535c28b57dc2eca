// What did a rehearsal find, for people and as JSON? And is that enough to write an export?
import { many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { plain, sayRule } from '../../../export/heading.js';
import type { Exported } from '../../../export/target.js';
import { countOf, unjudgedLines, unjudgedReasons } from '../../../report/outcome-words.js';
import { askedWords } from '../../../report/validation.js';
import { describeRule } from '../../../rule/file.js';
import { idOf } from '../../../rule/id.js';
import type { Rule } from '../../../rule/rule.js';
import type { FailureKind, Rehearsed, RehearsedFailure } from '../../../validate/rehearse.js';
import type { Answered } from '../../../validate/source.js';
import type { RehearseFlags } from '../../flags/rehearse.js';

/** A rule that was taken out, with its first failure. */
export type TakenOut = RehearsedFailure & { readonly rule: Rule };

export interface Rehearsal {
  readonly server: string;
  readonly output: string;
  /** The rules file, as the user named it. */
  readonly source: string;
  /** The file with the vetoes of failed rules; undefined without `--veto`. */
  readonly vetoFile: string | undefined;
  /** The first round has all rules of the export; each later round lacks the rules that failed before. */
  readonly rounds: readonly Rehearsed[];
  readonly out: readonly TakenOut[];
  readonly exported: Exported;
  /** Scheme and host of the site; null if there are several. */
  readonly site: string | null;
  /** How many URLs the logs have. A draw of them is replayed. */
  readonly listed: number;
  readonly asked: Asked;
}

/** Requests of all rounds. */
interface Asked {
  /** Including those for redirects and robots.txt. */
  readonly requests: number;
  readonly answered: Answered;
}

const WORDS: Readonly<Record<FailureKind, string>> = {
  loop: 'in a loop',
  dead: 'at a page that is gone',
  redirecting: 'at a URL that redirects on',
  different: 'at another page',
};

/** Lists the surviving rules only if they are written: if the site did not answer, nothing is known about them. */
export function rehearsalReport(
  rehearsal: Rehearsal,
  { isWritten }: { readonly isWritten: boolean },
  effects: Pick<Effects, 'now'>,
): string {
  const { server, output, rounds, out, exported, listed } = rehearsal;
  const [first, last] = [rounds[0]!, rounds.at(-1)!];
  const where = output === '-' ? '' : `; written to ${printable(output)}`;
  const lines = [
    `${server}: ${first.urls < listed ? `${first.urls} of ` : ''}${many(listed, 'URL')} replayed: ${first.redirected} redirected, ${chainWords(first)}`,
    judgedWords(first),
    ...out.map((one) => `taken out: ${failureWords(one)}; id ${idOf(one.rule)}`),
    ...(rounds.length > 1 ? [`without them: ${last.redirected} redirected; ${judgedWords(last)}`] : []),
    ...unjudgedLines(last.unjudged).map(printable),
    askedLine(rehearsal.asked, effects.now()),
    ...(isWritten
      ? [
          `${exported.carried.length} of ${many(exported.carried.length + out.length, 'rule')} survived${where}`,
          ...(out.length === 0 ? [] : [vetoWords(rehearsal)]),
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Tells the user how to veto a failed rule, which is still valid for every other command. */
function vetoWords({ source, vetoFile, out }: Rehearsal): string {
  const ids = out.map(({ rule }) => idOf(rule)).join(' ');
  const command = `dustbuster veto ${printable(source)} ${ids}`;
  const [it, has] = out.length === 1 ? ['it', 'the rule'] : ['them', 'the rules'];
  if (vetoFile !== undefined) return `vetoed in ${printable(vetoFile)}; ${command} --undo takes ${it} back`;
  if (source === '-') return `the rules file still has ${has}; to keep ${it} out, veto ${ids} in it`;
  return `${printable(source)} still has ${has}, and so will the next export; to keep ${it} out, --veto, or: ${command}`;
}

function chainWords({ chains }: Rehearsed): string {
  return chains === 0 ? 'each once' : `${chains} of them more than once`;
}

/** Counts answers from the cache apart, as an old page says nothing about today's site. */
function askedLine({ requests, answered }: Asked, now: Date): string {
  const asked = `asked: ${askedWords({ name: 'live', requests, answered }, now)}`;
  return answered.oldest === undefined && answered.site > 0 ? `${asked}, each page anew` : asked;
}

function judgedWords({ judged, failures, unjudged }: Rehearsed): string {
  const rest = Object.values(unjudged).reduce((sum, count) => sum + count, 0);
  if (judged === 0) return `none compared with the site, ${rest} not compared`;
  const counts = (Object.keys(WORDS) as FailureKind[]).map((kind) => {
    const count = failures.filter((one) => one.kind === kind).length;
    return `${count} ${WORDS[kind]}`;
  });
  const right = judged - failures.length;
  const all = `${judged} compared with the site: ${right} end at the same page, ${counts.join(', ')}`;
  return rest === 0 ? all : `${all}; ${rest} not compared`;
}

function failureWords(failure: RehearsedFailure): string {
  const { rule, url } = failure;
  const who = rule === undefined ? 'no rule by itself' : sayRule(rule);
  return `${who}: ${plain(url)} ends ${endWords(failure)}`;
}

/** Such as `at a page that is gone, http://… (status 404)`. */
export function endWords({ kind, to, reason }: RehearsedFailure): string {
  return `${WORDS[kind]}, ${plain(to)} (${plain(reason)})`;
}

/** `lost` is the reason why no export is written, if there is one. */
export function rehearsalSummary(rehearsal: Rehearsal, lost: string | undefined): object {
  const { server, output, vetoFile, rounds, out, exported, listed, asked } = rehearsal;
  const { site, cache, oldest } = asked.answered;
  const failureOf = ({ rule, ...rest }: RehearsedFailure) => ({
    ...rest,
    rule: rule === undefined ? null : describeRule(rule),
  });
  return {
    server,
    output,
    isWritten: lost === undefined,
    lost: lost ?? null,
    listed,
    requests: asked.requests,
    answered: { site, cache, oldest: oldest === undefined ? null : new Date(oldest).toISOString() },
    rounds: rounds.map(({ failures, ...rest }) => ({ ...rest, failures: failures.map(failureOf) })),
    takenOut: out.map(failureOf),
    vetoedIn: out.length === 0 ? null : (vetoFile ?? null),
    carried: exported.carried.map(describeRule),
  };
}

/** Reasons that concern the whole site, a sentence about the site, and advice. */
interface Cause {
  readonly reasons: RegExp;
  readonly says: string;
  readonly advice: string;
}

const DOWN: Cause = {
  reasons: /^[uv]: (?:network|time-out|host-given-up|redirect-loop|status(?! 404$| 410$).*)$|^the site refuses/,
  says: 'it is down or blocks',
  advice: 'rehearse again later, or with a lower --rate',
};
const CAUSES: readonly Cause[] = [
  DOWN,
  {
    reasons: /^u: status (?:404|410)$/,
    says: 'their pages are gone',
    advice: 'name a newer log or list with --urls',
  },
  {
    reasons: /^soft-error$/,
    says: 'it gives one page for many URLs, as for maintenance or a login',
    advice: 'open one of the URLs in a browser, and rehearse again when it has its page',
  },
];

interface Lost {
  readonly says: string;
  readonly advice?: string;
}

/** The reason why the findings are not enough to write an export; undefined if they are. */
export function lostWords(rehearsal: Rehearsal, { maxFetches }: Pick<RehearseFlags, 'maxFetches'>): Lost | undefined {
  const { judged, failures, stop } = rehearsal.rounds.at(-1)!;
  if (stop === 'interrupted') return { says: `interrupted after ${many(judged, 'comparison')}` };
  if (stop === 'budget')
    return { says: `${maxFetches} requests (--max-fetches) were enough for ${many(judged, 'comparison')} only` };
  if (stop === 'changed')
    return {
      says: 'the site changed while it was rehearsed: pages that were compared are others by now, and no rule is to blame',
      advice: 'rehearse again when the site is as it stays',
    };
  const rest = failures.find(({ rule }) => rule === undefined);
  if (rest !== undefined) return { says: `${rest.url} ends wrong (${rest.reason}), and no rule by itself is to blame` };
  return untried(rehearsal) ?? unanswered(rehearsal);
}

/**
 * The reason if the server redirected no URL of the list. Only the first round counts: after rules were taken out,
 * there may be nothing left to redirect.
 */
function untried({ rounds }: Rehearsal): Lost | undefined {
  const [{ urls, redirected }] = rounds as [Rehearsal['rounds'][0]];
  if (redirected > 0) return undefined;
  return {
    says: `the server redirects none of ${many(urls, 'URL')}, so the site was asked for nothing`,
    advice: 'name a log or a list of URLs that the rules change with --urls',
  };
}

function unanswered({ rounds, site, asked }: Rehearsal): Lost | undefined {
  const { judged, unjudged, redirected, isRefusing } = rounds.at(-1)!;
  const counts = CAUSES.map((cause) => ({ cause, count: countBy(unjudged, cause) }));
  const lost = counts.reduce((sum, { count }) => sum + count, 0);
  const most = isRefusing ? counts[0]! : counts.reduce((one, other) => (other.count > one.count ? other : one));
  const { says, advice } = most.cause;
  const reasons = unjudgedReasons(unjudged).map(countOf).join(', ');
  if (judged === 0 && redirected > 0) {
    const where = site === null ? 'the site' : printable(site);
    const all = `of ${many(redirected, 'redirect')} that were asked about at ${where}`;
    const found = `${all}, not one could be compared (${reasons})`;
    return most.cause === DOWN ? { says: found, ...adviceByReason(unjudged) } : { says: found, advice };
  }
  if (lost > 0 && asked.answered.site === 0 && asked.answered.cache > 0) {
    const pages = `the ${many(judged, 'redirect')} that were compared have pages of the cache only`;
    return { says: `the site answered nothing: ${pages} (${reasons})`, advice };
  }
  if (lost <= judged) return undefined;
  const some = `of ${many(judged + lost, 'redirect')}, ${judged} could be compared with the site and ${lost} could not`;
  return { says: `${some} (${reasons}): ${says}`, advice };
}

function countBy(unjudged: Readonly<Record<string, number>>, { reasons }: Cause): number {
  return Object.entries(unjudged).reduce((sum, [reason, count]) => sum + (reasons.test(reason) ? count : 0), 0);
}

/** Advice for the most common reason. `host given up` is ignored: it follows other failures, which say more. */
function adviceByReason(unjudged: Readonly<Record<string, number>>): { readonly advice?: string } {
  const all = unjudgedReasons(unjudged);
  const { reason, words } = all.find((one) => one.reason !== 'host-given-up') ?? all[0]!;
  return words === undefined ? {} : { advice: `${reason}: ${words}` };
}
