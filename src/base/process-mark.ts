// Identifies a process, and tells whether it still runs. The process id alone is not enough: containers count from 1,
// and ids of dead processes are reused.
//
// A process is identified by the system's start (`boot`), its PID namespace, and its own start since then (`ticks`). A
// process in the same namespace can ask the system, whatever the host names: containers may share a name, and get a new
// one at a restart. Processes elsewhere cannot ask, and cannot distinguish a reboot from another machine of the same
// name on a shared disk: for them the answer is 'unknown'.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemCode, unlessRefused } from './error.js';

export interface ProcessMark {
  readonly pid: number;
  readonly host: string;
  /** '' if the system does not say; the same for the fields below. */
  readonly boot: string;
  readonly namespace: string;
  readonly ticks: string;
}

export function thisProcess(): ProcessMark {
  const { pid } = process;
  return { pid, host: hostname(), boot: bootId(), namespace: namespaceId(), ticks: statOf(pid).start };
}

/** Whether the process runs, as far as this process can know. */
export function lifeOf({ pid, host, boot, namespace, ticks }: ProcessMark): 'runs' | 'gone' | 'unknown' {
  if (boot !== bootId() || namespace !== namespaceId()) return 'unknown';
  // Without /proc there are no namespaces either.
  if (namespace === '' && host !== hostname()) return 'unknown';
  return lifeHere(pid, ticks);
}

/** The mark of this process as part of a file name: its id, its start, and a hash of the rest. */
export function markOf(): string {
  const { pid, ticks } = thisProcess();
  return `${pid}-${ticks || '0'}-${placeHash()}`;
}

/** Whether the process of a mark is running. */
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
  const { state, start } = statOf(pid);
  // A process that has ended stays in the table until its parent asks for its exit code. Some parents never do.
  if (state === 'Z' || state === 'X') return 'gone';
  return ticks === '' || start === '' || ticks === start ? 'runs' : 'gone';
}

function bootId(): string {
  return textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

function namespaceId(): string {
  return textOf(() => readlinkSync('/proc/self/ns/pid'));
}

/**
 * Fields 3 and 22 of the process's `stat`. The name of the program, in parentheses, may have blanks. '' if /proc
 * belongs to another namespace, which has other ids.
 */
function statOf(pid: number): { readonly state: string; readonly start: string } {
  const isOurs = textOf(() => readlinkSync('/proc/self')) === String(process.pid);
  const text = isOurs ? textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) : '';
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', start: fields[19] ?? '' };
}

/** '' if there is no such file, as on systems without /proc. */
function textOf(read: () => string): string {
  return unlessRefused(read) ?? '';
}
