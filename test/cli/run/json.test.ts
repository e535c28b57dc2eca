// --json: every summary as one document with a format and a version, the same bytes for the same input, and nothing
// else on its stream.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFew, rows } from '../../amount.js';
import { FIXTURES, run, scratchFolder, type Outcome } from '../process.js';

const log = join(FIXTURES, 'access.log');
let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
const here = (args: readonly string[], input?: string) =>
  run(args, { cwd: folder.path, ...(input !== undefined && { input }) });
const read = ({ stdout }: Outcome): unknown => JSON.parse(stdout.toString());

beforeAll(async () => {
  folder = scratchFolder();
  const rows = Array.from(
    { length: 40 },
    (_, n) => `http://a.test/${n}/index.html,9,s${n}\nhttp://a.test/${n}/,9,s${n}`,
  );
  writeFileSync(at('sketches.csv'), `url,size,sketch\n${rows.join('\n')}\n`);
  writeFileSync(at('urls.txt'), rows.join('\n').replace(/,.*/g, ''));
  await here(['mine', 'sketches.csv', '-o', 'sketched.json', '-q']);
  await here(['mine', log, '-o', 'rules.json', '-q']);
}, 30_000);
afterAll(() => folder.remove());

describe('--json', { timeout: 30_000 }, () => {
  const documents: readonly (readonly [args: readonly string[], format: string])[] = [
    [['mine', log, '-o', 'a.json'], 'dustbuster-summary'],
    [['mine', log, '--check', '-o', 'rules.json'], 'dustbuster-summary'],
    [['mine', log, '--stage', 'likely', '-o', 'pairs.txt'], 'dustbuster-summary'],
    [['mine', 'sketches.csv', '--by-sketch', '-o', 'b.json'], 'dustbuster-summary'],
    [['validate', 'sketched.json', '--by-sketch', '-o', 'c.json'], 'dustbuster-summary'],
    [['validate', 'sketched.json', '--dry-run'], 'dustbuster-summary'],
    [['canonize', '-r', 'rules.json', '--accept', 'likely', '-i', 'urls.txt', '-o', 'forms.txt'], 'dustbuster-summary'],
    [['explain', '-r', 'rules.json', '--accept', 'likely', 'http://a.test/', '/b'], 'dustbuster-explain'],
    [['eval', '-r', 'rules.json', '--accept', 'likely', '--urls', log], 'dustbuster-measures'],
    [['diff', 'rules.json', 'sketched.json'], 'dustbuster-diff'],
  ];

  it.each(rows(documents, isFew ? 2 : 1).map(([args, format]) => [args.slice(0, 4).join(' '), args, format] as const))(
    '%s: one document, the same every time',
    async (_title, args, format) => {
      const first = await here([...args, '--json']);
      expect(first.code, first.stderr).toBe(0);
      // Measures have version 2 since false merges exclude the majority of a form.
      expect(read(first)).toMatchObject({ format, version: format === 'dustbuster-measures' ? 2 : 1 });
      expect((await here([...args, '--json', '-v'])).stdout).toEqual(first.stdout);
    },
  );

  it('of mine has the counts of the run, whatever the threads', async () => {
    const { stdout, stderr } = await here(['mine', log, '-o', 'a.json', '--json']);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout.toString())).toEqual({
      format: 'dustbuster-summary',
      version: 1,
      command: 'mine',
      output: 'a.json',
      inputs: [
        {
          name: log,
          format: 'vhost',
          lines: 3388,
          records: 3267,
          dropped: { 'client-error': 119, method: 2 },
          rejected: {},
          truncated: false,
        },
      ],
      urls: 2651,
      sites: { mined: 1, skipped: 0 },
      pairs: 2594,
      rules: {
        all: 247,
        substring: 240,
        parameter: 7,
        step: 0,
        pattern: 0,
        candidates: 24,
        standing: { likely: 236, 'likely, a key': 11 },
      },
      disk: { runs: 0, bytes: 0 },
    });
    expect((await here(['mine', log, '-o', 'a.json', '--json', '--threads', '1'])).stdout).toEqual(stdout);
  });

  it('of mine --state describes the state', async () => {
    const { stdout } = await here(['mine', log, '--state', 'state', '-o', 'a.json', '--json']);
    expect(JSON.parse(stdout.toString())).toMatchObject({ state: { folder: at('state'), nights: 1, runs: 1 } });
  });

  it('of validate counts rules by outcome', async () => {
    const { stdout, stderr } = await here(['validate', 'sketched.json', '--by-sketch', '-o', 'c.json', '--json']);
    expect(stderr).toMatch(/^Validating \d+ rules? by log, without any fetch\n$/);
    const { rules, validation } = JSON.parse(stdout.toString()) as {
      rules: { all: number; standing: Record<string, number> };
      validation: Record<string, unknown>;
    };
    expect(rules.standing['valid']).toBeGreaterThan(0);
    expect(validation).toMatchObject({ source: 'log', valid: rules.standing['valid'], invalid: 0, requests: 0 });
  });

  it('of a dry run has the plan of the fetches', async () => {
    const plan = read(await here(['validate', 'sketched.json', '--dry-run', '--json'])) as {
      urls: string[];
      hosts: Record<string, number>;
    };
    expect(plan.urls.length).toBeGreaterThan(0);
    expect(plan.hosts).toEqual({ 'a.test': plan.urls.length });
  });

  it.skipIf(isFew).each([
    [['--threads', '1'], 0],
    [['--threads', '3'], 9 << 20],
  ])('of canonize says what became of each line: %j', async (threads, padding) => {
    const long = 'x'.repeat(padding);
    const lines = ['http://www.example.test/', 'http://example.test/', 'no URL', 'http://www.example.test/', long, ''];
    writeFileSync(at('lines.txt'), lines.join('\n'));
    const counts = async (...more: string[]) =>
      read(
        await here([
          'canonize',
          '-r',
          'rules.json',
          '--accept',
          'likely',
          '-i',
          'lines.txt',
          '-o',
          'forms.txt',
          '--json',
          ...threads,
          ...more,
        ]),
      );
    const all = { command: 'canonize', output: 'forms.txt', lines: 5, urls: 3, changed: 2, unsettled: 0, damages: [] };
    expect(await counts()).toMatchObject({ ...all, dropped: 0 });
    expect(await counts('--changed')).toMatchObject({ ...all, dropped: 3 });
    const unique = { urls: 2, normalForms: 2, forms: 1 };
    expect(await counts('--unique')).toMatchObject({ ...all, dropped: 2, unique });
    expect(readFileSync(at('forms.txt'), 'latin1').split('\n').length - 1).toBe(3);
    expect(await counts('--unique', '--changed')).toMatchObject({ ...all, dropped: 4 });
    expect(await counts('--unique', '--memory', '1k', '-q')).toMatchObject({ ...all, dropped: 2, unique });
  });

  it('of canonize says which input was truncated', async () => {
    writeFileSync(at('cut.gz'), gzipSync('http://a.test/\n'.repeat(1000)).subarray(0, 40));
    const cut = await here(['canonize', '-r', 'rules.json', '--accept', 'likely', '-i', 'cut.gz', '-o', 'f', '--json']);
    expect(cut.code).toBe(3);
    expect(read(cut)).toMatchObject({ damages: [{ name: 'cut.gz', reason: expect.stringContaining('') as string }] });
  });

  it.each([
    [['mine', log, '-o', '-', '--json'], 'the rules'],
    [['mine', log, '--stage', 'pairs', '--json'], 'the pairs'],
    [['validate', 'sketched.json', '--by-sketch', '-o', '-', '--json'], 'the rules'],
    [['canonize', '-r', 'rules.json', '--json', '/a'], 'the lines'],
  ])('%j: two outputs to one stream are refused', async (args, what) => {
    const { code, stdout, stderr } = await here(args);
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `dustbuster: --json: got standard output for ${what} and for the summary; expected a file for ${what} with -o\n`,
    });
  });

  it('and another output format are refused', async () => {
    expect(await here(['explain', '-r', 'rules.json', '--json', '--jsonl', '/a'])).toMatchObject({ code: 2 });
    expect(await here(['eval', '-r', 'rules.json', '--json', '--csv', '--urls', log])).toMatchObject({ code: 2 });
  });
});
