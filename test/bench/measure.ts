// Runs commands as a user would and measures wall time, CPU time, and the peak resident size of all their processes.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

export interface Sample {
  readonly seconds: number;
  /** Of all processes and threads; 0 if the system does not report it (it is read from /proc, like the next). */
  readonly cpuSeconds: number;
  /** Peaks of the processes together in MiB. */
  readonly mebibytes: number;
  /** The result of a run that measures itself. */
  readonly result?: number;
}

/** A program with its arguments, or a line for bash. */
export type Command = readonly string[] | string;

/** Text as bytes, whatever the locale of the machine: `sort` is quick only with this. */
const ENVIRONMENT = { ...process.env, LC_ALL: 'C' };

/** One run from start to end. Standard output goes to a file, so that writing is part of the work for all. */
export function runOnce(command: Command, outputPath: string): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const output = openSync(outputPath, 'w');
    const [program, ...args] = typeof command === 'string' ? ['bash', '-o', 'pipefail', '-c', command] : command;
    const started = performance.now();
    const child = spawn(program!, args, { stdio: ['ignore', output, 'pipe'], env: ENVIRONMENT });
    const tree = new ProcessTree(child.pid);
    let messages = '';
    child.stderr!.on('data', (chunk: Buffer) => (messages = (messages + chunk.toString()).slice(-10_000)));
    child.on('error', reject);
    child.on('exit', () => tree.stop());
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000;
      closeSync(output);
      if (code === 0) resolve({ seconds, cpuSeconds: tree.cpuSeconds, mebibytes: tree.mebibytes });
      else reject(new Error(`${String(command)} ended with ${code}: ${messages}`));
    });
  });
}

/** Runs to its end and returns standard output, or standard error where that is wanted. */
export function outputOf(command: Command, stream: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  return new Promise((resolve, reject) => {
    const [program, ...args] = typeof command === 'string' ? ['bash', '-o', 'pipefail', '-c', command] : command;
    const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT });
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout!.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
    child.stderr!.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const text = (which: 'stdout' | 'stderr') => Buffer.concat(chunks[which]).toString('latin1');
      if (code === 0) resolve(text(stream));
      else reject(new Error(`${String(command)} ended with ${code}: ${text('stderr')}`));
    });
  });
}

/** True if a program of this name can be started. */
export async function hasProgram(name: string): Promise<boolean> {
  return (await outputOf(`command -v ${name} || true`)) !== '';
}

const LOOK_EVERY_MS = 10;
/** Linux reports CPU time to programs in hundredths, whatever its own clock does. */
const TICKS_PER_SECOND = 100;

/** Polls a process and all its descendants: the result adds up the last values seen of each. */
class ProcessTree {
  readonly #seen = new Map<number, { readonly kibibytes: number; readonly ticks: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number | undefined) {
    this.#timer = setInterval(() => pid !== undefined && this.#look(pid), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get mebibytes(): number {
    return Math.round(this.#sum('kibibytes') / 1024);
  }

  get cpuSeconds(): number {
    return this.#sum('ticks') / TICKS_PER_SECOND;
  }

  #sum(column: 'kibibytes' | 'ticks'): number {
    let sum = 0;
    for (const one of this.#seen.values()) sum += one[column];
    return sum;
  }

  #look(pid: number): void {
    const peak = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1];
    if (peak === undefined) return; // ended meanwhile, or no /proc
    const [, user, system] = /^.*\)(?: \S+){11} (\d+) (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? [];
    this.#seen.set(pid, { kibibytes: Number(peak), ticks: Number(user ?? 0) + Number(system ?? 0) });
    for (const thread of list(`/proc/${pid}/task`)) {
      const children = read(`/proc/${pid}/task/${thread}/children`);
      for (const child of children.split(' ')) if (child !== '') this.#look(Number(child));
    }
  }
}

/** Nothing where the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
