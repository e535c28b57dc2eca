// What does the rehearsal of a robots.txt say to people? A table of its lines, a table of bots, and findings: sentences
// about lines that are wrong.
import { GROUP_NAMES } from './agent-groups.js';
import { agreeing, many } from '../base/amounts.js';
import { printable } from '../base/bytes.js';
import { type Paint, PLAIN } from '../base/paint.js';
import type { Fault } from '../robots/faults.js';
import type { LogOfRehearsal } from '../robots/rehearsal.js';
import type { LineResult } from '../robots/line-meter.js';
import type { Proposal } from '../robots/proposal.js';
import type { BotResult, TrialResult } from '../robots/trial.js';
import { proposalText } from './robots-proposal.js';
import { aligned, textTable } from './text-table.js';

export interface Rehearsed {
  /** The file as the user named it. */
  readonly name: string;
  readonly faults: readonly Fault[];
  readonly result: TrialResult;
  /** Rules in use that nothing proves. */
  readonly guesses?: number;
  /** Further lines that were tried with the file. */
  readonly proposal?: Proposal;
}

/** Something that is wrong with a line, for people and for CI. */
export interface Finding {
  readonly line: number;
  /**
   * `syntax`: crawlers read it otherwise. `lost`: pages vanish from search. `hidden`: forms that redirect are not seen.
   * `idle`: the line changes nothing. `elsewhere`: a parameter escapes it.
   */
  readonly kind: 'syntax' | 'lost' | 'hidden' | 'idle' | 'elsewhere';
  readonly says: string;
}

/** All that is wrong with the file, by line. */
export function findingsOf({ faults, result }: Rehearsed): readonly Finding[] {
  const syntax = faults.flatMap(({ line, kind, says }) =>
    kind === 'error' ? [{ line, kind: 'syntax' as const, says }] : [],
  );
  return [...syntax, ...result.lines.flatMap(lineFindings)].sort((a, b) => a.line - b.line);
}

function lineFindings(result: LineResult): readonly Finding[] {
  const { line, allows, lostPages, lostVisits, duplicates, elsewhere, idle } = result;
  const example = exampleOf(result);
  const found: (readonly [Finding['kind'], string])[] = [];
  if (lostPages > 0) {
    const visits = `${many(lostVisits, 'visit')} from search`;
    found.push(['lost', `hides ${many(lostPages, 'page')} with ${visits}${example}`]);
  }
  if (duplicates > 0) {
    const what = `hides ${many(duplicates, 'URL')} that the rules give another form`;
    const see = 'crawlers would never see the redirect or the canonical link';
    found.push(['hidden', `${what}: ${see}${lostPages > 0 ? '' : example}`]);
  }
  if (elsewhere > 0) {
    const add = `Disallow: ${result.pattern.replace('*?', '*&')}`;
    found.push(['elsewhere', `misses ${many(elsewhere, 'URL')} where the parameter is not the first: add ${add}`]);
  }
  if (idle === 'never-decides' || (idle === 'no-change' && !allows)) found.push(['idle', IDLE[idle]]);
  return found.map(([kind, says]) => ({ line, kind, says }));
}

function exampleOf({ examples: [first] }: LineResult): string {
  return first === undefined ? '' : `, such as ${first}`;
}

const IDLE = {
  'no-agent': 'no bot that it is for came',
  'no-match': 'matches no URL of this log',
  'never-decides': 'never decides: a longer line, or one that allows, always comes before it',
  'no-change': 'changes nothing: without it all URLs of this log would be judged the same',
} as const;

const SHOWN_FAULTS = 100;
const SHOWN_LINES = 200;
const SHOWN_BOTS = 20;
const SHOWN_DISOBEDIENT = 5;

/** One finding a line, as compilers write them. */
export function checkText(name: string, findings: readonly Finding[]): string {
  return findings.map(({ line, says }) => `${printable(name)}:${line}: ${printable(says)}\n`).join('');
}

export interface TextOptions {
  readonly width: number;
  readonly paint?: Paint;
}

export function robotsText(rehearsed: Rehearsed, log: LogOfRehearsal, options: TextOptions): string {
  const { result, faults, proposal } = rehearsed;
  return [
    `${summaryOf(rehearsed, log)}\n`,
    limitsOf(rehearsed, log)
      .map((line) => `${line}\n`)
      .join(''),
    lineTable(result.lines, options),
    botTable(result, options),
    faultList(faults),
    botWords(result, log),
    proposal === undefined ? '' : proposedText(proposal, result, log),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The file in one paragraph. */
export function summaryOf({ name, faults, result }: Rehearsed, log: LogOfRehearsal): string {
  const { requests, forbidden, lines, lost } = result;
  const idle = lines.filter((line) => line.idle !== undefined && line.idle !== 'no-agent').length;
  const shutting = lines.filter(({ lostPages }) => lostPages > 0).length;
  const errors = faults.filter(({ kind }) => kind === 'error').length;
  const sentences = [
    `With ${printable(name)} bots would have left out ${forbidden} of their ${many(requests, 'request')}`,
    ...(idle === 0 ? [] : [`${many(idle, 'line')} ${agreeing(idle, 'does', 'do')} nothing`]),
    ...(errors === 0
      ? []
      : [
          `${many(errors, 'line')} ${agreeing(errors, 'does', 'do')} not say what ${agreeing(errors, 'it seems', 'they seem')} to`,
        ]),
    shutting === 0
      ? 'no page with visits from search is shut'
      : `${many(shutting, 'line')} ${agreeing(shutting, 'shuts', 'shut')} ${many(lost.pages, 'page')} with ${many(lost.visits, 'visit')} from search`,
  ];
  return `${sentences.join('; ')}. Tried on ${many(log.requests, 'request')} for ${many(log.urls, 'URL')}${periodOf(log)}.`;
}

function periodOf({ hasTimes, from, to }: LogOfRehearsal): string {
  if (!hasTimes) return '';
  const [first, last] = [dayOf(from), dayOf(to)];
  return first === last ? ` of ${first}` : ` from ${first} to ${last}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** What the log does not show, each with what follows from that. */
export function limitsOf({ result: { stretches }, guesses = 0 }: Rehearsed, log: LogOfRehearsal): readonly string[] {
  const limits: string[] = [];
  if (!log.hasAgents) limits.push('The log has no user agents, so all requests are taken for those of one bot.');
  if (!log.hasReferrers) limits.push('The log has no referrers, so visitors from search are not known.');
  if (log.hosts > 1) limits.push(hostsWords(log));
  if (guesses > 0)
    limits.push(
      `${many(guesses, 'rule')} in use ${agreeing(guesses, 'is', 'are')} not proven: URLs that ${agreeing(guesses, 'it changes', 'they change')} count as hidden only where the server redirects them.`,
    );
  if (log.unlisted > 0)
    limits.push(`${many(log.unlisted, 'request')} came for further URLs, which --memory had no room for.`);
  if (!log.hasTimes) limits.push('The log has no times, so it is not known who asked after reading the file.');
  else if (stretches.length === 0 && log.hosts < 2)
    limits.push(
      'No answer to /robots.txt has the size of this file, so it is not known when it was in force, nor who disobeyed it; --live-since says since when it is.',
    );
  return limits;
}

/** A robots.txt is for one host, so requests for others are counted for nothing, and who read which file is not known. */
function hostsWords({ hosts, largestHosts: largest }: LogOfRehearsal): string {
  const listed = largest.map(({ host, requests }) => `${printable(host)} (${many(requests, 'request')})`).join(', ');
  const more = hosts > largest.length ? ` and ${hosts - largest.length} more` : '';
  return (
    `The log has ${hosts} hosts, and a robots.txt is for one: choose with --host. They are ${listed}${more}. ` +
    'The figures are those of all hosts together; who obeyed, and who never asked for the file, is not known.'
  );
}

/** Lines to copy, and what they do. */
function proposedText(proposal: Proposal, { requests, forbidden }: TrialResult, log: LogOfRehearsal): string {
  const text = proposalText(proposal);
  if (text === '')
    return 'Nothing to propose: the report has found nothing that would keep bots of this log off anything.\n';
  const lines = text.split('\n').map((line) => `  ${printable(line)}\n`);
  const { length } = proposal.lines;
  const shut = log.hasReferrers ? '. No page with visits from search is shut by that, and no redirect hidden' : '';
  const does =
    length === 0
      ? 'No line is proposed: each would hide pages with visits from search, or redirects.'
      : `With ${agreeing(length, 'this line', `these ${length} lines`)} at its end bots would have left out ${forbidden + proposal.spared} of their ${many(requests, 'request')}, instead of ${forbidden}${shut}.`;
  return `Proposed for what the report has found, tried on this log:\n\n${lines.join('')}\n${does}\n`;
}

function lineTable(lines: readonly LineResult[], { width, paint = PLAIN }: TextOptions): string {
  if (lines.length === 0) return 'No line forbids or allows anything.\n';
  const shown = lines.slice(0, SHOWN_LINES);
  const rows = shown.map((line) => ({
    cells: [line.line, line.hits, line.urls, line.pages].map(String),
    texts: [printable(line.text), ...remarksOf(line).map(printable)],
  }));
  const head = ['line', 'bot hits', 'URLs', 'pages shut', 'what it says'];
  const table = textTable(rows, { head, right: new Set([0, 1, 2, 3]), width, paint });
  return shown.length === lines.length
    ? table
    : `${table}and ${many(lines.length - shown.length, 'more line')}; --json has all\n`;
}

/** What a reader of the line should know. */
function remarksOf(line: LineResult): readonly string[] {
  const { hits, hitsOf, idle, redirected, duplicates, people, allows } = line;
  const groups = Object.entries(hitsOf).map(
    ([group, count]) => `${GROUP_WORDS[group as keyof typeof GROUP_WORDS]} ${count}`,
  );
  const elsewhere = redirected - duplicates;
  return [
    ...(hits === 0 ? [] : [groups.join(', ')]),
    ...lineFindings(line).map(({ says }) => says),
    ...(idle === undefined || idle === 'never-decides' || (idle === 'no-change' && !allows) ? [] : [IDLE[idle]]),
    ...(elsewhere > 0
      ? [
          `${many(elsewhere, 'URL')} of these ${agreeing(elsewhere, 'is', 'are')} redirected, which crawlers would not see`,
        ]
      : []),
    ...(people > 0 && line.lostPages === 0 ? [`people came there ${people === 1 ? 'once' : `${people} times`}`] : []),
  ];
}

const GROUP_WORDS = { ...GROUP_NAMES, unknown: 'without a user agent' } as const;

function botTable({ bots }: TrialResult, { paint = PLAIN }: TextOptions): string {
  if (bots.length === 0) return 'No bot came.\n';
  const head = ['bot', 'group', 'read as', 'requests', 'forbidden', 'asked for it', 'after reading it'];
  const rows = bots
    .slice(0, SHOWN_BOTS)
    .map((bot) => [
      printable(bot.name),
      GROUP_WORDS[bot.group],
      bot.as === '' ? 'none' : printable(bot.as),
      String(bot.requests),
      String(bot.forbidden),
      bot.reads === 0 ? 'never' : String(bot.reads),
      bot.disobeyed === null ? '-' : String(bot.disobeyed),
    ]);
  const table = aligned([head, ...rows], new Set([3, 4, 5, 6]), paint);
  return bots.length > SHOWN_BOTS
    ? `${table}and ${many(bots.length - SHOWN_BOTS, 'more bot')}; --json has all\n`
    : table;
}

/** A line about bots that disobeyed the file, and one about those that never read it. */
function botWords({ bots }: TrialResult, { hosts }: LogOfRehearsal): string {
  const disobedient = bots
    .filter(({ disobeyed }) => disobeyed !== null && disobeyed > 0)
    .sort((a, b) => b.disobeyed! - a.disobeyed!);
  const never = hosts > 1 ? [] : bots.filter(({ reads, forbidden }) => reads === 0 && forbidden > 0);
  return [
    ...disobedient.slice(0, SHOWN_DISOBEDIENT).map((bot) => `${disobedienceOf(bot)}\n`),
    ...(never.length === 0 ? [] : [`${neverWords(never)}\n`]),
  ].join('');
}

function disobedienceOf({ name, disobeyed, example }: BotResult): string {
  const such = example === undefined ? '' : `, such as ${printable(example)}`;
  return `${printable(name)} asked ${disobeyed === 1 ? 'once' : `${disobeyed} times`} for what it had read that it should not${such}.`;
}

function neverWords(never: readonly BotResult[]): string {
  const names = never.slice(0, SHOWN_BOTS).map(({ name, forbidden }) => `${printable(name)} (${forbidden})`);
  const more = never.length > names.length ? ` and ${never.length - names.length} more` : '';
  return `Never asked for robots.txt, but for what it forbids: ${names.join(', ')}${more}.`;
}

function faultList(faults: readonly Fault[]): string {
  if (faults.length === 0) return '';
  const lines = faults.slice(0, SHOWN_FAULTS).map(({ line, says }) => `  line ${line}: ${printable(says)}\n`);
  const more = faults.length > lines.length ? `  and ${faults.length - lines.length} more; --json has all\n` : '';
  return `What crawlers read otherwise:\n${lines.join('')}${more}`;
}

/** The rehearsal as one JSON document. */
export function robotsJson(rehearsed: Rehearsed, log: LogOfRehearsal) {
  const { name, faults, result, guesses, proposal } = rehearsed;
  return {
    format: 'dustbuster-robots',
    version: 1,
    log: { ...log, from: isoOf(log.from), to: isoOf(log.to) },
    file: name,
    findings: findingsOf(rehearsed),
    faults,
    ...result,
    stretches: result.stretches.map(({ from, to }) => ({ from: isoOf(from), to: isoOf(to) })),
    ...(guesses !== undefined && { guesses }),
    ...(proposal !== undefined && { proposed: proposal }),
  };
}

/** Null for a time that is not known, and for the end of a log. */
function isoOf(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}
