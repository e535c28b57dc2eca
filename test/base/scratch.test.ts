import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { addScratchUse, ScratchFile, scratchUse, takeScratchUse } from '../../src/base/scratch.js';
import { scratchFolder } from '../cli/process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

test('the bytes on disk are those of open files, and their maximum is recorded', () => {
  const before = scratchUse();
  const [a, b] = [new ScratchFile(folder.path), new ScratchFile(folder.path)];
  a.append(new Uint8Array(100));
  b.append(new Uint8Array(50));
  a.close();
  b.append(new Uint8Array(20));
  expect(b.length).toBe(70);
  b.close();
  const { now, peak, written } = scratchUse();
  expect([now - before.now, peak, written - before.written]).toEqual([0, Math.max(before.peak, 150), 170]);
});

test('the usage of a thread is collected once, and counts as if it was simultaneous', () => {
  const open = new ScratchFile(folder.path);
  open.append(new Uint8Array(30));
  const there = takeScratchUse();
  expect(scratchUse()).toEqual({ now: there.now, peak: there.now, written: 0 });
  addScratchUse({ now: 0, peak: 500, written: 900 });
  expect(scratchUse()).toEqual({ now: there.now, peak: there.now + 500, written: 900 });
  open.close();
});

test('appended bytes are read back, up to the end, and the file has no name', () => {
  const file = new ScratchFile(folder.path);
  file.append(Uint8Array.of(1, 2, 3));
  file.append(Uint8Array.of(4));
  expect(readdirSync(folder.path)).toEqual([]);
  const target = new Uint8Array(4);
  expect([file.read(target, 1), ...target]).toEqual([3, 2, 3, 4, 0]);
  file.close();
});

test('an unusable folder is an error that says what to do', () => {
  expect(() => new ScratchFile('/no/such/folder')).toThrow(UserError);
  expect(() => new ScratchFile('/no/such/folder')).toThrow(/no such folder \(ENOENT\).*Make it, or name another/);
});
