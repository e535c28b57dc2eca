// Which process is it, and does it still run? Its number alone does not say: a container counts its own from 1, and the
// numbers of the dead come again.
//
// A process is known by the system's start (`boot`), by the PID namespace in which its number counts, and by its own
// start since then (`ticks`). Who is in the same namespace can ask the system, and is sure, whatever the hosts are
// called: containers may have one name, and a container has another one when it comes again. Nobody else can ask, nor
// tell a reboot from another machine of the same name on a shared disk: to them it is unknown.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode, unlessRefused } from './error.js';

export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** '' where the system does not say, as all of these. */
  readonly boot: string;
  readonly namespace: string;
  readonly ticks: string;
}

export function thisProcess(): ProcessMark {
  const { pid } = process;
  return { pid, host: hostname(), boot: bootId(), namespace: namespaceId(), ticks: startTicks(pid) };
}

/** Whether the process runs, so far as it can be known from here. */
export function lifeOf({ pid, host, boot, namespace, ticks }: ProcessMark): 'runs' | 'gone' | 'unknown' {
  if (boot !== bootId() || namespace !== namespaceId()) return 'unknown';
  // Without /proc there are no namespaces either.
  if (namespace === '' && host !== hostname()) return 'unknown';
  return lifeHere(pid, ticks);
}

/** This process for the name of a file: number, start, and a hash of all else that it is known by. */
export function markOf(): string {
  const { pid, ticks } = thisProcess();
  return `${pid}-${ticks || '0'}-${placeHash()}`;
}

/** Whether the process of a mark runs. */
export function lifeOfMark(mark: string): 'runs' | 'gone' | 'unknown' {
  const [, pid, ticks, place] = /^(\d+)-(\d+)-([0-9a-f]{8})$/.exec(mark) ?? [];
  if (place !== placeHash()) return 'unknown';
  return lifeHere(Number(pid), ticks === '0' ? '' : ticks!);
}

function placeHash(): string {
  return createHash('sha256').update(`${hostname()}\n${bootId()}\n${namespaceId()}`).digest('hex').slice(0, 8);
}

function lifeHere(pid: number, ticks: string): 'runs' | 'gone' | 'unknown' {
  if (!Number.isSafeInteger(pid) || pid <= 0) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return 'gone';
    if (systemCode(error) !== 'EPERM') throw error;
  }
  const now = startTicks(pid);
  return ticks === '' || now === '' || ticks === now ? 'runs' : 'gone';
}

function bootId(): string {
  return textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

function namespaceId(): string {
  return textOf(() => readlinkSync('/proc/self/ns/pid'));
}

/**
 * Field 22 of the process's `stat`; the name of the program, in parentheses, may have blanks. '' where /proc is that of
 * another namespace, whose numbers are not ours.
 */
function startTicks(pid: number): string {
  if (textOf(() => readlinkSync('/proc/self')) !== String(process.pid)) return '';
  const text = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** '' where there is no such file, as on systems without /proc. */
function textOf(read: () => string): string {
  return unlessRefused(read) ?? '';
}
