// What do duplicates cost, in all, by bot and over time? The title of each chart says what it shows.
import { accepts, isPending } from '../../../rule/standing.js';
import { openWords } from '../../rule-words.js';
import { barChart, columnChart } from '../chart/chart.js';
import { askedOf, type LogFacts, type ReportModel } from '../model.js';
import { proofCommandOf } from './commands.js';
import { type Html, markup, NOTHING, shown, FORMATS } from './html.js';
import { costsOf } from './sites.js';

const { bytes, count, share } = FORMATS;

const MOST_BOTS = 10;

export function costHtml(model: ReportModel, log: LogFacts): Html {
  const asked = askedOf(model);
  const what = asked === 'likely' ? 'likely duplicates' : 'duplicates';
  const text =
    asked === 'nothing'
      ? markup`${unaskedText(model)}
<div class="beside">${botHitsChart(log)}${periodHitsChart(log)}</div>`
      : markup`<p>All URLs with one canonical form are a group. Hits on the member with the most are what the page is worth; those
on the others are hits on ${what}, whichever is the canonical form.${log.hasSizes ? ' Bytes are of answers with status 200 alone.' : ''}${asked === 'likely' ? LIKELY : ''}</p>
${log.time === undefined ? NO_TIME : timeText(log.time, what)}
<div class="beside">${totalChart(log, what)}${botsChart(log, what)}${periodsChart(log, what)}</div>`;
  return markup`<section id="cost" aria-labelledby="cost-head"><h2 id="cost-head">What dust costs</h2>
${text}
</section>`;
}

/** Says why no rule is applied, and what would change that. */
function unaskedText(model: ReportModel): Html {
  const {
    rules,
    rulesFile: { accept, sites },
  } = model;
  if (rules.length === 0) {
    return sites.mined === 0
      ? markup`<p>No site of the log has enough URLs to learn rules from, so nothing is known of duplicates: read logs of
more days, or lower <code class="flag">--min-site-urls</code>.</p>`
      : markup`<p>No rule was found in the log, so nothing is known of duplicates: logs of more days show more, and
<code class="flag">dustbuster mine --fetch</code> asks the site itself.</p>`;
  }
  const open = rules.filter(({ rule }) => isPending(rule));
  const confident = open.filter(({ rule }) => accepts(rule, 'confident')).length;
  if (open.length === 0) {
    return markup`<p>No rule is applied, as ${rules.length === 1 ? 'the only one is' : 'all are'} vetoed or refuted.</p>`;
  }
  const offer =
    accept === 'valid' && confident > 0
      ? markup`<code class="flag">--accept confident</code> applies the ${count(confident)} that can be trusted without.`
      : markup`none can be trusted without, and <code class="flag">--accept likely</code> shows what all of them would make of the log.`;
  return markup`<p>No page was asked yet, and no rule is applied, so nothing is known of duplicates:
<code>${shown(proofCommandOf(model), 1000)}</code> asks for ${openWords(open.map(({ rule }) => rule))}; ${offer}</p>`;
}

const LIKELY =
  ' The log alone says so: rules that no page has confirmed are applied. Validate them before you redirect anything.';

function timeText({ ms, duplicateMs }: NonNullable<LogFacts['time']>, what: string): Html {
  return markup`<p>Of ${spent(ms)} that the server worked, ${spent(duplicateMs)} went to ${what}: ${share(partOf(duplicateMs, ms))}.</p>
`;
}

const NO_TIME = markup`<p class="why">The log does not say how long requests took. Where it does, their time is added up here: put
<code class="flag">$request_time</code> at the end of nginx’s <code class="flag">log_format</code>; in Apache add <code>%D</code> to <code>LogFormat</code>,
and give the string as <code class="flag">--log-format</code>.</p>
`;

function totalChart(log: LogFacts, what: string): Html {
  const { all } = log;
  const costs = [
    ['distinct URLs', count, all.urlsBefore - all.urlsAfter, all.urlsBefore] as const,
    ...costsOf(log).map(([label, unit, some, whole]) => {
      return [label, unit === 'bytes' ? bytes : count, Number(all[some]), Number(all[whole])] as const;
    }),
    ...(log.time === undefined ? [] : [['server time', spent, log.time.duplicateMs, log.time.ms] as const]),
  ];
  const bars = costs.map(([name, written, some, whole]) => {
    const part = partOf(some, whole);
    return { name, value: part, whole: 1, figure: `${share(part)}: ${written(some)}`, colour: 'two' };
  });
  const chart = {
    id: 'total',
    title: `${share(partOf(all.duplicateHits, all.hits))} of all hits go to ${what}`,
    says: `Outer bar: all. Inner bar: the share of it that goes to ${what}.`,
  };
  return barChart(chart, bars, 1);
}

function botsChart({ bots }: LogFacts, what: string): Html {
  const rows = bots.slice(0, MOST_BOTS);
  const [first] = rows.toSorted((a, b) => b.duplicateHits - a.duplicateHits);
  if (first === undefined) return NOTHING;
  const chart = {
    id: 'bots',
    title: `Most bot hits on ${what} are of ${first.name}: ${count(first.duplicateHits)}, ${share(partOf(first.duplicateHits, first.hits))} of its own`,
    says: `Outer bar: all hits of a bot. Inner bar: hits on ${what}. Bots are what their user agents say.${
      first.time === undefined ? '' : ` Times are the server's: on ${what}, of all.`
    }`,
  };
  const bars = rows.map(({ name, hits, duplicateHits, time }) => {
    const cost = time === undefined ? '' : `, ${spent(time.duplicateMs)} of ${spent(time.ms)}`;
    return {
      name,
      value: duplicateHits,
      whole: hits,
      figure: `${count(duplicateHits)} (${share(partOf(duplicateHits, hits))})${cost}`,
      colour: 'two',
    };
  });
  return barChart(chart, bars, Math.max(...rows.map(({ hits }) => hits)));
}

function periodsChart({ periods }: LogFacts, what: string): Html {
  if (periods.length < 2) return NOTHING;
  const parts = periods.map(({ hits, duplicateHits }) => partOf(duplicateHits, hits));
  const unit = unitOf(periods);
  const hasTimes = periods[0]!.time !== undefined;
  const [least, most] = [share(Math.min(...parts)), share(Math.max(...parts))];
  const chart = {
    id: 'periods',
    title: `${least} to ${most} of the hits of a ${unit} go to ${what}`,
    says: `Outer column: hits of a ${unit}. Inner column: hits on ${what}.`,
    table: {
      heads: [unit, 'hits', `on ${what}`, 'share', 'by bots', ...(hasTimes ? ['server time', `on ${what}`] : [])],
      values: periods.map(({ from, hits, duplicateHits, duplicateBotHits, time }) => [
        from,
        hits,
        duplicateHits,
        share(partOf(duplicateHits, hits)),
        duplicateBotHits,
        ...(time === undefined ? [] : [spent(time.ms), spent(time.duplicateMs)]),
      ]),
    },
  };
  const columns = periods.map(({ from, hits, duplicateHits }) => ({ name: from, value: duplicateHits, whole: hits }));
  return columnChart(chart, columns);
}

/** A chart of bot hits for reports that know nothing about duplicates. */
function botHitsChart({ bots }: LogFacts): Html {
  const rows = bots.toSorted((a, b) => b.hits - a.hits).slice(0, MOST_BOTS);
  const [first] = rows;
  if (first === undefined) return NOTHING;
  const says = `Hits of a bot${first.time === undefined ? '' : ', and the time of the server'}. Bots are what their user agents say.`;
  const bars = rows.map(({ name, hits, time }) => {
    return {
      name,
      value: hits,
      figure: `${count(hits)}${time === undefined ? '' : `, ${spent(time.ms)}`}`,
      colour: 'one',
    };
  });
  return barChart(
    { id: 'bots', title: `Most bot hits are of ${first.name}: ${count(first.hits)}`, says },
    bars,
    first.hits,
  );
}

function periodHitsChart({ periods }: LogFacts): Html {
  if (periods.length < 2) return NOTHING;
  const unit = unitOf(periods);
  const hits = periods.map((period) => period.hits);
  const chart = {
    id: 'periods',
    title: `${count(Math.min(...hits))} to ${count(Math.max(...hits))} hits a ${unit}`,
    says: `Hits of a ${unit}.`,
    table: { heads: [unit, 'hits'], values: periods.map((period) => [period.from, period.hits]) },
  };
  return columnChart(
    chart,
    periods.map((period) => ({ name: period.from, value: period.hits })),
  );
}

function unitOf(periods: LogFacts['periods']): string {
  return periods[0]!.from.length === '2026-11'.length ? 'month' : 'day';
}

function partOf(some: number, whole: number): number {
  return whole === 0 ? 0 : some / whole;
}

/** Units for server time. A time is shown in the largest unit that fits at least twice. */
const UNITS: readonly (readonly [string, number])[] = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

export function spent(ms: number): string {
  const [name, size] = UNITS.find(([, one]) => ms >= 2 * one) ?? ['ms', 1];
  return size === 1 ? `${Math.round(ms)} ms` : `${(ms / size).toFixed(1)} ${name}`;
}
