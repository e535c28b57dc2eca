// The few numbers that matter, at the head of the page.
import type { Audit } from '../../../rule/rule.js';
import { isPending } from '../../../rule/standing.js';
import { openWords } from '../../rule-words.js';
import { boundText, failureKinds, failuresOf } from '../../validation.js';
import { askedOf, type ByKeys, type LogFacts, type ReportModel } from '../model.js';
import { type Html, markup, NOTHING, FORMATS } from './html.js';

const { bytes, count, many, share } = FORMATS;

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

export function figuresHtml(model: ReportModel): Html {
  const { log } = model;
  const audit = model.rulesFile.validation?.audit;
  const figures = [
    ...(log === undefined ? [audit === undefined ? urlsFigure(model) : formsFigure(audit)] : logFigures(model, log)),
    rulesFigure(model),
    ...(audit === undefined ? [] : [auditFigure(audit)]),
    linesFigure(model),
  ];
  return markup`<dl class="figures">${figures.map(
    ({ name, value, note }) =>
      markup`<div><dt>${name}</dt><dd class="value">${value}</dd>${note === '' ? NOTHING : markup`<dd>${note}</dd>`}</div>
`,
  )}</dl>`;
}

function logFigures(model: ReportModel, log: LogFacts): Figure[] {
  const asked = askedOf(model);
  return asked === 'nothing' ? [unaskedFigure(model, log), ...hitFigures(log)] : costFigures(log, WORDS[asked]);
}

/** What a share counts: proven duplicates, or likely ones. */
const WORDS = { proven: 'duplicates', likely: 'likely duplicates' } as const;

/** A figure for a log without applied rules: as no pages were requested, a count of duplicates would mean nothing. */
function unaskedFigure({ rules }: ReportModel, { all }: LogFacts): Figure {
  const words = openWords(rules.flatMap(({ rule }) => (isPending(rule) ? [rule] : [])));
  const why = words === '' ? 'no rule is likely' : `${words}, none validated`;
  return {
    name: 'Distinct URLs',
    value: count(all.urlsBefore),
    note: rules.length === 0 ? 'no rule was found' : `not asked yet which are duplicates: ${why}`,
  };
}

/** The cost of all hits, for a report that knows nothing about duplicates. */
function hitFigures({ all, hasSizes, hasAgents }: LogFacts): Figure[] {
  const part = all.hits === 0 ? '' : `${share(all.botHits / all.hits)} of the hits`;
  return [
    { name: 'Hits', value: count(all.hits), note: `${(all.hits / Math.max(1, all.urlsBefore)).toFixed(1)} a URL` },
    ...(hasSizes ? [{ name: 'Bytes sent', value: bytes(all.bytes), note: 'by answers with status 200' }] : []),
    ...(hasAgents ? [{ name: 'Bot hits', value: count(all.botHits), note: part }] : []),
  ];
}

function costFigures({ all, byKeys, ...has }: LogFacts, word: string): Figure[] {
  const saved = all.urlsBefore - all.urlsAfter;
  const cost = (name: string, part: number, whole: number, said: (value: number) => string, unit: string) => ({
    name,
    value: whole === 0 ? '–' : share(part / whole),
    note: `${said(part)} of ${said(whole)}${unit}`,
  });
  const unknown = (name: string, why: string) => ({ name, value: '–', note: why });
  return [
    {
      name: 'Distinct URLs',
      value: `${count(all.urlsBefore)} → ${count(all.urlsAfter)}`,
      note: `${share(all.urlsBefore === 0 ? 0 : saved / all.urlsBefore)} of them are ${word} (${count(saved)})${byKeysText(byKeys, byKeys?.urls)}`,
    },
    cost(`Hits on ${word}`, all.duplicateHits, all.hits, count, ` hits${byKeysText(byKeys, byKeys?.hits)}`),
    has.hasSizes
      ? cost(`Bytes sent for ${word}`, all.duplicateBytes, all.bytes, bytes, ', of answers with status 200')
      : unknown(`Bytes sent for ${word}`, 'the log has no sizes'),
    has.hasAgents
      ? cost(`Bot hits on ${word}`, all.duplicateBotHits, all.botHits, count, ' bot hits')
      : unknown(`Bot hits on ${word}`, 'the log has no user agents'),
  ];
}

function byKeysText(byKeys: ByKeys | undefined, part = 0): string {
  return byKeys === undefined ? '' : `, ${count(part)} of them only by keys, which no server gets`;
}

function urlsFigure({ rulesFile: { urls, sites } }: ReportModel): Figure {
  const skipped = sites.skipped === 0 ? '' : `, ${count(sites.skipped)} with too few URLs skipped`;
  return { name: 'Distinct URLs', value: count(urls), note: `${many(sites.mined, 'site')} mined${skipped}` };
}

/** For a report without a log, the figures of the validation's list. */
function formsFigure({ urls, forms, longer, unsettled }: Audit): Figure {
  const saved = urls - forms;
  return {
    name: 'Distinct URLs',
    value: `${count(urls)} → ${count(forms)}`,
    note: `${share(urls === 0 ? 0 : saved / urls)} of them are duplicates (${count(saved)}), ${many(longer, 'form')} longer, ${many(unsettled, 'URL')} unsettled`,
  };
}

function auditFigure(audit: Audit): Figure {
  const failures = failuresOf(audit);
  return {
    name: 'Forms that failed the audit',
    value: audit.sample === 0 ? '–' : `${count(failures)} of ${count(audit.sample)}`,
    note: audit.sample === 0 ? 'none could be judged' : `${boundText(audit)} of all${failureKinds(audit)}`,
  };
}

function rulesFigure({ rules }: ReportModel): Figure {
  const standings = new Map<string, number>();
  for (const { standing } of rules) standings.set(standing, (standings.get(standing) ?? 0) + 1);
  const parts = [...standings]
    .toSorted(([, a], [, b]) => b - a)
    .map(([standing, number]) => `${count(number)} ${standing}`);
  const applied = rules.filter(({ isApplied }) => isApplied).length;
  const keys = rules.filter(({ isGrouping }) => isGrouping).length;
  return {
    name: 'Rules applied',
    value: `${count(applied)} of ${count(rules.length)}`,
    note: [...parts, ...(keys === 0 ? [] : [`${many(keys, 'key')} only to group`])].join(', '),
  };
}

function linesFigure({ inputs }: ReportModel): Figure {
  const sum = (of: (input: ReportModel['inputs'][number]) => number) =>
    inputs.reduce((total, input) => total + of(input), 0);
  const all = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((total, n) => total + n, 0);
  const dropped = sum((input) => all(input.dropped));
  const rejected = sum((input) => all(input.rejected));
  return {
    name: 'Lines read',
    value: count(sum(({ lines }) => lines)),
    note: `${count(sum(({ records }) => records))} kept, ${count(dropped)} dropped, ${count(rejected)} rejected`,
  };
}
