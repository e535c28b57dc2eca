import { chmodSync, chownSync, closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReadAccess } from '../../src/base/access.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'dustbuster-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The mode of a new file, of 0644, after files of these modes were read. */
function modeAfter(modes: readonly number[], gid?: number): number {
  const access = new ReadAccess();
  for (const [at, mode] of modes.entries()) {
    const path = join(folder, `log-${at}`);
    writeFileSync(path, '');
    if (gid !== undefined) chownSync(path, process.getuid!(), gid);
    chmodSync(path, mode);
    access.note(path);
  }
  const fd = openSync(join(folder, 'result'), 'w');
  chmodSync(join(folder, 'result'), 0o644);
  access.limit(fd);
  const { mode } = fstatSync(fd);
  closeSync(fd);
  return mode & 0o777;
}

test.each([
  [[], 0o644],
  [[0o644], 0o644],
  [[0o666], 0o644],
  [[0o640], 0o640],
  [[0o600], 0o600],
  [[0o640, 0o604], 0o600],
  [[0o400], 0o600],
  [[0o755], 0o644],
])('a result of files with the modes %j', (modes, expected) => expect(modeAfter(modes)).toBe(expected));

test.runIf(process.getuid?.() === 0)('what another group may read, ours may not', () => {
  expect(modeAfter([0o640], 4321)).toBe(0o600);
  expect(modeAfter([0o644], 4321)).toBe(0o644);
});

test('what is no file says nothing', () => {
  const access = new ReadAccess();
  access.note(folder);
  access.note(join(folder, 'not there'));
  const fd = openSync(join(folder, 'other'), 'w', 0o644);
  access.limit(fd);
  expect(fstatSync(fd).mode & 0o777 & ~process.umask()).toBe(0o644 & ~process.umask());
  closeSync(fd);
});
