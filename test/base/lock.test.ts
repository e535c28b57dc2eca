import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draftName } from '../../src/base/draft.js';
import { LEASE_MS, lockFolder, releaseLocks, type LockHolder } from '../../src/base/lock.js';
import { thisProcess } from '../../src/base/process-mark.js';
import { scratchFolder } from '../cli/process.js';

let scratch: ReturnType<typeof scratchFolder>;
beforeAll(() => (scratch = scratchFolder()));
afterAll(() => scratch.remove());
const newFolder = () => mkdtempSync(join(scratch.path, 'lock-'));
const since = new Date('2026-11-21T03:00:00Z');
const lock = (folder: string) => lockFolder(folder, since, 'dustbuster mine --state x');

function leave(folder: string, pid: number, more: Partial<LockHolder> = {}, ageMs = 0): void {
  const holder = { ...thisProcess(), pid, ticks: '', since: since.toISOString(), command: 'mine', ...more };
  const path = join(folder, `lock.${pid}.0123456789ab`);
  writeFileSync(path, JSON.stringify(holder));
  age(path, ageMs);
}

/** Makes a file as old as this. */
function age(path: string, ageMs: number): void {
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(path, at, at);
}

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

test('a folder is locked by one process at a time; another one learns which, since when, and what to do', async () => {
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

test('of two that come at the same time one gets the lock, and the other never does', async () => {
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

test('the draft of a lock goes with the next run, if its process is dead', async () => {
  const folder = newFolder();
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const draftOf = (pid: number) => draftName(0).replace(/\d+-\d+/, `${pid}-0`);
  for (const pid of [deadPid(), child.pid!]) writeFileSync(join(folder, draftOf(pid)), '{"pid":');
  const taken = await lock(folder);
  expect(taken.abandonedBy).toEqual([]);
  taken.release();
  expect(readdirSync(folder)).toEqual([draftOf(child.pid!)]);
  child.kill();
});

test('a new process with the id of a dead one holds nothing, whatever the name of its host', async () => {
  const folder = newFolder();
  leave(folder, process.pid, { ticks: '1', host: 'elsewhere' });
  const taken = await lock(folder);
  expect(taken.abandonedBy).toHaveLength(1);
  taken.release();
});

test('without a /proc, a lock with our id that we did not make is of a dead process', async () => {
  const folder = newFolder();
  leave(folder, process.pid);
  const draft = join(folder, draftName(0));
  writeFileSync(draft, '{"pid":');
  const taken = await lock(folder);
  expect(taken.abandonedBy).toHaveLength(1);
  await expect(lock(folder)).rejects.toThrow(`process ${process.pid}, since`);
  taken.release();
  expect(readdirSync(folder)).toEqual([draftName(0)]);
});

test('all locks are released at once, and twice is as good as once', async () => {
  const folders = [newFolder(), newFolder()];
  const locks = [await lock(folders[0]!), await lock(folders[1]!)];
  releaseLocks();
  for (const one of locks) one.release();
  expect(folders.map((folder) => readdirSync(folder))).toEqual([[], []]);
});

test.runIf(process.getuid?.() === 0)('a lock that cannot be removed hides no other error', async () => {
  const folder = newFolder();
  const taken = await lock(folder);
  const isFrozen = spawnSync('chattr', ['+i', folder]).status === 0;
  expect(() => taken.release()).not.toThrow();
  if (isFrozen) spawnSync('chattr', ['-i', folder]);
});

test.each([
  ['in another container of this host name', { namespace: 'pid:[1]' }],
  ['before the system started, or on another one of this name', { boot: 'another' }],
  ['on another host', { boot: 'another', host: 'elsewhere' }],
])('%s it is unknown whether it runs: the lock holds as long as it is renewed', async (_, where) => {
  const folder = newFolder();
  leave(folder, deadPid(), where, LEASE_MS / 2);
  await expect(lock(folder)).rejects.toThrow(
    /in another container or on another host \(.*\), since .*its lock is void 2 minutes after .* remove .*lock\.\d+\./,
  );
  rmSync(join(folder, readdirSync(folder)[0]!));
  leave(folder, process.pid, where, LEASE_MS + 5_000);
  const taken = await lock(folder);
  expect(taken.abandonedBy).toHaveLength(1);
  taken.release();
});

test('a process that slept for longer than its lease notices that it has lost the lock', async () => {
  const folder = newFolder();
  const first = await lock(folder);
  first.confirm();
  rmSync(join(folder, readdirSync(folder)[0]!));
  expect(() => first.confirm()).toThrow(/was taken over by another run while .* Nothing more was kept: run again\./);
  const second = await lock(folder);
  expect(() => first.confirm()).toThrow(`was taken over by "dustbuster mine --state x", process ${process.pid}`);
  second.confirm();
  first.release();
  second.release();
  expect(readdirSync(folder)).toEqual([]);
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

test.each(['', '{"pid":', 'null', '{"pid":1,"since":5}', '{"pid":1,"host":{},"boot":[],"ticks":7,"command":null}'])(
  'a damaged lock file counts as a lease: %j',
  async (text) => {
    const folder = newFolder();
    const path = join(folder, `lock.${process.ppid}.00`);
    writeFileSync(path, text);
    await expect(lock(folder)).rejects.toThrow(`is in use by process ${process.ppid};`);
    age(path, LEASE_MS + 5_000);
    (await lock(folder)).release();
  },
);
