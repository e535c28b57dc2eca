// Filters compared with a naive twin, on a log with everything that they depend on.
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isbot } from 'isbot';
import { describe, expect, test } from 'vitest';
import type { Filters } from '../../src/log/filter.js';
import { isDocument } from '../../src/log/filters.js';
import { createReadReport, readRecords } from '../../src/log/read.js';
import { visitorOfAgent } from '../../src/log/agents/agents.js';
import { VISITOR } from '../../src/log/record.js';
import { memoryInput, outcome, plainOptions, read, rowsOf, total } from './reading.js';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const HUMAN = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

interface Line {
  readonly host: string;
  readonly ms: number | null;
  readonly target: string;
  readonly agent: string;
  readonly status: number;
}

const line = fc.record<Line>({
  host: fc.constantFrom('h.de', 'www.h.de', 'WWW.x.com:8080', '-'),
  ms: fc.option(
    fc.integer({ min: 0, max: 9 }).map((day) => Date.UTC(2026, 10, 1 + day, day)),
    { freq: 9 },
  ),
  target: fc.constantFrom(
    '/',
    '/a',
    '/a/b.html',
    '/a/b.CSS',
    '/x.png?v=1',
    '/shop/?q=a/b',
    '/shop/x.js;v=2',
    '/%7Ea.zip',
    'bad',
  ),
  agent: fc.constantFrom(BOT, HUMAN, '-', 'curl/8.0', ''),
  status: fc.constantFrom(200, 200, 200, 404),
});

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function clf(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}

function vhost({ host, ms, target, agent, status }: Line): string {
  const time = ms === null ? '-' : clf(ms);
  return `${host} 1.2.3.4 - - [${time}] "GET ${target} HTTP/1.1" ${status} 5 "-" "${agent}"\n`;
}

const globs: Record<string, (path: string, query: string) => boolean> = {
  '/a/**': (path) => path.startsWith('/a/'),
  '*.png': (path) => path.endsWith('.png'),
  '/shop/': (path) => path.startsWith('/shop/'),
  '/~*': (path) => path.startsWith('/~'),
  '/**': () => true,
  [String.raw`**\?q=*`]: (_, query) => query.startsWith('q='),
};
const someGlobs = fc.subarray(Object.keys(globs), { minLength: 1, maxLength: 3 });

const anyFilters: fc.Arbitrary<Filters> = fc.record(
  {
    since: fc.integer({ min: 1, max: 9 }).map((day) => Date.UTC(2026, 10, day)),
    until: fc.integer({ min: 1, max: 10 }).map((day) => Date.UTC(2026, 10, day, day - 1)),
    hosts: fc.subarray(['h.de', '*.h.de', '*:8080'], { minLength: 1 }),
    include: someGlobs,
    exclude: someGlobs,
    onlyDocuments: fc.boolean(),
    bots: fc.constantFrom('only', 'none'),
  },
  { requiredKeys: [] },
);

const hostGlobs: Record<string, RegExp> = { 'h.de': /^h\.de(:|$)/, '*.h.de': /\.h\.de(:|$)/, '*:8080': /:8080$/ };

/** Why a line is dropped, or its URL. */
function naive(one: Line, filters: Filters): string {
  const { since, until, hosts, include, exclude, onlyDocuments, bots } = filters;
  if (one.status === 404) return 'client-error';
  if (since !== undefined || until !== undefined) {
    if (one.ms === null) return 'no-time';
    if (one.ms < (since ?? -Infinity) || one.ms >= (until ?? Infinity)) return 'time';
  }
  if (one.target === 'bad') return 'no-url';
  const host = one.host === '-' ? '' : one.host.toLowerCase();
  const target = one.target.replace('%7E', '~');
  const [path = '', query = ''] = target.split('?');
  if (hosts !== undefined && !hosts.some((glob) => hostGlobs[glob]!.test(host))) return 'host';
  const fits = (glob: string) => globs[glob]!(path, query);
  if (include !== undefined && !include.some(fits)) return 'path';
  if (exclude !== undefined && exclude.some(fits)) return 'path';
  if (onlyDocuments === true && /\.(css|png|js;v=2|zip)$/i.test(path)) return 'not-a-document';
  if (bots !== undefined) {
    if (one.agent === '-' || one.agent === '') return 'no-agent';
    const isBot = isbot(one.agent);
    if (isBot !== (bots === 'only')) return isBot ? 'bot' : 'not-a-bot';
  }
  return host === '' ? target : `http://${host}${target}`;
}

test('every line is kept, or dropped for the first cause that applies, as in a naive twin', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), anyFilters, async (lines, filters) => {
      const expected = lines.map((one) => naive(one, filters));
      const log = lines.map(vhost).join('');
      const options = { format: 'vhost', normalize: 'safe', filters } as const;
      const { rows, summary, urlForm } = await read(log, options);
      const urls = expected.filter((what) => /[/]/.test(what));
      expect(rows.map(({ url }) => url)).toEqual(urls);
      const counts: Record<string, number> = {};
      for (const what of expected.filter((other) => !/[/]/.test(other))) counts[what] = (counts[what] ?? 0) + 1;
      expect({ ...summary.dropped, ...summary.rejected }).toEqual(counts);
      expect(summary.records + total(summary.dropped) + total(summary.rejected)).toBe(lines.length);
      // Filtered lines do not count for the form of the URLs either.
      const [paths, absolute] = [urls.some((url) => url.startsWith('/')), urls.some((url) => !url.startsWith('/'))];
      expect(urlForm).toBe(paths ? (absolute ? 'mixed' : 'path') : 'absolute');
      for (const cause of Object.keys(counts)) seen.add(cause);
    }),
    // The first one has the cause that few of 300 draws have.
    { numRuns: 300, examples: [[[{ host: '-', ms: null, target: '/', agent: HUMAN, status: 200 }], { bots: 'only' }]] },
  );
  const causes = 'bot client-error host no-agent no-time no-url not-a-bot not-a-document path time';
  expect([...seen].sort().join(' ')).toBe(causes);
});

test('without a filter, and with empty ones, all records are kept', async () => {
  const lines = fc.sample(line, { numRuns: 50, seed: 1 }).map(vhost).join('');
  const plain = await read(lines, { format: 'vhost' });
  expect(plain.rows.length).toBeGreaterThan(20);
  expect(await read(lines, { format: 'vhost', filters: {} })).toEqual(plain);
  expect(await read(gzipSync(lines), { format: 'vhost', filters: { onlyDocuments: false } }, 7)).toEqual(plain);
});

describe('time and user agent are found in', () => {
  const filters: Filters = { since: Date.UTC(2026, 10, 21, 10), until: Date.UTC(2026, 10, 21, 11), bots: 'only' };
  const time = '[21/Nov/2026:11:30:00 +0100]';
  test.each([
    ['combined', `1 - - ${time} "GET /a" 200 5 "-" "${BOT}"`],
    ['combined', `1 - - ${time} "GET /a" 200 5 "q \\" x" "${BOT}" "more"`],
    ['vhost', `h 1 - - ${time} "GET /a\\"" 200 5 "-" "${BOT}"`],
    ['lighttpd', `1 h - ${time} "GET /a" 200 5 "-" "${BOT}"`],
    ['jsonl', `{"url":"/a","time":"2026-11-21T10:30:00Z","user_agent":"${BOT}"}`],
    ['jsonl', `{"url":"/a","ts":1795257000.5,"agent":"${BOT}"}`],
    ['csv', `url,time,user_agent\n/a,2026-11-21 10:30:00,"${BOT}"`],
    ['tsv', `url\ttime\tuser_agent\n/a\t${time}\t${BOT}`],
  ] as const)('%s: %j', async (format, log) => {
    expect(await outcome(log, { format, filters })).toMatch(/\/a/);
    const human = log.replace(BOT, HUMAN);
    expect(await outcome(human, { format, filters })).toBe('not-a-bot');
    expect(await outcome(log, { format, filters: { until: Date.UTC(2026, 10, 21, 10, 30) } })).toBe('time');
  });

  test.each([
    ['common', `1 - - ${time} "GET /a" 200 5`, { bots: 'none' }, 'no-agent'],
    ['combined', `1 - - ${time} "GET /a" 200 5 "-" "-"`, { bots: 'none' }, 'no-agent'],
    ['combined', `1 - - [yesterday] "GET /a" 200 5 "-" "-"`, { since: 0 }, 'no-time'],
    ['urls', '/a', { since: 0 }, 'no-time'],
    ['urls', '/a', { bots: 'only' }, 'no-agent'],
  ] as const)('no line that does not say them (%s, %j)', async (format, log, wanted, cause) => {
    expect(await outcome(log, { format, filters: wanted })).toBe(cause);
  });
});

test('each record says on which day it was, and whether by a person, or by which bot', async () => {
  const agents = [BOT, HUMAN, '-', 'curl/8.0', '', HUMAN, 'Mozilla/5.0 (compatible; gptbot/1.2; +https://openai.com)'];
  const times = ['x', '02/Jan/1970:00:00:00 +0000', '02/Jan/1970:00:30:00 +0100', '-', '31/Dec/1901:23:59:59 +0000'];
  const timeOf = (k: number) => times[k] ?? '01/Mar/1970:23:59:59 +0000';
  const lines = agents.map((agent, k) => `1 - - [${timeOf(k)}] "GET /${k} HTTP/1.1" 200 5 "-" "${agent}"\n`);
  lines.splice(2, 0, `1 - - [x] "GET /gone HTTP/1.1" 404 5 "-" "${BOT}"\n`);
  const visitors: number[] = [];
  const days: number[] = [];
  const options = { ...plainOptions, format: 'combined', visitors: true } as const;
  for await (const { rows, visitor, day } of readRecords(
    [memoryInput(Buffer.from(lines.join('')))],
    options,
    createReadReport(),
  )) {
    visitors.push(...visitor!.subarray(0, rows));
    days.push(...day!.subarray(0, rows));
  }
  const { unknown, person } = VISITOR;
  expect(visitors).toEqual(agents.map(visitorOfAgent));
  const [google, gpt] = [visitorOfAgent('Googlebot'), visitorOfAgent('GPTBot')];
  expect(visitors).toEqual([google, person, unknown, visitorOfAgent('curl'), unknown, person, gpt]);
  expect(days).toEqual([-1, 1, 0, -1, -1, 59, 59]);
});

test('with statuses, those of all requested pages are kept, and the counts are the same', async () => {
  const asked = ['GET 200', 'GET 302', 'GET 404', 'POST 404', 'HEAD 503', 'GET 304', 'GET 301', 'GET 199', 'GET 403'];
  const lines = asked.map((one, k) => {
    const [method, status] = one.split(' ');
    return `1 - - [x] "${method} /${one === 'GET 403' ? 'b.png' : k} HTTP/1.1" ${status} 5\n`;
  });
  lines.push('no line\n');
  const options = { ...plainOptions, format: 'common', filters: { onlyDocuments: true } } as const;
  const told: [string, number, number][] = [];
  const counts = async (statuses: boolean) => {
    const report = createReadReport();
    const input = memoryInput(Buffer.from(lines.join('')));
    for await (const batch of readRecords([input], { ...options, statuses }, report)) {
      if (!statuses) expect(batch.status).toBeNull();
      else rowsOf(batch).forEach(({ url, size }, row) => told.push([url, size, batch.status![row]!]));
    }
    return report.inputs;
  };
  expect(await counts(true)).toEqual(await counts(false));
  expect(told).toEqual([
    ['/0', 5, 200],
    ['/1', -1, 302],
    ['/2', -1, 404],
    ['/4', -1, 503],
    ['/5', -1, 304],
    ['/6', -1, 301],
  ]);
});

test('status and size of a line are the same whether its user agent is parsed or not', async () => {
  const log = `1 - - [x] "GET /a\\" 200 5 "-" "${BOT}"\n1 - - [x] "GET /b" 304 7 "-" "${BOT}"\n`;
  const plain = await read(log, { format: 'combined' });
  expect(await read(log, { format: 'combined', filters: { bots: 'only' } })).toEqual(plain);
});

test.each([
  ['/', true],
  ['/a', true],
  ['/a.html', true],
  ['/a.pdf', true],
  ['/a.css', false],
  ['/a.JPeG', false],
  ['/a.min.js', false],
  ['/a.js/b', true],
  ['/a.js;v=1', false],
  ['/a.css;b/c.html', true],
  ['/js', true],
  ['/.js', false],
  ['/a.', true],
  ['/a.tar.gz', false],
  ['/a.appimage', false],
  ['/a.notanending', true],
  ['.woff2', false],
])('%s is a document: %s', (path, expected) => {
  const bytes = Buffer.from(`x.css${path}.css`);
  expect(isDocument(bytes, 5, bytes.length - 4)).toBe(expected);
});
