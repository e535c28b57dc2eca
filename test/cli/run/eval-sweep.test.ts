// `dustbuster eval --sweep samples`: the runs are those of `validate --stop fixed --N`, by the labels of a list or a file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFew } from '../../amount.js';
import { seededRandom } from '../../planted.js';
import type { RulesFile } from '../../../src/rule/rule.js';
import type { SampleSweep } from '../../../src/validate/paper/figure-6.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
const command = (...args: string[]) => run(args, { cwd: folder.path });
const put = (name: string, lines: readonly string[]) => writeFileSync(join(folder.path, name), `${lines.join('\n')}\n`);
const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');

beforeAll(async () => {
  folder = scratchFolder();
  const random = seededRandom(17);
  // Folders whose printed views are another page for a share of the stories.
  const wrong = [0, 0, 0.01, 0.03, 0.05, 0.07, 0.1, 0.3, 1];
  const rows = wrong.flatMap((share, folder) =>
    Array.from({ length: 120 }, (_, k) => {
      const other = random() < share ? 'x' : '';
      return [
        `http://a.test/f${folder}/s${folder}_${k}x`,
        `F${folder}S${k}`,
        `http://a.test/p${folder}/s${folder}_${k}x`,
        `F${folder}S${k}${other}`,
      ];
    }),
  );
  put('list.csv', ['url,digest', ...rows.flatMap(([u, a, v, b]) => [`${u},${a}`, `${v},${b}`])]);
  put(
    'urls.txt',
    rows.flatMap(([u, , v]) => [u!, v!]),
  );
  put(
    'truth.tsv',
    rows.flatMap(([u, a, v, b]) => [`${u}\t${a}`, `${v}\t${b}`]),
  );
  const mined = await command('mine', 'list.csv', '--no-parameters', '--no-similarity', '-q', '-o', 'rules.json');
  expect(mined.code, mined.stderr).toBe(0);
});
afterAll(() => folder.remove());

const sweep = async (...more: string[]) => {
  const { stdout, stderr } = await command(
    'eval',
    '--accept',
    'likely',
    '-r',
    'rules.json',
    '--json',
    '--sweep',
    'samples',
    ...more,
  );
  return [(JSON.parse(stdout.toString() || '{}') as { sweep: SampleSweep }).sweep, stderr] as const;
};

describe('dustbuster eval --sweep samples', { timeout: 60_000 }, () => {
  it('finds valid with N samples what validate finds with N samples', async () => {
    const [swept] = await sweep('--urls', 'list.csv', '--N', '40', '--seed', '7');
    expect(swept.at.map(({ N }) => N)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 35, 40]);
    const validWith = async (N: number) => {
      const options = ['--stop', 'fixed', '--N', `${N}`, '--seed', '7', '--by-sketch', '--audit', '0', '-q'];
      const { code, stderr } = await command('validate', 'rules.json', ...options, '-o', `valid-${N}.json`);
      expect(code, stderr).toBe(0);
      const { rules } = JSON.parse(read(`valid-${N}.json`)) as RulesFile;
      return rules.filter(({ status }) => status === 'valid').length;
    };
    const counts = new Map<number, number>();
    for (const N of [1, 5, 40]) counts.set(N, await validWith(N));
    for (const [N, valid] of counts) expect(swept.at.find((one) => one.N === N)!.valid).toBe(valid);
    expect(new Set(counts.values()).size).toBeGreaterThan(1);
    const last = swept.at.at(-1)!;
    expect([last.confirmed, last.precision, last.found]).toEqual([last.valid, 1, 1]);
    for (const { valid, confirmed, precision } of swept.at) expect(precision).toBeCloseTo(confirmed / valid, 5);
    expect(Math.min(...swept.at.map(({ precision }) => precision!))).toBeLessThan(1);
  });

  it.skipIf(isFew)('is the same by labels of a file, and in little memory', async () => {
    const [swept] = await sweep('--urls', 'list.csv');
    expect(swept.at.at(-1)!.N).toBe(100);
    expect((await sweep('--urls', 'urls.txt', '--truth', 'truth.tsv'))[0]).toEqual(swept);
    expect((await sweep('--urls', 'list.csv', '--memory', '1m', '--threads', '1'))[0]).toEqual(swept);
    const args = ['--urls', 'list.csv', '--sweep', 'samples', '--csv', '--per', 'samples', '--accept', 'likely', '-q'];
    const csv = (await command('eval', '-r', 'rules.json', ...args)).stdout.toString().trim().split('\n');
    expect(csv[0]).toBe('samples,valid,confirmed,precision,found');
    expect(csv.slice(1).map((line) => line.split(',').slice(0, 3).map(Number))).toEqual(
      swept.at.map(({ N, valid, confirmed }) => [N, valid, confirmed]),
    );
  });

  it('refuses what can be read only once, and a table that was not made', async () => {
    expect((await sweep('--urls', '-'))[1]).toContain('which can be read only once; expected files');
    const { code, stderr } = await command(
      'eval',
      '-r',
      'rules.json',
      '--urls',
      'list.csv',
      '--csv',
      '--per',
      'samples',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected --sweep samples')]);
  });
});
