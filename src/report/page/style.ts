// How does the page look? System fonts, one column that also fits a telephone and paper, and two colour schemes. In
// both, the contrast with either background is at least 4.5 : 1 for text and 3 : 1 for bars.

type Palette = Readonly<Record<string, string>>;

export const LIGHT: Palette = {
  ground: '#ffffff',
  panel: '#f4f6f8',
  ink: '#1b2026',
  muted: '#56606c',
  line: '#d3d9e0',
  link: '#0a58a8',
  one: '#1f6cb0',
  two: '#ad4c17',
  pale: '#c6d2df',
  good: '#17683a',
  bad: '#a8261d',
  warn: '#7d5200',
  odd: '#6a3da3',
  mark: '#ffe9a8',
};

export const DARK: Palette = {
  ground: '#14181d',
  panel: '#1d232a',
  ink: '#e7ebf0',
  muted: '#a5afbc',
  line: '#38414c',
  link: '#82bbff',
  one: '#69aeed',
  two: '#f09a5b',
  pale: '#3d4956',
  good: '#71cf90',
  bad: '#ff9188',
  warn: '#e3b550',
  odd: '#c5a5f5',
  mark: '#5c4a12',
};

const variables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');

export const STYLE = `
:root { color-scheme: light dark; ${variables(LIGHT)} }
:root[data-scheme='light'] { color-scheme: light; }
:root[data-scheme='dark'] { color-scheme: dark; ${variables(DARK)} }
@media screen and (prefers-color-scheme: dark) {
  :root:not([data-scheme='light']) { ${variables(DARK)} }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 84rem; margin: 0 auto; padding: 0 1.5rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 0 0 .5rem; }
h3 { font-size: .875rem; margin: 0 0 .25rem; }
p { margin: 0 0 1rem; max-width: 48rem; text-wrap: pretty; }
section { padding: 1.75rem 0; border-top: 1px solid var(--line); }
code { font: .875em/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; direction: ltr; unicode-bidi: isolate; white-space: pre-wrap; }
code.flag { white-space: nowrap; overflow-wrap: normal; }
mark { background: var(--mark); color: var(--ink); border-radius: 2px; }
.skip { position: absolute; left: -100vw; background: var(--ground); padding: .5rem 1rem; }
.skip:focus { left: 0; }
.top { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; justify-content: space-between; padding: 1.5rem 0 1rem; }
.top p { margin: 0; display: flex; gap: .5rem; align-items: center; }

.answer { font-size: 1.125rem; border-left: 4px solid var(--two); padding-left: 1rem; margin-bottom: 1rem; }
.answer p { max-width: 60rem; margin-bottom: .5rem; overflow-wrap: anywhere; }
.answer p:first-child { font-weight: 600; }
.brief { display: none; }
nav { display: flex; gap: 1rem; align-items: baseline; color: var(--muted); border-top: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: .5rem 0 1rem; }
#notice { color: var(--bad); }

.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1.5rem 2.5rem; align-items: start; margin-bottom: 1rem; }
.beside > * { min-width: 0; }
figure { margin: 0 0 1rem; max-width: 31rem; }
figcaption { color: var(--muted); font-size: .875rem; }
figcaption strong { color: var(--ink); }
.chart { display: block; width: 100%; height: auto; font: 13px system-ui, sans-serif; }
.chart text { white-space: pre; font-variant-numeric: tabular-nums; }
details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--link); }

.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
.plain { width: auto; min-width: min(100%, 20rem); }
caption { text-align: left; font-weight: 600; padding: .25rem .5rem .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { vertical-align: bottom; font-weight: 600; background: var(--panel); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
thead .number { white-space: normal; }
tbody .rule { min-width: 15rem; }
tbody .text { text-wrap: pretty; }
tbody .site { min-width: 10.5rem; overflow-wrap: anywhere; }
tbody .url { min-width: 13rem; }
tbody tr:hover { background: var(--panel); }
.opens { cursor: pointer; }
.word { font-weight: 600; color: var(--muted); }
tbody .word { min-width: 5.5rem; }
thead .word { color: inherit; }
.is-valid, .is-kept, .is-irrelevant { --word: var(--good); }
.is-invalid, .is-retired, .is-rejected, .is-changes { --word: var(--bad); }
.is-likely, .is-candidate, .is-dropped, .is-narrows { --word: var(--warn); }
.is-pinned, .is-vetoed, .is-sorts { --word: var(--odd); }
.word[class*='is-'] { color: var(--word, var(--muted)); }
.why { color: var(--muted); }
.classes { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; padding: 0; margin: 0 0 1rem; }

.controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin-bottom: .5rem; }
.field { display: flex; flex-direction: column; font-size: .875rem; }
.field label { color: var(--muted); }
.field.wide { flex: 0 1 20rem; }
.narrow { display: none; }
.status { margin: 0 0 0 auto; padding: .3rem 0; color: var(--muted); }
input, select, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--muted); border-radius: 5px; padding: .2rem .5rem; max-width: 100%; min-height: 2.1em; }
button { cursor: pointer; }
button:disabled { cursor: default; color: var(--muted); border-color: var(--line); }
.sorter { background: none; border: 0; padding: 0; min-height: 0; text-align: inherit; font-weight: 600; border-radius: 2px; }
.sorter:hover { text-decoration: underline; }
[aria-sort] .sorter { color: var(--link); }
[aria-sort] .sorter::after { content: '\u00a0▲'; content: '\u00a0▲' / ''; font-size: .7em; }
[aria-sort='descending'] .sorter::after { content: '\u00a0▼'; content: '\u00a0▼' / ''; }
.opener { float: left; min-height: 0; border: 0; background: none; padding: 0 .4rem; margin-left: -.4rem; color: var(--link); }
.opener::before { content: '▸'; }
.opener[aria-expanded='true']::before { content: '▾'; }
.pager { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .75rem 0; font-size: .875rem; }
.pager span { min-width: 9em; text-align: center; font-variant-numeric: tabular-nums; }
.more > td { background: var(--panel); padding: .75rem 1rem; }
.block { margin-bottom: .6rem; max-width: 72rem; }
.block p { margin: 0; max-width: none; }
.block ul { margin: 0; padding-left: 1.1rem; }
.static { color: var(--muted); }

.fixes { padding-left: 1.5rem; max-width: 60rem; overflow-wrap: anywhere; }
.fixes > li { padding: .25rem 0 .75rem; }
.fixes > li::marker { font-weight: 600; }
.fixes h3 { font-size: 1rem; overflow-wrap: anywhere; }
.fixes p, .fixes ul { margin: 0 0 .35rem; }
.fixes ul { padding-left: 1.1rem; }
.lines { margin: .25rem 0; }
pre { margin: .25rem 0 0; padding: .6rem .8rem; background: var(--panel); border-radius: 6px; overflow: auto; max-height: 22rem; font-size: .875rem; }
pre code { white-space: pre; overflow-wrap: normal; }
.copy { display: block; margin: .35rem 0 0 auto; font-size: .875rem; }

.words { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.5rem; max-width: 56rem; margin: 0 0 1rem; }
.words dt { font-weight: 600; }
.words dd { margin: 0; overflow-wrap: anywhere; }

/** Headings are sticky only if a table does not scroll sideways, as they would stick to a scrolling container. */
@media (min-width: 80rem) {
  .table .scroll { overflow: visible; }
  .table thead th { position: sticky; top: 0; }
}

@media (max-width: 40rem) {
  header, main { padding: 0 1rem; }
  .answer { font-size: 1rem; padding-left: .7rem; }
  nav { display: block; }
  .narrow { display: flex; }
  .field { flex: 1 1 8rem; }
  .field.wide { flex-basis: 100%; }
  .table .scroll { overflow: visible; }
  .table table, .table tbody, .table tr, .table th, .table td, .table caption { display: block; }
  .table thead { display: none; }
  .table tbody tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  .table tbody th, .table tbody td { border: 0; padding: .05rem 0; text-align: left; white-space: normal; min-width: 0; }
  .table tbody td.number, .table tbody td.text, .table tbody td.site, .table tbody td.word { display: inline-block; margin-right: 1rem; }
  .table tbody td::before { content: attr(data-label) ' '; color: var(--muted); font-weight: 400; }
  .table tbody td.rule::before, .table .more td::before { content: none; }
  .table .more { padding: 0 0 .5rem; }
  .table .more > td { padding: .6rem .7rem; }
  .words { grid-template-columns: 1fr; gap: 0; }
  .words dd { margin-bottom: .5rem; }
}

@media print {
  body { font-size: 10pt; }
  nav, .controls, .pager, .skip, .opener, .copy, #scheme-field, summary { display: none !important; }
  section { padding: 1rem 0; }
  .brief { display: block; break-after: page; }
  .brief table { width: 100%; }
  .scroll { overflow: visible; }
  .table thead th { position: static; }
  tr, figure { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
`;
