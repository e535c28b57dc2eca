// What is fixed, who came, and what earlier fixes did: on the page, whatever the log has.
import { expect, test } from 'vitest';
import { printable } from '../../../../src/base/bytes.js';
import type { AgentRow, BeforeFacts, ReportModel } from '../../../../src/report/page/model.js';
import { renderPage } from '../../../../src/report/page/render/render.js';
import { HOSTILE, plantedModel } from '../planted-model.js';

const model = plantedModel({ rules: 3 });

function agent(more: Partial<AgentRow>): AgentRow {
  const none = { requests: 0, hits: 0, duplicateHits: 0, redirected: 0, refused: 0, errors: 0 };
  return { name: 'Googlebot', group: 'search', ...none, ...more };
}

/** A model in which each text is one of a log. */
function modelWith(text: string): ReportModel {
  const link = { url: text, hits: 7, next: text, broken: 1, chained: 2, referrers: [{ url: text, hits: 5 }] };
  const sums = { urls: 1, hits: 7, botHits: 2, followed: 3, broken: 1, chained: 2 };
  const done = { title: text, site: text, rules: [1], redirected: 7, redirectedUrls: 1, before: 3, left: 0 };
  const before: BeforeFacts = {
    reports: [{ name: text, hits: 10, duplicateHits: 5 }],
    did: 0.5,
    fixes: [
      {
        title: text,
        site: text,
        proposedBy: text,
        promised: { urls: 2, hits: 8 },
        promisedShare: 0.8,
        state: 'partly',
        redirected: 4,
        redirectedUrls: 1,
        already: 1,
        left: 4,
        leftShare: 0.4,
        did: 0.5,
        broken: 1,
        chained: 0,
      },
    ],
    lost: [{ url: text, before: 50, expected: 50, now: 1, redirected: 2, missing: 0, next: text }],
    weeks: [],
    notes: [text],
  };
  const who = [agent({ requests: 3, hits: 3, duplicateHits: 1, forged: 2 }), agent({ name: 'Bingbot' })];
  const redirected = { ...sums, links: [link], troubles: [link] };
  const log = { ...model.log!, redirected, done: [{ ...done, state: 'done' as const, since: '2026-11-24' }], who };
  return { ...model, log, before };
}

test('no text of a log or of a report becomes markup', () => {
  const elements = (page: string) =>
    [...page.replace(/<script[\s\S]*<\/script>/, '').matchAll(/<\/?[a-z]+/g)].join(' ');
  const usual = elements(renderPage(modelWith('plain')));
  for (const text of HOSTILE) {
    // Backticks are for code, in titles.
    const page = renderPage(modelWith(text.replaceAll('`', '')));
    expect([text, elements(page) === usual]).toEqual([text, true]);
    expect(page).toContain(printable('2026-11-24'));
  }
});

test('it says since when a fix is done, who did not come, and what is forged', () => {
  const page = renderPage(modelWith('a'));
  expect(page).toContain('<strong>Done since 2026-11-24</strong>');
  expect(page).toContain('Bingbot did not come.');
  expect(page).toContain('Forged are requests from addresses outside of the ranges that were given.');
  expect(page).toMatch(/Of what the fixes promised, 50\S*\s?% has come about/);
  expect(renderPage(model)).not.toMatch(/id="(?:before|redirected|who)"/);
});
