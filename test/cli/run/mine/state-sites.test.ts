// A state keeps what was found in each site. Nights that use it write the same bytes as nights that mine all sites anew.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeSorted } from '../../../../src/base/merge.js';
import { eachRow } from '../../../../src/base/row.js';
import { RunFile, sealIn } from '../../../../src/base/run-file.js';
import { FoundSites } from '../../../../src/state/found-sites.js';
import { amount } from '../../../amount.js';
import { scratchFolder } from '../../process.js';
import { night } from './nights.js';

let scratch: ReturnType<typeof scratchFolder>;
beforeAll(() => (scratch = scratchFolder()));
afterAll(() => scratch.remove());

let folders = 0;
function newFolder(): string {
  const path = join(scratch.path, String(folders++));
  mkdirSync(path);
  return path;
}

const SITES = ['a.de', 'b.de', 'c.de'];

interface Visit {
  readonly site: number;
  readonly page: number;
  readonly size: number;
}

/** Pages with and without `www.`, a session, or an index. */
function urlOf({ site, page }: Visit): string {
  const name = SITES[site]!;
  const path = `/p/${page >> 2}/`;
  return [
    `http://${name}${path}`,
    `http://www.${name}${path}`,
    `http://${name}${path}?sid=${page}`,
    `http://${name}${path}index.html`,
  ][page & 3]!;
}

function tableOf(visits: readonly Visit[]): string {
  return `url\tsize\n${visits.map((visit) => `${urlOf(visit)}\t${visit.size}\n`).join('')}`;
}

const first = SITES.flatMap((_, site) =>
  Array.from({ length: 120 }, (__, page) => ({ site, page, size: 1000 + 100 * (page >> 2) + site })),
);

async function fold(cwd: string, visits: readonly Visit[], day: number, ...args: string[]): Promise<string> {
  writeFileSync(join(cwd, `${day}.tsv`), tableOf(visits));
  const { code, stderr } = await night(cwd, ['--state', 'S', `${day}.tsv`, '-q', '-o', 'r.json', ...args], day);
  expect([code, stderr]).toEqual([0, '']);
  return readFileSync(join(cwd, 'r.json'), 'utf8');
}

const visit = fc.record({
  site: fc.nat({ max: SITES.length - 1 }),
  page: fc.nat({ max: 140 }),
  size: fc.integer({ min: 1000, max: 1004 }).map((size) => size * 2),
});
/** Of few sites, so that others stay as they were. */
const visits = fc
  .tuple(fc.array(visit, { maxLength: 6 }), fc.nat({ max: SITES.length - 1 }))
  .map(([all, but]) => [
    { site: (but + 1) % SITES.length, page: 0, size: 1000 },
    ...all.filter(({ site }) => site !== but),
  ]);

test('night after night, with nights that expire', { timeout: 120_000 }, async () => {
  const nights = fc.array(visits, { minLength: 2, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(nights, fc.constantFrom<string[]>([], ['--keep', '2d']), async (all, keep) => {
      const [kept, anew] = [newFolder(), newFolder()];
      for (const [day, lines] of [first, ...all].entries()) {
        // A file with the lines of the last night would be that file, seen again.
        const some = lines.map((line, at) => (at === 0 ? { ...line, size: line.size + day } : line));
        rmSync(join(anew, 'S/sites.run'), { force: true });
        if (day > 0) expect(existsSync(join(kept, 'S/sites.run'))).toBe(true);
        // One state has one key for what visitors have made up.
        if (day === 0) await fold(anew, some, day, ...keep);
        if (day === 0) cpSync(anew, kept, { recursive: true });
        else expect(await fold(kept, some, day, ...keep)).toBe(await fold(anew, some, day, ...keep));
      }
    }),
    { numRuns: amount(12, 2) },
  );
});

test('a site without a new line is not mined: what is kept is believed', { timeout: 60_000 }, async () => {
  const cwd = newFolder();
  const sitesIn = (text: string) =>
    new Set((JSON.parse(text) as { rules: { site: string }[] }).rules.map((rule) => rule.site));
  expect(sitesIn(await fold(cwd, first, 0))).toEqual(new Set(SITES));
  const path = join(cwd, 'S/sites.run');
  replace(path, 'a.de', 'b.de');
  // Of b.de, rules are now found that say a.de, and none of its own.
  const later = await fold(cwd, [{ site: 2, page: 0, size: 1000 }], 1);
  expect(sitesIn(later).has('c.de')).toBe(true);
  const mined = (text: string) => (JSON.parse(text) as { rules: { site: string }[] }).rules.map(({ site }) => site);
  expect(mined(later).filter((site) => site === 'a.de').length).toBeGreaterThan(0);
  expect(sitesIn(later).has('b.de')).toBe(false);
});

/** Keeps for one site what was found in another. */
function replace(path: string, from: string, to: string): void {
  const seal = sealIn(path)!;
  const file = new RunFile(path, seal);
  const rows = Array.from(eachRow(mergeSorted([file.rows], 1 << 20)), ({ bytes, keyStart, keyEnd, end }) => ({
    site: Buffer.from(bytes.slice(keyStart, keyEnd)).toString(),
    digest: bytes.slice(keyEnd, keyEnd + 32),
    what: bytes.slice(keyEnd + 32, end),
  }));
  file.close();
  const sites = new FoundSites(path, { memoryBytes: 1 << 20, tmpdir: scratch.path, stats: { runs: 0, bytes: 0 } });
  for (const { site, digest, what } of rows)
    sites.keep(site, digest, site === to ? rows.find((one) => one.site === from)!.what : what);
  sites.write();
  sites.close();
}
