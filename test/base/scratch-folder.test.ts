import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScratchFolder } from '../../src/base/draft.js';
import { scratchFolder } from '../cli/process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

test('the folder of a dead process is removed by the next of its kind, and nothing else', () => {
  const own = makeScratchFolder(folder.path, 'man');
  const dead = spawnSync(process.execPath, ['-e', '0']).pid;
  const living = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const nameOf = (kind: string, pid: number, end: string) =>
    basename(own)
      .replace('-man-', `-${kind}-`)
      .replace(/\d+-\d+/, `${pid}-0`)
      .replace(/\w{6}$/, end);
  const left = nameOf('man', dead, 'aaaaaa');
  const kept = [
    basename(own),
    nameOf('spark', dead, 'bbbbbb'),
    nameOf('man', living.pid!, 'cccccc'),
    nameOf('man', dead, 'of-somebody'),
  ];
  const others = nameOf('man', dead, 'others');
  for (const name of [left, others, ...kept.slice(1)]) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, 'page'), '');
  }
  chmodSync(join(folder.path, others), 0o777);
  const link = nameOf('man', dead, 'linked');
  symlinkSync(join(folder.path, others), join(folder.path, link));
  const next = makeScratchFolder(folder.path, 'man');
  living.kill();
  expect(readdirSync(folder.path).sort()).toEqual([...kept, others, link, basename(next)].sort());
  expect(existsSync(join(folder.path, others, 'page'))).toBe(true);
});
