// A log compared to earlier reports of the site.
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import { UserError } from '../../../src/base/error.js';
import { steadyDays, weeksOf } from '../../../src/report/before/days.js';
import { type BeforeReport, readBefore } from '../../../src/report/before/read.js';
import type { FixOutcome, ReportModel } from '../../../src/report/page/model.js';
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
  return fixedOf(STORIES, 30, isRedirected);
}

function fixedOf(asked: readonly Asked[], day: number, isRedirected: (path: string) => boolean): Asked[] {
  return asked.flatMap((one): Asked[] => {
    if (one.status !== undefined || !one.path.includes('?') || !isRedirected(one.path)) return [{ ...one, day }];
    const target = one.path.replace('?id=', '_').replace('?sid=4', '');
    return [
      { ...one, day, status: 302 },
      { path: target, day },
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

/** Stories 7 to 9 have moved one by one, long ago; people follow, and some of `to` is still written the long way. */
function moved(times: number, to: (id: number) => string = (id) => `/story_${id}`): Asked[] {
  return Array.from({ length: times }, () =>
    [7, 8, 9].flatMap((id): Asked[] => [{ path: `/story?id=${id}`, status: 301 }, { path: to(id) }]),
  ).flat();
}

const onDay = (day: number, asked: readonly Asked[]) => asked.map((one): Asked => ({ ...one, day }));

describe('what was redirected before the fix', () => {
  const week = Array.from({ length: 40 }, () => [...moved(1), ...STORIES]).flat();
  const storyOf = ({ fixes }: { fixes: readonly FixOutcome[] }) => fixes.find(({ title }) => !title.includes('sid'))!;

  it('is in the report, for each fix that it proposes', async () => {
    const { fixes } = (await reportOf(textOf(week), file)).log!;
    expect(fixes.map(({ title, already }) => [title.includes('sid'), already])).toEqual([[false, 120], [true, 0]]); // prettier-ignore
  });

  it.each([1, 2, 5])('is no work of a fix in a log that is %i times as long', async (times) => {
    const now = onDay(30, Array.from({ length: times }, () => week).flat());
    const { did, fixes } = await compared(now, await written(week, 'old.json'));
    expect(did).toBe(0);
    expect(fixes.map(({ state }) => state)).toEqual(['open', 'open']);
    expect(storyOf({ fixes })).toMatchObject({
      redirected: 120 * times,
      already: 120 * times,
      left: 240 * times,
      did: 0,
    });
  });

  it('is no work of a fix whose URLs are asked for less, or more', async () => {
    const before = await written(week, 'old.json');
    const others = STORIES.filter(({ path }) => !path.includes('?id='));
    const fewer = Array.from({ length: 40 }, (_, at) => (at < 4 ? STORIES : others)).flat();
    expect(storyOf(await compared(onDay(30, [...moved(40), ...fewer]), before))).toMatchObject({ state: 'open', did: 0 });
    const stories = STORIES.filter(({ path }) => path.startsWith('/story'));
    const more = Array.from({ length: 120 }, () => [...stories, ...moved(1)]).flat();
    expect(storyOf(await compared(onDay(30, [...more, ...STORIES]), before))).toMatchObject({ state: 'open', did: 0 });
  }); // prettier-ignore

  it('is not counted where the fix is made in the middle of the log, or made in part', async () => {
    const before = await written(week, 'old.json');
    const all = storyOf(await compared([...onDay(29, week), ...fixedOf(week, 30, () => true)], before));
    expect(all).toMatchObject({ state: 'done', since: '2026-11-30', redirected: 480, already: 240, left: 0, did: 1 });
    const isEven = (path: string) => Number(path.at(-1)) % 2 === 0;
    const half = storyOf(await compared(fixedOf(week, 30, isEven), before));
    expect(half).toMatchObject({ state: 'partly', since: '2026-11-30', already: 120, left: 120 });
    expect(half.did).toBeCloseTo(0.5);
  });

  it('is of the report that proposed the fix first, of several', async () => {
    const later = await written(fixedOf(week, 25, (path) => path.endsWith('1')), 'later.json'); // prettier-ignore
    const now = fixedOf(week, 30, () => true);
    const both = storyOf(await compared(now, later, await written(week, 'old.json')));
    expect(both).toMatchObject({ proposedBy: 'old.json', state: 'done', already: 120, redirected: 360, did: 1 });
    expect(storyOf(await compared(onDay(30, week), later, await written(week, 'old.json')))).toMatchObject({ did: 0 });
  });

  it('is unknown of reports of earlier versions: it counts as done, and that is said', async () => {
    const model = await reportOf(textOf(week), file);
    const fixes = model.log!.fixes.map((one) => ({ ...one, already: undefined }));
    const text = JSON.stringify({ ...model, log: { ...model.log!, fixes } });
    const { fixes: outcomes, notes } = await compared(onDay(30, week), readBefore(encodeText(text), 'earlier.json'));
    expect(notes).toEqual([expect.stringContaining('earlier.json, of an earlier version, does not say')]);
    expect(storyOf({ fixes: outcomes })).toMatchObject({ state: 'partly', already: 0, redirected: 120 });
  });
});

it('a redirect to a URL that the fix would still change is not by it', async () => {
  const asked = Array.from({ length: 20 }, () => STORIES).flat();
  const login = moved(20, (id) => `/story?id=${id}&login=1`);
  const before = await written(asked, 'old.json');
  const { did, fixes } = await compared(onDay(30, [...asked, ...login]), before);
  expect(did).toBe(0);
  expect(fixes).toMatchObject([
    { state: 'open', redirected: 0 },
    { state: 'open', redirected: 0 },
  ]);
  expect((await reportOf(textOf([...asked, ...login]), file)).log!.fixes.map(({ already }) => already)).toEqual([0, 0]);
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
