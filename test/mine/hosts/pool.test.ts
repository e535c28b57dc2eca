// Do hosts learn from each other, each too small to be mined by itself?
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { ClassRule } from '../../../src/mine/hosts/pool.js';
import { Miner } from '../../../src/mine/mine.js';
import { createSiteOf } from '../../../src/url/public-suffix.js';
import { mineOptions } from '../options.js';
import { batchOf, type TestRecord } from '../../url-list.js';

const options = { ...mineOptions, minSiteUrls: 20 };

type Policy = 'domain' | 'host';

function mined(records: readonly TestRecord[], { memoryBytes = 1 << 26, site = 'domain' as Policy } = {}): ClassRule[] {
  const miner = new Miner({ ...options, site }, createSiteOf(site), { memoryBytes, tmpdir: tmpdir() });
  for (let at = 0; at < records.length; at += 1000) miner.add(batchOf(records.slice(at, at + 1000)));
  expect([...miner.eachRule()]).toEqual([]);
  return [...miner.classRules];
}

/** The size of a page: few pages have the same one by chance. */
const sizeOf = (...page: readonly number[]) => 2000 + (page.reduce((sum, n) => sum * 31 + n * 7919, 17) % 60_011);

/** Four pages of a host, two of them at several addresses; where `own`, the parameter names the page. */
function withSessions(host: number, own = false): TestRecord[] {
  const at = (page: number, rest: string) => `http://h${host}.test/item?id=${page}${rest}`;
  return [1, 2, 3, 4].flatMap((page) => [
    { url: at(page, ''), size: sizeOf(host, page, 0) },
    ...(page > 2 ? [] : [1, 2]).map((visit) => ({
      url: at(page, `&token=${host}x${visit}`),
      size: sizeOf(host, page, own ? visit : 0),
    })),
  ]);
}

const times = <T>(count: number, of: (k: number) => readonly T[]) =>
  Array.from({ length: count }, (_, k) => of(k)).flat();
const OWN = [7, 23, 41];
const SESSIONS = times(80, (k) => withSessions(k, OWN.includes(k)));

const hostsOf = ({ only = [] }: ClassRule) => only.map(({ is }) => is);

describe('a session of many small hosts', () => {
  const rules = mined(SESSIONS);

  test('is one rule, with the hosts where it holds and the figure', () => {
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ site: '*', kind: 'parameter', name: 'token', action: 'remove', status: 'likely' });
    const { holds, of, least } = rules[0]!.hosts!;
    expect([of, holds]).toEqual([80, expect.any(Number)]);
    expect(holds).toBeGreaterThan(74);
    expect(least).toBeGreaterThan(0.85);
    expect(rules[0]!.confidence).toBeGreaterThan(0.95);
  });

  test('holds on no host that says that it names another page', () => {
    expect(hostsOf(rules[0]!)).toHaveLength(77);
    for (const host of OWN) expect(hostsOf(rules[0]!)).not.toContain(`h${host}.test`);
  });

  test('is found in any order of the lines, and with any memory', () => {
    expect(mined([...SESSIONS].reverse())).toEqual(rules);
    expect(mined(SESSIONS, { memoryBytes: 1 << 16 })).toEqual(rules);
  });

  test('is not claimed where nothing was seen', () => {
    const silent = times(30, (k) =>
      [1, 2, 3].map((page) => ({ url: `http://s${k}.test/${page}`, size: sizeOf(k, page) })),
    );
    expect(mined([...SESSIONS, ...silent])).toEqual(rules);
  });
});

test('hosts that disagree decide each for itself', () => {
  const named = mined(times(60, (k) => withSessions(k, k % 8 !== 0))).flatMap(hostsOf);
  for (const host of named) expect(Number(/\d+/.exec(String(host))![0]) % 8).toBe(0);
});

test('a few hosts are not compared', () => {
  expect(mined(times(20, (k) => withSessions(k)))).toEqual([]);
});

test('one who makes up hosts is one witness, and teaches nobody', () => {
  const made = times(2000, (k) =>
    ['', '&token=1', '&token=2'].map((rest) => ({
      url: `http://m${k}.farm.test/item?id=${k}${rest}`,
      size: sizeOf(k),
    })),
  );
  for (const site of ['domain', 'host'] as const) {
    const miner = new Miner({ ...options, site }, createSiteOf(site), { memoryBytes: 1 << 26, tmpdir: tmpdir() });
    for (let at = 0; at < made.length; at += 1000) miner.add(batchOf(made.slice(at, at + 1000)));
    for (const _ of miner.eachRule());
    expect(miner.classRules, site).toEqual([]);
  }
});

test('what differs in two ways is seen once one of them is known', () => {
  const hosts = times(60, (k) =>
    [1, 2, 3].flatMap((page) => [
      { url: `http://h${k}.test/p${page}.php`, size: sizeOf(k, page) },
      ...(k % 2 === 0
        ? [{ url: `http://h${k}.test/p${page}.php?token=${k}`, size: sizeOf(k, page) }]
        : [{ url: `http://www.h${k}.test/p${page}.php`, size: sizeOf(k, page) }]),
      ...(k % 3 === 0 ? [{ url: `http://www.h${k}.test/p${page}.php?token=${k}y`, size: sizeOf(k, page) }] : []),
    ]),
  );
  const rules = mined(hosts);
  const named = rules.map((rule) => (rule.kind === 'parameter' ? rule.name : rule.kind === 'substring' && rule.from));
  expect(new Set(named)).toEqual(new Set(['//www.', 'token']));
  const token = rules.find(({ kind }) => kind === 'parameter')!;
  expect(hostsOf(token)).toContain('h3.test');
});
