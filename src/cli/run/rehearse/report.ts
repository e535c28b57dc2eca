// What a rehearsal found, for people and as JSON.
import { printable } from '../../../base/bytes.js';
import { many } from '../../../base/plural.js';
import { plain, sayRule } from '../../../export/heading.js';
import type { Exported } from '../../../export/target.js';
import { unjudgedLines } from '../../../report/outcome-words.js';
import { describeRule } from '../../../rule/file.js';
import type { FailureKind, Rehearsed, RehearsedFailure } from '../../../validate/rehearse.js';

export interface Rehearsal {
  readonly server: string;
  readonly output: string;
  /** With all rules of the export; later rounds are without those that failed before. */
  readonly rounds: readonly Rehearsed[];
  /** The first failure of each rule that was taken out. */
  readonly out: readonly RehearsedFailure[];
  readonly exported: Exported;
}

const WORDS: Readonly<Record<FailureKind, string>> = {
  loop: 'in a loop',
  dead: 'at a page that is gone',
  redirecting: 'at a URL that redirects on',
  different: 'at another page',
};

/** What survived is only said if it is written: of a site that did not answer, nothing is known. */
export function rehearsalReport({ server, output, rounds, out, exported }: Rehearsal, isWritten: boolean): string {
  const [first, last] = [rounds[0]!, rounds.at(-1)!];
  const where = output === '-' ? '' : `; written to ${printable(output)}`;
  const lines = [
    `${server}: ${many(first.urls, 'URL')} replayed: ${first.redirected} redirected, ${chainWords(first)}`,
    judgedWords(first),
    ...out.map((one) => `taken out: ${failureWords(one)}`),
    ...(rounds.length > 1 ? [`without them: ${last.redirected} redirected; ${judgedWords(last)}`] : []),
    ...unjudgedLines(last.unjudged).map(printable),
    ...(isWritten
      ? [`${exported.carried.length} of ${many(exported.carried.length + out.length, 'rule')} survived${where}`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function chainWords({ chains }: Rehearsed): string {
  return chains === 0 ? 'each once' : `${chains} of them more than once`;
}

function judgedWords({ judged, failures }: Rehearsed): string {
  const counts = (Object.keys(WORDS) as FailureKind[]).map((kind) => {
    const count = failures.filter((one) => one.kind === kind).length;
    return `${count} ${WORDS[kind]}`;
  });
  const right = judged - failures.length;
  return `${judged} compared with the site: ${right} end at the same page, ${counts.join(', ')}`;
}

function failureWords({ rule, kind, url, to, reason }: RehearsedFailure): string {
  const who = rule === undefined ? 'no rule by itself' : sayRule(rule);
  return `${who}: ${plain(url)} ends ${WORDS[kind]}, ${plain(to)} (${plain(reason)})`;
}

export function rehearsalSummary({ server, output, rounds, out, exported }: Rehearsal): object {
  const failureOf = ({ rule, ...rest }: RehearsedFailure) => ({
    ...rest,
    rule: rule === undefined ? null : describeRule(rule),
  });
  return {
    server,
    output,
    rounds: rounds.map(({ failures, ...rest }) => ({ ...rest, failures: failures.map(failureOf) })),
    takenOut: out.map(failureOf),
    carried: exported.carried.map(describeRule),
  };
}
