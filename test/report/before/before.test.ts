// A log compared to earlier reports of the site.
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import { UserError } from '../../../src/base/error.js';
import { steadyDays, weeksOf } from '../../../src/report/before/days.js';
import { type BeforeReport, readBefore } from '../../../src/report/before/read.js';
import type { ReportModel } from '../../../src/report/page/model.js';
import { sampleFile, sampleParameter, sampleRule } from '../../rule/sample.js';
import { lineOf, reportOf } from '../page/visited.js';

const STORY = sampleRule('story?id=', 'story_', { site: 'a.test', status: 'valid' });
const SID = sampleParameter('sid', { rank: 2, status: 'valid', site: 'a.test' });
const file = sampleFile([STORY, SID]);

interface Asked {
  readonly path: string;
  readonly status?: number;
  readonly day?: number;
  readonly host?: string;
}

function textOf(asked: readonly Asked[]): string {
  return asked
    .map(({ path, day = 23, host = 'a.test', ...more }) =>
      lineOf({ url: `http://${host}${path}`, time: `${day}/Nov/2026:12:00:00 +0000`, ...more }),
    )
    .join('');
}

const STORIES = [1, 2, 3, 4, 5, 6].flatMap((id): Asked[] => [
  { path: `/story_${id}` },
  { path: `/story?id=${id}` },
  { path: `/list_${id}` },
  { path: `/list_${id}?sid=4` },
]);

/** The requests as a server has them that redirects some URLs by 302, a week later. */
function fixed(isRedirected: (path: string) => boolean): Asked[] {
  return STORIES.flatMap((one): Asked[] => {
    if (!isRedirected(one.path)) return [{ ...one, day: 30 }];
    const target = one.path.replace('?id=', '_').replace('?sid=4', '');
    return [
      { ...one, day: 30, status: 302 },
      { path: target, day: 30 },
    ];
  });
}

async function written(asked: readonly Asked[], name: string): Promise<BeforeReport> {
  return readBefore(encodeText(JSON.stringify(await reportOf(textOf(asked), file))), name);
}

async function compared(asked: readonly Asked[], ...before: BeforeReport[]) {
  return (await reportOf(textOf(asked), file, { before })).before!;
}

const old = await written(STORIES, 'old.json');

describe('what the fixes of an earlier report did', () => {
  it('is all of it if the server redirects their URLs, since the day that it does', async () => {
    const { did, fixes, lost } = await compared(
      fixed((path) => path.includes('?')),
      old,
    );
    expect(did).toBe(1);
    expect(lost).toEqual([]);
    expect(fixes.map(({ state, since, promised, redirected, left }) => [state, since, promised.hits, redirected, left])).toEqual([
      ['done', '2026-11-30', 6, 6, 0],
      ['done', '2026-11-30', 6, 6, 0],
    ]); // prettier-ignore
  });

  it('is half of it if one of two is made, and nothing of the same log', async () => {
    const half = await compared(
      fixed((path) => path.includes('?id=')),
      old,
    );
    expect(half.did).toBeCloseTo(0.5);
    expect(half.fixes.map(({ state, left }) => `${state} ${left}`).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'done 0',
      'open 6',
    ]);
    expect(await compared(STORIES, old)).toMatchObject({ did: 0, fixes: [{ state: 'open' }, { state: 'open' }] });
    const quiet = STORIES.filter(({ path }) => !path.includes('?'));
    expect(await compared(quiet, old)).toMatchObject({ did: 1, fixes: [{ state: 'quiet' }, { state: 'quiet' }] });
  });

  it('is told of the first report that proposed a fix, in any order of the files', async () => {
    const middle = await written(
      fixed((path) => path.includes('?id=')),
      'middle.json',
    );
    const now = fixed((path) => path.includes('?')).map((one) => ({ ...one, day: 31 - 1 }));
    const both = await compared(now, middle, old);
    expect(both.reports.map(({ name }) => name)).toEqual(['old.json', 'middle.json']);
    expect(both.fixes.map(({ proposedBy, state }) => [proposedBy, state])).toEqual([
      ['old.json', 'done'],
      ['old.json', 'done'],
    ]);
    expect(both).toEqual(await compared(now, old, middle));
  });

  it('shows the share week by week', async () => {
    const { weeks } = await compared(
      fixed((path) => path.includes('?')),
      old,
    );
    expect(weeks.map(({ from, days, hits, duplicateHits, redirected }) => [from, days, hits, duplicateHits, redirected])).toEqual([
      ['2026-11-23', 1, 24, 12, 0],
      ['2026-11-30', 1, 24, 0, 12],
    ]); // prettier-ignore
  });
});

it('names pages that lost their hits, with what became of them', async () => {
  const many = Array.from({ length: 60 }, () => STORIES).flat();
  const before = await written(many, 'old.json');
  const now = many.map((one): Asked => (one.path === '/list_2' ? { ...one, status: 404 } : one));
  const { lost } = await compared(
    now.map((one) => ({ ...one, day: 30 })),
    before,
  );
  expect(lost).toEqual([
    expect.objectContaining({ url: 'http://a.test/list_2', before: 60, now: 0, missing: 60, redirected: 0 }),
  ]);
});

describe('a before-report that does not fit', () => {
  it.each([
    ['', 'is empty'],
    ['no JSON', 'not JSON'],
    ['{"format":"dustbuster-report","version":2,"log', 'cut off'],
    ['{"format":"dustbuster-rules","version":1}', 'is no report'],
    ['[]', 'is no report'],
    ['null', 'is no report'],
    ['{"format":"dustbuster-report","version":3}', 'got a report of version 3'],
    ['{"format":"dustbuster-report","version":2}', 'without a log'],
    ['{"format":"dustbuster-report","version":2,"rules":[],"log":{"all":{"hits":"7"}}}', '/log'],
    ['{"format":"dustbuster-report","version":2,"rules":[{"rule":{"kind":"x"}}],"log":{}}', '/rules/0/rule'],
  ])('is refused in plain words: %s', (text, words) => {
    expect(() => readBefore(encodeText(text), 'old.json')).toThrow(UserError);
    expect(() => readBefore(encodeText(text), 'old.json')).toThrow(words);
  });

  it('is refused if it is of another site, by its hosts or its pages', async () => {
    const asked = STORIES.map((one) => ({ ...one, host: 'b.test' }));
    await expect(compared(asked, old)).rejects.toThrow('got a report of a.test, and a log of b.test');
    const others = STORIES.map((one) => ({ ...one, path: `/other${one.path}` }));
    await expect(compared(others, old)).rejects.toThrow('none of its 12 pages');
  });

  it('of version 1 is read for what it has: no days, no pages', async () => {
    const { days: _, pages: __, ...log } = (await reportOf(textOf(STORIES), file)).log!;
    const model = { ...(await reportOf(textOf(STORIES), file)), version: 1, log: { ...log, periods: [] } };
    const first = readBefore(encodeText(JSON.stringify(model as unknown as ReportModel)), 'v1.json');
    const { fixes, notes } = await compared(
      fixed((path) => path.includes('?')),
      first,
    );
    expect(fixes.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(notes).toEqual(['v1.json has no days, so weeks begin with this log']);
  });

  it('is said to be later than the log, or of the same days', async () => {
    const later = await written(
      STORIES.map((one) => ({ ...one, day: 28 })),
      'later.json',
    );
    expect((await compared(STORIES, later)).notes[0]).toContain('the wrong way round');
  });
});

describe('days', () => {
  const rows = (...days: readonly (readonly [string, number])[]) =>
    days.map(([day, hits]) => ({ day, hits, duplicateHits: 0, redirected: 0 }));

  it('of a clock that jumped are left out', () => {
    const days = rows(['1970-01-01', 1], ['2026-11-22', 500], ['2026-11-23', 500], ['2038-01-19', 2]);
    expect(steadyDays(days).map(({ day }) => day)).toEqual(['2026-11-22', '2026-11-23']);
    expect(steadyDays([])).toEqual([]);
  });

  it('that two reports have count once, and weeks begin on Monday', () => {
    const [a, b] = [rows(['2026-11-29', 5], ['2026-11-30', 1]), rows(['2026-11-30', 9], ['2026-12-06', 2])];
    expect(weeksOf([a, b]).map(({ from, days, hits }) => [from, days, hits])).toEqual([
      ['2026-11-23', 1, 5],
      ['2026-11-30', 2, 11],
    ]);
  });
});
