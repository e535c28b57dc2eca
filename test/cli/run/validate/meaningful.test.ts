// What becomes of a parameter by which affiliates are paid? A real site on which `aff` changes nothing, as far as pages
// can tell: the rule is proved, and is a key until the owner says that it is to be written.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf } from '../../../../src/rule/id.js';
import { readRules } from '../../../../src/rule/file.js';
import type { Rule } from '../../../../src/rule/rule.js';
import { run, scratchFolder } from '../../process.js';

const PAGES = 60;
const REASON = 'changes no text, but may mean money or choice (aff)';
const LINE =
  '1 rule may mean money or choice (aff) and is a key, used by canonize --unique, caches and crawlers, not by redirects; ' +
  '--write NAME or pin writes it';

let folder: ReturnType<typeof scratchFolder>;
let site: Server;
let base = '';
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = scratchFolder();
  site = createServer((request, response) => {
    const id = Number(/^\/item\/(\d+)$/.exec(new URL(request.url!, 'http://h').pathname)?.[1] ?? NaN);
    if (!(id < PAGES)) return void response.writeHead(404).end('none');
    const words = Array.from({ length: 80 }, (_, k) => `w${(id * 131 + k * k) % 997}`).join(' ');
    response.setHeader('content-type', 'text/html').end(`<html><body><p>${words}</p></body></html>`);
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const line = (address: string, target: string, size: number) =>
    `${address} - - [21/Nov/2026:00:38:05 +0000] "GET ${target} HTTP/1.1" 200 ${size} "-" "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"`;
  const lines = Array.from({ length: PAGES }, (_, id) =>
    ['', `?aff=${id % 5}`, `?aff=${(id + 2) % 5}`, '?utm_source=a', '?utm_source=b'].flatMap((query) =>
      [1, 2, 3].map((client) => line(`192.0.2.${client + (id % 9)}`, `/item/${id}${query}`, 4000 + 13 * id)),
    ),
  ).flat();
  writeFileSync(at('access.log'), `${lines.join('\n')}\n`);
  const { code, stdout, stderr } = await run(mining('rules.json', '--fetch', ...FETCHING));
  expect(code, stderr).toBe(0);
  table = stdout.toString();
  report = stderr;
});

afterAll(() => {
  site.close();
  folder.remove();
});

let table = '';
let report = '';

const FETCHING = ['--allow-private', '--rate', '10000', '--fetch-cache', 'none', '--audit', '20'];

function mining(output: string, ...more: string[]): string[] {
  return ['mine', at('access.log'), '--base', base, '-o', at(output), '--min-site-urls', '10', ...more];
}

function rulesOf(name: string, parameter: string): readonly Rule[] {
  const { rules } = readRules(readFileSync(at(name)), name);
  return rules.filter((rule) => rule.kind === 'parameter' && rule.name === parameter);
}

const usesOf = (name: string, parameter = 'aff') =>
  rulesOf(name, parameter).map(({ status, use = 'write' }) => `${status}, ${use}`);

async function out(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  expect(code, stderr).toBe(0);
  return stdout.toString();
}

const formOf = (name: string, target: string, ...more: string[]) =>
  out('canonize', '-r', at(name), ...more, base + target).then((text) => text.trimEnd().slice(base.length));

describe('a parameter by which affiliates are paid', () => {
  it('is proved to change no text, and becomes a key; a known tracker is written', () => {
    expect(usesOf('rules.json')).toEqual(['valid, key']);
    expect(usesOf('rules.json', 'utm_source')).toEqual(['valid, write']);
    expect(rulesOf('rules.json', 'aff')[0]!.verdict!.positive).toBeGreaterThan(0);
  });

  it('is told of beside the table and the result of the validation', () => {
    expect(table).toContain(`The parameter \`aff\` is dropped on every page.`);
    expect(table).toContain(`(a key: ${REASON}; --write aff or pin writes it)`);
    expect(report).toContain(LINE);
  });

  it('is told of where the rule is measured', async () => {
    const measured = await out(
      'eval',
      '-r',
      at('rules.json'),
      '--urls',
      at('access.log'),
      '--accept',
      'likely',
      '--top',
      '99',
    );
    expect(measured).toContain(`(${REASON}; --write aff or pin writes it)`);
  });

  it('counts in the audit as what it is: forms that are written have it', () => {
    expect(report).toMatch(/^audit: 20 URLs .*, 0 failed: .*; 300 URLs have 180 forms, 0 longer, 0 unsettled$/m);
  });

  it('stays in canonical forms, and makes one page of two for --unique', async () => {
    expect(await formOf('rules.json', '/item/7?aff=1')).toBe('/item/7?aff=1');
    expect(await formOf('rules.json', '/item/7?utm_source=1')).toBe('/item/7');
    writeFileSync(at('two.txt'), `${base}/item/7?aff=1\n${base}/item/7?aff=2\n`);
    expect(await out('canonize', '-r', at('rules.json'), '-i', at('two.txt'), '--unique')).toBe(
      `${base}/item/7?aff=1\n`,
    );
  });

  it('is explained', async () => {
    const text = await out('explain', '-r', at('rules.json'), `${base}/item/7?aff=1`);
    expect(text).toContain(
      `is not applied: it ${REASON}; --write aff or pin writes it: the parameter \`aff\` is dropped on every page`,
    );
    const json = JSON.parse(await out('explain', '-r', at('rules.json'), '--json', `${base}/item/7?aff=1`)) as {
      urls: { keys: { reason: string }[]; canonical: string }[];
    };
    expect(json.urls[0]).toMatchObject({ keys: [{ name: 'aff', reason: REASON }], canonical: `${base}/item/7?aff=1` });
  });

  it.each(['nginx', 'apache', 'varnish', 'clean-param', 'adguard', 'csv', 'cloudflare', 'esm', 'pywb'])(
    'is left out of %s, which says so',
    async (to) => {
      const { code, stdout, stderr } = await run(['export', '--to', to, at('rules.json'), '-o', '-']);
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(`1 left out: ${REASON}; --write aff or pin writes it`);
      const lines = stdout.toString().split('\n');
      expect(lines.some((line) => line.includes('utm_source'))).toBe(true);
      const told = lines.filter((line) => /\baff\b/.test(line));
      expect(told.every((line) => line.includes('may mean money or choice'))).toBe(true);
      if (to === 'nginx') expect(told).toHaveLength(1);
    },
  );

  it.each(['python', 'scrapy', 'crawlee', 'no-vary-search', 'varnish-key', 'cloudflare-key', 'cloudfront-key'])(
    'is in %s, which writes no URLs',
    async (to) => {
      const { code, stdout, stderr } = await run(['export', '--to', to, at('rules.json'), '-o', '-']);
      expect(code, stderr).toBe(0);
      expect(stderr).not.toContain('money');
      for (const name of ['aff', 'utm_source']) expect(stdout.toString()).toMatch(new RegExp(`\\b${name}\\b`));
    },
  );

  it('is not written by a file from before either, nor if it is only likely', async () => {
    const old = readFileSync(at('rules.json'), 'utf8').replaceAll('"use":"key",', '');
    expect(old).not.toContain('"use"');
    writeFileSync(at('old.json'), old);
    expect(await formOf('old.json', '/item/7?aff=1')).toBe('/item/7?aff=1');
    const mined = await run(mining('likely.json'));
    expect(mined.stdout.toString()).toContain('may mean money or choice (aff) and is a key');
    expect(usesOf('likely.json')).toEqual(['likely, key']);
    expect(readFileSync(at('likely.json'), 'utf8')).toContain('"name":"aff"');
    expect(await formOf('likely.json', '/item/7?aff=1', '--accept', 'likely')).toBe('/item/7?aff=1');
    expect(await formOf('likely.json', '/item/7?utm_source=1', '--accept', 'likely')).toBe('/item/7');
  });

  it('is not asked about again once it is proved', async () => {
    const { stderr } = await run(['validate', at('rules.json'), '-o', at('again.json'), '--base', base, ...FETCHING]);
    expect(usesOf('again.json')).toEqual(['valid, key']);
    expect(stderr).toContain('Validating 0 rules');
  });

  it('is written where the owner says so, and the file keeps that from night to night', async () => {
    const asked = [
      'validate',
      at('rules.json'),
      '-o',
      at('written.json'),
      '--base',
      base,
      '--write',
      'AFF',
      ...FETCHING,
    ];
    const { code, stderr, stdout } = await run(asked);
    expect(code, stderr).toBe(0);
    expect(stdout.toString()).not.toContain('money');
    expect(usesOf('written.json')).toEqual(['valid, write']);
    expect(await formOf('written.json', '/item/7?aff=1')).toBe('/item/7');
    const night = await run(mining('night.json', '--history', at('written.json'), '--now', '2026-11-22'));
    expect(night.code, night.stderr).toBe(0);
    expect(usesOf('night.json')).toEqual(['valid, write']);
    expect(await formOf('night.json', '/item/7?aff=1')).toBe('/item/7');
    const diff = await out('diff', at('rules.json'), at('written.json'));
    expect(diff).toMatch(/no longer only a key .*valid, a key ⇒ valid .*`aff` is dropped/);
    expect(await out('diff', at('written.json'), at('rules.json'))).toContain(
      `(${REASON}; --write aff or pin writes it)`,
    );
  });

  it('stays a key from night to night if the owner says nothing', async () => {
    const night = await run(mining('night.json', '--history', at('rules.json'), '--now', '2026-11-22'));
    expect(night.code, night.stderr).toBe(0);
    expect(usesOf('night.json')).toEqual(['valid, key']);
  });

  it('is written if it is pinned, until it no longer is', async () => {
    await out('pin', at('rules.json'), idOf(rulesOf('rules.json', 'aff')[0]!));
    expect(await formOf('rules.json', '/item/7?aff=1')).toBe('/item/7');
    const { stdout } = await run(['export', '--to', 'nginx', at('rules.json'), '-o', '-']);
    expect(stdout.toString()).toContain('aff');
    expect(await formOf('rules.json', '/item/7?aff=1', '--no-local')).toBe('/item/7?aff=1');
    rmSync(at('rules.local.json'));
    expect(await formOf('rules.json', '/item/7?aff=1')).toBe('/item/7?aff=1');
  });

  it('is a key of clusters too, of which all images are known', async () => {
    const ids = Array.from({ length: PAGES }, (_, id) => id);
    const lines = ids.flatMap((id) =>
      ['', '?aff=1', '?aff=2', '?utm_source=a', '?utm_source=b'].map(
        (query) => `${base}/item/${id}${query}\tpage ${id}\n`,
      ),
    );
    writeFileSync(at('clusters.tsv'), lines.join(''));
    writeFileSync(at('list.txt'), lines.map((line) => line.replace(/\t.*/, '')).join(''));
    const clusters = ['mine', at('list.txt'), '--from-clusters', at('clusters.tsv'), '--min-site-urls', '10'];
    const ways: readonly [string, ...string[]][] = [['of-clusters.json'], ['written-clusters.json', '--write', 'aff']];
    for (const [name, ...more] of ways) expect((await run([...clusters, '-o', at(name), ...more])).code).toBe(0);
    expect(await formOf('of-clusters.json', '/item/7?aff=1')).toBe('/item/7?aff=1');
    expect(await formOf('of-clusters.json', '/item/7?utm_source=a')).toBe('/item/7');
    expect(await formOf('written-clusters.json', '/item/7?aff=1')).toBe('/item/7');
  });

  it('is told of in the report', async () => {
    await out('report', at('rules.json'), '-o', at('report.html'));
    const [, data = ''] = /<script id="data"[^>]*>([^<]*)</.exec(readFileSync(at('report.html'), 'utf8'))!;
    const tables = inflateSync(Buffer.from(data, 'base64')).toString();
    expect(tables).toContain(`It ${REASON}; --write aff or pin writes it.`);
  });
});

it('--write refuses a name that rules are written for anyway', async () => {
  const { code, stderr } = await run(mining('none.json', '--write', 'page'));
  expect(code).toBe(2);
  expect(stderr).toContain('--write: got page, expected a parameter that may mean money or choice');
});
