// Nights on a small budget, as processes against a real server: they come to what one run comes to, and what they do not
// reach stays as it was, whatever the site does meanwhile.
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import { nightAfter } from '../../../../src/rule/night.js';
import type { Rule } from '../../../../src/rule/rule.js';
import { accepts } from '../../../../src/rule/standing.js';
import { CERTIFICATE, KEY } from '../../../validate/live/secure.js';
import { run, runProcess, scratchFolder } from '../../process.js';

type Said = { readonly page: string } | { readonly status: number } | { readonly to: string };

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
beforeAll(() => void (folder = scratchFolder()));
afterAll(() => folder.remove());

/** A site of one host; `say` may change its mind. */
async function startSite(say: (target: string, count: number) => Said) {
  let requests = 0;
  const server = createServer((request: IncomingMessage, response) => {
    const target = request.url ?? '/';
    if (target === '/robots.txt') return void response.writeHead(404).end();
    const said = say(target, requests++);
    if ('status' in said) return void response.writeHead(said.status).end();
    if ('to' in said) return void response.writeHead(301, { location: said.to }).end();
    const words = Array.from({ length: 80 }, (_, k) => `${said.page}w${k}`).join(' ');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body><p>${words}</p></body></html>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => requests,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** Pages that are known by several names, and lists on which a parameter matters. */
const nameOf = (target: string): string =>
  target
    .replace(/[?&](?:utm_source|ref|sid)=[^&]*/g, '')
    .replace(/(?:\.html)+(?=$|\?)/, '')
    .replace(/^(?:\/old)+\//, '/')
    .replace(/\W/g, 'x');

function listOf(base: string): string[] {
  const urls: string[] = [];
  for (let k = 100; k < 190; k++) {
    urls.push(`${base}/story/${k}`, `${base}/story/${k}.html`, `${base}/old/story/${k}`);
    urls.push(`${base}/story/${k}?utm_source=s${k % 7}`, `${base}/news/${k}?ref=r${k % 5}`, `${base}/news/${k}`);
    urls.push(`${base}/list/${k % 9}?page=${k}`, `${base}/news/${k}?sid=${k * 7}`);
  }
  return [...new Set(urls)];
}

const inUse = (name: string): Rule[] =>
  readRules(readFileSync(at(name)), name).rules.filter((rule) => accepts(rule, 'valid'));
const formsOf = async (name: string, urls: string): Promise<string> => {
  if (inUse(name).length === 0) return readFileSync(at(urls), 'utf8');
  const { code, stdout, stderr } = await run(['canonize', '-r', at(name), '-i', at(urls)]);
  expect(code, stderr).toBe(0);
  return stdout.toString();
};
const place = (cache: string) => ['--allow-private', '--rate', '10000', '--fetch-cache', cache];

describe('nights with a budget of 100', { timeout: 120_000 }, () => {
  test('come to the forms of one run, and never make a rule valid that one run does not', async () => {
    const site = await startSite((target) => ({ page: nameOf(target) }));
    writeFileSync(at('a.urls'), `${listOf(site.base).join('\n')}\n`);
    const mined = await run(['mine', at('a.urls'), '-o', at('a.json')]);
    expect(mined.code, mined.stderr).toBe(0);
    writeFileSync(at('nights.json'), readFileSync(at('a.json')));
    const whole = await run(['validate', at('a.json'), ...place('none')]);
    expect(whole.code, whole.stderr).toBe(0);
    const inOneRun = site.count();
    const forms = await formsOf('a.json', 'a.urls');
    const merged = new Map<string, string>();
    for (const [k, form] of forms.trimEnd().split('\n').entries()) merged.set(listOf(site.base)[k]!, form);
    const spent: number[] = [];
    for (let night = 1; night <= 30; night++) {
      const before = site.count();
      const flags = ['--budget', '100', '--now', nightAfter('2026-01-01', night), ...place(at('a-cache'))];
      const { code, stderr } = await run(['validate', at('nights.json'), ...flags]);
      expect(code, stderr).toBe(0);
      spent.push(site.count() - before);
      // Two URLs with one form have it in one run too: nothing is made one that is not.
      const now = (await formsOf('nights.json', 'a.urls')).trimEnd().split('\n');
      const of = new Map<string, string>();
      for (const [k, url] of listOf(site.base).entries()) {
        const known = of.get(now[k]!);
        if (known === undefined) of.set(now[k]!, merged.get(url)!);
        else expect(merged.get(url)).toBe(known);
      }
      if (!stderr.includes('no requests were left')) break;
    }
    for (const one of spent) expect(one).toBeLessThanOrEqual(100);
    expect(spent.length, 'one night does not do it').toBeGreaterThan(2);
    expect(spent.length).toBeLessThan(30);
    expect(await formsOf('nights.json', 'a.urls')).toBe(forms);
    expect(inUse('nights.json')).toHaveLength(inUse('a.json').length);
    // Names, audits and second looks are paid for each night.
    expect(spent.reduce((sum, one) => sum + one)).toBeLessThan(2 * inOneRun);
    await site.close();
  });

  test('without a cache keep what they have, and go on from it', async () => {
    const site = await startSite((target) => ({ page: nameOf(target) }));
    writeFileSync(at('b.urls'), `${listOf(site.base).join('\n')}\n`);
    await run(['mine', at('b.urls'), '-o', at('b.json')]);
    let before: Rule[] = [];
    for (let night = 1; night <= 4; night++) {
      const flags = ['--budget', '250', '--now', nightAfter('2026-01-01', night), ...place('none')];
      expect((await run(['validate', at('b.json'), ...flags])).code).toBe(0);
      const now = inUse('b.json');
      const keys = (rules: readonly Rule[]) => rules.map((rule) => JSON.stringify([rule.kind, rule.site]));
      expect(now.length, `night ${night}`).toBeGreaterThanOrEqual(before.length);
      expect(keys(now)).toEqual(expect.arrayContaining(keys(before)));
      before = now;
    }
    expect(before.length).toBeGreaterThan(2);
    await site.close();
  });
});

describe('a site', { timeout: 120_000 }, () => {
  test('that is down half of the time refutes no rule and confirms no wrong one', async () => {
    // Never so long that the host is given up.
    const site = await startSite((target, count) => (count % 8 < 4 ? { status: 503 } : { page: nameOf(target) }));
    writeFileSync(at('c.urls'), `${listOf(site.base).join('\n')}\n`);
    await run(['mine', at('c.urls'), '-o', at('c.json')]);
    for (let night = 1; night <= 3; night++) {
      const flags = ['--budget', '400', '--now', nightAfter('2026-01-01', night), ...place(at('c-cache'))];
      await run(['validate', at('c.json'), ...flags]);
      const forms = (await formsOf('c.json', 'c.urls')).trimEnd().split('\n');
      for (const [k, url] of listOf(site.base).entries()) {
        expect(nameOf(forms[k]!.slice(site.base.length))).toBe(nameOf(url.slice(site.base.length)));
      }
    }
    expect(inUse('c.json').length).toBeGreaterThan(1);
    const rules = readRules(readFileSync(at('c.json')), 'c.json').rules;
    const reasons = rules.flatMap(({ verdict }) => verdict?.negatives.map(([, , why]) => why) ?? []);
    expect(reasons.filter((why) => why.startsWith('status 5'))).toEqual([]);
    expect(rules.filter(({ history }) => history?.retired !== undefined)).toEqual([]);
    await site.close();
  });

  test('that answers everything with one page has no valid rule', async () => {
    const site = await startSite(() => ({ page: 'welcome' }));
    writeFileSync(at('d.urls'), `${listOf(site.base).join('\n')}\n`);
    await run(['mine', at('d.urls'), '-o', at('d.json')]);
    for (let night = 1; night <= 2; night++) {
      const flags = ['--budget', '200', '--now', nightAfter('2026-01-01', night), ...place(at('d-cache'))];
      await run(['validate', at('d.json'), ...flags]);
      expect(inUse('d.json')).toEqual([]);
    }
    await site.close();
  });

  test('that moved to https last month is called by https, though half of the log is not', async () => {
    const secure = createSecureServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
      const words = Array.from({ length: 80 }, (_, k) => `${nameOf(request.url ?? '')}w${k}`).join(' ');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${words}</p>`);
    });
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done));
    const now = `https://secure.site.test:${(secure.address() as AddressInfo).port}`;
    const old = await startSite((target) => ({ to: `${now}${target}` }));
    const before = old.base.replace('127.0.0.1', 'secure.site.test');
    const paths = Array.from({ length: 120 }, (_, k) => `/story/${100 + k}`);
    const asked = paths.flatMap((path, k) => [
      ...(k % 3 === 1 ? [] : [before + path]),
      ...(k % 3 === 0 ? [] : [now + path]),
    ]);
    writeFileSync(at('f.urls'), asked.map((url) => `${url}\n`).join(''));
    writeFileSync(at('f.pem'), CERTIFICATE);
    await run(['mine', at('f.urls'), '-o', at('f.json')]);
    for (let night = 1; night <= 3; night++) {
      const flags = ['--budget', '150', '--now', nightAfter('2026-01-01', night), ...place(at('f-cache'))];
      const env = { NODE_EXTRA_CA_CERTS: at('f.pem') };
      const { code, stderr } = await runProcess(
        ['validate', at('f.json'), ...flags, '--resolve', 'secure.site.test=127.0.0.1'],
        { env },
      );
      expect(code, stderr).toBe(0);
    }
    const forms = (await formsOf('f.json', 'f.urls')).trimEnd().split('\n');
    expect(new Set(forms)).toEqual(new Set(paths.map((path) => `${now}${path}`)));
    secure.closeAllConnections();
    await new Promise((done) => secure.close(done));
    await old.close();
  });

  test('whose pages moved since they were asked for is asked anew, and its rules are retired one by one', async () => {
    let hasMoved = false;
    const site = await startSite((target) => {
      if (hasMoved && /\.html/.test(target)) return { page: `gone${target.replace(/\W/g, 'x')}` };
      return { page: nameOf(target) };
    });
    writeFileSync(at('e.urls'), `${listOf(site.base).join('\n')}\n`);
    await run(['mine', at('e.urls'), '-o', at('e.json')]);
    await run(['validate', at('e.json'), '--budget', '5000', '--now', '2026-01-01', ...place(at('e-cache'))]);
    const before = inUse('e.json');
    const ofHtml = (rules: readonly Rule[]) =>
      rules.filter((rule) => rule.kind === 'substring' && rule.from === '.html');
    expect(ofHtml(before)).toHaveLength(1);
    hasMoved = true;
    // As if the cache were of last night.
    const cache = at('e-cache/fetched.jsonl');
    const older = readFileSync(cache, 'utf8').replace(/"time":(\d+)/g, (_, time) => `"time":${Number(time) - 864e5}`);
    writeFileSync(cache, older);
    for (let night = 1; night <= 6 && ofHtml(inUse('e.json')).length > 0; night++) {
      const flags = ['--budget', '100', '--now', nightAfter('2026-01-01', night), ...place(at('e-cache'))];
      await run(['validate', at('e.json'), ...flags]);
    }
    expect(ofHtml(inUse('e.json'))).toEqual([]);
    const others = (rules: readonly Rule[]) => rules.length - ofHtml(rules).length;
    expect(others(inUse('e.json'))).toBe(others(before));
    await site.close();
  });
});
