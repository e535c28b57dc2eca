// What was read, what was dropped, and why?
import { type Bar, barChart } from '../chart/chart.js';
import type { ReportModel } from '../model.js';
import type { Block, TableData } from '../table.js';
import { type Html, markup, NOTHING, shown, FORMATS, tableHtml } from './html.js';

type Inputs = ReportModel['inputs'];
type Counts = Readonly<Record<string, number>>;

/** How many causes have a bar of their own; the others share one. */
const MOST_CAUSES = 12;

/** Explanations of causes whose code is not clear by itself. */
const CAUSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    asterisk: 'OPTIONS * and the like: no page',
    'bad-host': 'a host that is none',
    'bad-method': 'a method that is none',
    'bad-status': 'a status that is none',
    bot: 'by a bot, where only people were wanted',
    'broken-quotes': 'a quote that does not end',
    'client-error': 'status 4xx: no page',
    empty: 'nothing in the line',
    'failed-fetch': 'the crawler got no answer',
    'field-count': 'more or fewer fields than the head has',
    'foreign-host': 'a full URL of another host, in the log of a server',
    host: 'a host that was not wanted',
    'line-too-long': 'a line longer than any URL',
    method: 'neither GET nor HEAD',
    'no-agent': 'no user agent to judge by',
    'no-fields-line': 'before the line that names the fields',
    'no-request': 'no request in the line',
    'no-time': 'no time to judge by',
    'no-url': 'no URL in the line',
    'no-url-field': 'the fields have no URL',
    'not-a-bot': 'by people, where only bots were wanted',
    'not-a-document': 'a picture, style, script, or the like',
    'not-in-format': 'not a line of the format',
    'other-scheme': 'neither http nor https',
    'other-status': 'a status that says nothing',
    path: 'a path that was not wanted',
    redirect: 'status 302, 303, 307: leads elsewhere',
    'server-error': 'status 5xx: no page',
    'sitemap-index': 'leads to sitemaps, which are not followed',
    time: 'a time that was not wanted',
    'unknown-format': 'in no format that is known',
    'url-too-long': 'a URL longer than the limit',
  }),
);

interface Fate {
  readonly kind: 'kept' | 'dropped' | 'rejected';
  readonly cause: string;
  readonly lines: number;
}

export function inputsTable(inputs: Inputs): TableData {
  const sum = (counts: Counts) => Object.values(counts).reduce((total, n) => total + n, 0);
  return {
    id: 'inputs',
    caption: 'Inputs',
    noun: 'input',
    pageRows: 25,
    columns: [
      { label: 'input', kind: 'url', isHead: true },
      { label: 'format', kind: 'text', filter: 'choice' },
      { label: 'lines', kind: 'count' },
      { label: 'kept', kind: 'count', about: 'lines that became records' },
      { label: 'dropped', kind: 'count', about: 'good lines that are no evidence' },
      { label: 'rejected', kind: 'count', about: 'lines that could not be read' },
      { label: 'read to its end', kind: 'text', filter: 'choice' },
    ],
    rows: inputs.map(({ name, format, lines, records, dropped, rejected, truncated }) => [
      shown(name),
      shown(format),
      lines,
      records,
      sum(dropped),
      sum(rejected),
      truncated ? 'no' : 'yes',
    ]),
    more: inputs.map(({ dropped, rejected, truncated, reason }) => {
      const blocks: Block[] = [
        ...(truncated ? [{ head: 'Not read to its end', text: shown(reason ?? 'what could be read was kept') }] : []),
        ...causesBlock('Dropped', dropped),
        ...causesBlock('Rejected', rejected),
      ];
      return blocks.length === 0 ? null : blocks;
    }),
  };
}

function causesBlock(head: string, counts: Counts): Block[] {
  const items = Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, lines]) => [shown(cause), FORMATS.many(lines, 'line')] as const);
  return items.length === 0 ? [] : [{ head, items }];
}

export function inputsHtml({ inputs, filters }: ReportModel, table: TableData): Html {
  const fates = fatesOf(inputs);
  const total = fates.reduce((sum, { lines }) => sum + lines, 0);
  const rows = fates.map(
    ({
      kind,
      cause,
      lines,
    }) => markup`<tr><th scope="row"><span class="word is-${kind}">${kind}</span></th><td>${cause} <span class="why">${CAUSES.get(cause) ?? ''}</span></td>
<td class="number">${FORMATS.count(lines)}</td><td class="number">${FORMATS.share(lines / total)}</td></tr>
`,
  );
  const fatesTable = markup`<div class="scroll"><table class="plain"><caption>What became of the lines</caption>
<thead><tr><th scope="col">line</th><th scope="col">cause</th><th scope="col" class="number">lines</th><th scope="col" class="number">share</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  return markup`<section id="read" aria-labelledby="read-head"><h2 id="read-head">What was read</h2>
<p>Every line is kept as a record, or dropped (a good line that is no evidence), or rejected (it could not be read).</p>
${filters === undefined ? NOTHING : filtersHtml(filters)}
<div class="beside">${total === 0 ? NOTHING : fatesChart(fates, total)}${fates.length === 0 ? NOTHING : fatesTable}</div>
${inputs.length === 0 ? markup`<p>The rules file names no input.</p>` : tableHtml(table)}
</section>`;
}

function filtersHtml(filters: NonNullable<ReportModel['filters']>): Html {
  const said = Object.entries(filters).map(
    ([name, value]) =>
      `${wordsOf(name)}${value === true ? '' : ` ${Array.isArray(value) ? value.join(', ') : String(value)}`}`,
  );
  return markup`<p>Only some lines were wanted: ${said.join('; ')}.</p>`;
}

/** The words of a camelCase name: `onlyDocuments` becomes `only documents`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** What became of the lines of all inputs: first the lines that were kept, then the others, largest count first. */
function fatesOf(inputs: Inputs): Fate[] {
  const sums = new Map<string, Fate>();
  const add = (kind: Fate['kind'], cause: string, lines: number) => {
    const key = `${kind} ${cause}`;
    sums.set(key, { kind, cause, lines: lines + (sums.get(key)?.lines ?? 0) });
  };
  for (const { records, dropped, rejected } of inputs) {
    add('kept', '', records);
    for (const [cause, lines] of Object.entries(dropped)) add('dropped', cause, lines);
    for (const [cause, lines] of Object.entries(rejected)) add('rejected', cause, lines);
  }
  return [...sums.values()].toSorted(
    (a, b) =>
      Number(b.kind === 'kept') - Number(a.kind === 'kept') || b.lines - a.lines || (a.cause < b.cause ? -1 : 1),
  );
}

function fatesChart(fates: readonly Fate[], total: number): Html {
  const colours = { kept: 'good', dropped: 'warn', rejected: 'bad' };
  const nameOf = ({ kind, cause }: Fate) => (kind === 'kept' ? kind : `${kind}: ${cause}`);
  const figureOf = (lines: number) => `${FORMATS.count(lines)} (${FORMATS.share(lines / total)})`;
  const bars: Bar[] = fates.slice(0, MOST_CAUSES).map((fate) => ({
    name: nameOf(fate),
    value: fate.lines,
    figure: figureOf(fate.lines),
    colour: colours[fate.kind],
  }));
  const others = fates.slice(MOST_CAUSES).reduce((sum, { lines }) => sum + lines, 0);
  if (others > 0) bars.push({ name: 'other causes', value: others, figure: figureOf(others), colour: 'muted' });
  const [kept] = fates;
  return barChart(
    {
      id: 'lines',
      title: 'Lines by what became of them',
      says: `${FORMATS.count(kept!.lines)} of ${FORMATS.many(total, 'line')} were kept.`,
    },
    bars,
    Math.max(...bars.map(({ value }) => value)),
  );
}
