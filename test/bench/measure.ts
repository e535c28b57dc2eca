// Runs commands and says what they took: wall time, and the largest resident size of the process.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Measured {
  readonly seconds: number;
  /** Peak of the process in MiB; 0 where the system does not tell (it is read from /proc). */
  readonly mebibytes: number;
}

/** Runs a shell command to its end, `times` times; the median run by time. */
export async function measure(command: string, times = 3): Promise<Measured> {
  const runs: Measured[] = [];
  for (let k = 0; k < times; k++) runs.push(await once(command));
  return runs.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(times / 2)]!;
}

function once(command: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn('bash', ['-c', `exec ${command}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, peakOf(child.pid!))), 10);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearInterval(watch);
      if (code !== 0) reject(new Error(`${command} ended with ${code}`));
      else resolve({ seconds: (performance.now() - started) / 1000, mebibytes: peak });
    });
  });
}

function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0; // ended meanwhile, or no /proc
  }
}
