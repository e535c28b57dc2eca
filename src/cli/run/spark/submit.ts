// Submits a job to Spark: runs the driver (spark-driver/driver.py) with spark-submit, and reads the results from a
// folder.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatSize, many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { packageFile } from '../../../base/package-file.js';
import { makeScratchFolder } from '../../../base/draft.js';
import type { SparkFlags } from '../../flags/spark.js';
import { onSignal } from '../../terminal/signals.js';
import { MasterWatch, refuseUnreachable, unreachable } from './master.js';
import type { DriverJob, DriverResult, ProcessUse, Task } from './job.js';

const MOST_SAID = 20;

export interface Submitting {
  readonly flags: SparkFlags & { readonly tmpdir: string };
  readonly effects: Effects;
  /** What a failed job lost, such as `No rules were written`. */
  readonly lost: string;
  /** Removes what the job has written elsewhere, if it fails. */
  readonly undo?: () => void;
}

/** Runs the job. Then `use` reads its results, by name, from a folder that is removed afterwards. */
export async function submit<T extends Task, Result>(
  job: T,
  { flags, effects, lost, undo }: Submitting,
  use: (read: (name: string) => unknown) => Result,
): Promise<Result> {
  await refuseUnreachable(masterOf(flags), lost).catch((error: unknown) => {
    undo?.();
    throw error;
  });
  const folder = makeScratchFolder(flags.tmpdir, 'spark');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const giveUp = () => {
    remove();
    undo?.();
  };
  try {
    const root = fileURLToPath(packageFile('.'));
    const whole: DriverJob<T> = { ...job, node: flags.sparkNode ?? process.execPath, root, folder };
    writeFileSync(join(folder, 'job.json'), JSON.stringify(whole));
    await runDriver(folder, { flags, effects, lost }, giveUp);
    return use((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch (error) {
    undo?.();
    throw error;
  } finally {
    remove();
  }
}

/** The master, if the command names it. */
function masterOf({ sparkMaster, sparkConf = [] }: SparkFlags): string | undefined {
  const setting = sparkConf.findLast((pair) => pair.startsWith('spark.master='));
  return sparkMaster ?? setting?.slice('spark.master='.length);
}

/** Runs spark-submit. Ctrl-C ends it, which cancels the job, and then calls `giveUp`. */
async function runDriver(folder: string, { flags, effects, lost }: Submitting, giveUp: () => void): Promise<void> {
  const home = flags.sparkHome ?? effects.env['SPARK_HOME'];
  const program = home === undefined ? 'spark-submit' : join(home, 'bin', 'spark-submit');
  const conf = ['spark.ui.showConsoleProgress=false', ...(flags.sparkConf ?? [])].flatMap((pair) => ['--conf', pair]);
  const master = flags.sparkMaster === undefined ? [] : ['--master', flags.sparkMaster];
  const driver = fileURLToPath(packageFile('src/spark-driver/driver.py'));
  // Installed first, so that no signal can leave the process behind.
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  const undo = onSignal(() => {
    end();
    giveUp();
  });
  // In a process group of its own, so that Ctrl-C reaches it only once, from here.
  const child = spawn(program, [...master, ...conf, driver, join(folder, 'job.json')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...effects.env, ...(home !== undefined && { SPARK_HOME: home }) },
  });
  const said: string[] = [];
  const watch = new MasterWatch(masterOf(flags));
  let silent: string | undefined;
  let rest = '';
  const listen = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(-4096);
    if (silent === undefined && !existsSync(applicationIn(folder))) {
      silent = lines.map((line) => watch.silent(line)).find((server) => server !== undefined);
      if (silent !== undefined) end();
    }
    said.push(...lines.filter((line) => line.trim() !== '' && !NOISE.test(line)));
    said.splice(0, said.length - MOST_SAID);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', listen);
  try {
    const ended = await new Promise<string | undefined>((resolve, reject) => {
      child.on('error', (error) =>
        reject(
          new UserError(
            `${printable(program)} cannot be run (${systemCode(error) ?? String(error)}); expected Spark there: name its ` +
              'folder by --spark-home or SPARK_HOME',
          ),
        ),
      );
      child.on('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? String(code))));
    });
    if (ended === undefined && existsSync(join(folder, 'done.json'))) return;
    listen('\n');
    if (silent !== undefined) throw unreachable(silent, 'it does not answer as one', lost);
    const refusal = join(folder, 'refused');
    if (existsSync(refusal)) throw new UserError(`${printable(readFileSync(refusal, 'utf8'))}. ${lost}.`);
    throw new UserError(failure(ended ?? '0, without a result', folder, said, lost));
  } finally {
    undo();
  }
}

/** Lines of Spark's log, and stack traces of the JVM. */
const NOISE = / (INFO|WARN) |^\s+at |^\s+\.\.\. \d+ more|\((\w+\.(java|scala):\d+|Native Method)\)\s*$/;

/** The file with the id of the application, which the driver writes as soon as it has one. */
const applicationIn = (folder: string) => join(folder, 'application');

/** The error message of the driver: its last words, without noise. */
function failure(ended: string, folder: string, said: readonly string[], lost: string): string {
  const path = applicationIn(folder);
  const application = existsSync(path) ? `application ${readFileSync(path, 'utf8')}` : 'before it was an application';
  const last = said.map((line) => `\n  ${printable(line)}`).join('');
  return `the Spark job failed (${application}, exit ${ended}). ${lost}. Its last lines:${last}`;
}

/** A line about a finished job: `parts` (such as `3 parts`), the executors that it ran on, and its costs. */
export function ranLine(done: DriverResult, parts: readonly string[]): string {
  const { application, ran, failures, shuffleBytes } = done;
  const executors = [...new Set(ran.map(({ executor }) => executor))].sort();
  const where = `in ${executors.length === 1 ? 'executor' : 'executors'} ${executors.map(printable).join(', ')}`;
  const shuffled = shuffleBytes > 0 ? `; ${formatSize(shuffleBytes)} shuffled` : '';
  const again = failures > 0 ? `; ${many(failures, 'task')} failed, and ran again` : '';
  return `${application}: ${[...parts, where].join(', ')}${shuffled}${again}\n`;
}

export function useOf(processes: readonly ProcessUse[]): string {
  const cpuMs = processes.reduce((sum, one) => sum + one.cpuMs, 0);
  const most = Math.max(...processes.map(({ memoryBytes }) => memoryBytes));
  return `${(cpuMs / 1000).toFixed(1)} s of CPU (${formatSize(most)} at most)`;
}
