// What did the fixes of earlier reports do? Promised beside measured, pages that lost hits, and the share week by week.
import { roundedDown } from '../../before/outcome.js';
import { columnChart } from '../chart/chart.js';
import type { BeforeFacts, FixOutcome, LostPage } from '../model.js';
import { type Html, markup, NOTHING, shown, worded, FORMATS } from './html.js';

const { count, many, share } = FORMATS;

export function beforeHtml({ reports, did, fixes, lost, weeks, notes }: BeforeFacts): Html {
  const names = reports.map(({ name }) => shown(name, 100)).join(', ');
  return markup`<section id="before" aria-labelledby="before-head"><h2 id="before-head">Since ${names}</h2>
<p>${did === undefined ? 'Nothing was promised.' : `Of what the fixes promised, ${share(roundedDown(did))} has come about.`}</p>
${notes.length === 0 ? NOTHING : markup`<p class="why">${`${notes.join('. ')}.`}</p>`}
${fixes.length === 0 ? NOTHING : outcomesHtml(fixes)}
${lost.length === 0 ? NOTHING : lostHtml(lost)}
${weeks.length < 2 ? NOTHING : weeksHtml(weeks)}</section>`;
}

/** Behind the number of redirects: how many of them are no work of the fix. */
export function alreadyWords(already: number): string {
  return already === 0 ? '' : ` (${count(already)} without the fix too)`;
}

/** What became of a fix, for people. */
export const STATES: Readonly<Record<FixOutcome['state'], string>> = {
  done: 'done',
  partly: 'done in part',
  open: 'not done',
  quiet: 'nobody asks any more',
};

function outcomesHtml(fixes: readonly FixOutcome[]): Html {
  const rows = fixes.map(
    ({ title, state, since, promised, promisedShare, redirected, already, left, leftShare, broken, chained }) => {
      const day = since === undefined ? '' : ` since ${since}`;
      const bad = [
        ...(broken === 0 ? [] : [many(broken, 'error')]),
        ...(chained === 0 ? [] : [many(chained, 'chain')]),
      ];
      return markup`<tr><td>${worded(shown(title))}</td><td>${STATES[state]}${day}</td><td>${count(promised.hits)} (${share(promisedShare)})</td>
<td>${count(redirected)}${alreadyWords(already)}</td><td>${count(left)} (${share(leftShare)})</td><td>${bad.join(', ')}</td></tr>
`;
    },
  );
  return table('What each fix promised and did: requests, and shares of all hits', HEADS, rows);
}

const HEADS = ['fix', 'state', 'promised', 'redirected now', 'left', 'behind it'];

function lostHtml(lost: readonly LostPage[]): Html {
  const rows = lost.map(({ url, expected, now, redirected, missing, next }) => {
    const why =
      redirected > 0
        ? markup`redirected${next === '' ? '' : markup` to <code>${shown(next, 200)}</code>`}`
        : markup`${missing > 0 ? 'answers 404' : ''}`;
    return markup`<tr><td><code>${shown(url, 200)}</code></td><td>${count(expected)}</td><td>${count(now)}</td><td>${why}</td></tr>
`;
  });
  return markup`<h3>Pages that lost hits</h3>
${table('Pages with less than a third of the hits that the earlier report lets expect', ['page', 'expected', 'now', 'why'], rows)}`;
}

function table(caption: string, heads: readonly string[], rows: readonly Html[]): Html {
  return markup`<div class="scroll"><table class="plain"><caption>${caption}</caption>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function weeksHtml(weeks: BeforeFacts['weeks']): Html {
  const parts = weeks.map(({ hits, duplicateHits }) => (hits === 0 ? 0 : duplicateHits / hits));
  const chart = {
    id: 'weeks',
    title: `From ${share(parts[0]!)} in the first week to ${share(parts.at(-1)!)} of the hits in the last go to duplicates`,
    says: 'Outer column: hits of a week, from Monday. Inner column: hits on duplicates.',
    table: {
      heads: ['week', 'days', 'hits', 'on duplicates', 'share', 'redirected'],
      values: weeks.map(({ from, days, hits, duplicateHits, redirected }, at) => [
        from,
        days,
        hits,
        duplicateHits,
        share(parts[at]!),
        redirected,
      ]),
    },
  };
  return columnChart(
    chart,
    weeks.map(({ from, hits, duplicateHits }) => ({ name: from, value: duplicateHits, whole: hits })),
  );
}
