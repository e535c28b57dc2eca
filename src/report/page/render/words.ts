// Explanations of how to read the page, and how it was made.
import type { Accept } from '../../../rule/standing.js';
import type { LogFacts, ReportModel } from '../model.js';
import { type Html, markup, shown, FORMATS } from './html.js';
import { CLASSES } from './parameters.js';

const WORDS: readonly (readonly [string, string])[] = [
  ['record', 'one usable line of a log: a URL, and where they are known its status, size, sketch, method and time.'],
  ['site', 'what rules belong to: a registrable domain, or all of a log that names no hosts.'],
  [
    'duplicate',
    'a second name of a page. All URLs with one canonical form are a group; hits on its member with the most hits are what the page is worth, and hits on all others are hits on duplicates, whichever of them is the canonical form.',
  ],
  ['canonical form', 'what a URL becomes under the rules; a group is listed by it.'],
  [
    'fix',
    'rules that are one thing to do. What it redirects and saves is counted by its own rules alone, so a URL that two fixes change counts for both.',
  ],
  ['bytes', 'sizes of answers to GET with status 200; a 304, a HEAD or a part of a page adds nothing.'],
  ['substring rule', 'replaces one piece of a URL by another.'],
  ['parameter rule', 'takes a parameter out of the query, or gives it one value.'],
  [
    'support',
    'pairs of URLs of the log that differ by just this rule and look like one page; of a parameter, groups of URLs that are equal but for it and look like one page.',
  ],
  [
    'against',
    'the pairs whose sizes or sketches differ, and the groups whose pages are too far apart. As pages change, that need not mean another page: confidence weighs by how much they differ.',
  ],
  [
    'confidence',
    'how sure the log alone is that a rule holds for nineteen in twenty of the URLs that it changes: whether sizes differ no more than those of one page asked for again, and much less than those of two pages. What no log can tell (languages, orders, numbers, print views) has .9 at most. Of a rule that only pages or clusters suggested: the lower end of the 95 % Wilson interval of their share.',
  ],
  ['sketch', 'a fingerprint of a page’s text; two agree where the pages read alike.'],
  [
    'likely',
    'a rule that the log speaks for, with a confidence of .5 or more, and that no page has decided on. Those of .95 or more are applied to a log without rules; all of them only if likely rules were asked for.',
  ],
  ['candidate', 'a likely rule with a confidence below .5: it is more probably wrong than right.'],
  [
    'valid, invalid',
    'a rule that passed, or failed, when sample pages were compared with what the rule makes of them.',
  ],
  [
    'audit',
    'the last look at the result: URLs drawn afresh and their canonical forms are asked for and compared, whatever rules made them.',
  ],
  ['longer', 'of a canonical form: that it has more characters than the URL.'],
  ['unsettled', 'a URL that stayed as it is, because the rules came to no end with it.'],
  ['pinned, vetoed', 'a rule that a user wants applied, or never applied, whatever pages say.'],
  ['retired', 'a rule that was valid, and failed when pages were asked for again.'],
];

export function wordsHtml(): Html {
  const classes = Object.entries(CLASSES).map(([name, meaning]) => [name, `of a parameter: it ${meaning}.`] as const);
  const entries = [...WORDS, ...classes.filter(([name]) => name !== 'unknown')];
  return markup`<section id="words" aria-labelledby="words-head"><h2 id="words-head">How to read this</h2>
<dl class="words">${entries.map(
    ([word, meaning]) => markup`<dt>${word}</dt><dd>${meaning}</dd>
`,
  )}</dl>
<p>Characters that cannot be seen, and bytes that are no text, are shown as <code>\\x1b</code> or <code>\\u{202e}</code>.</p>
</section>`;
}

/** Which rules are applied, in addition to pinned rules. */
const APPLIED: Readonly<Record<Accept, string>> = {
  valid: 'valid and pinned ones',
  confident: 'valid and pinned ones, and likely ones that the log makes nearly sure',
  likely: 'valid, likely and pinned ones',
};

export function madeHtml({ generator, created, rulesFile, inputs }: ReportModel): Html {
  const { name, urls, sites, accept, night, options, validation } = rulesFile;
  const { audit: _, ...validated } = validation ?? {};
  const isOfLog = name === inputs.map((input) => input.name).join(', ');
  const mined = `${FORMATS.many(urls, 'URL')}, ${FORMATS.many(sites.mined, 'site')} mined, ${FORMATS.count(sites.skipped)} with too few URLs skipped`;
  const entries: (readonly [string, string])[] = [
    ['made by', generator],
    ...(created === undefined ? [] : [['made at', created] as const]),
    [isOfLog ? 'rules mined from' : 'rules file', name === '-' ? fileName(name) : name],
    ['written by', rulesFile.generator],
    ...(rulesFile.created === undefined ? [] : [['written at', rulesFile.created] as const]),
    ...(night === undefined ? [] : [['night', night] as const]),
    ['mined from', mined],
    ['rules applied', APPLIED[accept]],
    ...(options === undefined ? [] : [['options', said(options)] as const]),
    ...(validation === undefined ? [] : [['validation', said(validated)] as const]),
  ];
  return markup`<section id="made" aria-labelledby="made-head"><h2 id="made-head">How it was made</h2>
<dl class="words">${entries.map(
    ([label, value]) => markup`<dt>${label}</dt><dd>${value}</dd>
`,
  )}</dl>
</section>`;
}

/** Options in words, such as `S 35, T_low 6, …`. */
function said(options: object): string {
  const one = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));
  return Object.entries(options)
    .map(([name, value]) => `${name} ${one(value)}`)
    .join(', ');
}

/** The title of the report: its site, its days and its number of lines, if it has them. */
const { many } = FORMATS;
const LONGEST_NAME = 100;

export function titleOf({ rulesFile, inputs, log }: ReportModel): string {
  if (log === undefined) return `Dust report: ${fileName(rulesFile.name)}`;
  const lines = many(
    inputs.reduce((sum, input) => sum + input.lines, 0),
    'line',
  );
  const days = daysOf(log);
  return `Dust report: ${[siteOf(log, inputs), ...(days === undefined ? [] : [days]), lines].join(', ')}`;
}

/** The site with the most hits. A log without hosts is called by its file. */
function siteOf({ sites, otherSites }: LogFacts, inputs: ReportModel['inputs']): string {
  const [largest] = sites.toSorted((a, b) => b.hits - a.hits);
  if (largest === undefined || largest.site === '') return filesOf(inputs);
  const others = sites.length - 1 + (otherSites?.count ?? 0);
  return `${shown(largest.site, LONGEST_NAME)}${others === 0 ? '' : ` and ${many(others, 'more site')}`}`;
}

/** Such as `access.log and 3 more files`. */
function filesOf(inputs: ReportModel['inputs']): string {
  const [first] = inputs;
  if (first === undefined) return 'no input';
  return `${fileName(first.name)}${inputs.length === 1 ? '' : ` and ${many(inputs.length - 1, 'more file')}`}`;
}

/** The name without its folders. */
function fileName(path: string): string {
  if (path === '-') return 'standard input';
  const name = path.replace(/[/\\]+$/, '').replace(/^.*[/\\]/s, '');
  return shown(name === '' ? path : name, LONGEST_NAME);
}

/** Such as `2026-11-01 to 2026-11-30`. */
function daysOf({ periods }: LogFacts): string | undefined {
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return first === last ? first.from : `${first.from} to ${last.from}`;
}
