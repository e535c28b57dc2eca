// Many small hosts, from a list to verdicts: a real server on loopback answers for 60 names, and three of them use the
// parameter for something else. Requests are counted by the server.
import { createHash } from 'node:crypto';
import { writeFileSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import type { Rule } from '../../../../src/rule/rule.js';
import { run, scratchFolder } from '../../process.js';

const NAMES = Array.from({ length: 60 }, (_, k) => `h${String(k).padStart(2, '0')}.example`);
const OTHERS = ['h04.example', 'h13.example', 'h22.example'];

let folder: ReturnType<typeof scratchFolder>;
let server: Server;
let port: number;
let seen: { readonly host: string; readonly path: string }[] = [];
const at = (name: string) => join(folder.path, name);

/** A page of some hundred words that follow from its name. */
function textOf(host: string, path: string): string {
  const { searchParams, pathname } = new URL(path, `http://${host}`);
  const own = OTHERS.includes(host) ? (searchParams.get('via') ?? 'none') : '';
  const name = `${host.slice(0, 3)}${pathname.replace(/\W/g, '')}${searchParams.get('page') ?? ''}${own}`;
  const words = 100 + (Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 997, 7) % 90);
  return Array.from({ length: words }, (_, k) => `${name}w${k}`).join(' ');
}

const PATHS = [1, 2, 3].flatMap((page) => ['mail', 'feed'].map((via) => `/show?page=${page}&via=${via}`));

beforeAll(async () => {
  folder = scratchFolder();
  server = createServer(({ headers, url = '/' }, response) => {
    const host = (headers.host ?? '').replace(/:\d+$/, '');
    seen.push({ host, path: url });
    if (url === '/robots.txt') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<html><body><p>${textOf(host, url)}</p></body></html>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  const lines = NAMES.flatMap((host) =>
    [...PATHS, '/about', '/contact'].map((path) => {
      const text = textOf(host, path);
      return [`http://${host}:${port}${path}`, text.length, createHash('sha1').update(text).digest('hex')];
    }),
  );
  const table = (names: readonly string[]) =>
    [names, ...lines.map((line) => line.slice(0, names.length))].map((line) => `${line.join('\t')}\n`).join('');
  writeFileSync(at('sizes.tsv'), table(['url', 'size']));
  writeFileSync(at('sketches.tsv'), table(['url', 'size', 'sketch']));
});
afterAll(() => {
  server.close();
  folder.remove();
});
beforeEach(() => {
  seen = [];
});

const place = () => [
  '--rate',
  '1000',
  '--allow-private',
  '--resolve',
  ...NAMES.map((host) => `${host}=127.0.0.1`),
  '--fetch-cache',
  'none',
];

const viaRules = (name: string): readonly Rule[] =>
  readRules(readFileSync(at(name)), name).rules.filter((rule) => rule.kind === 'parameter' && rule.name === 'via');
const hostsOf = ({ only = [] }: Rule) => only.map(({ is }) => String(is).replace(/:\d+$/, ''));

describe('rules of classes of hosts', { timeout: 60_000 }, () => {
  test('mine --fetch proves them with a few requests of each host', async () => {
    const { code, stderr } = await run(['mine', at('sizes.tsv'), '--fetch', '-o', at('fetched.json'), ...place()]);
    expect(code, stderr).toBe(0);
    const valid = viaRules('fetched.json').filter(({ status }) => status === 'valid');
    const confirmed = valid.flatMap(hostsOf);
    expect(confirmed.length, stderr).toBeGreaterThanOrEqual(25);
    for (const host of OTHERS) expect(confirmed).not.toContain(host);
    for (const host of NAMES) {
      const own = seen.filter((one) => one.host === host && one.path !== '/robots.txt');
      expect(own.length, host).toBeLessThanOrEqual(12);
    }
  });

  test('validate does the same for a file that was mined before', async () => {
    const mined = await run(['mine', at('sizes.tsv'), '-o', at('likely.json')]);
    expect(mined.code, mined.stderr).toBe(0);
    expect(viaRules('likely.json').map(({ status }) => status)).toEqual(['likely']);
    const { code, stderr } = await run([
      'validate',
      at('likely.json'),
      '--test',
      at('sizes.tsv'),
      '-o',
      at('valid.json'),
      ...place(),
    ]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/Rules of classes of hosts: \d+, asked on \d+ sites/);
    expect(viaRules('valid.json').map(hostsOf)).toEqual(viaRules('fetched.json').map(hostsOf));
  });

  test('the next night keeps the verdicts of hosts, and asks only about those that are new', async () => {
    const nightOf = (name: string, from: number, to: number, columns: number) => {
      const lines = readFileSync(at('sketches.tsv'), 'utf8').trimEnd().split('\n');
      const some = lines.filter(
        (line, k) => k === 0 || NAMES.slice(from, to).some((host) => line.includes(`/${host}:`)),
      );
      writeFileSync(at(name), some.map((line) => `${line.split('\t').slice(0, columns).join('\t')}\n`).join(''));
      return at(name);
    };
    const mine = async (now: string, ...args: string[]) => {
      const flags = ['--history', at('night.json'), '-o', at('night.json'), '--now', now, '-q'];
      const { code, stderr } = await run(['mine', ...args, ...flags]);
      expect(code, stderr).toBe(0);
      return viaRules('night.json');
    };
    const standing = (rules: readonly Rule[], status: Rule['status']) =>
      rules.filter((rule) => rule.status === status).flatMap(hostsOf);
    const first = await mine('2026-11-20', nightOf('first.tsv', 0, 55, 3), '--by-sketch');
    expect(standing(first, 'valid').length).toBeGreaterThan(25);
    const second = await mine('2026-11-21', nightOf('second.tsv', 5, 60, 2));
    expect(standing(second, 'valid')).toEqual(standing(first, 'valid'));
    expect(standing(second, 'invalid')).toEqual(standing(first, 'invalid'));
    expect(standing(second, 'likely')).toEqual(NAMES.slice(55));
    const third = await mine('2026-11-22', nightOf('third.tsv', 5, 60, 3), '--by-sketch');
    expect(standing(third, 'likely')).toEqual([]);
    expect(standing(third, 'valid').sort()).toEqual([...standing(first, 'valid'), ...NAMES.slice(55)].sort());
  });

  test('--by-sketch judges them by what the list says', async () => {
    const { code, stderr } = await run(['mine', at('sketches.tsv'), '--by-sketch', '-o', at('sketched.json')]);
    expect(code, stderr).toBe(0);
    const valid = viaRules('sketched.json').filter(({ status }) => status === 'valid');
    expect(valid.flatMap(hostsOf).length, stderr).toBeGreaterThanOrEqual(25);
    for (const host of OTHERS) expect(valid.flatMap(hostsOf)).not.toContain(host);
    expect(seen).toEqual([]);
  });
});
