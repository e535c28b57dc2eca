// Shows the measures as tables, CSV and JSON. Text from a log is escaped in all of them.
import { printable } from '../base/bytes.js';
import { type Paint, PLAIN } from '../base/paint.js';
import { describeRule } from '../rule/file.js';
import type { Rule } from '../rule/rule.js';
import { calledOf } from '../rule/standing.js';
import { sidesOf } from '../rule/words/notation.js';
import { ruleSentence } from '../rule/words/sentence.js';
import { whereWords } from '../rule/words/where.js';
import type { SampleSweep } from '../validate/paper/figure-6.js';
import type { FormMeasures } from './measure-forms.js';
import type { RuleMeasures } from './measure-rules.js';
import type { ListMeasures, Measures, PrecisionAt, SiteMeasures } from './measure.js';
import { clip } from './render.js';
import { heldWords } from './rule-words.js';
import { aligned, textTable } from './text-table.js';

interface EvalTableOptions {
  /** How many sites and rules are shown. */
  readonly limit: number;
  readonly paint?: Paint;
  /** Width of the terminal; Infinity if there is none. */
  readonly width?: number;
}

/**
 * The tables: totals and the `limit` largest sites; their forms; precision; the first `limit` rules, each with an
 * example of a wrong image.
 */
export function evalTable(measures: Measures, options: EvalTableOptions): string {
  const { limit, paint = PLAIN } = options;
  return [
    sitesTable(measures, limit, paint),
    formsTable(measures, limit, paint),
    leftoverTable(measures, paint),
    sweepTable(measures, paint),
    precisionTable(measures, paint),
    curveTable(measures, paint),
    rulesTable(measures.rules, options),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const CONTENT_COLUMNS =
  "site URLs forms redundancy labelled contents coverage paper's false-merges share in-mixed lost-pages".split(' ');
const FORM_COLUMNS = 'site longer unsettled answering dead redirecting not-known'.split(' ');

function sitesTable(measures: Measures, limit: number, paint: Paint): string {
  const cells = (of: FormMeasures) => {
    // Without labels, false merges are unknown, which is not the same as zero.
    const known = (count: number) => (of.labelled === 0 ? '-' : count);
    return [
      of.urls,
      of.forms,
      percent(of.redundancy),
      of.labelled,
      known(of.contents),
      percent(of.coverage),
      percent(of.paperCoverage),
      known(of.falseMerges),
      percent(of.falseMergeShare),
      known(of.inMixedForms),
      known(of.lostPages),
    ];
  };
  const { withKeys } = measures;
  return siteRows(CONTENT_COLUMNS, measures, limit, paint, cells, withKeys && ['with keys', ...cells(withKeys)]);
}

/** A table of forms: what becomes of URLs that answer. Nothing is fetched, so the statuses of the list decide. */
function formsTable(measures: Measures, limit: number, paint: Paint): string {
  return siteRows(FORM_COLUMNS, measures, limit, paint, (of) => [
    of.longer,
    of.unsettled,
    of.answering,
    of.deadForms ?? '-',
    of.redirectingForms ?? '-',
    of.unknownForms,
  ]);
}

function siteRows(
  head: readonly string[],
  { all, sites }: Measures,
  limit: number,
  paint: Paint,
  cells: (of: ListMeasures) => readonly (string | number)[],
  second?: readonly (string | number)[],
): string {
  const largest = sites.length > 1 ? sites.toSorted((a, b) => b.urls - a.urls).slice(0, limit) : [];
  const rows = largest.map((site) => [clip(printable(site.site)) || '(no host)', ...cells(site).map(String)]);
  const more = sites.length > 1 && sites.length > limit ? `… and ${sites.length - limit} more sites\n` : '';
  const totals = [['all', ...cells(all)], ...(second === undefined ? [] : [second])].map((row) => row.map(String));
  return aligned([[...head], ...totals, ...rows], numberColumns(head), paint) + more;
}

/** All columns except the first. */
function numberColumns(head: readonly string[]): Set<number> {
  return new Set(head.map((_, column) => column).slice(1));
}

/** A precision means little without the number of rules that could be judged, so both are shown. */
function precisionTable({ precisionByVerdict, precisionByLabels, rules }: Measures, paint: Paint): string {
  const kinds = [
    ['by verdict', precisionByVerdict],
    ['by labels', precisionByLabels],
  ] as const;
  const given = kinds.flatMap(([name, cuts]) => (cuts === null || rules.length === 0 ? [] : [[name, cuts] as const]));
  if (given.length === 0) return '';
  const head = ['precision@', ...given[0]![1].map(({ k }) => String(k)), 'right', 'wrong', 'unjudged'];
  const rows = given.flatMap(([name, cuts]) => {
    const { right, wrong, unjudged } = cuts.at(-1)!;
    const shares = cuts.map(({ precision }) => precision?.toFixed(2) ?? '-');
    const judged = cuts.map((cut) => String(judgedOf(cut)));
    return [
      [name, ...shares, ...[right, wrong, unjudged].map(String)],
      ['  judged', ...judged, '', '', ''],
    ];
  });
  return aligned([head, ...rows], numberColumns(head), paint);
}

function judgedOf({ right, wrong }: PrecisionAt): number {
  return right + wrong;
}

/** How many rules save which share of what all rules save; empty if they save nothing. */
function curveTable({ curve: { formsWithout, formsWith, needed } }: Measures, paint: Paint): string {
  if (formsWithout === formsWith) return '';
  const head = ['reduction', ...needed.map(({ share }) => `${100 * share}%`), 'forms without rules', 'with all'];
  const row = ['rules needed', ...needed.map(({ rules }) => String(rules)), String(formsWithout), String(formsWith)];
  return aligned([head, row], numberColumns(head), paint);
}

/** Figure 8 of the paper: what became of all dust, and an example of a duplicate in each class that is left. */
function leftoverTable({ all, leftover }: Measures, paint: Paint): string {
  if (leftover === undefined) return '';
  const share = (count: number) => percent(all.dustBefore === 0 ? null : count / all.dustBefore);
  const row = (name: string, count: number) => [name, String(count), share(count)];
  const rows = [row('eliminated', all.dustBefore - all.dustAfter)];
  for (const { name, duplicates } of leftover.classes) rows.push(row(name, duplicates));
  const examples = leftover.classes.flatMap(({ name, example }) =>
    example === null ? [] : [`${name}: ${printable(example[0])}\n  is left beside ${printable(example[1])}\n`],
  );
  return aligned([['dust', 'duplicates', 'share'], ...rows], new Set([1, 2]), paint) + examples.join('');
}

/** Figure 6 of the paper, and a figure that the paper lacks: how many rules fewer samples would miss. */
function sweepTable({ sweep }: Measures, paint: Paint): string {
  if (sweep === undefined) return '';
  const head = ['samples', 'valid', `and at ${sweep.at.at(-1)!.N}`, 'precision', 'found'];
  const rows = sweep.at.map(({ N, valid, confirmed, precision, found }) => {
    return [String(N), String(valid), String(confirmed), percent(precision), percent(found)];
  });
  return aligned([head, ...rows], new Set([0, 1, 2, 3, 4]), paint);
}

function rulesTable(
  rules: readonly RuleMeasures[],
  { limit, paint = PLAIN, width = Infinity }: EvalTableOptions,
): string {
  if (rules.length === 0 || limit === 0) return '';
  const shown = rules.slice(0, limit);
  const rows = shown.map(({ rule, touched, saved, right, wrong }) => ({
    cells: [String(rule.rank), calledOf(rule), ...[touched, saved, right, wrong].map(String)],
    texts: [printable(ruleSentence(rule)), ...heldNote(rule)],
  }));
  const more = rules.length > limit ? `… and ${rules.length - limit} more rules\n` : '';
  const head = ['rank', 'status', 'touches', 'saves', 'right', 'wrong', 'rule'];
  const table = textTable(rows, { head, right: new Set([0, 2, 3, 4, 5]), width, paint });
  return table + more + shown.map(wrongExample).join('');
}

/** A note that the rule may mean money or choice, and how to write it nevertheless. */
function heldNote(rule: Rule): string[] {
  const held = heldWords(rule);
  return held === undefined ? [] : [`(${held})`];
}

function wrongExample({ rule, wrongExamples }: RuleMeasures): string {
  const example = wrongExamples[0];
  if (example === undefined) return '';
  return `rule ${rule.rank} is wrong of ${printable(example[0])}\n  which is not ${printable(example[1])}\n`;
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(100 * share).toFixed(2)}%`;
}

/** One JSON object with all rules. */
export function evalJson({ all, withKeys, sites, rules, ...rest }: Measures): string {
  const { precisionByVerdict, precisionByLabels, curve, leftover, sweep, rulesUsed, unsettled } = rest;
  const precision = (cuts: readonly PrecisionAt[] | null) =>
    cuts?.map((cut) => ({ ...cut, judged: judgedOf(cut), precision: rounded(cut.precision) })) ?? null;
  const value = {
    format: 'dustbuster-measures',
    // `falseMerges` of version 1 is now `inMixedForms`.
    version: 2,
    all: listJson(all),
    ...(withKeys && { withKeys: listJson(withKeys) }),
    sites: sites.map(({ site, ...measures }) => ({ site, ...listJson(measures) })),
    precision: { byVerdict: precision(precisionByVerdict), byLabels: precision(precisionByLabels) },
    curve,
    ...(leftover && { leftover }),
    ...(sweep && { sweep: sweepJson(sweep) }),
    rulesUsed,
    unsettled,
    rules: rules.map(({ rule, ...measures }) => ({ ...describeRule(rule), ...measures })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sweepJson({ at, ...sweep }: SampleSweep): SampleSweep {
  const each = at.map((one) => ({ ...one, precision: rounded(one.precision), found: rounded(one.found) }));
  return { ...sweep, at: each };
}

function listJson<Of extends FormMeasures>(measures: Of): Of {
  const { redundancy, coverage, paperCoverage, falseMergeShare } = measures;
  return {
    ...measures,
    redundancy: rounded(redundancy),
    coverage: rounded(coverage),
    paperCoverage: rounded(paperCoverage),
    falseMergeShare: rounded(falseMergeShare),
  };
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 1e6) / 1e6;
}

/** CSV (RFC 4180) with a header, a line for the whole list, and one for each site. */
export function sitesCsv({ all, sites }: Measures): string {
  const head =
    'scope,site,urls,forms,redundancy,labelled,contents,dust_before,dust_after,coverage,false_merges,false_merge_share,' +
    'lost_pages,paper_coverage,in_mixed_forms,longer,unsettled,answering,dead_forms,redirecting_forms,unknown_forms';
  const cells = (of: ListMeasures) => {
    const counts = [of.urls, of.forms, rounded(of.redundancy), of.labelled, of.contents, of.dustBefore, of.dustAfter];
    const merges = [rounded(of.coverage), of.falseMerges, rounded(of.falseMergeShare), of.lostPages];
    const beside = [rounded(of.paperCoverage), of.inMixedForms, of.longer, of.unsettled];
    return [...counts, ...merges, ...beside, of.answering, of.deadForms, of.redirectingForms, of.unknownForms];
  };
  const rows = sites.map((site: SiteMeasures) => csvLine(['site', site.site, ...cells(site)]));
  return [`${head}\n`, csvLine(['all', '', ...cells(all)]), ...rows].join('');
}

/** CSV (RFC 4180) with a header and a line for each number of samples. */
export function samplesCsv({ at }: SampleSweep): string {
  const lines = at.map(({ N, valid, confirmed, precision, found }) =>
    csvLine([N, valid, confirmed, rounded(precision), rounded(found)]),
  );
  return `samples,valid,confirmed,precision,found\n${lines.join('')}`;
}

/** CSV (RFC 4180) with a header and a line for each rule, with an example of a wrong image. */
export function rulesCsv({ rules }: Measures): string {
  const head = 'rank,site,kind,from,to,where,status,touched,saved,right,wrong,is_right,wrong_url,wrong_image\n';
  const lines = rules.map(({ rule, touched, saved, right, wrong, isRight, wrongExamples }) => {
    const [from, to] = sidesOf(rule);
    const where = printable(whereWords(rule));
    const verdict = isRight === null ? '' : isRight ? 'yes' : 'no';
    const [url = '', image = ''] = wrongExamples[0] ?? [];
    const said = [rule.rank, rule.site, rule.kind, from, to, where, rule.status];
    return csvLine([...said, touched, saved, right, wrong, verdict, url, image]);
  });
  return head + lines.join('');
}

/** An empty cell means unknown. */
function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => quoted(printable(String(cell ?? '')))).join(',')}\n`;
}

function quoted(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
