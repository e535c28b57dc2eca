// `dustbuster validate` on patterns that clusters taught, with a real server: do they write URLs, are they keys, or are
// they wrong?
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import type { PatternRule } from '../../../../src/rule/rule.js';
import { serve, type Site } from '../../../validate/live/site.js';
import { run, scratchFolder } from '../../process.js';

const STORIES = 60;

/** What is at `/print/a7b` and `/text/a7b`, whose pages are known with `?v=` only, and at `/news/story7x`. */
type Images = 'all' | 'none' | 'text' | 'other news';

let images: Images = 'none';
let folder: ReturnType<typeof scratchFolder>;
let site: Site;
const at = (name: string) => join(folder.path, name);

const words = (seed: number) =>
  Array.from({ length: 120 }, (_, k) => `w${(seed * 7919 + k * k * 31) % 5003}`).join(' ');

/** The text of the page, or undefined. */
function pageOf(target: string): string | undefined {
  const { pathname, searchParams } = new URL(target, 'http://host');
  const [, story] = /^\/news\/story(\d+)x$/.exec(pathname) ?? [];
  if (story !== undefined) return words(Number(story) + (images === 'other news' ? 3000 : 0));
  const [, shown] = pathname === '/show.php' ? (/^story(\d+)x$/.exec(searchParams.get('id') ?? '') ?? []) : [];
  if (shown !== undefined) return words(Number(shown));
  const [, where, printed] = /^\/(print|text)\/a(\d+)b$/.exec(pathname) ?? [];
  if (printed === undefined) return undefined;
  const isThere =
    [`${printed}c`, `${printed}d`].includes(searchParams.get('v') ?? '') || images === 'all' || images === where;
  return isThere ? words(Number(printed) + (where === 'print' ? 1000 : 2000)) : undefined;
}

beforeAll(async () => {
  folder = scratchFolder();
  site = await serve((request, response) => {
    const text = request.url === '/robots.txt' ? undefined : pageOf(request.url!);
    if (text === undefined) response.writeHead(404).end('not found');
    else response.setHeader('content-type', 'text/html').end(`<title>${text.slice(0, 9)}</title><p>${text}`);
  });
  const origin = `http://127.0.0.1:${site.port}`;
  const lines = Array.from({ length: STORIES }, (_, k) => [
    `/show.php?id=story${k}x&p=${k * 7}q\t1\ts${k}`,
    `/news/story${k}x\t2\ts${k}`,
    ...['print', 'text'].flatMap((where) => ['c', 'd'].map((v) => `/${where}/a${k}b?v=${k}${v}\t3\t${where}${k}`)),
  ])
    .flat()
    .map((line) => `${origin}${line}`);
  writeFileSync(at('clusters.tsv'), `${lines.join('\n')}\n`);
  writeFileSync(at('urls.txt'), lines.map((line) => `${line.split('\t', 1)[0]}\n`).join(''));
  const args = [
    'mine',
    at('urls.txt'),
    '--from-clusters',
    at('clusters.tsv'),
    '--no-parameters',
    '-o',
    at('mined.json'),
  ];
  const { code, stderr } = await run(args);
  expect(code, stderr).toBe(0);
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

const options = ['--allow-private', '--rate', '1000', '--fetch-cache', 'none'];

/** The patterns of `from` after the site was asked, as `name`, and what was reported. */
async function validate(from: string, name: string, ...more: readonly string[]) {
  const before = site.paths.length;
  const args = ['validate', at(from), '--test', at('urls.txt'), '-o', at(name), ...options, ...more];
  const { code, stderr } = await run(args);
  expect(code, stderr).toBe(0);
  return { ...patternsIn(name), stderr, asked: site.paths.slice(before) };
}

function patternsIn(name: string) {
  const { rules } = readRules(readFileSync(at(name)), name);
  const patterns = rules.filter((rule): rule is PatternRule => rule.kind === 'pattern');
  return {
    rules,
    story: patterns.find(({ template }) => template === '/news/{1}')!,
    printed: patterns.filter(({ pattern }) => pattern.includes('?v=')),
  };
}

async function formsOf(name: string, ...more: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['canonize', '-r', at(name), '-i', at('urls.txt'), ...more]);
  expect(code, stderr).toBe(0);
  return stdout.toString().trim().split('\n');
}

describe.each([
  ['that asks the site', []],
  ['rule by rule', ['--stop', 'fixed', '--N', '20']],
] as const)('a validation %s', { timeout: 60_000 }, (_, how) => {
  test('finds that clusters taught a rule that writes, and a key', () => {
    const { story, printed } = patternsIn('mined.json');
    expect(story).toMatchObject({ status: 'valid', use: 'write', verdict: { source: 'clusters' } });
    expect(printed).toMatchObject([{ status: 'valid', use: 'key' }]);
  });

  test('makes a key write URLs if its images answer with the same page', async () => {
    images = 'all';
    const { printed, story, asked } = await validate('mined.json', 'all.json', ...how);
    expect(printed).toMatchObject([{ status: 'valid', use: 'write', verdict: { source: 'live', negative: 0 } }]);
    expect(printed[0]!.verdict!.positive).toBeGreaterThanOrEqual(10);
    // Pages of the clusters have decided on the other rule.
    expect(story.verdict!.source).toBe('clusters');
    expect(asked.some((path) => /^\/print\/a\d+b$/.test(path))).toBe(true);
    expect(new Set(await formsOf('all.json')).size).toBe(3 * STORIES);
  });

  test('leaves it a key if they do not, says so, and asks once', async () => {
    images = 'none';
    const { printed, stderr } = await validate('mined.json', 'none.json', ...how);
    expect(stderr).toContain('1 only a key (not shown that the images answer)');
    expect(printed).toMatchObject([
      {
        status: 'valid',
        use: 'key',
        verdict: { source: 'clusters', negative: 0 },
        otherWay: { source: 'live', positive: 0 },
      },
    ]);
    expect(printed[0]!.otherWay!.negatives.every(([, , why]) => why.includes('404'))).toBe(true);
    expect(new Set(await formsOf('none.json')).size).toBe(5 * STORIES);
    expect(await formsOf('none.json', '--unique')).toHaveLength(3 * STORIES);
    images = 'all';
    const twice = await validate('none.json', 'twice.json', ...how);
    expect(twice.printed).toMatchObject([{ use: 'key' }]);
    const again = await validate('none.json', 'again.json', '--again', ...how);
    expect(again.printed.some(({ use, status }) => use === 'write' && status === 'valid')).toBe(true);
  });

  test('refutes a rule that writes if the page at its image is another one', async () => {
    images = 'other news';
    const { story } = await validate('mined.json', 'other.json', '--again', ...how);
    expect(story).toMatchObject({ status: 'invalid', use: 'write', verdict: { source: 'live', positive: 0 } });
    images = 'none';
    const { story: right } = await validate('other.json', 'right.json', '--again', ...how);
    expect(right).toMatchObject({ status: 'valid', use: 'write', verdict: { source: 'live', negative: 0 } });
  });
});

describe('a validation', { timeout: 60_000 }, () => {
  test('that asks the site lets a key write where its images answer, and keeps it for the rest', async () => {
    images = 'text';
    const { printed } = await validate('mined.json', 'text.json');
    expect(printed).toMatchObject([
      { status: 'valid', use: 'write', not: [{ is: 'print' }] },
      { status: 'valid', use: 'key' },
    ]);
    const forms = await formsOf('text.json');
    expect(forms).toContain(`http://127.0.0.1:${site.port}/text/a7b`);
    expect(forms).not.toContain(`http://127.0.0.1:${site.port}/print/a7b`);
    expect(await formsOf('text.json', '--unique')).toHaveLength(3 * STORIES);
  });

  test('that ends for want of requests leaves the key open', async () => {
    images = 'all';
    const { printed } = await validate('mined.json', 'cut.json', '--max-fetches', '4', '--audit', '0');
    expect(printed).toMatchObject([{ status: 'valid', use: 'key', verdict: { source: 'clusters' } }]);
    const { printed: then } = await validate('cut.json', 'then.json');
    expect(then).toMatchObject([{ status: 'valid', use: 'write' }]);
  });
});
