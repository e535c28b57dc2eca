// Rules of classes of hosts, asked of 30 sites: requests counted, hosts that use the parameter for something else found.
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/rule/rule.js';
import { askClasses, type HostsAskOptions } from '../../../src/validate/hosts/ask.js';
import type { HostPair, PlannedClass } from '../../../src/validate/hosts/plan.js';
import { settlementOf } from '../../../src/validate/hosts/settle.js';
import type { PageSource } from '../../../src/validate/source.js';
import { sampleParameter } from '../../rule/sample.js';
import { turnsDuring } from '../../turns.js';
import { FunctionSource, type FunctionSite } from '../function-source.js';

const HOSTS = Array.from({ length: 30 }, (_, k) => `h${String(k).padStart(2, '0')}.example`);
const OTHERS = new Set(['h03.example', 'h11.example', 'h27.example']);

const figure = { holds: 30, of: 30, least: 0.9 };
const rule = sampleParameter('src', {
  status: 'likely',
  hosts: figure,
  only: HOSTS.map((is) => ({ part: 'host', is })),
}) as Rule;

function pairsOf(host: string): HostPair[] {
  const url = (page: number, src: string) => `http://${host}/show?page=${page}&src=${src}`;
  const image = (page: number) => `http://${host}/show?page=${page}`;
  return [
    { url: url(1, 'mail'), image: image(1), twin: url(1, 'feed') },
    { url: url(1, 'feed'), image: image(1), twin: url(1, 'mail') },
    { url: url(2, 'mail'), image: image(2), twin: undefined },
  ];
}

const planned: PlannedClass[] = [
  { rule, sites: HOSTS.map((host) => ({ site: host, hosts: [host], pairs: pairsOf(host) })) },
];

/** The parameter names the page on some hosts. */
const site: FunctionSite = (url) => {
  const { hostname, searchParams } = new URL(url);
  const own = OTHERS.has(hostname) ? (searchParams.get('src') ?? 'none') : '';
  return `${hostname.replace('.', '')}p${searchParams.get('page')}${own}`;
};

function optionsFor(source: PageSource, more: Partial<HostsAskOptions> = {}): HostsAskOptions {
  return {
    source,
    siteOf: (url) => new URL(url).hostname,
    signal: new AbortController().signal,
    seed: 1,
    N: 100,
    epsilon: 0.05,
    minSamples: 10,
    pathOnly: false,
    maxRequests: Infinity,
    proved: new Set(),
    ...more,
  };
}

async function settled(source: PageSource, more: Partial<HostsAskOptions> = {}) {
  const [answer] = await askClasses(planned, optionsFor(source, more));
  return settlementOf(answer!, source.name);
}

const hostsOf = (one: Rule | undefined) => one?.only?.map(({ is }) => is);

test('a signal is heard while pages that are known answer for many hosts', async () => {
  const turns = await turnsDuring(() => settled(new FunctionSource(site)));
  expect(turns).toBeGreaterThan(HOSTS.length / 10);
});

describe('a class of 30 hosts of which 3 use the parameter for something else', () => {
  test('is valid on the 27, invalid on the 3, and costs about three requests a host', async () => {
    const source = new FunctionSource(site);
    const { outcome, after } = await settled(source);
    expect(outcome).toBe('valid');
    const [valid, invalid, ...rest] = after;
    expect(rest).toEqual([]);
    expect(valid!.status).toBe('valid');
    expect(hostsOf(valid)).toEqual(HOSTS.filter((host) => !OTHERS.has(host)));
    expect(valid!.hosts).toMatchObject({ holds: 27, of: 30 });
    expect(valid!.hosts!.least).toBeGreaterThan(0.7);
    expect(valid!.verdict!.negative).toBe(0);
    expect(invalid!.status).toBe('invalid');
    expect(hostsOf(invalid)).toEqual([...OTHERS]);
    expect(invalid!.verdict!.negative).toBe(3);
    const requests = HOSTS.map((host) => new Set(source.asked.filter((url) => url.includes(host))).size);
    expect(Math.max(...requests)).toBeLessThanOrEqual(5);
    expect(requests.filter((count) => count <= 3).length).toBeGreaterThanOrEqual(14);
  });

  test('stays likely on the hosts that no request was left for', async () => {
    const source = new FunctionSource(site);
    const { after } = await settled(source, { maxRequests: 75 });
    const [valid, invalid, rest] = after;
    expect(valid!.status).toBe('valid');
    expect(rest!.status).toBe('likely');
    expect(source.asked.length).toBeLessThan(90);
    const all = [valid, invalid, rest].flatMap((one) => hostsOf(one) ?? []);
    expect(new Set(all)).toEqual(new Set(HOSTS));
    expect(all).toHaveLength(30);
  });

  test('asks no host thoroughly if the statement was proved before', async () => {
    const source = new FunctionSource(site);
    const [answer] = await askClasses(
      planned,
      optionsFor(source, { proved: new Set(['["parameter","*","src","site","","remove",null] ']) }),
    );
    expect(answer!.holding).toHaveLength(27);
    for (const host of HOSTS) expect(new Set(source.asked.filter((url) => url.includes(host))).size).toBeLessThan(4);
  });

  test('is judged by other URLs of the page where an archive lacks all images', async () => {
    const source = new FunctionSource((url) => (url.includes('src=') ? site(url) : null), Infinity, 'warc');
    const { outcome, after } = await settled(source);
    expect(outcome).toBe('valid');
    expect(hostsOf(after[0])).toEqual(HOSTS.filter((host) => !OTHERS.has(host)));
  });

  test('is confirmed by a URL that other rules make one with it, and not refuted by it', async () => {
    const alone = (host: string) => `http://${host}/show?page=3&src=mail`;
    const kin = (host: string) => `http://www.${host}/show?page=3`;
    const sites = HOSTS.map((host) => ({
      site: host,
      hosts: [host],
      pairs: [{ url: alone(host), image: alone(host).replace('&src=mail', ''), twin: undefined, kin: kin(host) }],
    }));
    const source = new FunctionSource(
      (url) => (url.includes('src=') || url.includes('www.') ? site(url.replace('www.', '')) : null),
      Infinity,
      'warc',
    );
    const [answer] = await askClasses([{ rule, sites }], optionsFor(source));
    expect(answer!.decision).toBe('holds');
    expect(answer!.holding).toHaveLength(27);
    expect(answer!.failing).toEqual([]);
  });
});

test('a class that most hosts refute is invalid everywhere, and the others are not asked', async () => {
  const source = new FunctionSource((url) => `${url.replace(/\W/g, '')}`);
  const { outcome, after } = await settled(source);
  expect(outcome).toBe('invalid');
  expect(after).toHaveLength(1);
  expect(hostsOf(after[0])).toEqual(HOSTS);
  expect(source.asked.length).toBeLessThan(30);
});

test('a class whose hosts do not answer stays as it is', async () => {
  const { outcome, after } = await settled(new FunctionSource(() => null, Infinity, 'warc'));
  expect(outcome).toBe('likely');
  expect(after[0]!.status).toBe('likely');
  expect(after[0]!.verdict!.undecided).toBe('few-samples');
});

test('a rule for all hosts but some is valid on those asked, and leaves out those that refute it', async () => {
  const { only: _, ...everywhere } = rule;
  const sites = planned[0]!.sites;
  const [answer] = await askClasses([{ rule: everywhere as Rule, sites }], optionsFor(new FunctionSource(site)));
  const { after } = settlementOf(answer!, 'live');
  const [valid, invalid, rest] = after;
  expect([valid, invalid, rest].map((one) => one!.status)).toEqual(['valid', 'invalid', 'likely']);
  expect(rest!.only).toBeUndefined();
  expect(rest!.not?.map(({ is }) => is)).toEqual([...OTHERS]);
});
