// `--by-sketch` on many sites: is it one way, whatever the commands, and what does an interrupted run leave?
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDraftName } from '../../../../src/base/draft.js';
import { planOptions } from '../../../../src/cli/run/validate/validation.js';
import type { ValidateFlags } from '../../../../src/cli/flags/validate.js';
import { readRules } from '../../../../src/rule/file.js';
import { Planner } from '../../../../src/validate/plan.js';
import { seededRandom } from '../../../planted.js';
import { siteUrlsOf } from '../../../url-list.js';
import { BIN, run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(at('few.csv'), listOf(15));
  writeFileSync(at('many.csv'), listOf(36));
  writeFileSync(at('hosts.csv'), hostsOf(600));
});
afterAll(() => folder.remove());

/** Sites whose pages have other names: with a session, at www, with an index page; some have `id` name the page. */
function listOf(sites: number): string {
  const random = seededRandom(sites);
  const lines = ['url,digest'];
  for (let site = 0; site < sites; site++) {
    const host = `s${site}.example`;
    for (let k = 0; k < 40; k++) {
      const isNamed = site % 3 === 0 && k % 2 === 0;
      const path = isNamed ? `/show?id=${k}` : `/${['news', 'item'][k % 2]}/${Math.floor(random() * 1e6)}/`;
      const names = [`https://${host}${path}`];
      if (site % 2 === 0) names.push(`https://${host}${path}${isNamed ? '&' : '?'}sid=${Math.floor(random() * 1e9)}`);
      if (site % 4 < 2) names.push(`https://www.${host}${path}`);
      if (site % 5 === 0 && !isNamed) names.push(`https://${host}${path}index.html`);
      for (const name of names) lines.push(`${name},sha1:${site}x${k}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Hosts with session ids. */
function hostsOf(hosts: number): string {
  const pages = Array.from({ length: 6 }, (_, page) => page);
  const lines = Array.from({ length: hosts }, (_, host) =>
    pages.flatMap((page) =>
      ['', `?sid=${host}${page}`].map((query) => `https://h${host}.example/p/${page}${query},sha1:${host}x${page}`),
    ),
  );
  return ['url,digest', ...lines.flat(), ''].join('\n');
}

const rulesOf = (name: string) => readRules(readFileSync(at(name)), name);
const validOf = (name: string) => rulesOf(name).rules.filter(({ status }) => status === 'valid').length;
const done = async (...args: string[]) => {
  const { code, stderr } = await run(args, { cwd: folder.path });
  expect(code, stderr).toBe(0);
  return stderr;
};

describe('sketches', { timeout: 120_000 }, () => {
  test('mine and then validate give the bytes of mine --by-sketch', async () => {
    await done('mine', 'few.csv', '-q', '-o', 'apart.json');
    await done('validate', 'apart.json', '--by-sketch', '-q');
    await done('mine', 'few.csv', '--by-sketch', '-q', '-o', 'together.json');
    expect(validOf('together.json')).toBeGreaterThan(15);
    expect(readFileSync(at('together.json'), 'utf8')).toBe(readFileSync(at('apart.json'), 'utf8'));
  });

  test('threads, and memory for few lists, change nothing', async () => {
    await done('mine', 'few.csv', '--by-sketch', '-q', '-o', 'one.json', '--threads', '1');
    await done('mine', 'few.csv', '--by-sketch', '-q', '-o', 'small.json', '--threads', '2', '--memory', '64M');
    expect(readFileSync(at('small.json'), 'utf8')).toBe(readFileSync(at('one.json'), 'utf8'));
  });

  test('an interrupted run leaves the file of the run before, and a part that says so', async () => {
    await done('mine', 'few.csv', '--by-sketch', '-q', '-o', 'rules.json');
    const before = readFileSync(at('rules.json'), 'utf8');
    const args = ['mine', 'many.csv', '--by-sketch', '-q', '-o', 'rules.json'];
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve([code, signal])));
    while (!existsSync(at('rules.json.partial')) && child.exitCode === null)
      await new Promise((later) => setTimeout(later, 5));
    await new Promise((later) => setTimeout(later, 300));
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(readFileSync(at('rules.json'), 'utf8')).toBe(before);
    expect(rulesOf('rules.json.partial').partial).toMatch(/^[1-3]?\d of 36 sites judged$/);
    const canonized = await run(['canonize', '-r', 'rules.json.partial', '--accept', 'likely', '-i', 'few.csv', '-q'], {
      cwd: folder.path,
    });
    expect(canonized.stderr).toMatch(
      /rules\.json\.partial is partial: its run was stopped with \d+ of 36 sites judged\. validate/,
    );

    const said = await done('validate', 'rules.json.partial', '--by-sketch', '-o', 'rules.json', '-q');
    expect(said).toContain('is partial');
    expect(rulesOf('rules.json').partial).toBeUndefined();
    await done('mine', 'many.csv', '--by-sketch', '-q', '-o', 'whole.json');
    // The audit is of the sites that were left.
    expect(rulesOf('rules.json').rules).toEqual(rulesOf('whole.json').rules);
  });

  test('SIGTERM ends a run of many sites soon, with a partial file and no half-written one', async () => {
    const args = ['mine', 'hosts.csv', '--by-sketch', '-o', 'ended.json'];
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve([code, signal])));
    let said = '';
    let sent = 0;
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      if (sent > 0 || !said.includes('asked on')) return;
      sent = performance.now();
      child.kill('SIGTERM');
    });
    expect(await ended, said).toEqual([null, 'SIGTERM']);
    expect(performance.now() - sent).toBeLessThan(20_000);
    // The last host may have been judged already.
    const file = rulesOf('ended.json');
    const isWhole = file.rules.every(({ status }) => status !== 'likely');
    if (!isWhole) expect(file.partial).toBe('rules of classes of hosts not judged to the end');
    expect(said.includes('stopped early: ended.json is partial')).toBe(file.partial !== undefined);
    expect(readdirSync(folder.path).filter(isDraftName)).toEqual([]);
  });

  test('all URLs of all sites are judged; a live site gets a part of them', () => {
    const flags = { memory: '64M', tmpdir: folder.path, N: 100, seed: 1, stop: 'sequential' };
    const counts = (more: object) => {
      const options = planOptions({ urlForm: 'absolute' }, { ...flags, ...more } as never as ValidateFlags, undefined);
      if (options.room !== undefined) options.room.urls = 5;
      const planner = new Planner(options);
      for (const site of ['a', 'b', 'c']) {
        const urls = siteUrlsOf(Array.from({ length: 4 }, (_, k) => ({ url: `http://${site}.example/${k}` })));
        urls.site = site;
        planner.draw(urls, []);
      }
      const plans = planner.plans([]);
      options.lists?.close();
      return plans.map(({ list }) => list?.count);
    };
    expect(counts({ bySketch: true })).toEqual([4, 4, 4]);
    expect(counts({})[2]).toBe(0);
  });
});
