import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFew } from '../amount.js';
import { UserError } from '../../src/base/error.js';
import { readSealed, writeSealed } from '../../src/base/sealed-json.js';
import { scratchFolder } from '../cli/process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());
const at = (name: string) => join(folder.path, name);
const format = { format: 'test', version: 1 };
const content = { name: 'ä\udcff', list: [1, 2.5, -1], nothing: null };

test('what was written is read back, even text that is not Unicode', () => {
  writeSealed(at('a.json'), format, content);
  expect(readSealed(at('a.json'), format)).toEqual(content);
  expect(readdirSync(folder.path)).toEqual(['a.json']);
  expect(readSealed(at('none.json'), format)).toBeUndefined();
});

test('a file that is replaced keeps its mode, and its owner where that is allowed', () => {
  writeSealed(at('d.json'), format, content);
  chmodSync(at('d.json'), 0o640);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(at('d.json'), 65_534, 65_533);
  writeSealed(at('d.json'), format, { other: 1 });
  const { mode, uid, gid } = statSync(at('d.json'));
  expect(mode & 0o7777).toBe(0o640);
  if (isRoot) expect([uid, gid]).toEqual([65_534, 65_533]);
  expect(readSealed(at('d.json'), format)).toEqual({ other: 1 });
});

test('another format or version is refused, with what was found and expected', () => {
  writeSealed(at('b.json'), { format: 'test', version: 2 }, content);
  expect(() => readSealed(at('b.json'), format)).toThrow(
    /got version 2, expected 1\. Use the dustbuster that wrote it/,
  );
  writeSealed(at('b.json'), { format: 'other', version: 1 }, content);
  expect(() => readSealed(at('b.json'), format)).toThrow(/a file of format test was expected/);
});

test.skipIf(isFew)('cut anywhere, or with any byte changed, it is refused or reads the same', () => {
  writeSealed(at('c.json'), format, content);
  const whole = readFileSync(at('c.json'));
  let refused = 0;
  const check = (bytes: Buffer) => {
    writeFileSync(at('c.json'), bytes);
    try {
      expect(readSealed(at('c.json'), format)).toEqual(content);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      refused++;
    }
  };
  for (let length = 0; length < whole.length; length++) check(whole.subarray(0, length));
  expect(refused).toBe(whole.length - 1); // the newline at the end is not missed
  for (let k = 0; k < whole.length; k++) {
    for (const bit of [0, 3, 5]) {
      const changed = Buffer.from(whole);
      changed[k]! ^= 1 << bit;
      check(changed);
    }
  }
  expect(refused).toBeGreaterThan(3 * whole.length);
});

test('if it cannot be written the old one stays', () => {
  writeSealed(at('d.json'), format, content);
  mkdirSync(at('d.json.part'));
  expect(() => writeSealed(at('d.json'), format, { other: true })).toThrow(UserError);
  expect(readSealed(at('d.json'), format)).toEqual(content);
});
