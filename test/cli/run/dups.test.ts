// `dustbuster dups`: clusters and pairs of a list, the same from memory and from disk.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFew } from '../../amount.js';
import { createSketch, formatSketch } from '../../../src/sketch/sketch.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
});
afterAll(() => folder.remove());

const dups = (...args: string[]) => run(['dups', ...args], { cwd: folder.path });
const put = (name: string, content: string) => writeFileSync(join(folder.path, name), content);
const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');

/** A full sketch of page `number`, with `changed` of its 128 fingerprints replaced. */
function sketchOf(number: number, changed = 0): string {
  const minima = Float64Array.from({ length: 128 }, (_, k) => 1e6 * k + 1e3 * number + (k < changed ? 1 : 0));
  return formatSketch(createSketch(minima, 4, 128));
}

const lineOf = (path: string, sketch: string) =>
  `${JSON.stringify({ url: `http://h/${path}`, status: 200, sketch })}\n`;

describe('dustbuster dups', { timeout: 30_000 }, () => {
  it('counts labels that begin like a signature and are none', async () => {
    const damaged = [sketchOf(1).slice(0, -3), 'sp1-spotsigs.1-1-0-A'];
    put('damaged.jsonl', lineOf('a', sketchOf(1)) + damaged.map((label, k) => lineOf(`${k}`, label)).join(''));
    const said = '2 labels begin like a signature (db1-, sp1-) but are damaged, and count as digests\n';
    expect((await dups('damaged.jsonl', '-o', 'damaged.tsv')).stderr).toContain(said);
    put('whole.jsonl', lineOf('a', sketchOf(1)) + lineOf('b', 'SHA1OFLOGO'));
    expect((await dups('whole.jsonl', '-o', 'whole.tsv')).stderr).not.toContain('damaged');
  });

  it('finds pages that are the same, nearly the same, and near through others', async () => {
    put(
      'pages.jsonl',
      lineOf('b', sketchOf(1, 6)) + // 12 of the 128 least of both are not shared with a, 28 with c
        lineOf('a', sketchOf(1)) +
        lineOf('also-a', sketchOf(1)) +
        lineOf('c', sketchOf(1, 20)) +
        lineOf('x', sketchOf(2)) +
        lineOf('logo', 'SHA1OFLOGO') +
        lineOf('logo2', 'SHA1OFLOGO') +
        lineOf('none', ''),
    );
    const { code, stdout, stderr } = await dups('pages.jsonl', '--pairs', 'pairs.tsv');
    expect(code, stderr).toBe(0);
    expect(stdout.toString()).toBe(
      [
        'http://h/logo\t1\t1',
        'http://h/logo2\t1\t1',
        'http://h/a\t2\t2',
        'http://h/also-a\t2\t2',
        'http://h/b\t3\t2',
        'http://h/c\t4\t3',
        'http://h/x\t5\t4',
        '',
      ].join('\n'),
    );
    expect(read('pairs.tsv').split('\n').sort()).toEqual([
      '',
      'http://h/a\thttp://h/also-a\t1',
      `http://h/a\thttp://h/b\t${Number((116 / 128).toFixed(4))}`,
      'http://h/logo\thttp://h/logo2\t1',
    ]);
    expect(stderr).toContain('7 URLs with 5 distinct labels, 4 of them signatures (1 record without a label)');
    expect(stderr).toContain('2 clusters of two URLs or more, with 5 URLs; 7 lines written');
  });

  it('writes labels that eval takes as the truth', async () => {
    put(
      'rules.json',
      (
        await run(['mine', '-o', '-', '--format', 'urls', '-'], { input: 'http://h/a\nhttp://h/x\n' })
      ).stdout.toString(),
    );
    await dups('pages.jsonl', '-o', 'clusters.tsv');
    const args = [
      '--accept',
      'likely',
      '-r',
      'rules.json',
      '--urls',
      'pages.jsonl',
      '--truth',
      'clusters.tsv',
      '--json',
    ];
    const { stdout, stderr } = await run(['eval', ...args], { cwd: folder.path });
    expect(JSON.parse(stdout.toString()), stderr).toMatchObject({ all: { labelled: 7, contents: 4 } });
  });

  it('writes pairs that eval and mine refuse as labels, but no file that has a line of labels', async () => {
    put('two.jsonl', lineOf('a', sketchOf(1)) + lineOf('b', sketchOf(1, 6)) + lineOf('c', sketchOf(1)));
    await dups('two.jsonl', '--pairs', 'two.pairs', '-o', 'two.tsv');
    put('mixed.tsv', `${read('two.pairs')}http://h/c\thttp://h/c\t1-c\n`);
    const cwd = folder.path;
    await run(['mine', 'two.jsonl', '-o', 'two.json', '-q'], { cwd });
    const evaluate = (labels: string) =>
      run(['eval', '-r', 'two.json', '--accept', 'likely', '--urls', 'two.jsonl', '--truth', labels], { cwd });
    const mine = (labels: string) => run(['mine', 'two.jsonl', '--from-clusters', labels, '-o', 'x.json'], { cwd });
    for (const refused of [await evaluate('two.pairs'), await mine('two.pairs')]) {
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/two\.pairs has pairs of URLs, .*dups -o/),
      ]);
    }
    for (const labels of ['two.tsv', 'mixed.tsv']) {
      expect([(await evaluate(labels)).code, (await mine(labels)).code]).toEqual([0, 0]);
    }
  });

  it('makes stars, in which every page resembles the centre', async () => {
    // 12 of 128 are not shared with the next one, and 24 with the one after that.
    put('chain.jsonl', [0, 6, 12, 18, 24].map((changed) => lineOf(`${changed}`, sketchOf(1, changed))).join(''));
    const clustersOf = async (how: string) => {
      const { stdout } = await dups('chain.jsonl', '--clusters', how);
      const lines = stdout.toString().trim().split('\n');
      return lines.map((line) => line.split('\t')).map(([url, , cluster]) => `${url!.slice(9)}:${cluster}`);
    };
    expect(new Set((await clustersOf('transitive')).map((line) => line.split(':')[1]))).toEqual(new Set(['1']));
    expect(new Set((await clustersOf('star')).map((line) => line.split(':')[1])).size).toBeGreaterThan(1);
  });

  it.skipIf(isFew)(
    'gives the same bytes in little memory, and a line for each of many pages that are one',
    async () => {
      const lines = Array.from({ length: 20_000 }, (_, k) =>
        lineOf(`${k}`, k % 2 === 0 ? sketchOf(1) : sketchOf(1 + (k % 997), (k % 3) * 4)),
      );
      put('many.jsonl', lines.join(''));
      const whole = await dups('many.jsonl', '--pairs', 'whole.tsv');
      const spilled = await dups('many.jsonl', '--pairs', 'spilled.tsv', '--memory', '16m');
      expect(whole.stdout.toString().split('\n')).toHaveLength(20_001);
      expect(spilled.stdout).toEqual(whole.stdout);
      expect(read('spilled.tsv')).toBe(read('whole.tsv'));
    },
  );

  it('joins chains of more pages than a union-find has room for', async () => {
    const lines = Array.from({ length: 800 }, (_, k) =>
      lineOf(`${k}`, sketchOf(1 + (k % 160), 4 * Math.floor(k / 160))),
    );
    put('chains.jsonl', lines.join(''));
    const whole = await dups('chains.jsonl');
    const little = await dups('chains.jsonl', '--memory', '32k');
    expect(little.code, little.stderr).toBe(0);
    expect(little.stdout).toEqual(whole.stdout);
    expect(whole.stderr).toContain('160 clusters of two URLs or more, with 800 URLs');
  });

  it.each(['spotsigs', 'sizespotsigs'])(
    'compares pages by %s that sketch made, the same in little memory',
    async (kind) => {
      const words = (seed: number, count: number) =>
        Array.from({ length: count }, (_, k) => `the w${(seed * 7919 + k * k * 31) % 5003} is of ${k % 7}`).join(' ');
      const pages = Array.from({ length: 90 }, (_, k) => ({
        path: `${k}`,
        text: `<p>${words(k % 45, 10 + (k % 45) * 4)} ${k < 45 ? '' : 'and one more'}</p>`,
      }));
      mkdirSync(join(folder.path, 'mirror', 'h'), { recursive: true });
      for (const { path, text } of pages) writeFileSync(join(folder.path, 'mirror', 'h', `${path}.html`), text);
      const options = ['--signature', kind, '--mirror', 'mirror', '-o', 'spots.jsonl'];
      const made = await run(['sketch', ...options, '--threads', '1'], { cwd: folder.path });
      expect(made.code, made.stderr).toBe(0);
      const one = read('spots.jsonl');
      await run(['sketch', ...options, '--threads', '2'], { cwd: folder.path });
      expect(read('spots.jsonl')).toBe(one);
      const whole = await dups('spots.jsonl', '--max-idf', '1', '--pairs', 'whole.tsv', '--min-pages', '2');
      expect(whole.code, whole.stderr).toBe(0);
      expect(read('whole.tsv').trim().split('\n')).toHaveLength(45);
      expect(whole.stderr).toContain('45 clusters of two URLs or more, with 90 URLs');
      const little = ['--memory', '16m', '--threads', '1', '--signature', kind];
      const spilled = await dups(
        'spots.jsonl',
        '--max-idf',
        '1',
        '--pairs',
        'spilled.tsv',
        '--min-pages',
        '2',
        ...little,
      );
      expect(spilled.stdout).toEqual(whole.stdout);
      expect(read('spilled.tsv')).toBe(read('whole.tsv'));
      expect(await dups('spots.jsonl', '--signature', 'shingles')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('expected --signature shingles'),
      });
    },
  );

  it('refuses lists without labels, and sketches of several kinds', async () => {
    put('urls.txt', 'http://h/a\nhttp://h/b\n');
    expect(await dups('urls.txt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has a sketch or digest'),
    });
    put(
      'kinds.jsonl',
      lineOf('a', sketchOf(1)) + lineOf('b', formatSketch(createSketch(Float64Array.of(1, 2), 8, 64))),
    );
    expect(await dups('kinds.jsonl')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('db1-4-128 and db1-8-64, which cannot be compared'),
    });
    const before = read('pages.jsonl');
    expect(await dups('pages.jsonl', '-o', 'pages.jsonl')).toMatchObject({ code: 2 });
    expect(read('pages.jsonl')).toBe(before);
  });
});
