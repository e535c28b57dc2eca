import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockFolder, type LockHolder } from '../../src/base/lock.js';
import { scratchFolder } from '../cli/process.js';

let scratch: ReturnType<typeof scratchFolder>;
beforeAll(() => (scratch = scratchFolder()));
afterAll(() => scratch.remove());
const newFolder = () => mkdtempSync(join(scratch.path, 'lock-'));
const since = new Date('2026-11-21T03:00:00Z');
const lock = (folder: string) => lockFolder(folder, since, 'dustbuster mine --state x');

function leave(folder: string, pid: number, more: Partial<LockHolder> = {}): void {
  const holder = { pid, host: hostname(), boot: '', ticks: '', since: since.toISOString(), command: 'mine', ...more };
  writeFileSync(join(folder, `lock.${pid}.0123456789ab`), JSON.stringify(holder));
}

/** The number of a process that is no more. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

test('a folder is locked by one at a time, and the other is told who, since when, and what to do', async () => {
  const folder = newFolder();
  const first = await lock(folder);
  await expect(lock(folder)).rejects.toThrow(
    `${folder} is in use by "dustbuster mine --state x", process ${process.pid}, since 2026-11-21T03:00:00.000Z; ` +
      'expected one run at a time in a folder. Wait until it has ended, or end it.',
  );
  first.release();
  const second = await lock(folder);
  expect(second.abandonedBy).toEqual([]);
  second.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('of two that come at once one gets it, and the other never does', async () => {
  for (let k = 0; k < 5; k++) {
    const folder = newFolder();
    const both = await Promise.allSettled([lock(folder), lock(folder)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(folder)).toHaveLength(1);
  }
});

test('a dead process holds nothing', async () => {
  const folder = newFolder();
  const pid = deadPid();
  leave(folder, pid);
  const taken = await lock(folder);
  expect(taken.abandonedBy).toMatchObject([{ pid, since: since.toISOString() }]);
  expect(readdirSync(folder).some((name) => name.includes(`.${pid}.`))).toBe(false);
  taken.release();
});

test('another process with the number of a dead one holds nothing, nor does one from before the system started', async () => {
  for (const more of [{ ticks: '1' }, { boot: 'another' }]) {
    const folder = newFolder();
    leave(folder, process.pid, more);
    const taken = await lock(folder);
    expect(taken.abandonedBy).toHaveLength(1);
    taken.release();
  }
});

test('a living process holds it until it ends, however it ends', async () => {
  const folder = newFolder();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  leave(folder, child.pid!, { ticks: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]! });
  await expect(lock(folder)).rejects.toThrow(`process ${child.pid}, since`);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  (await lock(folder)).release();
});

test('of another host it cannot be known whether it runs: the user is told which file to remove', async () => {
  const folder = newFolder();
  leave(folder, deadPid(), { host: 'elsewhere' });
  await expect(lock(folder)).rejects.toThrow(
    /on elsewhere, since .*if it is sure that it runs no more, remove .*lock\.\d+\./,
  );
});

test('what a power cut left of a lock is judged by its name', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, `lock.${deadPid()}.00`), '');
  (await lock(folder)).release();
  writeFileSync(join(folder, `lock.${process.ppid}.00`), '{"pid":');
  await expect(lock(folder)).rejects.toThrow(`is in use by process ${process.ppid};`);
});
