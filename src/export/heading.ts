// The comment at the top of an exported file: where it comes from, how many rules it has, and each rule that was left
// out, with the reason. Rules come from logs, and logs from anyone, so every line is printable ASCII without anything
// that could end a comment.
import { many } from '../base/amounts.js';
import { groupBy } from '../base/group-by.js';
import type { Rule } from '../rule/rule.js';
import { ruleWords } from '../rule/words/sentence.js';
import type { Differing, ExportRequest, LeftOut } from './target.js';

/** Lines without comment marks. `usage` is the target's own text. */
export function headingLines(
  { generator, source, rules, differing, takenOut = [], aboutKeys }: ExportRequest,
  usage: string,
  left: readonly LeftOut[],
): readonly string[] {
  const carried = rules.length - left.length;
  const lines = [
    `Written by ${plain(generator)} from ${plain(source)}: ${carried} of ${many(rules.length + takenOut.length, 'rule')}.`,
    ...(carried === 0 ? [NO_RULE] : []),
    ...(aboutKeys === undefined ? [] : [aboutKeys]),
    '',
    ...usage.trim().split('\n'),
    ...(differing === undefined ? [] : ['', differingWords(differing)]),
  ];
  const all = [...left, ...takenOut];
  if (all.length === 0) return lines;
  return [...lines, '', 'Left out:', ...leftLines(all)];
}

/** So many rules are named for each reason; the others are counted. */
const MOST_NAMED = 20;

function leftLines(all: readonly LeftOut[]): readonly string[] {
  const byReason = groupBy(all, ({ reason }) => reason);
  const named = new Set(Array.from(byReason.values(), (some) => some.slice(0, MOST_NAMED)).flat());
  const counted = Array.from(byReason, ([reason, some]) => [reason, some.slice(MOST_NAMED)] as const);
  return [
    ...all.filter((one) => named.has(one)).map((one) => `  ${sayRule(one.rule)}: ${one.reason}${reachWords([one])}`),
    ...counted.flatMap(([reason, more]) =>
      more.length === 0 ? [] : [`  ${many(more.length, 'more rule')}: ${reason}${reachWords(more)}`],
    ),
  ];
}

const NO_RULE = 'There is no rule in this file, so it changes nothing.';

/** Such as `312 of 7440 URLs get a form other than that of dustbuster canonize`, with an example. */
export function differingWords({ urls, differing, examples }: Differing): string {
  const count = `${differing} of ${many(urls, 'URL')} ${differing === 1 ? 'gets' : 'get'} a form other than that of dustbuster canonize`;
  const [example] = examples;
  if (example === undefined) return count;
  const [url, here, canonical] = example.map(plain);
  return `${count}: ${url} here gets ${here}, there ${canonical}`;
}

/** How many hits of the log the left-out rules would have changed, in words; '' if the log had no hits. */
export function reachWords(left: readonly LeftOut[]): string {
  const hits = left.reduce((sum, { rule }) => sum + (rule.hits?.given ?? 0), 0);
  return hits === 0 ? '' : ` (${many(hits, 'hit')} of the log)`;
}

/** One line, such as ``rule 3 (example.com), `/a` at the end becomes `/b` ``. */
export function sayRule(rule: Rule): string {
  const site = rule.site === '' ? '' : ` (${plain(rule.site)})`;
  return `rule ${rule.rank}${site}, ${plain(ruleWords(rule))}`;
}

const LONGEST = 240;

/**
 * Makes text safe for a comment: printable ASCII on one line, without an end of a comment (`*\/`, `--`) or a `\` at the
 * end of the line.
 */
export function plain(text: string): string {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
  return shown
    .replace(/[^\x20-\x5b\x5d-\x7e]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
    .replace(/\*\//g, '* /')
    .replace(/--/g, '- -');
}
