// A law: fetching, archives, lists of sketches and digests give the same verdicts on the same pages, and never opposite
// ones. Sites are made by a seed: some of what they do to URLs is dust, some is not.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import { sayingKey } from '../../../../src/rule/identity.js';
import { isFew } from '../../../amount.js';
import { pack, PACKINGS, record } from '../../../log/warc/compose.js';
import { seededRandom } from '../../../planted.js';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
beforeAll(() => void (folder = scratchFolder()));
afterAll(() => folder.remove());

/** What a site may have: other names of a page, and whether they are names of that page. */
interface Habit {
  readonly named: (path: string, k: number) => string;
  /** The URL without it. */
  readonly without: (target: string) => string;
}

const HABITS: readonly Habit[] = [
  { named: (path) => `${path}.html`, without: (target) => target.replace(/(?:\.html)+(?=$|\?)/, '') },
  { named: (path, k) => `${path}?ref=${'abcdefg'[k % 7]}`, without: (target) => target.replace(/[?&]ref=[^&]*/, '') },
  { named: (path, k) => `${path}?sid=${(k * 7919) % 9973}`, without: (target) => target.replace(/[?&]sid=[^&]*/, '') },
  { named: (path) => `/old${path}`, without: (target) => target.replace(/^(?:\/old)+\//, '/') },
  { named: (path) => `${path}?sort=up`, without: (target) => target.replace(/[?&]sort=[^&]*/, '') },
  { named: (path) => `/print${path}`, without: (target) => target.replace(/^(?:\/print)+\//, '/') },
];

interface MadeSite {
  readonly urls: readonly string[];
  readonly bodyOf: (target: string) => string | undefined;
}

function madeBy(seed: number, base: string): MadeSite {
  const random = seededRandom(seed);
  const isDust = HABITS.map(() => random() < 0.6);
  const pages = Array.from({ length: 70 }, (_, k) => `/${['news', 'item', 'page'][k % 3]}/${100 + k}`);
  const urls = pages.flatMap((path, k) => [path, ...HABITS.map(({ named }) => named(path, k))]);
  const nameOf = (target: string) =>
    HABITS.reduce((name, { without }, at) => (isDust[at] === true ? without(name) : name), target);
  return {
    urls: urls.map((target) => base + target),
    bodyOf: (target) => {
      const name = nameOf(target);
      if (!/\/(?:news|item|page)\/1\d\d/.test(name)) return undefined;
      const word = name.replace(/\W/g, 'x');
      return `<html><body><p>${Array.from({ length: 90 }, (_, k) => `${word}w${k}`).join(' ')}</p></body></html>`;
    },
  };
}

/** Statuses by what a rule says, and the forms of the list. */
async function verdictsOf(name: string, list: string) {
  const { rules } = readRules(readFileSync(at(name)), name);
  const { stdout } = await run(['canonize', '-r', at(name), '-i', at(list)]);
  return { statuses: new Map(rules.map((rule) => [sayingKey(rule), rule.status])), forms: stdout.toString() };
}

const SEEDS = isFew ? [1] : [1, 3, 4, 6];

describe('one judge', { timeout: 120_000 }, () => {
  test.each(SEEDS)('says the same of site %d, wherever its pages come from', async (seed) => {
    const asked = new Set<string>();
    let site: MadeSite;
    const server = createServer((request, response) => {
      const target = request.url ?? '/';
      const body = site.bodyOf(target);
      if (target !== '/robots.txt') asked.add(target);
      if (body === undefined) return void response.writeHead(404, { 'content-type': 'text/html' }).end('nothing here');
      response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    site = madeBy(seed, base);
    const [list, mined] = [`${seed}.urls`, `${seed}.json`];
    writeFileSync(at(list), `${site.urls.join('\n')}\n`);
    await run(['mine', at(list), '-q', '-o', at(mined)]);
    const judged = async (by: string, ...flags: string[]) => {
      const args = ['validate', at(mined), '-o', at(`${by}-${mined}`), '-q', ...flags];
      const { code, stderr } = await run(args);
      expect(code, stderr).toBe(0);
      return verdictsOf(`${by}-${mined}`, list);
    };
    const live = await judged(
      'live',
      '--test',
      at(list),
      '--allow-private',
      '--rate',
      '10000',
      '--fetch-cache',
      'none',
    );
    server.closeAllConnections();
    await new Promise((done) => server.close(done));

    // An archive has what the site was asked for, and the list.
    const targets = [...new Set([...site.urls.map((url) => url.slice(base.length)), ...asked])];
    const members = targets.map((target) => {
      const body = site.bodyOf(target);
      const status = body === undefined ? '404 Not Found' : '200 OK';
      const http = [`HTTP/1.1 ${status}`, 'Content-Type: text/html'];
      return record({ url: Buffer.from(base + target), http, body: body ?? 'nothing here' });
    });
    writeFileSync(at(`${seed}.warc.gz`), pack(members, PACKINGS[0]!));
    const archived = await judged('warc', '--test', at(list), '--pages', at(`${seed}.warc.gz`));
    const sketched = await run(['sketch', at(`${seed}.warc.gz`), '-o', at(`${seed}.pages`)]);
    expect(sketched.code, sketched.stderr).toBe(0);
    const listed = await judged('pages', '--test', at(list), '--pages', at(`${seed}.pages`));
    const digests = site.urls.map((url) => {
      const body = site.bodyOf(url.slice(base.length))!;
      return `${url},${createHash('sha256').update(body).digest('hex')}\n`;
    });
    writeFileSync(at(`${seed}.csv`), `url,digest\n${digests.join('')}`);
    const digested = await judged('digests', '--test', at(`${seed}.csv`), '--by-sketch');

    expect(live.forms.split('\n').length).toBe(site.urls.length + 1);
    expect(new Set(live.forms.trimEnd().split('\n')).size).toBeLessThan(site.urls.length);
    for (const [by, { forms, statuses }] of Object.entries({ archived, listed, digested })) {
      const opposite = [...statuses].filter(([saying, status]) => {
        const other = live.statuses.get(saying);
        return status !== 'likely' && other !== undefined && other !== 'likely' && other !== status;
      });
      expect(opposite, by).toEqual([]);
      expect(forms, by).toBe(live.forms);
    }
  });
});
