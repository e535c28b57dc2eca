import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { createReadReport, readRecords } from '../../src/log/read.js';
import type { FormOf } from '../../src/robots/line-meter.js';
import { withPatterns } from '../../src/robots/proposal.js';
import { RobotsRehearsal } from '../../src/robots/rehearsal.js';
import { seeded } from '../bench/input/random.js';
import { memoryInput, plainOptions } from '../log/reading.js';

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

type Asked = readonly [url: string, who: 'bot' | 'search' | 'person', status?: number];

function lineOf([url, who, status = 200]: Asked): string {
  const from = who === 'search' ? 'https://www.google.com/' : '-';
  return `1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "GET ${url} HTTP/1.1" ${status} 9 "${from}" "${who === 'bot' ? bot : browser}"\n`;
}

async function rehearse(body: string, log: readonly Asked[]): Promise<RobotsRehearsal> {
  const rehearsal = new RobotsRehearsal(Buffer.from(body), { memoryBytes: 1 << 24 });
  const input = memoryInput(Buffer.from(log.map(lineOf).join('')));
  const reading = { ...plainOptions, requests: true, onRequest: rehearsal.add };
  for await (const _ of readRecords([input], reading, createReadReport()));
  return rehearsal;
}

const sorts = [['/*?sort=', '/*?sort=*&'], ['/*&sort=']];
const log: readonly Asked[] = [
  ['/l?sort=a', 'bot'],
  ['/l?sort=b', 'bot'],
  ['/l?sort=b', 'bot'],
  ['/l?sort=a&page=2', 'bot'],
  ['/l?sort=a', 'person'],
  ['/l', 'search'],
];

it('lines that do no harm are proposed, with what they spare; those that keep no bot off anything are not', async () => {
  const { lines, refused, spared } = (await rehearse('', log)).propose(sorts, {});
  expect(lines.map(({ text, hits, urls }) => [text, hits, urls])).toEqual([['Disallow: /*?sort=', 4, 3]]);
  expect([refused, spared]).toEqual([[], 4]);
});

it('what the file forbids already is not spared again', async () => {
  const { lines, spared } = (await rehearse('User-agent: *\nDisallow: /l?sort=b\n', log)).propose(sorts, {});
  expect([lines.map(({ hits }) => hits), spared]).toEqual([[2], 2]);
});

it('a line that hides a page with visits from search is refused, and a narrower one proposed', async () => {
  const { lines, refused, spared } = (await rehearse('', [...log, ['/l?sort=a', 'search']])).propose(sorts, {});
  expect(refused).toMatchObject([{ text: 'Disallow: /*?sort=', lostPages: 1, lostVisits: 1, hits: 4 }]);
  expect([lines.map(({ text }) => text), spared]).toEqual([['Disallow: /*?sort=*&'], 1]);
});

it('a line that hides a redirect is refused, by rules or by the log', async () => {
  const rehearsal = await rehearse('', [...log, ['/old?x=1', 'bot', 301], ['/l?x=1', 'bot', 302]]);
  const formOf: FormOf = (url) => Buffer.from(Buffer.from(url).toString().replace('?sort=b', ''));
  expect(rehearsal.propose(sorts, { formOf }).refused).toMatchObject([{ pattern: '/*?sort=', duplicates: 1 }]);
  expect(rehearsal.propose([['/*?x=']], {}).refused).toMatchObject([{ pattern: '/*?x=', moved: 1 }]);
});

it('only URLs that the file is for are looked at', async () => {
  const rehearsal = await rehearse('', [...log, ['/other?sort=a', 'search']]);
  const isOwn = (url: Uint8Array) => Buffer.from(url).toString().startsWith('/l');
  expect(rehearsal.propose(sorts, {}).lines).toMatchObject([{ pattern: '/*?sort=*&' }]);
  expect(rehearsal.propose(sorts, {}, isOwn).lines).toMatchObject([{ pattern: '/*?sort=' }]);
});

it('together the lines hide no page with visits from search, whatever the log and the file', async () => {
  const random = seeded(44);
  const pick = <One>(all: readonly One[]) => all[Math.floor(random() * all.length)]!;
  const fields = ['a=1', 'a=2', 'b=1', 'c=1'];
  let [proposed, refusals] = [0, 0];
  for (let round = 0; round < 60; round++) {
    const requests = Array.from({ length: 40 }, (): Asked => {
      const query = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(fields)).join('&');
      return [`/${pick(['x', 'y'])}?${query}`, random() < 0.04 ? 'search' : 'bot', random() < 0.03 ? 301 : 200];
    });
    const body = pick([
      '',
      'User-agent: *\nAllow: /x?a=1\nDisallow: /y?a\n',
      'User-agent: Googlebot\nDisallow: /y?c\n',
    ]);
    const rehearsal = await rehearse(body, requests);
    const names = ['a', 'b', 'c'];
    const candidates = names.flatMap((name) => [
      [`/*?${name}=`, `/*?${name}=*&`],
      [`/*&${name}=`, `/*&${name}=*&`],
    ]);
    const { lines, refused, spared } = rehearsal.propose(candidates, {});
    proposed += lines.length;
    refusals += refused.length;
    const [before, after] = [
      rehearsal,
      await rehearse(
        Buffer.from(
          withPatterns(
            Buffer.from(body),
            lines.map(({ pattern }) => pattern),
          ),
        ).toString(),
        requests,
      ),
    ].map((one) => one.finish());
    expect(after!.lost).toEqual(before!.lost);
    expect(after!.forbidden - before!.forbidden).toBe(spared);
    expect(lines.every(({ moved, duplicates }) => moved + duplicates === 0)).toBe(true);
  }
  expect(Math.min(proposed, refusals)).toBeGreaterThan(50);
});

it('lines are a group at the end of the file', () => {
  const body = Buffer.from('User-agent: a\nDisallow: /');
  expect(Buffer.from(withPatterns(body, ['/x'])).toString()).toBe(
    'User-agent: a\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n',
  );
  expect(withPatterns(body, [])).toBe(body);
});
