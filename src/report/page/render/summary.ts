// The report on one page, to forward: its three sentences, the fixes in a line or two each, and what is left to prove.
//
//     dustbuster report access.log --summary
import { printable } from '../../../base/bytes.js';
import { heldLine } from '../../rule-words.js';
import { roundedDown } from '../../before/outcome.js';
import { wrapped } from '../../text-table.js';
import type { Fix, FixOutcome, ReportModel } from '../model.js';
import { answerOf, notMadeWords } from './answer.js';
import { commandOf, linesCommandOf, mineCommandOf } from './commands.js';
import { alreadyWords, STATES } from './before.js';
import { FORMATS } from './html.js';
import { titleOf } from './words.js';

const { count, many, share } = FORMATS;

const WIDTH = 96;

/** Text for people, each line at most `WIDTH` characters where blanks allow it. */
export function summaryText(model: ReportModel): string {
  const title = titleOf(model);
  const { cost, change, sure } = answerOf(model);
  const blocks = [
    [title, '='.repeat(Math.min(WIDTH, title.length))],
    ...[cost, change, sure].filter((sentence) => sentence !== '').map((sentence) => lines(sentence, '')),
    outcomeLines(model),
    fixLines(model),
    proveLines(model),
    lines(heldLine(model.rules.map(({ rule }) => rule)).trimEnd(), ''),
  ];
  return `${blocks
    .filter((block) => block.join('') !== '')
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

/** What became of the fixes of earlier reports. */
function outcomeLines({ before }: ReportModel): string[] {
  if (before === undefined || before.did === undefined) return [];
  return [
    ...lines(
      `Since ${before.reports.map(({ name }) => name).join(', ')}: ${share(roundedDown(before.did))} of what the fixes promised has come about.`,
      '',
    ),
    ...before.fixes.flatMap((fix) => lines(outcomeWords(fix), '    ', '  - ')),
  ];
}

function outcomeWords({ title, state, since, promised, redirected, already, left }: FixOutcome): string {
  const day = since === undefined ? '' : ` since ${since}`;
  return `${title}: ${STATES[state]}${day}; ${many(promised.hits, 'hit')} promised, ${count(redirected)} redirected now${alreadyWords(already)}, ${count(left)} left`;
}

function fixLines(model: ReportModel): string[] {
  const fixes = model.log?.fixes ?? [];
  if (fixes.length === 0) return [];
  const mine = mineCommandOf(model);
  return [
    `What to do, and the command that writes the lines of each for a server${mine === undefined ? ':' : '. It needs the rules of the log:'}`,
    ...(mine === undefined ? [] : [`    ${printable(mine)}`]),
    ...fixes.flatMap((fix, at) => [
      ...lines(fixWords(fix), '    ', `${String(at + 1).padStart(2)}. `),
      ...commandLines(linesCommandOf(fix, model)),
    ]),
  ];
}

/** A command on several lines, which a shell takes for one. */
function commandLines(command: string): string[] {
  const parts = wrapped(printable(command), WIDTH - 6);
  return parts.map((part, at) => `${at === 0 ? '    ' : '        '}${part}${at < parts.length - 1 ? ' \\' : ''}`);
}

function fixWords(fix: Fix): string {
  const { title, parts, redirected } = fix;
  const others = parts.length === 0 ? '' : `, and ${many(parts.length, 'more change')}`;
  const sure = fix.isProven ? 'proven' : `confidence ${fix.confidence.toFixed(3)}`;
  return `${title}${others}: redirects ${many(redirected.hits, 'hit')}; ${notMadeWords(fix)}; ${sure}`;
}

function proveLines({ toProve, log }: ReportModel): string[] {
  const unproven = log?.unproven ?? [];
  if (toProve === undefined || (toProve.rules === 0 && unproven.length === 0)) return [];
  const rules = Math.max(toProve.rules, unproven.length);
  const head = `To be proved by asking the pages, about ${toProve.time}: ${many(rules, 'more rule')} that the log suggests`;
  return [...lines(head, ''), `    ${printable(commandOf(toProve))}`];
}

/** `first` stands before the first line, in place of the end of `indent`. */
function lines(text: string, indent: string, first = indent): string[] {
  return wrapped(printable(text), WIDTH - indent.length).map((line, at) => `${at === 0 ? first : indent}${line}`);
}
