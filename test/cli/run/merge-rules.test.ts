// Parts of the sites, mined one by one and merged, compared with one run over all.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realEffects } from '../../../src/base/effects.js';
import { mergeRules } from '../../../src/cli/run/rules-files.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(at('urls.txt'), manySites());
});
afterAll(() => folder.remove());

/** 60 sites of different sizes and habits, some of them on several hosts, and URLs that are no UTF-8. */
function manySites(): Buffer {
  let state = 7;
  const random = (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const lines: string[] = [];
  for (let site = 0; site < 60; site++) {
    const pages = 3 + random(25);
    for (let page = 0; page < pages; page++) {
      const host = site % 5 === 0 ? ['www.', 'm.', ''][random(3)]! : '';
      const base = `http://${host}site${site}.example/${site % 4 === 0 ? '\xff' : 'a'}`;
      const id = random(1000);
      const forms = [
        `${base}/story?id=${id}`,
        `${base}/story_${id}`,
        `${base}/p/${id}/`,
        `${base}/p/${id}?utm=${page}`,
      ];
      for (const form of forms.slice(site % 3)) lines.push(form);
      if (site % 2 === 0) lines.push(`${base}/p/${id}/index.html`, `${base}/p/${id}?sid=${random(9)}&utm=${page}`);
    }
  }
  return Buffer.from(`${lines.join('\n')}\n`, 'latin1');
}

async function mine(output: string, ...flags: string[]): Promise<string> {
  const { code, stderr } = await run(['mine', at('urls.txt'), '-o', at(output), '-q', ...flags]);
  expect([code, stderr]).toEqual([0, '']);
  return readFileSync(at(output), 'utf8');
}

async function part(k: number, n: number, ...flags: string[]): Promise<string> {
  await mine(`${k}-${n}.json`, '--part-of-sites', `${k}/${n}`, ...flags);
  return at(`${k}-${n}.json`);
}

test.each(['likeliness', 'support'])('the merged parts have the bytes of one run over all, by %s', async (rank) => {
  const whole = await mine('whole.json', '--rank', rank);
  expect(JSON.parse(whole).rules.length).toBeGreaterThan(100);
  for (const n of rank === 'support' ? [3] : [1, 2, 3, 7]) {
    const parts: string[] = [];
    for (let k = 1; k <= n; k++) parts.push(await part(k, n, '--rank', rank));
    const { code, stderr } = await run(['merge-rules', ...parts.reverse(), '-o', at('merged.json')]);
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(at('merged.json'), 'utf8')).toBe(whole);
    const sites = parts.map((path) => JSON.parse(readFileSync(path, 'utf8')).sites.mined as number);
    expect(Math.max(...sites)).toBeLessThan(n === 1 ? 61 : 60 / n + 15);
  }
});

test('rules beyond the most of a file are said, with what to do', async () => {
  const parts = [await part(1, 2), await part(2, 2)];
  let stderr = '';
  const effects = { ...realEffects(), stderr: { write: (text: string) => (stderr += text), on: () => {} } };
  const most = { rules: 50, bytes: 1 << 20 };
  await mergeRules(parts, { output: at('merged.json') }, effects, most);
  const all = parts.flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).rules as object[]);
  expect(JSON.parse(readFileSync(at('merged.json'), 'utf8')).rules).toHaveLength(50);
  expect(stderr).toMatch(
    new RegExp(
      `at most 50 rules and 1\\.0 MiB, so ${all.length - 50} rules of the lowest rank are left out: .*canonize`,
    ),
  );
  stderr = '';
  await mergeRules(parts, { output: at('merged.json') }, effects);
  expect(stderr).toBe('');
});

test('what is no complete set of parts of one run is refused, and says why', async () => {
  const [first, second] = [await part(1, 2), await part(2, 2)];
  await mine('all.json');
  const other = await part(2, 2, '--MS', '4').then((path) => {
    writeFileSync(at('other.json'), readFileSync(path));
    return at('other.json');
  });
  await part(2, 2);
  const refusalOf = async (...paths: string[]) => {
    const { code, stderr } = await run(['merge-rules', ...paths, '-o', at('none.json')]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refusalOf(first)).toMatch(/got 1 of 2 parts; expected 2\/2 too/);
  expect(await refusalOf(first, second, other)).toMatch(/both part 2\/2; expected each part once/);
  expect(await refusalOf(first, other)).toMatch(/differ in the options; expected parts of one run/);
  expect(await refusalOf(first, at('all.json'))).toMatch(
    /has the rules of all sites; expected files of mine --part-of/,
  );
  expect(await refusalOf(first, at('urls.txt'))).toMatch(/urls\.txt/);
  for (const flags of [
    ['--part-of-sites', '3/2'],
    ['--part-of-sites', '0/2'],
    ['--part-of-sites', '1/2', '--dry-run'],
  ]) {
    const { code, stderr } = await run(['mine', at('urls.txt'), '-o', at('none.json'), ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--part-of-sites: got')]);
  }
});

test('a part without a site says so, and does not blame the list', async () => {
  writeFileSync(at('one.txt'), Array.from({ length: 30 }, (_, k) => `http://one.test/${k}\n`).join(''));
  const said: string[] = [];
  for (const k of [1, 2]) {
    const { code, stderr } = await run(['mine', at('one.txt'), '-o', at('one.json'), '--part-of-sites', `${k}/2`]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('no line became a URL')]);
    said.push(...(stderr.match(/this part has no URL of the list/g) ?? []));
  }
  expect(said).toHaveLength(1);
});

test('says which rules may mean money or choice', async () => {
  const pages = Array.from({ length: 30 }, (_, k) => [`http://a.test/p/${k}`, `http://a.test/p/${k}?aff=${k % 7}`]);
  writeFileSync(at('aff.txt'), `${pages.flat().join('\n')}\n`);
  const flags = ['--param-min-urls', '3', '-q', '--part-of-sites', '1/1'];
  expect((await run(['mine', at('aff.txt'), '-o', at('aff.json'), ...flags])).code).toBe(0);
  const { stderr } = await run(['merge-rules', at('aff.json'), '-o', at('merged.json')]);
  expect(stderr).toMatch(/rules? may mean money or choice \(aff\)/);
  expect((await run(['merge-rules', at('aff.json'), '-o', at('merged.json'), '-q'])).stderr).toBe('');
});
