// When are the pages of two URLs one page? Sites here are functions from a URL and the number of the request to a body.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { documentOf } from '../../src/sketch/page.js';
import { Judge, type Judgement } from '../../src/validate/judge.js';
import type { PageResult, PageSource } from '../../src/validate/source.js';
import { wordsOf } from '../sketch/sample.js';

type Site = (url: string, request: number) => string | undefined;

interface Asked {
  readonly judge: (u: string, v: string) => Promise<Judgement>;
  readonly source: PageSource & { readonly asked: string[]; readonly second: string[] };
  readonly whole: Judge;
}

function judgeOf(site: Site, type = 'text/html', locate: (url: string) => string = (url) => url): Asked {
  const known = new Map<string, PageResult>();
  const asked: string[] = [];
  const second: string[] = [];
  const answer = (url: string): PageResult => {
    asked.push(url);
    const body = site(locate(url), asked.length);
    if (body === undefined) return { kind: 'missing', reason: 'status', detail: '404' };
    const finalUrl = locate(url);
    return {
      kind: 'page',
      document: documentOf(Buffer.from(body), type),
      finalUrl,
      redirects: finalUrl === url ? 0 : 1,
    };
  };
  const source = {
    name: 'live' as const,
    requests: 0,
    asked,
    second,
    async fetch(url: string) {
      const result = known.get(url) ?? answer(url);
      known.set(url, result);
      return result;
    },
    async fetchAgain(url: string) {
      second.push(url);
      return answer(url);
    },
    refusal: () => undefined,
    close: async () => undefined,
  };
  const whole = new Judge({ source, siteOf: () => 'h', base: '', signal: new AbortController().signal });
  return { source, whole, judge: (u, v) => whole.judge(u, v) };
}

const kindOf = async (site: Site, u: string, v: string, type?: string) => (await judgeOf(site, type).judge(u, v)).kind;

describe('a page that repeats its address', () => {
  const tracked = 'http://h/story?id=7&ref=newsletter';
  const plain = 'http://h/story?id=7';
  const body = (url: string) => `<title>A page</title><p>You are reading ${url} and nothing else here`;

  test.each<[string, (url: string) => string]>([
    ['as it is', body],
    ['escaped', (url) => body(url.replace(/&/g, '&amp;'))],
    ['escaped twice', (url) => body(url.replace(/&/g, '&amp;amp;'))],
    ['encoded', (url) => body(encodeURIComponent(url))],
    ['without its host', (url) => body(url.slice('http://h'.length))],
    ['as a query', (url) => body(url.replace(/.*\?/, '?'))],
    ['many times', (url) => body(Array.from({ length: 5 }, () => url).join(' or '))],
    [
      'by the value alone',
      (url) => `${wordsOf('w', 16)} ${url.includes('ref=') ? 'newsletter' : ''} ${wordsOf('x', 4)}`,
    ],
  ])('%s is alike, in either direction', async (_, site) => {
    expect(await kindOf(site, tracked, plain)).toBe('positive');
    expect(await kindOf(site, plain, tracked)).toBe('positive');
  });

  test.each([
    [
      'a feed',
      'application/rss+xml',
      (url: string) => `<rss><title>a b c d e</title><link>${url.replace(/&/g, '&amp;')}</link></rss>`,
    ],
    [
      'a feed that names itself',
      'text/xml',
      (url: string) => `<feed><link rel="self" href="${url.replace(/&/g, '&amp;')}"/><title>a b c d</title></feed>`,
    ],
    [
      'JSON',
      'application/json',
      (url: string) => JSON.stringify({ self: url.replace(/\//g, '\\/'), title: 'a b c d e' }),
    ],
    ['plain text', 'text/plain', (url: string) => `this is the page at ${url}`],
  ])('is alike as %s', async (_, type, site) => {
    expect(await kindOf(site, tracked, plain, type)).toBe('positive');
  });

  test('with one field less, in the order asked for, is alike for any order of fields', async () => {
    const lessOne = (url: string) => `All rows, without the filter ${url.replace(/&?size=\d+/, '')} that you chose`;
    expect(await kindOf(lessOne, 'http://h/rows?a=1&size=20&b=2', 'http://h/rows?b=2&a=1&size=20')).toBe('positive');
  });

  // A folder under another name, and the same folder in another place.
  test.each([
    ['/doc/cups-bsd/', '/doc/cups-client/', 20, 'negative'],
    ['/doc/cups-bsd/', '/doc/cups-client/', 200, 'positive'],
    ['/doc/cups-bsd/', '/old/cups-bsd/', 20, 'positive'],
    ['/doc/cups-bsd/index', '/doc/cups-bsd/', 20, 'positive'],
  ])('as a list of files, %s and %s with %d words are %s', async (u, v, words, kind) => {
    const list = (url: string) => `<title>Index of ${url.slice('http://h'.length)}</title><p>${wordsOf('file', words)}`;
    expect(await kindOf(list, `http://h${u}`, `http://h${v}`)).toBe(kind);
  });

  test('at the end of redirects is alike', async () => {
    const { judge } = judgeOf(body, 'text/html', (url) => url.replace('/old', '/new'));
    expect(await judge('http://h/old/page?x=1', 'http://h/new/page')).toMatchObject({
      kind: 'positive',
      u: { redirects: 1, finalUrl: 'http://h/new/page?x=1' },
      v: { redirects: 0 },
    });
  });
});

describe('a page that says what a nonsense URL says', () => {
  const site: Site = (url) => {
    const name = url.slice('http://h/'.length).replaceAll('/', ':');
    const text = name.startsWith('stub')
      ? `This is all there is of ${name}`
      : 'This topic does not exist yet, create it';
    return `<title>${name} - Notes</title>You are here: ${name}<p>${text}`;
  };
  const pairs = [
    ['_export:lib/python/os/path', 'export/lib/python/os/path'],
    ['stub:lib/python/os/path', 'stub/lib/python/os/path'],
  ] as const;

  test('proves nothing, however many words of its URL it has', async () => {
    const { judge, whole } = judgeOf(site);
    await whole.learnNonsense('http://h/no-1x7');
    const found: string[] = [];
    for (const [u, v] of pairs) found.push((await judge(`http://h/${u}`, `http://h/${v}`)).kind);
    expect(found).toEqual(['unjudged', 'positive']);
  });
});

describe('different pages stay different', () => {
  test.each<[string, Site, string, string]>([
    [
      'that say their number',
      (url) => `<p>Item ${/\d+$/.exec(url)![0]} of our shop`,
      'http://h/item/7',
      'http://h/item/9',
    ],
    [
      'that say their field',
      (url) => `<p>Item ${/\d+$/.exec(url)![0]} of our shop`,
      'http://h/?id=7',
      'http://h/?id=9',
    ],
    [
      'that say a word of it',
      (url) => `<p>No hits for ${/\w+$/.exec(url)![0]} today, try another`,
      'http://h/?q=kettle',
      'http://h/?q=bread',
    ],
    ['that say nothing else', (url) => `<p>${url}`, 'http://h/item/7?x=abc', 'http://h/item/7'],
    [
      'of which one is all address',
      (url) => `<p>${url.replace(/.*=/, '').replace(/\+/g, ' ')}`,
      'http://h/echo?text=one+two+three+four+five',
      'http://h/echo',
    ],
    [
      'that have other words',
      (url) => `<p>${url} ${wordsOf(url.at(-1)!, 40)}`,
      'http://h/story?id=7',
      'http://h/story?id=9',
    ],
    [
      'that are short',
      (url) => `<p>Page ${url}: ${wordsOf(url.at(-1)!, 4)}`,
      'http://h/story?id=7',
      'http://h/story?id=9',
    ],
  ])('%s', async (_, site, u, v) => {
    expect(await kindOf(site, u, v)).toBe('negative');
    expect(await kindOf(site, v, u)).toBe('negative');
  });

  test('whatever their addresses and words are', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), minLength: 3, maxLength: 8 });
    const address = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => `http://h/${parts.join('/')}`);
    await fc.assert(
      fc.asyncProperty(address, address, fc.nat(20), async (u, v, shared) => {
        if (u === v) return;
        const site: Site = (url) =>
          `${url} ${wordsOf('shared', shared)} ${wordsOf(url === u ? 'left' : 'right', 30)} ${url}`;
        expect(await kindOf(site, u, v)).toBe('negative');
      }),
      { numRuns: 100 },
    );
  });
});

test.skipIf(isFew)('equal bodies are the same, whatever they contain', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('text/html', 'text/xml', 'image/png', ''),
      async (body, type) => {
        expect(await kindOf(() => body, 'http://h/a', 'http://h/b', type)).toBe('positive');
      },
    ),
    { numRuns: 200 },
  );
});

test('one picture under a path with thousands of queries is one page, not a soft error', async () => {
  const { judge } = judgeOf(() => 'GIF89a\0', 'image/gif');
  for (let k = 0; k < 40; k++) {
    const [u, v] = [`http://h/lib/exe/runner.php?id=page${k}`, 'http://h/lib/exe/runner.php?id=start'];
    expect(await judge(u, v)).toMatchObject({ kind: 'positive' });
  }
});

describe('what changes between two requests', () => {
  const small = (url: string, request: number) =>
    `<p>${wordsOf(new URL(url).pathname.replace('/', 'page'), 12)} <i>Generated for you in 0.0${request * 7} s at 19:44:${request + 10}, visit number ${request}</i>`;
  const pairOf = (k: number) => [`http://h/${k}?ref=mail`, `http://h/${k}`] as const;

  test('is ignored once it was seen, without another request', async () => {
    const { judge, source } = judgeOf(small);
    for (let k = 0; k < 30; k++) expect((await judge(...pairOf(k))).kind).toBe('positive');
    expect(source.second.length).toBeLessThanOrEqual(2);
    expect(source.second.length).toBeGreaterThan(0);
  });

  test('does not make two pages one', async () => {
    const { judge } = judgeOf(small);
    for (let k = 0; k < 20; k++) {
      expect((await judge(...pairOf(k))).kind).toBe('positive');
      expect((await judge(`http://h/${k}`, `http://h/x${k}`)).kind).toBe('negative');
    }
  });

  test('is not requested for ever if nothing changes', async () => {
    const { judge, source } = judgeOf((url) => wordsOf(url.replace(/\W/g, 'z'), 20));
    for (let k = 0; k < 500; k++) expect((await judge(`http://h/${k}`, `http://h/x/${k}`)).kind).toBe('negative');
    expect(source.second.length).toBe(8);
  });

  test.skipIf(isFew)('costs at most forty requests', async () => {
    const { judge, source } = judgeOf((url, request) => `${wordsOf(url, 20)} ${wordsOf(`r${request}`, 3)}`);
    for (let k = 0; k < 520; k++) await judge(`http://h/${k}`, `http://h/x/${k}`);
    expect(source.second.length).toBe(40);
  });
});

describe('a judgement', () => {
  test('has both sides', async () => {
    const { judge } = judgeOf((url) => (url.endsWith('gone') ? undefined : wordsOf(url, 120)));
    expect(await judge('http://h/a', 'http://h/gone')).toMatchObject({
      kind: 'negative',
      reason: 'status 404',
      u: { kind: 'page', finalUrl: 'http://h/a' },
      v: { kind: 'missing', reason: 'status' },
    });
    expect(await judge('http://h/a', 'http://h/b')).toMatchObject({
      kind: 'negative',
      reason: 'different',
      u: { finalUrl: 'http://h/a' },
      v: { kind: 'page', finalUrl: 'http://h/b' },
    });
  });

  test('recognizes soft errors also by pages that were fetched by themselves', async () => {
    const { whole } = judgeOf(() => wordsOf('nothing', 50));
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      expect(await whole.fetchPage(`http://h/${name}`)).toMatchObject({ kind: 'page' });
    expect(await whole.judge('http://h/a', 'http://h/b')).toEqual({ kind: 'unjudged', reason: 'soft-error' });
  });
});
