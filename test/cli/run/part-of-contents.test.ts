// `--part-of-contents k/n`: the parts of a list have every URL once, the same in mine, validate and eval.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RulesFile } from '../../../src/rule/rule.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
const command = (...args: string[]) => run(args, { cwd: folder.path });
const put = (name: string, lines: readonly string[]) => writeFileSync(join(folder.path, name), `${lines.join('\n')}\n`);
const read = (name: string) => JSON.parse(readFileSync(join(folder.path, name), 'utf8')) as RulesFile;

beforeAll(() => {
  folder = scratchFolder();
  const pages = Array.from({ length: 300 }, (_, k) => [`HTTP://a.test/show?id=%41${k}`, `http://a.test/s_A${k}`]);
  put('digests.csv', ['url,digest', ...pages.flatMap((urls, k) => urls.map((url) => `${url},D${k}`))]);
  put('urls.txt', pages.flat());
});
afterAll(() => folder.remove());

const PARTS = ['1/3', '2/3', '3/3'];

describe('--part-of-contents', { timeout: 60_000 }, () => {
  it('splits a list with digests so that duplicates stay together, and one without by URL', async () => {
    for (const [list, contents] of [
      ['digests.csv', 300],
      ['urls.txt', 0],
    ] as const) {
      const sums = { mined: 0, urls: 0, contents: 0, dust: 0 };
      for (const part of PARTS) {
        const mined = await command('mine', list, '--part-of-contents', part, '-o', 'rules.json');
        expect(mined.stderr).toMatch(new RegExp(`^part ${part} of the contents: \\d+ of 600$`, 'm'));
        expect(/^no record has a digest.*split by URL.*--until/m.test(mined.stderr)).toBe(contents === 0);
        const { stdout } = await command(
          'eval',
          '--accept',
          'likely',
          '--json',
          '-r',
          'rules.json',
          '--urls',
          list,
          '--part-of-contents',
          part,
        );
        const { all } = JSON.parse(stdout.toString()) as {
          all: { urls: number; contents: number; dustBefore: number };
        };
        expect(read('rules.json').part).toBe(`contents ${part}`);
        // Normalization makes two spellings one URL of the same part.
        expect(all.urls).toBe(read('rules.json').urls);
        expect(all.urls).toBeGreaterThan(150);
        sums.mined += read('rules.json').urls;
        sums.urls += all.urls;
        sums.contents += all.contents;
        sums.dust += all.dustBefore;
      }
      expect(sums).toEqual({ mined: 600, urls: 600, contents, dust: contents });
    }
  });

  it('trains, validates and tests on parts of one list', async () => {
    await command('mine', 'digests.csv', '--part-of-contents', '1/3', '-o', 'rules.json');
    const options = ['--by-sketch', '--stop', 'fixed', '--N', '10', '--audit', '0'];
    const validated = await command('validate', 'rules.json', '--part-of-contents', '2/3', ...options);
    expect(validated.code, validated.stderr).toBe(0);
    expect(validated.stderr).toMatch(/^part 2\/3 of the contents: \d+ of 600$/m);
    const ofTraining = await command(
      'validate',
      'rules.json',
      '--again',
      '--dry-run',
      '--part-of-contents',
      '1/3',
      ...options,
    );
    const ofValidation = await command(
      'validate',
      'rules.json',
      '--again',
      '--dry-run',
      '--part-of-contents',
      '2/3',
      ...options,
    );
    const urls = (text: Uint8Array) => text.toString().trim().split('\n');
    expect(Math.min(urls(ofTraining.stdout).length, urls(ofValidation.stdout).length)).toBeGreaterThan(10);
    expect(urls(ofTraining.stdout).filter((url) => urls(ofValidation.stdout).includes(url))).toEqual([]);
    const tested = await command(
      'eval',
      '-r',
      'rules.json',
      '--urls',
      'digests.csv',
      '--part-of-contents',
      '3/3',
      '--min-coverage',
      '1',
    );
    expect(tested.code, tested.stderr).toBe(0);
  });

  it('leaves a split by time to --since and --until, which validate has for its list', async () => {
    const days = ['2026-11-01', '2026-11-02'];
    const rows = days.flatMap((day, at) =>
      Array.from({ length: 60 }, (_, k) => 60 * at + k).flatMap((k) =>
        ['show?id=', 's_'].map((name) => `http://a.test/${name}${k},D${k},${day}T12:00:00Z`),
      ),
    );
    put('timed.csv', ['url,digest,time', ...rows]);
    await command('mine', 'timed.csv', '--until', days[0]!, '-q', '-o', 'timed.json');
    expect(read('timed.json').urls).toBe(120);
    const options = ['--since', days[1]!, '--by-sketch', '--stop', 'fixed', '--N', '5', '--audit', '0'];
    const { code, stderr } = await command('validate', 'timed.json', ...options);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('240 lines = 120 records + dropped 120 (time 120)');
    const ids = read('timed.json').rules.flatMap(({ verdict }) => verdict?.positives ?? []);
    const numbers = ids.map(([url]) => Number(/\d+$/.exec(url)![0]));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(60);
    expect(numbers.length).toBeGreaterThan(0);
  });

  it('is refused where it would not be what it says', async () => {
    for (const args of [
      ['--part-of-sites', '1/2'],
      ['--state', 'nights'],
      ['--from-clusters', 'digests.csv'],
    ]) {
      const { code, stderr } = await command('mine', 'urls.txt', '--part-of-contents', '1/2', ...args, '-o', 'x.json');
      expect([code, stderr]).toEqual([2, expect.stringContaining('--part-of-contents: got it with')]);
    }
    const { code, stderr } = await command('mine', 'urls.txt', '--part-of-contents', '3/2', '-o', 'x.json');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--part-of-contents: got "3/2", expected k/n')]);
  });
});
