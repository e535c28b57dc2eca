import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { createReadReport, readRecords } from '../../src/log/read.js';
import { parseRobots } from '../../src/robots/file.js';
import { RobotsRehearsal } from '../../src/robots/rehearsal.js';
import type { AboutUrls, FormOf } from '../../src/robots/line-meter.js';
import { seeded } from '../bench/input/random.js';
import { memoryInput, plainOptions } from '../log/reading.js';

const BEGIN = Date.UTC(2026, 10, 20);
const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';
const bot = (name: string) => `Mozilla/5.0 (compatible; ${name}/2.1; +http://www.example.com/${name.toLowerCase()})`;

interface Line {
  readonly url: string;
  readonly agent: string;
  /** Seconds since the log began. */
  readonly at?: number;
  readonly status?: number;
  readonly size?: number;
  readonly from?: string;
}

function lineOf({ url, agent, at = 0, status = 200, size = 100, from = '-' }: Line): string {
  const [, , , , clock, ,] = new Date(BEGIN + at * 1000).toUTCString().split(' ');
  const day = new Date(BEGIN + at * 1000).getUTCDate();
  return `1.2.3.4 - - [${day}/Nov/2026:${clock} +0000] "GET ${url} HTTP/1.1" ${status} ${size} "${from}" "${agent}"\n`;
}

interface Options extends AboutUrls {
  readonly memoryBytes?: number;
  readonly liveSince?: number;
}

async function rehearse(
  robots: string,
  log: readonly Line[],
  { formOf, guessOf, isChoice, memoryBytes = 1 << 24, liveSince }: Options = {},
) {
  const rehearsal = new RobotsRehearsal(Buffer.from(robots), { memoryBytes, liveSince });
  const input = memoryInput(Buffer.from(log.map(lineOf).join('')));
  const reading = { ...plainOptions, requests: true, onRequest: rehearsal.add };
  for await (const _ of readRecords([input], reading, createReadReport()));
  return { ...rehearsal.finish({ formOf, guessOf, isChoice }), log: rehearsal.log };
}

const robots = 'User-agent: *\nDisallow: /no\nAllow: /no/but\n\nUser-agent: Baiduspider\nDisallow: /\n';

describe('bots are judged by what they had read', () => {
  const read = (agent: string, at: number, more: Partial<Line> = {}): Line => {
    return { url: '/robots.txt', agent, at, size: robots.length, ...more };
  };
  const asked = (agent: string, times: readonly number[], url = '/no'): Line[] =>
    times.map((at) => ({ url: `${url}?${at}`, agent, at }));
  const names = [
    'Obedientbot',
    'Disobedientbot',
    'Neverbot',
    'Laterbot',
    'Underbot',
    'Cachedbot',
    'Otherbot',
    'Googlebot',
  ];
  const [obedient, disobedient, never, later, under, cached, other, google] = names.map(bot);
  const log: Line[] = [
    ...asked(disobedient!, [10, 20]),
    read(obedient!, 100),
    read(disobedient!, 100),
    read(under!, 100),
    ...asked(obedient!, [200, 300], '/yes'),
    ...asked(disobedient!, [200, 300, 400]),
    ...asked(disobedient!, [500], '/no/but'),
    ...asked(never!, [200, 300]),
    ...asked(later!, [200]),
    read(later!, 300),
    ...asked(under!, [101, 159, 160]),
    read(cached!, 150, { status: 304, size: 0 }),
    ...asked(cached!, [300]),
    read(other!, 200, { status: 503, size: 7 }),
    ...asked(other!, [300]),
    read(google!, 100),
    ...asked('Googlebot-Image/1.0', [300]),
    { url: '/no', agent: browser, at: 300 },
  ];
  const figures = { Obedientbot: 0, Disobedientbot: 3, Laterbot: 0, Underbot: 1, Cachedbot: 1, Googlebot: 1 };

  it('exactly, without a false accusation', async () => {
    const { bots, requests, forbidden } = await rehearse(robots, log);
    const by = Object.fromEntries(bots.map(({ name, disobeyed }) => [name, disobeyed]));
    expect(by).toMatchObject({ ...figures, Neverbot: null, Otherbot: null });
    expect(bots.find(({ name }) => name === 'Neverbot')).toMatchObject({ requests: 2, forbidden: 2, reads: 0 });
    expect(bots.find(({ name }) => name === 'Disobedientbot')).toMatchObject({ forbidden: 5, example: '/no?200' });
    expect([requests, forbidden]).toEqual([log.length - 1, 14]);
  });

  it('in whatever order the lines of the log are', async () => {
    const { bots } = await rehearse(robots, log.toReversed());
    expect(Object.fromEntries(bots.map(({ name, disobeyed }) => [name, disobeyed]))).toMatchObject(figures);
  });

  it('not at all if another file was in force, unless the user knows better', async () => {
    const other = `${robots}# one line more\n`;
    expect((await rehearse(other, log)).bots.map(({ disobeyed }) => disobeyed).every((one) => one === null)).toBe(true);
    const { bots } = await rehearse(other, log, { liveSince: BEGIN });
    expect(bots.find(({ name }) => name === 'Disobedientbot')?.disobeyed).toBe(3);
  });
});

it.each(['curl/8.5.0', 'python-requests/2.31', 'Go-http-client/2.0', '-'])(
  'a tool that anybody uses is not accused: %s',
  async (agent) => {
    const log: Line[] = [
      { url: '/robots.txt', agent, size: robots.length },
      { url: '/no', agent, at: 100 },
    ];
    expect((await rehearse(robots, log)).bots).toMatchObject([{ forbidden: 1, reads: 1, disobeyed: null }]);
    const named = log.map((line) => ({ ...line, agent: bot('Somebot') }));
    expect((await rehearse(robots, named)).bots).toMatchObject([{ forbidden: 1, reads: 1, disobeyed: 1 }]);
  },
);

it('secrets of visitors are in no example', async () => {
  const agent = bot('Somebot');
  const url = '/no?token=0123456789abcdef0123456789abcdef';
  const log: Line[] = [
    { url: '/robots.txt', agent, size: robots.length },
    { url, agent, at: 100 },
    { url, agent: browser, from: 'https://www.google.com/' },
  ];
  const { bots, lines } = await rehearse(robots, log);
  expect([bots[0]?.example, lines[0]?.examples]).toEqual(['/no?token=…', ['/no?token=…']]);
});

it('nobody is accused by a log of several hosts', async () => {
  const agent = bot('Somebot');
  const log = [
    { url: 'http://a.test/robots.txt', agent, size: robots.length },
    { url: 'http://b.test/no', agent, at: 100 },
  ];
  const { bots, log: facts } = await rehearse(robots, log, { liveSince: BEGIN });
  expect([bots[0]?.disobeyed, facts.hosts]).toEqual([null, 2]);
});

describe('a line', () => {
  const ask = (urls: readonly string[], agent = bot('Googlebot')): Line[] => urls.map((url) => ({ url, agent }));
  const google = 'https://www.google.com/';

  it('has the hits of groups of bots, URLs and pages', async () => {
    const log = [
      ...ask(['/no/1', '/no/1', '/no/2.png', '/yes']),
      ...ask(['/no/1'], bot('AhrefsBot')),
      ...ask(['/no/1'], '-'),
      ...ask(['/no/3'], browser),
      { url: '/no/4', agent: bot('Googlebot'), status: 404 },
    ];
    const { lines } = await rehearse('User-agent: *\nDisallow: /no', log);
    expect(lines).toMatchObject([{ hits: 6, hitsOf: { search: 4, seo: 1, unknown: 1 }, urls: 4, pages: 2, people: 1 }]);
  });

  it('that shuts pages with visitors from search says which, most visitors first', async () => {
    const visit = (url: string, from: string): Line => ({ url, agent: browser, from });
    const log = [
      ...ask(['/a', '/b', '/c']),
      visit('/a', google),
      visit('/b', google),
      visit('/b', 'https://www.bing.com/search'),
      visit('/c', '-'),
      visit('/a', 'https://mail.google.com/'),
      { ...visit('/a', google), status: 404 },
    ];
    const { lines, lost } = await rehearse('User-agent: *\nDisallow: /\n\nUser-agent: bingbot\nAllow: /', log);
    expect(lost).toEqual({ pages: 2, visits: 2 });
    expect(lines[0]).toMatchObject({ lostPages: 2, lostVisits: 2, examples: ['/a', '/b', '/c'] });
    const twice = await rehearse('User-agent: *\nDisallow: /', log);
    expect(twice.lines[0]).toMatchObject({ lostPages: 2, lostVisits: 3, examples: ['/b', '/a', '/c'] });
  });

  it('that shuts orders and filters loses nothing', async () => {
    const log = [...ask(['/list?sort=name']), { url: '/list?sort=name', agent: browser, from: google }];
    const isChoice = (target: string) => target.includes('sort=');
    const text = 'User-agent: *\nDisallow: /*?sort=';
    expect((await rehearse(text, log)).lost).toEqual({ pages: 1, visits: 1 });
    const { lines, lost } = await rehearse(text, log, { isChoice });
    expect([lines[0]?.pages, lines[0]?.lostPages, lost.pages]).toEqual([1, 0, 0]);
  });

  it('that hides what the rules redirect is told, and pages lost are without duplicates', async () => {
    const formOf: FormOf = (url) =>
      Buffer.from(
        Buffer.from(url)
          .toString()
          .replace(/\?sid=.*/, ''),
      );
    const log = [...ask(['/a?sid=1', '/a', '/b?sid=2']), { url: '/a?sid=1', agent: browser, from: google }];
    const { lines } = await rehearse('User-agent: *\nDisallow: /*?sid=', log, { formOf });
    expect(lines).toMatchObject([{ urls: 2, duplicates: 2, redirected: 2, lostPages: 0 }]);
    const { lines: by301 } = await rehearse('User-agent: *\nDisallow: /a', [
      { url: '/a', agent: bot('x'), status: 301 },
    ]);
    expect(by301).toMatchObject([{ duplicates: 0, redirected: 1, moved: 1 }]);
  });

  it('hides no redirect whose target it forbids, too, nor one that is only guessed', async () => {
    const without = (name: string): FormOf => {
      const field = new RegExp(`([?&])${name}=[^&]*&?`);
      return (url) => Buffer.from(Buffer.from(url).toString().replace(field, '$1').replace(/[?&]$/, ''));
    };
    const log = ask(['/a?sid=1&sort=2', '/b?sort=2&sid=1']);
    const text = 'User-agent: *\nDisallow: /*sort=';
    const duplicates = async (about: Options, status = 200) =>
      (
        await rehearse(
          text,
          log.map((line) => ({ ...line, status })),
          about,
        )
      ).lines[0]?.duplicates;
    expect(await duplicates({ formOf: without('sid') })).toBe(0);
    expect(await duplicates({ formOf: without('sort') })).toBe(2);
    expect(await duplicates({ guessOf: without('sort') })).toBe(0);
    expect(await duplicates({ guessOf: without('sort') }, 302)).toBe(2);
  });

  it.each([
    ['never came', 'User-agent: GPTBot\nDisallow: /', 'no-agent'],
    ['matches nothing', 'User-agent: *\nDisallow: /x', 'no-match'],
    ['is always overruled', 'User-agent: *\nDisallow: /a\nAllow: /a$\nAllow: /a/', 'never-decides'],
    ['says what another says', 'User-agent: *\nDisallow: /a/b\nDisallow: /a', 'no-change'],
    ['allows what nothing forbids', 'User-agent: *\nAllow: /a', 'no-change'],
    ['decides', 'User-agent: *\nDisallow: /a', undefined],
  ])('does nothing if it %s', async (_name, text, idle) => {
    const { lines } = await rehearse(text, ask(['/a', '/a/b']));
    expect(lines[0]?.idle).toBe(idle);
  });

  it('misses a parameter that is not the first', async () => {
    const urls = ['/?sort=1', '/?x=1&sort=1', '/?sort=1&sort=2', '/?x=1&sorted=1'];
    const { lines } = await rehearse('User-agent: *\nDisallow: /*?sort=', ask(urls));
    expect(lines[0]).toMatchObject({ urls: 2, elsewhere: 1 });
    const both = await rehearse('User-agent: *\nDisallow: /*?sort=\nDisallow: /*&sort=', ask(urls));
    expect(both.lines.map(({ elsewhere }) => elsewhere)).toEqual([0, 0]);
    const others = await rehearse('User-agent: *\nDisallow: /list?sort=\nDisallow: /*?sort=2', ask(urls));
    expect(others.lines.map(({ elsewhere }) => elsewhere)).toEqual([0, 1]);
  });
});

it('hits by line are those of one judgement for each request', async () => {
  const random = seeded(44);
  const pick = <One>(all: readonly One[]) => all[Math.floor(random() * all.length)]!;
  const names = ['alphabot', 'betabot', '*'];
  let refused = 0;
  for (let round = 0; round < 20; round++) {
    const text = Array.from({ length: 12 }, () =>
      random() < 0.3
        ? `User-agent: ${pick(names)}`
        : `${pick(['Disallow', 'Allow'])}: /${pick(['a', 'b', '*b', 'a/b', ''])}`,
    ).join('\n');
    const log = Array.from({ length: 60 }, () => ({
      url: `/${pick(['a', 'b', 'a/b', 'c/b', 'x'])}`,
      agent: bot(pick(['Alphabot', 'Betabot', 'Gammabot'])),
    }));
    const expected = new Map<number, number>();
    for (const { url, agent } of log) {
      const own = /; (\w+)/.exec(agent)![1]!.toLowerCase();
      const { rule, allowed } = parseRobots(Buffer.from(text), [own, '*']).judge(url);
      if (rule !== undefined) expected.set(rule.line, (expected.get(rule.line) ?? 0) + 1);
      if (!allowed) refused++;
    }
    const { lines } = await rehearse(text, log);
    expect(new Map(lines.flatMap(({ line, hits }) => (hits > 0 ? [[line, hits]] : [])))).toEqual(
      new Map([...expected].sort(([a], [b]) => a - b)),
    );
  }
  expect(refused).toBeGreaterThan(100);
});

it('URLs beyond the memory count as requests only', async () => {
  const log = Array.from({ length: 3000 }, (_, at) => ({ url: `/no/${at}`, agent: bot('Googlebot') }));
  const { lines, log: facts } = await rehearse('User-agent: *\nDisallow: /no', log, { memoryBytes: 100_000 });
  expect(lines[0]?.hits).toBe(3000);
  expect(facts.urls).toBeLessThan(2000);
  expect(facts.urls + facts.unlisted).toBe(3000);
  expect(lines[0]?.urls).toBe(facts.urls);
});

it.each([
  ['4,000 agents with 4,000 lines', () => `${agents(4000)}${rules(4000)}`],
  [
    '4,000 groups for all of which there are lines',
    () => `${Array.from({ length: 4000 }, (_, k) => `User-agent: b${k}x\nDisallow: /${k}`).join('\n')}`,
  ],
  ['eight stars', () => `User-agent: *\nDisallow: /${'*a'.repeat(8)}b`],
])('a hostile file takes no long time: %s', async (_name, text) => {
  const log = Array.from({ length: 300 }, (_, at) => ({ url: `/x${'a'.repeat(300)}${at}`, agent: `b${at}x/1.0 bot` }));
  const { requests } = await rehearse(text(), log);
  expect(requests).toBe(300);
});

function agents(count: number): string {
  return Array.from({ length: count }, (_, k) => `User-agent: b${k}x\n`).join('');
}

function rules(count: number): string {
  return Array.from({ length: count }, (_, k) => `Disallow: /x${k}\n`).join('');
}
