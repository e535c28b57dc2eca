// What a rehearsal found, for people and as JSON.
import { printable } from '../../../base/bytes.js';
import { many } from '../../../base/plural.js';
import { plain, sayRule } from '../../../export/heading.js';
import type { Exported } from '../../../export/target.js';
import { unjudgedLines } from '../../../report/outcome-words.js';
import { idOf } from '../../../rule/id.js';
import { describeRule } from '../../../rule/file.js';
import type { Rule } from '../../../rule/rule.js';
import type { FailureKind, Rehearsed, RehearsedFailure } from '../../../validate/rehearse.js';

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
}

const WORDS: Readonly<Record<FailureKind, string>> = {
  loop: 'in a loop',
  dead: 'at a page that is gone',
  redirecting: 'at a URL that redirects on',
  different: 'at another page',
};

/** What survived is only said if it is written: of a site that did not answer, nothing is known. */
export function rehearsalReport(rehearsal: Rehearsal, isWritten: boolean): string {
  const { server, output, rounds, out, exported } = rehearsal;
  const [first, last] = [rounds[0]!, rounds.at(-1)!];
  const where = output === '-' ? '' : `; written to ${printable(output)}`;
  const lines = [
    `${server}: ${many(first.urls, 'URL')} replayed: ${first.redirected} redirected, ${chainWords(first)}`,
    judgedWords(first),
    ...out.map((one) => `taken out: ${failureWords(one)}; id ${idOf(one.rule)}`),
    ...(rounds.length > 1 ? [`without them: ${last.redirected} redirected; ${judgedWords(last)}`] : []),
    ...unjudgedLines(last.unjudged).map(printable),
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

function judgedWords({ judged, failures }: Rehearsed): string {
  const counts = (Object.keys(WORDS) as FailureKind[]).map((kind) => {
    const count = failures.filter((one) => one.kind === kind).length;
    return `${count} ${WORDS[kind]}`;
  });
  const right = judged - failures.length;
  return `${judged} compared with the site: ${right} end at the same page, ${counts.join(', ')}`;
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

export function rehearsalSummary({ server, output, vetoFile, rounds, out, exported }: Rehearsal): object {
  const failureOf = ({ rule, ...rest }: RehearsedFailure) => ({
    ...rest,
    rule: rule === undefined ? null : describeRule(rule),
  });
  return {
    server,
    output,
    rounds: rounds.map(({ failures, ...rest }) => ({ ...rest, failures: failures.map(failureOf) })),
    takenOut: out.map(failureOf),
    vetoedIn: out.length === 0 ? null : (vetoFile ?? null),
    carried: exported.carried.map(describeRule),
  };
}
