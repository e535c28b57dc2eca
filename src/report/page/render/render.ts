// The report as one HTML file. It loads nothing from the network, and its policy would not allow it: styles and script
// are inline, and allowed by their hashes.
//
//   head       title, policy, style
//   header     the three sentences that answer, colour scheme; in print all fixes
//   main       since earlier reports · what to do · what is fixed · contents of the rest · costs of dust · crawl space ·
//              choices · templates · who came · groups · sites · rules · parameters · the audit · curves · words · what
//              was read · provenance
//   data       all rows of all tables, compressed (`packTables`)
//   script     makes the tables interactive (`script`)
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Audit } from '../../../rule/rule.js';
import { boundText, consequencesOf, cutText, failureKinds, failuresOf, probesText } from '../../validation.js';
import { precisionChart, reductionChart } from '../chart/curves.js';
import { askedOf, type LogFacts, type ReportModel, type TemplateRow } from '../model.js';
import { SCRIPT } from '../script/script.js';
import { STYLE } from '../style.js';
import type { Block, TableData } from '../table.js';
import { beforeHtml } from './before.js';
import { costHtml } from './cost.js';
import { crawlSpaceHtml } from './crawl-space.js';
import { echoesHtml } from './echoes.js';
import { proofCommandOf } from './commands.js';
import { answerHtml, fixesHtml } from './fixes.js';
import { type Html, markup, NOTHING, shown, trusted, FORMATS } from './html.js';
import { inputsHtml, inputsTable } from './inputs.js';
import { listsHtml } from './lists.js';
import { parametersHtml, parametersTable } from './parameters.js';
import { redirectedHtml } from './redirected.js';
import { rulesHtml, rulesTable } from './rules.js';
import { dustHtml, groupsTable, sitesHtml, sitesTable } from './sites.js';
import { templatesHtml, templatesTable } from './templates.js';
import { whoHtml, whoTable } from './who.js';
import { madeHtml, titleOf, wordsHtml } from './words.js';

interface Section {
  readonly anchor: string;
  readonly name: string;
  readonly html: Html;
  readonly tables: readonly TableData[];
}

/** The whole file as ASCII and printable Unicode. The same model gives the same page. */
export function renderPage(model: ReportModel): string {
  const sections = sectionsOf(model);
  // Tables without rows are left out.
  const tables = sections.flatMap(({ tables: all }) => all).filter(({ rows }) => rows.length > 0);
  const title = markup`${titleOf(model)}`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${model.generator}">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">To the report</a>
<header>
<div class="top"><h1>${title}</h1>${SCHEME}</div>
${answerHtml(model)}
<p id="notice" role="alert" hidden></p>
<noscript><p>Scripts may not run here, so that only the first rows of each table are shown.</p></noscript>
</header>
<main id="main">
${sections.flatMap(({ html, anchor }) => (anchor === 'fixes' ? [html, contentsHtml(sections)] : [html]))}
</main>
<script id="data" type="text/plain">${trusted(packTables(tables))}</script>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
}

/** What stands behind the fixes. */
function contentsHtml(sections: readonly Section[]): Html {
  const rest = sections.filter(({ anchor }) => anchor !== 'fixes');
  return markup`<nav aria-label="Contents"><span>The rest:</span><ul>${rest.map(({ anchor, name }) => markup`<li><a href="#${anchor}">${name}</a></li>`)}</ul></nav>
`;
}

function sectionsOf(model: ReportModel): Section[] {
  const { log } = model;
  const asked = askedOf(model);
  const audit = model.rulesFile.validation?.audit;
  const inputs = inputsTable(model.inputs);
  const rules = rulesTable(model);
  const section = (anchor: string, name: string, html: Html, ...tables: TableData[]) => ({
    anchor,
    name,
    html,
    tables,
  });
  const [sites, groups, parameters, who] =
    log === undefined ? [] : ([sitesTable(log, asked), groupsTable(log), parametersTable(log), whoTable(log)] as const);
  return [
    ...(log === undefined
      ? []
      : [
          ...(model.before === undefined ? [] : [section('before', 'Since then', beforeHtml(model.before))]),
          section('fixes', 'What to do', fixesHtml(model, log, asked)),
          ...(log.redirected === undefined ? [] : [section('redirected', 'What is fixed', redirectedHtml(log))]),
          section('cost', 'What dust costs', costHtml(model, log)),
          section('crawl', 'Where crawlers can lose time', crawlSpaceHtml(log)),
          ...(log.lists === undefined
            ? []
            : [section('lists', 'Choices that URLs combine', listsHtml(log, log.lists))]),
          ...(log.echoes === undefined
            ? []
            : [section('echoes', 'Parameters that pages copy into their links', echoesHtml(log.echoes))]),
          ...(log.templates === undefined ? [] : [templatesSection(log, log.templates)]),
          ...(log.who === undefined ? [] : [section('who', 'Who came', whoHtml(log, who!), who!)]),
          section('dust', 'Groups of duplicates', dustHtml(log, groups!, asked), groups!),
          section('sites', 'Sites', sitesHtml(log, sites!, asked), sites!),
        ]),
    section('rules', 'Rules', rulesHtml(rules), rules),
    ...(log === undefined ? [] : [section('parameters', 'Parameters', parametersHtml(log, parameters!), parameters!)]),
    ...(audit === undefined ? [] : [section('audit', 'The audit', auditHtml(audit))]),
    section('curves', 'Curves', curvesHtml(model)),
    section('words', 'How to read this', wordsHtml()),
    section('read', 'What was read', inputsHtml(model, inputs), inputs),
    section('made', 'How it was made', madeHtml(model)),
  ];
}

function templatesSection(log: LogFacts, rows: readonly TemplateRow[]): Section {
  const table = templatesTable(log, rows);
  return { anchor: 'templates', name: 'Where requests go', html: templatesHtml(table), tables: [table] };
}

const SCHEME = markup`<p id="scheme-field" hidden><label for="scheme">Colours</label>
<select id="scheme"><option value="system">as the system</option><option value="light">light</option><option value="dark">dark</option></select></p>`;

function policy(): string {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    `default-src 'none'`,
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(SCRIPT)}`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** What the first rules save; without a log, how many of them are valid (figures 6 and 5 of the paper). */
function curvesHtml(model: ReportModel): Html {
  const { precision, log } = model;
  const chart =
    log === undefined
      ? (precisionChart(precision) ??
        markup`<p>No rule was validated, so there is no precision to show: <code>${shown(proofCommandOf(model), 1000)}</code> asks pages.</p>`)
      : (reductionChart(log) ?? markup`<p>No rule is applied, so nothing is saved.</p>`);
  const name = log === undefined ? 'How good the first rules are' : 'What the first rules save';
  return markup`<section id="curves" aria-labelledby="curves-head"><h2 id="curves-head">${name}</h2>
${chart}
</section>`;
}

// How do ten thousand rules with their evidence fit into a small page? As JSON, deflated, in base64. URLs of one site
// repeat each other, so the size shrinks to a seventh (planted, 9.2 MB) or an eleventh (the fixture's). If even that is
// too much, the last rows are packed without their evidence, and say so.
//
//   all tables -> JSON -> deflate -> base64 -> <script id="data" type="text/plain">   and back: `unpack` in script/script

/** The most characters for all tables of the page, which has 5 MB with the rest. */
const MOST_PACKED = 4.4e6;
/** The most evidence that is packed: deflating this takes about a second. */
const MOST_EVIDENCE = 32e6;

const LEFT_OUT: readonly Block[] = [
  {
    head: 'Evidence',
    text: 'Left out to keep this page small. The rules file has it, and `dustbuster report --json`.',
  },
];

function packTables(tables: readonly TableData[]): string {
  for (let most = MOST_EVIDENCE; ;) {
    const kept = tables.map((table) => withEvidence(table, most));
    const text = packed(kept.map(({ table }) => table));
    const evidence = Math.max(...kept.map(({ length }) => length), 0);
    if (text.length <= MOST_PACKED || evidence < 1000) return text;
    most = Math.min(most, evidence) * Math.min(0.7, MOST_PACKED / text.length);
  }
}

export function packed(value: unknown): string {
  return deflateSync(Buffer.from(JSON.stringify(value))).toString('base64');
}

/** The table with up to `most` characters of evidence, and the number of these characters. */
function withEvidence(table: TableData, most: number): { readonly table: TableData; readonly length: number } {
  let [length, kept] = [0, 0];
  for (const blocks of table.more) {
    const size = blocks === null ? 0 : JSON.stringify(blocks).length;
    if (length + size > most) break;
    length += size;
    kept++;
  }
  if (kept === table.more.length) return { table, length };
  const more = table.more.map((blocks, at) => (at < kept || blocks === null ? blocks : LEFT_OUT));
  return { table: { ...table, more }, length };
}

/** The section on the audit, which tests all rules together on a fresh sample of the list. */
const { count, many, share } = FORMATS;

function auditHtml(audit: Audit): Html {
  const { sample, probes = 0, urls, forms, longer, unsettled } = audit;
  const consequences = consequencesOf(audit);
  const unjudged = Object.entries(audit.unjudged).map(([reason, n]) => `${reason} ${count(n)}`);
  const entries: (readonly [string, string])[] = [
    [
      'sample',
      `${many(sample, 'URL')}${probesText(probes)} with ${sample === 1 ? 'its canonical form' : 'their canonical forms'}${cutText(audit)}`,
    ],
    ['failed', sample === 0 ? 'not known' : `${count(failuresOf(audit))}${failureKinds(audit)}`],
    ['of all forms', sample === 0 ? 'not known' : `${boundText(audit)} fail, with 95 % confidence`],
    ...(unjudged.length === 0 ? [] : [['without a verdict', unjudged.join(', ')] as const]),
    [
      'the list',
      `${many(urls, 'URL')}, ${many(forms, 'form')}${urls === 0 ? '' : `, ${share((urls - forms) / urls)} fewer`}`,
    ],
    ['longer forms', count(longer)],
    ['unsettled URLs', count(unsettled)],
    ...(consequences === '' ? [] : [['because of it', consequences] as const]),
  ];
  return markup`<section id="audit" aria-labelledby="audit-head"><h2 id="audit-head">The audit</h2>
<p>When all rules were settled, URLs drawn afresh from the list were asked for, and their canonical forms: each form has to be the same page, and to answer by itself, without a redirect.</p>
<dl class="words">${entries.map(
    ([label, value]) => markup`<dt>${label}</dt><dd>${value}</dd>
`,
  )}</dl>
${audit.failures.length === 0 ? NOTHING : failuresHtml(audit)}
</section>`;
}

function failuresHtml({ failures }: Audit): Html {
  const rows = failures.map(
    ([url, form, why]) =>
      markup`<tr><td><code>${shown(url)}</code></td><td><code>${shown(form)}</code></td><td>${shown(why)}</td></tr>
`,
  );
  return markup`<div class="scroll"><table class="plain"><caption>Some that failed</caption>
<thead><tr><th scope="col">URL</th><th scope="col">canonical form</th><th scope="col">why</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
