// The phases of a run add up, whoever does the work, and do not change the result.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { urlsOf } from '../../large-site.js';
import { run, scratchFolder } from '../process.js';
import { rows } from '../../amount.js';

/** Enough for threads to share them, and the reading of their log. */
const URLS = 55_000;
let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);

beforeAll(() => {
  folder = scratchFolder();
  const line = ({ path, size }: { path: string; size: number }) =>
    `1.2.3.4 - - [01/Nov/2026:00:00:00 +0000] "GET ${path} HTTP/1.1" 200 ${size} "-" "${'Mozilla '.repeat(16)}"\n`;
  const log = Array.from(urlsOf(URLS), line).join('');
  writeFileSync(at('large.log'), log);
  writeFileSync(at('large.log.gz'), gzipSync(log, { level: 1 }));
});
afterAll(() => folder.remove());

/** What each phase counted, from the report of `--progress`. */
function phasesOf(stderr: string): Record<string, number | null> {
  const lines = [...stderr.matchAll(/^([a-z ]+?) +\d+\.\d\d s(?: {2}([\d,]+) \w+)?$/gm)];
  return Object.fromEntries(lines.map(([, name, units]) => [name, units ? Number(units.replaceAll(',', '')) : null]));
}

interface Summary {
  readonly inputs: readonly { readonly lines: number }[];
  readonly urls: number;
  readonly pairs: number;
  readonly rules: { readonly all: number };
  readonly disk: { readonly runs: number; readonly bytes: number };
}

/** What a run of instances has on disk beside its rows: where each of its parts ends (`table/instance-rows`). */
const RUN_HEADER_BYTES = 4096;

/** The summary without what depends on when each thread hands over its rows: how many runs they become. */
function withoutRuns(stdout: string): Summary {
  const summary = JSON.parse(stdout) as Summary;
  const { runs, bytes } = summary.disk;
  return { ...summary, disk: { runs: 0, bytes: bytes - runs * RUN_HEADER_BYTES } };
}

describe('mine', { timeout: 60_000 }, () => {
  const runs: [words: string, log: string][] = [
    ['--threads 1', 'large.log'],
    ['--threads 3', 'large.log'],
    ['--threads 3', 'large.log.gz'],
    ['--threads 1 --memory 4m', 'large.log'],
    ['--threads 3 --memory 6m', 'large.log'],
  ];
  it.each(rows(runs, 4))('%s %s', async (words, log) => {
    const args = ['mine', log, '--json', '--stamp', '--now', '2026-11-21', ...words.split(' ')];
    const { code, stdout, stderr } = await run([...args, '-o', 'rules.json', '--progress'], { cwd: folder.path });
    expect(code, stderr).toBe(0);
    const { inputs, urls, pairs, rules } = JSON.parse(stdout.toString()) as Summary;
    const phases = phasesOf(stderr);
    expect(phases).toMatchObject({
      reading: inputs[0]!.lines,
      eliminating: pairs,
      ranking: rules.all,
    });
    expect(Object.keys(phases)).toEqual(
      expect.arrayContaining(['sorting', 'going through sites', 'comparing', 'counting', 'finding parameters']),
    );
    // Progress in thousands stops short of the end; URLs from sorted runs are counted twice if two runs have them.
    expect(phases['comparing']).toBeGreaterThan(urls - 8192);
    expect(phases['comparing']).toBeLessThanOrEqual(urls);
    expect(phases['counting']).toBeGreaterThan(pairs);
    const silent = await run([...args, '-o', 'silent.json', '--no-progress'], { cwd: folder.path });
    expect(silent.stderr).not.toContain('reading');
    const silentSummary = silent.stdout.toString().replace('silent.json', 'rules.json');
    expect(withoutRuns(silentSummary)).toEqual(withoutRuns(stdout.toString()));
    if (words.includes('--threads 1')) expect(silentSummary).toBe(stdout.toString());
    const stamp = /"created": .*\n/;
    expect(readFileSync(at('silent.json'), 'utf8').replace(stamp, '')).toBe(
      readFileSync(at('rules.json'), 'utf8').replace(stamp, ''),
    );
  });

  it('--state shows what is recognized, kept and merged', async () => {
    const lines = readFileSync(at('large.log'), 'latin1').split('\n');
    const seen: Record<string, number | null>[] = [];
    for (let day = 1; day <= 8; day++) {
      writeFileSync(at('night.log'), `${lines.slice(100 * day, 100 * (day + 1)).join('\n')}\n`, 'latin1');
      const now = `2026-11-0${day}`;
      const args = ['mine', 'night.log', '--state', 'state', '-o', 'nightly.json', '--progress', '--now', now];
      const { code, stderr } = await run(args, { cwd: folder.path });
      expect(code, stderr).toBe(0);
      seen.push(phasesOf(stderr));
    }
    expect(Object.keys(seen[0]!).slice(0, 3)).toEqual(['recognizing', 'reading', 'keeping']);
    // Eight runs of about the same size are merged.
    expect(seen[6]!['merging nights']).toBeUndefined();
    const kept = seen.reduce((sum, { keeping }) => sum + keeping!, 0);
    expect(kept).toBeGreaterThan(700);
    // URLs of two nights count in each, and once after merging.
    expect(kept - seen[7]!['merging nights']!).toBeLessThan(8);
  });
});
