// Made hosts know their truth, and the judge counts as a naive one does.
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { seeded } from '../input/random.js';
import { ASIDE } from './aside.js';
import { type Counts, judged } from './judge.js';
import { type MadeHost, madeHosts, type Plan } from './made.js';
import { OPEN } from './open.js';
import { LISTINGS } from './records.js';
import { truthLine, truthOf } from './truth.js';

const PLAN: Plan = {
  seed: 1,
  hosts: 100,
  classes: [...OPEN, ...ASIDE].map((software) => ({ set: 'open', software })),
  urlsPerHost: 30,
  farm: 0,
  wildcard: 0,
};

const made = (change: Partial<Plan> = {}): MadeHost[] => [...madeHosts({ ...PLAN, ...change })];
const many = made({ hosts: 1_500 });
const namesOf = (hosts: readonly MadeHost[]): string[] => hosts.flatMap(({ urls }) => urls.map(({ url }) => url));

describe('made hosts', () => {
  test('follow from the seed', () => {
    expect(namesOf(made({ hosts: 20 }))).toEqual(namesOf(made({ hosts: 20 })));
    expect(namesOf(made({ hosts: 20, seed: 2 }))).not.toEqual(namesOf(made({ hosts: 20 })));
    expect(namesOf(made({ hosts: 20 }))).toEqual(namesOf(made({ hosts: 40 }).slice(0, 20)));
  });

  test('have distinct URLs, as many as asked for, that are as a parser writes them', () => {
    const urls = namesOf(made());
    expect(new Set(urls).size).toBe(urls.length);
    expect(urls.length).toBeGreaterThan(0.97 * 100 * 30);
    expect(urls.filter((url) => new URL(url).href !== url)).toEqual([]);
  });

  test('have each rule of their class on some hosts, and what differs on others', () => {
    const seen = new Set(many.flatMap(kindsOfHost));
    const expected = PLAN.classes.flatMap(({ software: { name, rules } }) =>
      rules.flatMap(({ kind, holds, differs }) => [
        ...(holds > 0 ? [`${name} ${kind}`] : []),
        ...(differs > 0.1 ? [`${name} ${kind}!`] : []),
      ]),
    );
    expect(expected.filter((rule) => !seen.has(rule))).toEqual([]);
  });

  test.each(['www', 'scheme', 'slash'] as const)('differ in nothing but %s only where this is another page', (kind) => {
    let pairs = 0;
    for (const { urls } of many) {
      const isTrue = urls.some(({ kinds }) => kinds.split('+').includes(kind));
      const isFalse = urls.some(({ kinds }) => kinds.includes(`${kind}!`));
      expect(isTrue && isFalse).toBe(false);
      const pages = grouped(urls, ({ url }) => bareOf(url, kind));
      for (const same of pages.values()) {
        if (same.length < 2) continue;
        pairs++;
        expect(new Set(same.map(({ page }) => page)).size, same[0]!.url).toBe(isTrue ? 1 : same.length);
      }
    }
    expect(pairs).toBeGreaterThan(100);
  });

  test('have a main name of each page at most, and none of a page by a rule that means something else', () => {
    for (const { urls } of made()) {
      for (const names of grouped(urls, ({ page }) => page).values()) {
        expect(names.filter(({ kinds }) => kinds === '-').length).toBeLessThanOrEqual(1);
        expect(new Set(names.map(({ kinds }) => kinds.includes('!'))).size).toBe(1);
      }
    }
  });

  test('have pages whose answers differ by a hundredth at most, and some that always do', () => {
    const random = seeded(3);
    let moving = 0;
    for (const { size } of made().flatMap(({ urls }) => urls)) {
      const sizes = Array.from({ length: 5 }, () => size(random));
      const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
      if (most > least) moving++;
      expect(most - least).toBeLessThanOrEqual(0.01 * least + 1);
    }
    expect(moving).toBeGreaterThan(300);
  });

  test('have sizes by a power law, and each size about as many URLs', () => {
    const hosts = made({ hosts: 4_500, urlsPerHost: undefined });
    for (const size of [3, 10, 100, 1_000, 10_000]) {
      const urls = hosts.filter((host) => host.size === size).reduce((sum, host) => sum + host.urls.length, 0);
      expect(urls / 10_125).toBeGreaterThan(0.85);
      expect(urls / 10_125).toBeLessThan(1.15);
    }
  });

  test('of a farm have one page each URL, of one size; those of a wildcard have the same three pages', () => {
    const farm = made({ hosts: 0, farm: 50 }).flatMap(({ urls }) => urls);
    expect(new Set(farm.map(({ page }) => page)).size).toBe(farm.length);
    expect(new Set(farm.map(({ size }) => size(Math.random)))).toEqual(new Set([4_096]));
    const wildcard = made({ hosts: 0, wildcard: 50 }).flatMap(({ urls }) => urls);
    expect(wildcard).toHaveLength(150);
    expect(new Set(wildcard.map(({ page }) => page)).size).toBe(3);
  });

  test('are written in each format with one line for a URL, or more in a log', () => {
    const urls = made({ hosts: 5 }).flatMap((host) => host.urls);
    for (const { ending, lines } of Object.values(LISTINGS)) {
      const written = urls.map((url) => lines(url, seeded(1)));
      expect(written.every((line) => line.endsWith('\n'))).toBe(true);
      if (ending !== 'log') expect(written.join('').split('\n')).toHaveLength(urls.length + 1);
    }
  });
});

describe('the judge', () => {
  const hosts = made({ hosts: 40 });
  const lines = hosts.flatMap((host) => host.urls.map((url) => truthLine(url, host, 'mined')));
  const judge = (formOf: (line: ReturnType<typeof truthOf>) => string): Promise<Counts[]> => {
    const pairs = lines.map((line) => truthOf(line.trimEnd())).map((truth) => `${truth.url}\t${formOf(truth)}\n`);
    return judged(Readable.from(lines), Readable.from(pairs));
  };
  const ofAll = async (formOf: (line: ReturnType<typeof truthOf>) => string) => {
    const { urls, pages, reducible, merged, lost } = (await judge(formOf)).find(({ group }) => group === 'all')!;
    return { reduced: merged / reducible, lost, pages, urls };
  };

  test('finds nothing reduced and nothing lost if nothing changes, and all if pages are the forms', async () => {
    expect(await ofAll(({ url }) => url)).toMatchObject({ reduced: 0, lost: 0, urls: lines.length });
    expect(await ofAll(({ page }) => page)).toMatchObject({ reduced: 1, lost: 0 });
    const one = await ofAll(() => 'http://x.example/');
    expect(one.lost).toBe(one.pages);
  });

  test('counts as a naive one does', async () => {
    const random = seeded(5);
    const forms = new Map(lines.map((line) => [truthOf(line).url, `f${Math.floor(1_000 * random())}`]));
    const formOf = ({ url, page }: { url: string; page: string }): string =>
      url.length % 3 === 0 ? page : forms.get(url)!;
    const truth = lines.map(truthOf);
    const pagesOfForm = grouped(truth, formOf);
    const byPage = [...grouped(truth, ({ page }) => page).values()];
    const isLost = (names: typeof truth) =>
      names.some((name) => pagesOfForm.get(formOf(name))!.some(({ page }) => page !== name.page));
    const merged = byPage.reduce((sum, names) => sum + names.length - new Set(names.map(formOf)).size, 0);
    const all = (await judge(formOf))[0]!;
    expect(all.merged).toBe(merged);
    expect(all.lost).toBe(byPage.filter(isLost).length);
    expect(all.lost).toBeGreaterThan(50);
  });

  test('counts pages of a farm by themselves', async () => {
    const farm = made({ hosts: 0, farm: 3 }).flatMap((host) => host.urls.map((url) => truthLine(url, host, 'mined')));
    const both = [...lines, ...farm];
    const counts = await judged(
      Readable.from(both),
      Readable.from(both.map((line) => (farm.includes(line) ? `${truthOf(line).url}\tx\n` : `${truthOf(line).url}\n`))),
    );
    expect(counts.find(({ group }) => group === 'all')).toMatchObject({ urls: lines.length, lost: 0 });
    expect(counts.find(({ group }) => group === 'set farm')).toMatchObject({ urls: farm.length, lost: farm.length });
  });

  test('says so if pairs are of other URLs', async () => {
    await expect(judged(Readable.from(lines), Readable.from([...lines].toReversed()))).rejects.toThrow('in order');
  });
});

function kindsOfHost({ software, urls }: MadeHost): string[] {
  return urls.flatMap(({ kinds }) => kinds.split('+').map((kind) => `${software} ${kind}`));
}

function bareOf(url: string, kind: 'www' | 'scheme' | 'slash'): string {
  if (kind === 'www') return url.replace('://www.', '://');
  return kind === 'scheme' ? url.replace(/^https/, 'http') : url.replace(/\/(?=$|\?)/, '');
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}
