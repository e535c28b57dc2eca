// The rules, ranked, each with the evidence for and against it.
import { supportOf } from '../../../rule/diff.js';
import { idOf } from '../../../rule/id.js';
import type { Rule, Verdict } from '../../../rule/rule.js';
import { isLeftOut } from '../../../rule/standing.js';
import { ruleSentence } from '../../../rule/words/sentence.js';
import { whereWords } from '../../../rule/words/where.js';
import { ruleHistory, wordOf } from '../../render.js';
import { heldWords } from '../../rule-words.js';
import type { ReportModel, RuleRow } from '../model.js';
import type { Block, Cell, Column, TableData } from '../table.js';
import { type Html, markup, shown, FORMATS, tableHtml } from './html.js';
import { siteName } from './sites.js';

const { many } = FORMATS;

const LONGEST_RULE = 400;

interface RuleColumn extends Column {
  /** Only used by the renderer: the page gets JSON without functions. */
  readonly of: (row: RuleRow) => Cell;
}

/** The columns, without those that are empty for all rules. */
function columnsOf({ rules }: ReportModel): RuleColumn[] {
  const figure = (label: string, about: string, of: RuleColumn['of']): RuleColumn => ({
    label,
    kind: 'count',
    about,
    of,
  });
  const onlyIf = (isSaid: boolean, ...columns: RuleColumn[]) => (isSaid ? columns : []);
  return [
    { label: 'rank', kind: 'rank', isHead: true, of: ({ rule }) => rule.rank },
    { label: 'rule', kind: 'rule', of: ({ rule }) => shown(ruleSentence(rule), LONGEST_RULE) },
    {
      label: 'status',
      kind: 'word',
      filter: 'choice',
      about: '✓: URLs are canonized by it',
      of: ({ standing, isApplied }) => (isApplied ? `${standing} ✓` : standing),
    },
    figure('support', 'pairs of URLs, groups of URLs, or URLs, of the log that speak for it', ({ rule }) =>
      supportOf(rule),
    ),
    figure('against', 'those whose sizes or sketches differ', ({ rule }) => rule.against),
    {
      label: 'confidence',
      kind: 'decimal',
      about: 'how sure the log alone is that the rule holds',
      of: ({ rule }) => rule.confidence,
    },
    ...onlyIf(
      rules.some(({ rule }) => rule.verdict !== undefined),
      figure('pages alike', 'samples whose page and image read alike', ({ rule }) => rule.verdict?.positive ?? null),
      figure('pages differ', 'samples whose page and image differ', ({ rule }) => rule.verdict?.negative ?? null),
    ),
    ...onlyIf(
      rules.some(({ touched }) => touched !== undefined),
      figure('touches', 'distinct URLs of the log that it changes by itself', ({ touched }) => touched ?? null),
      figure('saves', 'distinct URLs fewer that it leaves by itself', ({ saved }) => saved ?? null),
    ),
    { label: 'kind', kind: 'text', filter: 'choice', of: ({ rule }) => rule.kind },
    ...onlyIf(
      rules.some(({ rule }) => rule.site !== rules[0]!.rule.site),
      {
        label: 'site',
        kind: 'site',
        filter: 'part',
        of: ({ rule }) => siteName(rule.site),
      },
    ),
  ];
}

export function rulesTable(model: ReportModel): TableData {
  const columns = columnsOf(model);
  return {
    id: 'rules',
    caption: 'Rules, and what speaks for and against each',
    noun: 'rule',
    pageRows: 100,
    anchor: 'rule',
    columns,
    rows: model.rules.map((row) => columns.map((column) => column.of(row))),
    more: model.rules.map(({ rule }) => evidenceOf(rule)),
  };
}

function evidenceOf(rule: Rule): Block[] {
  const { examples, verdict, otherWay, note, except } = rule;
  const history = ruleHistory(rule);
  return [
    { head: 'Id', text: idOf(rule) },
    { head: 'Figures', text: figuresOf(rule) },
    ...whereOf(rule),
    ...marksOf(rule),
    ...(note === undefined ? [] : [{ head: 'Note', text: shown(note, 1000) }]),
    ...(examples.length === 0 ? [] : [{ head: 'Examples of the log', pairs: shownPairs(examples) }]),
    ...(verdict === undefined ? [] : verdictBlocks(verdict, 'Verdict')),
    ...(otherWay === undefined ? [] : verdictBlocks(otherWay, 'Verdict on the other way')),
    ...(except === undefined || except.length === 0
      ? []
      : [{ head: 'Left alone', items: except.map((url) => [shown(url), 'the rule is wrong of it'] as const) }]),
    ...(history === undefined ? [] : [{ head: 'History', text: shown(history) }]),
  ];
}

function figuresOf(rule: Rule): string {
  const { against, confidence } = rule;
  const chance = rule.kind === 'parameter' ? `, ${rule.chance.toFixed(3)} of groups would by chance` : '';
  const support = supportWords(rule);
  return `${support}, ${FORMATS.count(against)} against${chance}; confidence ${confidence.toFixed(3)}.`;
}

function supportWords(rule: Rule): string {
  switch (rule.kind) {
    case 'substring':
      return `${many(rule.support.low, 'pair')} of URLs for it (${FORMATS.count(rule.support.high)} with larger buckets)`;
    case 'parameter':
      return `${many(rule.support.groups, 'group')} of ${many(rule.support.urls, 'URL')} speak for it`;
    case 'step':
      return `It changes ${many(rule.support.urls, 'URL')}`;
    case 'pattern':
      return `${many(rule.support.clusters, 'cluster')} of duplicates speak for it; it changes ${many(rule.support.urls, 'URL')}`;
    default:
      return rule satisfies never;
  }
}

function whereOf(rule: Rule): Block[] {
  const where = whereWords(rule);
  const held = heldWords(rule);
  return [
    ...(where === '' ? [] : [{ head: 'Where', text: `It holds ${shown(where, 1000)}.` }]),
    ...(rule.word === undefined
      ? []
      : [{ head: "The site's word", text: `On nearly all samples ${wordOf(rule.word)}.` }]),
    ...(held === undefined ? [] : [{ head: 'Not written', text: `It ${held}.` }]),
    ...(isLeftOut(rule)
      ? [{ head: 'Not applied', text: 'It only adds text, which neither the site nor a user asks for.' }]
      : []),
  ];
}

function marksOf({ pin, veto }: Rule): Block[] {
  const by = (mark: Rule['pin']) => (mark === 'local' ? 'in the file of local rules' : 'by hand');
  return [
    ...(pin === undefined || pin === false
      ? []
      : [{ head: 'Pinned', text: `Applied whatever pages say: marked ${by(pin)}.` }]),
    ...(veto === undefined || veto === false ? [] : [{ head: 'Vetoed', text: `Never applied: marked ${by(veto)}.` }]),
  ];
}

const UNDECIDED: Readonly<Record<NonNullable<Verdict['undecided']>, string>> = {
  'few-samples': 'undecided: too few samples could be judged',
  'no-decision': 'undecided: all samples were judged, and the test did not decide',
  budget: 'undecided: the number of fetches was used up',
  interrupted: 'undecided: the run was ended',
};

function verdictBlocks(verdict: Verdict, head: string): Block[] {
  const { source, positive, negative, unjudged, undecided, positives, negatives } = verdict;
  const causes = Object.entries(unjudged).map(([cause, count]) => `${shown(cause)} ${FORMATS.count(count)}`);
  const sources = {
    live: 'pages fetched live',
    warc: 'pages of an archive',
    log: 'sizes and sketches of a log',
    clusters: 'clusters of duplicates',
  };
  const parts = [
    `By ${sources[source]}: ${many(positive, 'sample')} alike, ${FORMATS.count(negative)} not`,
    ...(causes.length === 0 ? [] : [`not to be judged: ${causes.join(', ')}`]),
    ...(undecided === undefined ? [] : [UNDECIDED[undecided]]),
  ];
  return [
    { head, text: `${parts.join('; ')}.` },
    ...(positives.length === 0 ? [] : [{ head: 'Samples alike', pairs: shownPairs(positives) }]),
    ...(negatives.length === 0 ? [] : [{ head: 'Samples that differ', pairs: shownPairs(negatives) }]),
  ];
}

function shownPairs(pairs: readonly (readonly string[])[]): string[][] {
  return pairs.map((pair) => pair.map((text) => shown(text)));
}

export function rulesHtml(table: TableData): Html {
  return markup`<section id="rules" aria-labelledby="rules-head"><h2 id="rules-head">Rules</h2>
<p>Each rule makes one address of another. ✓ marks the rules that URLs are canonized by.</p>
${table.rows.length === 0 ? markup`<p>The file has no rules.</p>` : tableHtml(table)}
</section>`;
}
