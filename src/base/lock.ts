// Who works in a folder? One process at a time; who died in it holds nothing.
//
// Every process has a lock file of its own name, so that none can take away another's by mistake. It makes its own first and
// looks for others then: of two that come at once at least the later sees the other. A file of a process that is no more is
// taken away. (With one file for all, two that find it stale can each remove it, the second one that of the first.)
//
//   lock.<pid>.<random>    {"pid", "host", "boot", "ticks", "since", "command"}
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from './bytes.js';
import { systemCode, UserError } from './error.js';
import { readPlain } from './plain-file.js';
import { storageError } from './storage-error.js';

/** Who made a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** Of the system's start, and of the process's start since then; '' where the system does not say. */
  readonly boot: string;
  readonly ticks: string;
  /** ISO 8601. */
  readonly since: string;
  readonly command: string;
}

export interface FolderLock {
  /** Of processes that ended without giving it back. */
  readonly abandonedBy: readonly LockHolder[];
  release(): void;
}

const NAME = /^lock\.(\d+)\.[0-9a-f]+$/;
/** Two that came at once both step back; one of them will be first the next time. */
const ATTEMPTS = 6;

/** True for the name of a lock file, or of one that was not finished. */
export function isLockName(name: string): boolean {
  return NAME.test(name) || /^lock\.\d+\.[0-9a-f]+\.part$/.test(name);
}

/** Throws a UserError that says who holds the folder, or why no lock can be made in it. */
export async function lockFolder(folder: string, since: Date, command: string): Promise<FolderLock> {
  const own = `lock.${process.pid}.${randomBytes(6).toString('hex')}`;
  const abandonedBy: LockHolder[] = [];
  for (let attempt = 1; ; attempt++) {
    writeLock(folder, own, { ...thisProcess(), since: since.toISOString(), command });
    const release = () => rmSync(join(folder, own), { force: true });
    let holder: Found | undefined;
    try {
      holder = otherHolder(folder, own, abandonedBy);
    } catch (error) {
      release();
      throw storageError(error, folder);
    }
    if (holder === undefined) return { abandonedBy, release };
    release();
    if (attempt === ATTEMPTS) throw refusal(folder, holder);
    await sleep(20 + Math.random() * 60 * attempt);
  }
}

interface Found {
  readonly name: string;
  readonly holder: LockHolder;
}

function otherHolder(folder: string, own: string, abandonedBy: LockHolder[]): Found | undefined {
  for (const name of readdirSync(folder)) {
    if (name === own || !NAME.test(name)) continue;
    const holder = readLock(folder, name);
    if (holder === undefined) continue;
    if (!isGone(holder)) return { name, holder };
    rmSync(join(folder, name), { force: true });
    abandonedBy.push(holder);
  }
  return undefined;
}

function writeLock(folder: string, name: string, holder: LockHolder): void {
  const path = join(folder, name);
  try {
    const fd = openSync(`${path}.part`, 'wx', 0o666);
    try {
      writeSync(fd, JSON.stringify(holder));
    } finally {
      closeSync(fd);
    }
    renameSync(`${path}.part`, path);
  } catch (error) {
    rmSync(`${path}.part`, { force: true });
    throw storageError(error, path);
  }
}

/** Undefined if it has just gone. What a power cut left of a lock says by its name at least which process it was. */
function readLock(folder: string, name: string): LockHolder | undefined {
  const nobody = { pid: Number(NAME.exec(name)![1]), host: hostname(), boot: '', ticks: '', since: '', command: '' };
  try {
    const found: unknown = JSON.parse(readPlain(join(folder, name)).toString('utf8'));
    return typeof found === 'object' ? { ...nobody, ...found } : nobody;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return nobody;
    throw error;
  }
}

/** True only if it is sure: on this host, and no such process, or another one of the same number. */
function isGone({ pid, host, boot, ticks }: LockHolder): boolean {
  if (host !== hostname()) return false;
  if (boot !== '' && boot !== bootId()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return true;
    if (systemCode(error) !== 'EPERM') throw error;
  }
  const now = startTicks(pid);
  return ticks !== '' && now !== '' && ticks !== now;
}

function thisProcess(): Pick<LockHolder, 'pid' | 'host' | 'boot' | 'ticks'> {
  return { pid: process.pid, host: hostname(), boot: bootId(), ticks: startTicks(process.pid) };
}

function bootId(): string {
  return textOf('/proc/sys/kernel/random/boot_id').trim();
}

/** Field 22 of the process's `stat`; the name of the program, in parentheses, may have blanks. */
function startTicks(pid: number): string {
  const text = textOf(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** '' where there is no such file, as on systems without /proc. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return '';
  }
}

function refusal(folder: string, { name, holder }: Found): UserError {
  const { pid, host, since, command } = holder;
  const isHere = host === hostname();
  const who = `${command === '' ? '' : `"${printable(command)}", `}process ${pid}${isHere ? '' : ` on ${printable(host)}`}`;
  const when = since === '' ? '' : `, since ${printable(since)}`;
  const advice = isHere
    ? 'Wait until it has ended, or end it'
    : `Wait until it has ended; if it is sure that it runs no more, remove ${printable(join(folder, name))}`;
  return new UserError(
    `${printable(folder)} is in use by ${who}${when}; expected one run at a time in a folder. ${advice}.`,
  );
}
