// What does a report answer first? Three sentences: what duplicates cost, the one change to make first, and how sure it
// is. The page and `report --summary` say the same words. Addresses in them stand between backticks; they are raw text
// of the log, which callers escape.
import { agreeing } from '../../../base/amounts.js';
import { isPending } from '../../../rule/standing.js';
import { openWords } from '../../rule-words.js';
import { boundText, failureKinds, failuresOf } from '../../validation.js';
import {
  askedOf,
  type Asked,
  type ByKeys,
  type Fix,
  type FixTotals,
  type LogFacts,
  type ReportModel,
} from '../model.js';
import { proofCommandOf } from './commands.js';
import { spent } from './cost.js';
import { FORMATS } from './html.js';

const { bytes, count, many, share } = FORMATS;

export interface Answer {
  readonly cost: string;
  readonly change: string;
  readonly sure: string;
}

export function answerOf(model: ReportModel): Answer {
  const { log } = model;
  const asked = askedOf(model);
  if (log === undefined) return { cost: listWords(model), change: LOG_WANTED, sure: auditWords(model) };
  if (asked === 'nothing') return { cost: hitsWords(log), change: unaskedWords(model), sure: '' };
  return { cost: costWords(log, asked), change: changeWords(log), sure: sureWords(model, log) };
}

function costWords({ all, byKeys, time, ...has }: LogFacts, asked: Asked): string {
  const what = asked === 'likely' ? 'Likely duplicates' : 'Duplicates';
  const costs = [
    `${all.hits === 0 ? '' : `${share(all.duplicateHits / all.hits)} of `}all hits (${count(all.duplicateHits)} of ${count(all.hits)})`,
    ...(has.hasSizes ? [`${bytes(all.duplicateBytes)} of ${bytes(all.bytes)}`] : []),
    ...(has.hasAgents ? [`${count(all.duplicateBotHits)} of ${many(all.botHits, 'bot hit')}`] : []),
    ...(time === undefined ? [] : [`${spent(time.duplicateMs)} of ${spent(time.ms)} of the server`]),
  ];
  const unknown = [...(has.hasSizes ? [] : ['sizes']), ...(has.hasAgents ? [] : ['user agents'])];
  return (
    `${what} took ${costs.join(', ')}: ${count(all.urlsBefore - all.urlsAfter)} of ${many(all.urlsBefore, 'URL')} are a second ` +
    `name of a page${byKeysWords(byKeys)}.${unknown.length === 0 ? '' : ` The log has no ${unknown.join(' and no ')}.`}`
  );
}

function byKeysWords(byKeys: ByKeys | undefined): string {
  return byKeys === undefined || byKeys.urls === 0
    ? ''
    : `, ${count(byKeys.urls)} of them only by keys, which no server gets (${many(byKeys.hits, 'hit')})`;
}

function changeWords({ fixes, fixed }: LogFacts): string {
  const [first] = fixes;
  if (first === undefined || fixed === undefined) return 'The log alone proposes no change.';
  const others = fixes.length === 1 ? '' : ` All ${fixes.length} fixes together: ${notMadeWords(fixed)}.`;
  const parts = first.parts.length === 0 ? '' : `, and ${many(first.parts.length, 'more change')}`;
  return `To do first: ${first.title.charAt(0).toLowerCase()}${first.title.slice(1)}${parts}. ${effectWords(first)}.${others}`;
}

/** What the lines of a fix do. A redirect is a hit too, so what they save is pages and bytes that are not made. */
export function effectWords(fix: Fix): string {
  return `Its lines redirect ${many(fix.redirected.hits, 'hit')} of this log, so that ${notMadeWords(fix)}`;
}

export function notMadeWords({ hits, bytes: sent, ms }: FixTotals): string {
  const parts = [...(sent > 0 ? [bytes(sent)] : []), ...(ms === undefined ? [] : [`${spent(ms)} of the server`])];
  const cost = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
  return `${many(hits, 'page')}${cost} ${agreeing(hits, 'needs', 'need')} not be made a second time`;
}

function sureWords(model: ReportModel, { fixes }: LogFacts): string {
  const [first] = fixes;
  const audit = auditWords(model);
  if (first === undefined)
    return [audit, model.toProve === undefined ? '' : proveWords(model)].filter((words) => words !== '').join(' ');
  if (first.isProven) return `Pages or a user have confirmed it.${audit === '' ? '' : ` ${audit}`}`;
  const confidence = `Only the log says so, with a confidence of ${first.confidence.toFixed(3)}: no page was asked.`;
  return `${confidence} ${proveWords(model)}`.trimEnd();
}

function proveWords(model: ReportModel): string {
  const { toProve } = model;
  return `\`${proofCommandOf(model)}\` asks the pages${toProve === undefined ? '' : `, which takes about ${toProve.time}`}.`;
}

function auditWords({ rulesFile: { validation } }: ReportModel): string {
  const audit = validation?.audit;
  if (audit === undefined) return '';
  if (audit.sample === 0) return 'An audit was made, but none of its forms could be judged.';
  const failed = `${count(failuresOf(audit))} of ${count(audit.sample)} canonical forms failed the audit`;
  return `${failed}, ${boundText(audit)} of all${failureKinds(audit)}.`;
}

const LOG_WANTED =
  'What duplicates cost, and what to do first, is counted on a log: `dustbuster report RULES --log FILE`.';

/** For a report without a log: the list of the validation, or what the rules were mined from. */
function listWords({ rulesFile: { urls, sites, validation } }: ReportModel): string {
  const audit = validation?.audit;
  if (audit === undefined) {
    const skipped = sites.skipped === 0 ? '' : `, ${count(sites.skipped)} with too few URLs skipped`;
    return `The rules were mined from ${many(urls, 'URL')} of ${many(sites.mined, 'site')}${skipped}.`;
  }
  const saved = audit.urls - audit.forms;
  const part = share(audit.urls === 0 ? 0 : saved / audit.urls);
  const more = `${many(audit.longer, 'form')} longer, ${many(audit.unsettled, 'URL')} unsettled`;
  return `${count(audit.urls)} → ${many(audit.forms, 'URL')}: ${part} of them are duplicates (${count(saved)}), ${more}.`;
}

function hitsWords({ all, hasSizes, hasAgents }: LogFacts): string {
  const costs = [
    many(all.hits, 'hit'),
    ...(hasSizes ? [`${bytes(all.bytes)} sent by answers with status 200`] : []),
    ...(hasAgents ? [many(all.botHits, 'bot hit')] : []),
  ];
  return `The log has ${many(all.urlsBefore, 'URL')}, with ${costs.join(', ')}.`;
}

/** As no page was asked, a count of duplicates would mean nothing. */
function unaskedWords({ rules }: ReportModel): string {
  if (rules.length === 0) return 'No rule was found, so it is not known which URLs are duplicates.';
  const words = openWords(rules.flatMap(({ rule }) => (isPending(rule) ? [rule] : [])));
  return `It is not known yet which are duplicates: ${words === '' ? 'no rule is likely' : `${words}, none validated`}.`;
}
