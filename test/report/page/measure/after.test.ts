// What is fixed, and who came: logs worked out by hand.
import { describe, expect, it } from 'vitest';
import { MASK } from '../../../../src/url/secret.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { BOT, PERSON, reportOf } from '../visited.js';

const STORY = sampleRule('story?id=', 'story_', { site: 'a.test', status: 'valid' });
const file = sampleFile([STORY]);
const BING = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)';

interface Asked {
  readonly path: string;
  readonly status?: number;
  readonly day?: number;
  readonly referrer?: string;
  readonly agent?: string;
  readonly address?: string;
}

function line({ path, status = 200, day = 23, referrer = '-', agent = PERSON, address = '1.2.3.4' }: Asked): string {
  const time = `${day}/Nov/2026:12:00:00 +0000`;
  return `a.test:80 ${address} - - [${time}] "GET ${path} HTTP/1.1" ${status} 100 "${referrer}" "${agent}"\n`;
}

async function factsOf(asked: readonly Asked[]) {
  return (await reportOf(asked.map(line).join(''), file)).log!;
}

const STORIES = [1, 2, 3, 4].flatMap((id): Asked[] => [{ path: `/story_${id}` }, { path: `/story?id=${id}` }]);
/** The same requests to a server that redirects story?id=. */
const FIXED = STORIES.flatMap((one): Asked[] =>
  one.path.includes('?') ? [{ ...one, status: 301 }, { path: one.path.replace('?id=', '_') }] : [one],
);

describe('a log before and after a fix', () => {
  it('has duplicates before, and none afterwards: what is redirected is no hit', async () => {
    const [before, after] = [await factsOf(STORIES), await factsOf(FIXED)];
    expect(before.all).toMatchObject({ hits: 8, duplicateHits: 4, urlsBefore: 8, urlsAfter: 4 });
    expect(after.all).toMatchObject({ hits: 8, duplicateHits: 0, urlsBefore: 4, urlsAfter: 4 });
    expect(before).not.toHaveProperty('redirected');
    expect(after.redirected).toMatchObject({ hits: 4, urls: 4, followed: 4, broken: 0, chained: 0 });
    expect([before.fixes.length, after.fixes.length]).toEqual([1, 0]);
  });

  it.each([301, 302, 307, 308])(
    'says that a fix is done, since when, and proposes it no longer (%i)',
    async (status) => {
      const later = FIXED.map((one) => ({ ...one, day: 24, ...(one.status === 301 && { status }) }));
      const { done, fixes } = await factsOf([...STORIES, ...later]);
      expect(done).toEqual([
        expect.objectContaining({
          state: 'done',
          rules: [1],
          redirected: 4,
          redirectedUrls: 4,
          before: 4,
          left: 0,
          since: '2026-11-24',
        }),
      ]);
      expect(fixes).toEqual([]);
    },
  );

  it('says that it is done in part if pages still answer, and nothing where a redirect was by chance', async () => {
    const half = [...FIXED, { path: '/story?id=9', day: 24 }, { path: '/story_9' }];
    const { done, fixes } = await factsOf(half);
    expect(done).toMatchObject([{ state: 'partly', redirected: 4, left: 1 }]);
    expect(fixes).toHaveLength(1);
    const chance = [{ path: '/story?id=8', status: 301 }, ...STORIES];
    expect(await factsOf(chance)).not.toHaveProperty('done');
  });

  it('is not misled by one line of a clock that jumped, or by lines of a day in any order', async () => {
    const many = Array.from({ length: 40 }, () => FIXED).flat();
    const jumped = { path: '/story?id=7', day: 30 };
    expect((await factsOf([...many, jumped])).done).toMatchObject([{ state: 'done', left: 1 }]);
    expect((await factsOf([...many.toReversed(), ...STORIES.map((one) => ({ ...one, day: 22 }))])).done).toMatchObject([
      { state: 'done', left: 0, before: 4 },
    ]);
  });
});

describe('redirects', () => {
  it('are listed with the pages that link to them, most first, without values of visitors', async () => {
    const from = (referrer: string): Asked => ({ path: '/story?id=1', status: 301, referrer });
    const asked = [from('http://a.test/'), from('http://a.test/'), from('http://a.test/list?sid=0123456789abcdef01')];
    const { redirected } = await factsOf([...asked, { path: '/story?id=2', status: 301 }, { path: '/' }]);
    expect(redirected!.links[0]).toMatchObject({
      url: 'http://a.test/story?id=1',
      hits: 3,
      referrers: [
        { url: 'http://a.test/', hits: 2 },
        { url: `http://a.test/list?sid=${MASK}`, hits: 1 },
      ],
    });
    expect(redirected!.links[1]).toMatchObject({ hits: 1, referrers: [] });
  });

  it('that lead to errors or further redirects are said, as people see them', async () => {
    const { redirected } = await factsOf([
      { path: '/old', status: 301 },
      { path: '/gone', status: 404 },
      { path: '/a', status: 301 },
      { path: '/b', status: 302 },
      { path: '/c' },
      { path: '/queued', status: 301, agent: BOT },
      { path: '/other', status: 404, agent: BOT },
      { path: '/mine', status: 301, address: '9.9.9.9' },
      { path: '/not-mine', status: 500 },
    ]);
    expect(redirected).toMatchObject({ hits: 5, botHits: 1, followed: 3, broken: 1, chained: 1 });
    expect(redirected!.troubles.map(({ url, next }) => [url, next])).toEqual([
      ['http://a.test/old', 'http://a.test/gone'],
      ['http://a.test/a', 'http://a.test/b'],
    ]);
  });

  it('are counted with hardly any memory as with much', async () => {
    const asked = Array.from({ length: 3000 }, (_, k): Asked[] => [
      { path: `/story?id=${k % 700}`, status: 301, referrer: `http://a.test/${k % 5}`, day: 1 + (k % 9) },
      { path: `/story_${k % 700}` },
    ]).flat();
    const text = asked.map(line).join('');
    const [much, little] = [await reportOf(text, file), await reportOf(text, file, { memoryBytes: 1 << 19 })];
    expect(little.log!.redirected).toEqual(much.log!.redirected);
    expect(little.log!.done).toEqual(much.log!.done);
    expect(much.log!.redirected).toMatchObject({ hits: 3000, urls: 700, followed: 3000 });
  });
});

describe('who came', () => {
  it('shows Googlebot and Bingbot always, and what each visitor got', async () => {
    const { who } = await factsOf([
      { path: '/story_1', agent: BOT },
      { path: '/story_1', agent: BOT },
      { path: '/story?id=1', agent: BOT },
      { path: '/story?id=2', agent: BOT, status: 301 },
      { path: '/x', agent: BOT, status: 403 },
      { path: '/y', agent: BOT, status: 429 },
      { path: '/z', agent: BOT, status: 404 },
      { path: '/z', agent: BOT, status: 503 },
      { path: '/', agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)' },
      { path: '/' },
      { path: '/', agent: '-' },
    ]);
    expect(who!.map(({ name, group }) => [name, group])).toEqual([
      ['Googlebot', 'search'],
      ['Bingbot', 'search'],
      ['GPTBot', 'ai-training'],
      ['people', 'person'],
      ['unknown', 'unknown'],
    ]);
    expect(who![0]).toMatchObject({ requests: 8, hits: 3, duplicateHits: 1, redirected: 1, refused: 2, errors: 2 });
    expect(who![1]).toMatchObject({ requests: 0 });
    expect((await factsOf([{ path: '/', agent: BING }])).who![0]).toMatchObject({ name: 'Bingbot', requests: 1 });
    expect(await factsOf([{ path: '/', agent: '-' }])).not.toHaveProperty('who');
  });

  it('bots that are not listed are named, most requests first, whatever was answered', async () => {
    const bot = (name: string) => `Mozilla/5.0 (compatible; ${name}/1.0; +http://bot.test/)`;
    const { who, unlisted } = await factsOf([
      { path: '/a', agent: bot('Smallbot') },
      { path: '/a', agent: bot('Largebot') },
      { path: '/b', agent: bot('Largebot'), status: 404 },
      { path: '/c', agent: bot('Largebot'), status: 301 },
      { path: '/a', agent: BING },
    ]);
    expect(unlisted).toEqual([
      { name: 'Largebot', requests: 3 },
      { name: 'Smallbot', requests: 1 },
    ]);
    expect(who!.find(({ name }) => name === 'unlisted bots')).toMatchObject({ group: 'other-bot', requests: 4 });
  });

  it('remembers days and the pages with the most hits for a later report', async () => {
    const { days, pages } = await factsOf([...STORIES, { path: '/story?id=1', status: 301, day: 25 }]);
    expect(days).toEqual([
      { day: '2026-11-23', hits: 8, duplicateHits: 4, redirected: 0 },
      { day: '2026-11-25', hits: 0, duplicateHits: 0, redirected: 1 },
    ]);
    expect(pages!.map(({ url, hits }) => [url, hits])).toEqual(
      [1, 2, 3, 4].map((id) => [`http://a.test/story_${id}`, 1]),
    );
  });
});
