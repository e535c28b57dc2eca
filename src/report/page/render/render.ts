// The report as one HTML file. It loads nothing from the network, and its policy would not allow it: styles and script
// are inline, and allowed by their hashes.
//
//   head       title, policy, style
//   header     the few numbers that matter, colour scheme, contents
//   main       costs of dust · what to do · crawl space · groups · sites · rules · parameters · the audit · curves · words · what was
//              read · provenance
//   data       all rows of all tables, compressed (`render/data`)
//   script     makes the tables interactive (`script`)
import { createHash } from 'node:crypto';
import type { ReportModel } from '../model.js';
import { askedOf } from './asked.js';
import { auditHtml } from './audit.js';
import { costHtml } from './cost.js';
import { crawlSpaceHtml } from './crawl-space.js';
import { curvesHtml } from './curves.js';
import { packTables } from './data.js';
import { figuresHtml } from './figures.js';
import { fixesHtml } from './fixes.js';
import { markup, trusted, type Html } from './html.js';
import { inputsHtml, inputsTable } from './inputs.js';
import { parametersHtml, parametersTable } from './parameters.js';
import { rulesHtml, rulesTable } from './rules.js';
import { dustHtml, groupsTable, sitesHtml, sitesTable } from './sites.js';
import { titleOf } from './title.js';
import { madeHtml, wordsHtml } from './words.js';
import { SCRIPT } from '../script/script.js';
import { STYLE } from '../style.js';
import type { TableData } from '../table.js';

interface Section {
  readonly anchor: string;
  readonly name: string;
  readonly html: Html;
  readonly tables: readonly TableData[];
}

/** The whole file as text of ASCII and printable Unicode. The same model gives the same page. */
export function renderPage(model: ReportModel): string {
  const sections = sectionsOf(model);
  // A table without rows is not on the page.
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
${figuresHtml(model)}
<p id="notice" role="alert" hidden></p>
<noscript><p>Scripts may not run here, so that only the first rows of each table are shown.</p></noscript>
<nav aria-label="Contents"><ul>${sections.map(({ anchor, name }) => markup`<li><a href="#${anchor}">${name}</a></li>`)}</ul></nav>
</header>
<main id="main">
${sections.map(({ html }) => html)}
</main>
<script id="data" type="text/plain">${trusted(packTables(tables))}</script>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
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
  const [sites, groups, parameters] =
    log === undefined ? [] : ([sitesTable(log, asked), groupsTable(log), parametersTable(log)] as const);
  return [
    ...(log === undefined
      ? []
      : [
          section('cost', 'What dust costs', costHtml(model, log)),
          section('fixes', 'What to do', fixesHtml(log, asked, model.toProve)),
          section('crawl', 'Where crawlers can lose time', crawlSpaceHtml(log)),
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
