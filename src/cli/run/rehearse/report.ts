// What a rehearsal found, for people and as JSON.
import type { Effects } from '../../../base/effects.js';
import { printable } from '../../../base/bytes.js';
import { many } from '../../../base/plural.js';
import { plain, sayRule } from '../../../export/heading.js';
import type { Exported } from '../../../export/target.js';
import { unjudgedLines } from '../../../report/outcome-words.js';
import { askedWords } from '../../../report/validation.js';
import { idOf } from '../../../rule/id.js';
import { describeRule } from '../../../rule/file.js';
import type { Rule } from '../../../rule/rule.js';
import type { FailureKind, Rehearsed, RehearsedFailure } from '../../../validate/rehearse.js';
import type { Answered } from '../../../validate/source.js';

/** The first failure of a rule. */
export type TakenOut = RehearsedFailure & { readonly rule: Rule };

export interface Rehearsal {
  readonly server: string;
  readonly output: string;
  /** The rules file, as it was named. */
  readonly source: string;
  /** Where the rules that were taken out are vetoed; undefined without `--veto`. */
  readonly vetoFile: string | undefined;
  /** With all rules of the export; later rounds are without those that failed before. */
  readonly rounds: readonly Rehearsed[];
  readonly out: readonly TakenOut[];
  readonly exported: Exported;
  /** Scheme and host of the site, if there is only one. */
  readonly site: string | null;
  /** URLs of the logs; those that are replayed are a draw of them. */
  readonly listed: number;
  readonly asked: Asked;
}

/** In all rounds. */
export interface Asked {
  /** With redirects and robots.txt. */
  readonly requests: number;
  readonly answered: Answered;
}

const WORDS: Readonly<Record<FailureKind, string>> = {
  loop: 'in a loop',
  dead: 'at a page that is gone',
  redirecting: 'at a URL that redirects on',
  different: 'at another page',
};

/** What survived is only said if it is written: of a site that did not answer, nothing is known. */
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

/** A rule that fails here is as valid as before for every other command. */
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

/** Answers from the cache are counted apart: an old page says nothing about today's site. */
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

/** `at a page that is gone, http://… (status 404)` */
export function endWords({ kind, to, reason }: RehearsedFailure): string {
  return `${WORDS[kind]}, ${plain(to)} (${plain(reason)})`;
}

/** `lost`: why nothing is written, if so. */
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
