// Runs commands as a user would and says what they took: wall time, and the peak resident size of all their processes.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface Sample {
  readonly seconds: number;
  /** Peak of the processes together in MiB; 0 where the system does not tell (it is read from /proc). */
  readonly mebibytes: number;
}

/** A program with its arguments, or a line for bash. */
export type Command = readonly string[] | string;

/** Text as bytes, whatever the locale of the machine: what everybody has to do who wants `sort` to be quick. */
const ENVIRONMENT = { ...process.env, LC_ALL: 'C' };

/** One run from start to end. Standard output goes to a file, so that writing is part of the work for all. */
export function runOnce(command: Command, outputPath: string): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const output = openSync(outputPath, 'w');
    const [program, ...args] = typeof command === 'string' ? ['bash', '-o', 'pipefail', '-c', command] : command;
    const started = performance.now();
    const child = spawn(program!, args, { stdio: ['ignore', output, 'pipe'], env: ENVIRONMENT });
    const peaks = new PeakOfTree(child.pid);
    let messages = '';
    child.stderr!.on('data', (chunk: Buffer) => (messages = (messages + chunk.toString()).slice(-10_000)));
    child.on('error', reject);
    child.on('exit', () => peaks.stop());
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000;
      closeSync(output);
      if (code === 0) resolve({ seconds, mebibytes: peaks.mebibytes });
      else reject(new Error(`${String(command)} ended with ${code}: ${messages}`));
    });
  });
}

/** Runs to its end and gives standard output, or standard error where that is wanted. */
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

/** True where a program of this name can be started. */
export async function hasProgram(name: string): Promise<boolean> {
  return (await outputOf(`command -v ${name} || true`)) !== '';
}

/** The high-water marks of a process and all its descendants, looked at every 10 ms and added up. */
class PeakOfTree {
  readonly #peaks = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number | undefined) {
    this.#timer = setInterval(() => pid !== undefined && this.#look(pid), 10);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get mebibytes(): number {
    let kibibytes = 0;
    for (const peak of this.#peaks.values()) kibibytes += peak;
    return Math.round(kibibytes / 1024);
  }

  #look(pid: number): void {
    const peak = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1];
    if (peak === undefined) return; // ended meanwhile, or no /proc
    this.#peaks.set(pid, Number(peak));
    const children = read(`/proc/${pid}/task/${pid}/children`);
    for (const child of children.split(' ')) if (child !== '') this.#look(Number(child));
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
