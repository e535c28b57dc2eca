// What was found in sites, from night to night.
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { FoundSites } from '../../src/state/found-sites.js';
import { amount } from '../amount.js';
import { scratchFolder } from '../cli/process.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
let files = 0;
const newPath = () => join(scratch.path, `${files++}.run`);

const digest = (text: string) => Buffer.alloc(32, text);
const open = (path: string) =>
  new FoundSites(path, { memoryBytes: 1 << 20, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } });
const text = (found: Uint8Array | undefined) => found && Buffer.from(found).toString();

/** A night that keeps what is given, in this order. */
function kept(path: string, found: readonly (readonly [site: string, digest: string, found: string])[]): void {
  const sites = open(path);
  for (const [site, name, what] of found) sites.keep(site, digest(name), Buffer.from(what));
  sites.write();
  sites.close();
}

/** What is found of sites with these digests. */
function found(path: string, asked: readonly (readonly [site: string, digest: string])[]) {
  const sites = open(path);
  const all = asked.map(([site, name]) => text(sites.find(site, digest(name))));
  sites.close();
  return all;
}

describe('what was found in a site', () => {
  test('is found again by its name and digest, if sites are asked for in their order', () => {
    const path = newPath();
    expect(found(path, [['a.de', '1']])).toEqual([undefined]);
    kept(path, [
      ['b.de', '2', 'of b'],
      ['a.de', '1', 'of a'],
      ['a.de.x', '3', ''],
    ]);
    expect(
      found(path, [
        ['a', '1'],
        ['a.de', '1'],
        ['a.de.x', '3'],
        ['a.dez', '1'],
        ['b.de', '1'],
        ['c.de', '2'],
      ]),
    ).toEqual([undefined, 'of a', '', undefined, undefined, undefined]);
  });

  test('whatever the names', () => {
    const names = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 4 }).filter((name) => !name.includes('\0')));
    fc.assert(
      fc.property(names, names, (sites, others) => {
        const path = newPath();
        kept(
          path,
          sites.map((site) => [site, '1', `of ${site}`]),
        );
        const asked = [...new Set([...sites, ...others])].sort((a, b) =>
          Buffer.compare(Buffer.from(a), Buffer.from(b)),
        );
        expect(
          found(
            path,
            asked.map((site) => [site, '1']),
          ),
        ).toEqual(asked.map((site) => (sites.includes(site) ? `of ${site}` : undefined)));
      }),
      { numRuns: amount(50, 5) },
    );
  });

  test('is replaced as a whole', () => {
    const path = newPath();
    kept(path, [['a.de', '1', 'of a']]);
    kept(path, [['b.de', '1', 'of b']]);
    expect(
      found(path, [
        ['a.de', '1'],
        ['b.de', '1'],
      ]),
    ).toEqual([undefined, 'of b']);
    kept(path, []);
    expect(found(path, [['b.de', '1']])).toEqual([undefined]);
    expect(readdirSync(scratch.path).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('is not written again if nothing was different', () => {
    const path = newPath();
    kept(path, [
      ['a.de', '1', 'of a'],
      ['b.de', '2', 'of b'],
    ]);
    const { ino } = statSync(path);
    const again = (names: readonly (readonly [string, string])[]) => {
      const sites = open(path);
      for (const [site, name] of names) sites.keep(site, digest(name), sites.find(site, digest(name)) ?? Buffer.of());
      sites.write();
      sites.close();
      return statSync(path).ino === ino;
    };
    expect(
      again([
        ['a.de', '1'],
        ['b.de', '2'],
      ]),
    ).toBe(true);
    expect(again([['a.de', '1']])).toBe(false);
  });
});

describe('a file that is', () => {
  const made = newPath();
  kept(
    made,
    Array.from({ length: 40 }, (_, k) => [`s${10 + k}.de`, '1', `${k}`.repeat(3000)] as const),
  );
  const whole = readFileSync(made);

  test.each<[string, (path: string) => void]>([
    ['empty', (path) => writeFileSync(path, '')],
    ['something else', (path) => writeFileSync(path, 'x'.repeat(1000))],
    ['cut', (path) => truncateSync(path, whole.length - 1)],
  ])('%s is none', (_, damage) => {
    const path = newPath();
    writeFileSync(path, whole);
    damage(path);
    expect(found(path, [['s10.de', '1']])).toEqual([undefined]);
    kept(path, [['s10.de', '1', 'anew']]);
    expect(found(path, [['s10.de', '1']])).toEqual(['anew']);
  });

  test('damaged anywhere never says something else', () => {
    const asked = Array.from({ length: 40 }, (_, k) => [`s${10 + k}.de`, '1'] as const);
    const right = found(made, asked);
    const path = newPath();
    fc.assert(
      fc.property(fc.nat({ max: whole.length - 1 }), (at) => {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= 1;
        writeFileSync(path, bytes);
        for (const [k, one] of found(path, asked).entries()) if (one !== undefined) expect(one).toBe(right[k]);
      }),
      { numRuns: amount(50, 10) },
    );
  });
});
