// Locks a folder for one process at a time. The lock of a dead process does not count.
//
// Every process has a lock file of its own, so none can remove another's by mistake. It creates its own first and then
// looks for others: if two come at the same time, at least the later one sees the other. A process removes the files of
// dead ones. (With a single lock file, two processes that find it stale could each remove it, the second one removing
// the first one's new lock.)
//
//   lock.<pid>.<random>    {"pid", "host", "boot", "namespace", "ticks", "since", "command"}
//
// Only a process in the same PID namespace can see whether the holder runs (`process-mark`). For all others a lock is a
// lease: a thread of the holder rewrites the file every few seconds, since the holder may compute for hours without a
// pause. A lock that was not renewed for LEASE_MS belongs to a dead container. Its age is the difference between its
// file time and that of our own lock file. The file system sets both, so no clocks of two hosts are compared. A lease
// may also run out because its holder sleeps (a stopped container, a closed laptop). So the holder must `confirm`
// before it changes what others rely on: it renews first and then looks for others, in the same order as when it took
// the lock. Either the other process sees the renewed lease and backs off, or the holder sees the other process and
// refuses.
import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { printable } from './bytes.js';
import { draftName, removeLeftDrafts } from './draft.js';
import { systemCode, unlessRefused, UserError } from './error.js';
import { systemName } from './file-name.js';
import { storageError } from './kept-folder.js';
import { readPlain } from './plain-file.js';
import { lifeOf, type ProcessMark, thisProcess } from './process-mark.js';

/** The process that made a lock. */
export interface LockHolder extends ProcessMark {
  /** ISO 8601. */
  readonly since: string;
  readonly command: string;
}

export interface FolderLock {
  /** Holders that ended without releasing it. */
  readonly abandonedBy: readonly LockHolder[];
  /** Throws a UserError if another process has taken the folder. */
  confirm(): void;
  release(): void;
}

/** How long a lock whose process cannot be checked is valid after its last renewal. */
export const LEASE_MS = 120_000;
const RENEW_MS = 10_000;

const NAME = /^lock\.(\d+)\.[0-9a-f]+$/;
/** Two processes that come at once both back off; one of them comes first at the next attempt. */
const ATTEMPTS = 6;

/** True for the name of a lock file. */
export function isLockName(name: string): boolean {
  return NAME.test(name);
}

/** Throws a UserError that names the holder of the folder, or says why no lock can be created in it. */
export async function lockFolder(folder: string, since: Date, command: string): Promise<FolderLock> {
  const own = `lock.${process.pid}.${randomBytes(6).toString('hex')}`;
  const path = join(folder, own);
  removeLeftDrafts(folder);
  const abandonedBy: LockHolder[] = [];
  for (let attempt = 1; ; attempt++) {
    const fd = writeLock(path, { ...thisProcess(), since: since.toISOString(), command });
    const remove = () => {
      closeSync(fd);
      rmSync(systemName(path), { force: true });
    };
    let holder: Found | undefined;
    try {
      holder = otherHolder(folder, own, abandonedBy);
    } catch (error) {
      remove();
      throw storageError(error, folder);
    }
    if (holder === undefined) return held(folder, own, fd, abandonedBy);
    remove();
    if (attempt === ATTEMPTS) throw refusal(folder, holder);
    await sleep(20 + Math.random() * 60 * attempt);
  }
}

/** How to release each lock of this process, by the path of its file. */
const locksHere = new Map<string, () => void>();

/** Releases all locks, synchronously: for the signal handler, just before exit. */
export function releaseLocks(): void {
  for (const release of locksHere.values()) release();
}

/** Renewing writes to `fd`, which does not bring back a removed file. */
function held(folder: string, own: string, fd: number, abandonedBy: readonly LockHolder[]): FolderLock {
  const renewing = renewAgainAndAgain(join(folder, own));
  const path = resolve(folder, own);
  const release = () => {
    if (!locksHere.delete(path)) return;
    void renewing.terminate();
    // If the file cannot be removed, it expires with this process.
    unlessRefused(() => rmSync(systemName(path), { force: true }));
    closeSync(fd);
  };
  locksHere.set(path, release);
  return {
    abandonedBy,
    confirm() {
      try {
        renew(fd);
        const other = otherHolder(folder, own, []);
        if (other === undefined && lstatSync(systemName(join(folder, own)), { throwIfNoEntry: false }) !== undefined)
          return;
        throw lost(folder, other);
      } catch (error) {
        throw storageError(error, folder);
      }
    },
    release,
  };
}

/** Rewrites the same byte: the file system records the time. */
function renew(fd: number): void {
  writeSync(fd, '{', 0);
}

/**
 * The code of the renewing thread: a few lines, so that it loads no module. It opens the file itself, as the number of
 * a descriptor that another thread closes may be reused at any moment. If a write fails, `confirm` finds out.
 */
const RENEWING = `
  const { constants, openSync, writeSync } = require('node:fs');
  const { path, ms } = require('node:worker_threads').workerData;
  const fd = openSync(systemName(path), constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  setInterval(() => { try { writeSync(fd, '{', 0); } catch {} }, ms);
`;

function renewAgainAndAgain(path: string): Worker {
  const worker = new Worker(RENEWING, { eval: true, workerData: { path, ms: RENEW_MS }, stdout: true, stderr: true });
  worker.on('error', () => undefined); // the file is gone: `confirm` will say so
  worker.unref();
  return worker;
}

interface Found {
  readonly name: string;
  readonly holder: LockHolder;
}

function otherHolder(folder: string, own: string, abandonedBy: LockHolder[]): Found | undefined {
  for (const name of readdirSync(systemName(folder), 'utf8')) {
    if (name === own || !NAME.test(name)) continue;
    const holder = readLock(folder, name);
    if (holder === undefined) continue;
    const life = isOfThePast(holder, resolve(folder, name)) ? 'gone' : lifeOf(holder);
    if (life === 'runs' || (life === 'unknown' && !hasRunOut(folder, name, own))) return { name, holder };
    rmSync(systemName(join(folder, name)), { force: true });
    abandonedBy.push(holder);
  }
  return undefined;
}

/** True for a stale lock with our process id, on a system that does not report when processes began. */
function isOfThePast(holder: LockHolder, path: string): boolean {
  return holder.pid === process.pid && holder.ticks === '' && !locksHere.has(path) && lifeOf(holder) === 'runs';
}

/** Compares times of the file system only. */
function hasRunOut(folder: string, name: string, own: string): boolean {
  const [other, now] = [name, own].map(
    (one) => lstatSync(systemName(join(folder, one)), { throwIfNoEntry: false })?.mtimeMs,
  );
  return other !== undefined && now !== undefined && now - other > LEASE_MS;
}

/** Returns the open file. */
function writeLock(path: string, holder: LockHolder): number {
  const { fd, draft } = openDraft(path);
  try {
    writeSync(fd, JSON.stringify(holder));
    renameSync(systemName(draft), systemName(path));
    return fd;
  } catch (error) {
    closeSync(fd);
    rmSync(systemName(draft), { force: true });
    throw storageError(error, path);
  }
}

/**
 * Opens a new draft. The draft of a dead process with our id may exist, if the system does not report when processes
 * began.
 */
function openDraft(path: string): { readonly fd: number; readonly draft: string } {
  for (let attempt = 0; ; attempt++) {
    const draft = join(dirname(path), draftName(attempt));
    try {
      return { fd: openSync(systemName(draft), 'wx', 0o666), draft };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw storageError(error, path);
    }
  }
}

/**
 * Undefined if the file has just been removed. A power cut may have emptied it, but its name still has the process id.
 */
function readLock(folder: string, name: string): LockHolder | undefined {
  const pid = Number(NAME.exec(name)![1]);
  try {
    return asHolder(JSON.parse(readPlain(join(folder, name)).toString('utf8')), pid);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return asHolder(null, pid);
    throw error;
  }
}

/** Ignores fields that are not text. A lock without a namespace cannot be checked. */
function asHolder(found: unknown, pid: number): LockHolder {
  const fields = (typeof found === 'object' && found !== null ? found : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const [host, boot, namespace, ticks] = [text('host'), text('boot'), text('namespace'), text('ticks')];
  return { pid, host, boot, namespace, ticks, since: text('since'), command: text('command') };
}

function refusal(folder: string, { name, holder }: Found): UserError {
  const { host, since } = holder;
  const when = since === '' ? '' : `, since ${printable(since)}`;
  const isKnown = lifeOf(holder) === 'runs';
  const isHere = isKnown || host === hostname();
  const advice = isKnown
    ? 'Wait until it has ended, or end it'
    : `Wait until it has ended${isHere ? '' : ` on ${printable(host)}`}. If it was killed, its lock is void ${LEASE_MS / 60_000} minutes ` +
      `after its last sign of life; if it is sure that it runs no more, remove ${printable(join(folder, name))}`;
  const where = isKnown || host === '' ? '' : ` in another container or on another host (${printable(host)})`;
  return new UserError(
    `${printable(folder)} is in use by ${describe(holder)}${where}${when}; expected one run at a time in a folder. ${advice}.`,
  );
}

function lost(folder: string, other: Found | undefined): UserError {
  const who = other === undefined ? 'another run' : `${describe(other.holder)}`;
  return new UserError(
    `${printable(folder)} was taken over by ${who} while this run was stopped for over ${LEASE_MS / 60_000} minutes, or its lock was removed; ` +
      'expected to be alone in it. Nothing more was kept: run again.',
  );
}

function describe({ pid, command }: LockHolder): string {
  return `${command === '' ? '' : `"${printable(command)}", `}process ${pid}`;
}
