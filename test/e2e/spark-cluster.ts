// A real Spark for tests: where it is, and a standalone master with two workers on loopback.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A virtual environment with pyspark, as .ci/run makes it. */
const ENVIRONMENT =
  process.env['DUSTBUSTER_SPARK'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'dustbuster', 'spark');

/** SPARK_HOME; undefined if there is none. */
export const sparkHome = homeIn(join(ENVIRONMENT, 'lib'));

function homeIn(lib: string): string | undefined {
  const versions = existsSync(lib) ? readdirSync(lib) : [];
  return versions.map((name) => join(lib, name, 'site-packages', 'pyspark')).find((path) => existsSync(path));
}

/** The Python of that environment, which also has the packages of test/e2e/python. */
export const environmentPython = join(ENVIRONMENT, 'bin', 'python');
export const sparkEnv = {
  PYSPARK_PYTHON: environmentPython,
  PYSPARK_DRIVER_PYTHON: environmentPython,
  SPARK_LOCAL_IP: '127.0.0.1',
};

/** For a JVM that ends soon: half the CPU of its start. */
const QUICK_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData';

/** Options of `--engine spark` for short jobs of tests. */
export const QUICK_JOB = [
  'spark.executor.memory=512m',
  'spark.ui.enabled=false',
  `spark.driver.extraJavaOptions=${QUICK_JAVA}`,
  `spark.executor.extraJavaOptions=${QUICK_JAVA}`,
].flatMap((pair) => ['--spark-conf', pair]);

/** For `SparkSession` of a script in Python. */
export const QUICK_SESSION = [
  'spark.ui.enabled=false',
  'spark.sql.shuffle.partitions=1',
  `spark.driver.extraJavaOptions="${QUICK_JAVA}"`,
]
  .map((pair) => `--conf ${pair}`)
  .join(' ');

export interface Cluster {
  readonly master: string;
  stop(): void;
}

/** Workers have a core each, so that tasks run on both. */
export async function startCluster(folder: string): Promise<Cluster> {
  const children: ChildProcess[] = [];
  const start = async (main: string, args: readonly string[], sign: RegExp): Promise<RegExpExecArray> => {
    const child = spawn(join(sparkHome!, 'bin', 'spark-class'), [`org.apache.spark.deploy.${main}`, ...args], {
      env: {
        ...process.env,
        ...sparkEnv,
        SPARK_HOME: sparkHome,
        SPARK_DAEMON_MEMORY: '256m',
        SPARK_DAEMON_JAVA_OPTS: QUICK_JAVA,
      },
      detached: true,
    });
    children.push(child);
    let said = '';
    return new Promise((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        const found = sign.exec((said += text));
        if (found !== null) resolve(found);
      });
      child.on('error', reject).on('exit', () => reject(new Error(`${main} ended: ${said}`)));
    });
  };
  const here = ['--host', '127.0.0.1', '--webui-port', '0'];
  const stop = () => {
    for (const { pid } of children) if (pid !== undefined) signalGroup(pid);
  };
  try {
    const [, master] = await start('master.Master', [...here, '--port', '0'], /Starting Spark master at (spark:\S+)/);
    const one = ['--cores', '1', '--memory', '1g', ...here];
    await Promise.all(
      ['one', 'two'].map((name) =>
        start(
          'worker.Worker',
          [...one, '--work-dir', join(folder, name), master!],
          /Successfully registered with master/,
        ),
      ),
    );
    return { master: master!, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // it has ended
  }
}

/** Processes of this package that run in executors whose folders are below this one. */
export function nodesBelow(folder: string): number[] {
  return processesBelow(folder, 'spark-task.js').map(({ pid }) => pid);
}

/** The executor that a process belongs to: its JVM, which has the same folder. Undefined if either has ended. */
export function executorOf(node: number, folder: string): number | undefined {
  const cwd = cwdOf(node);
  return processesBelow(folder, 'CoarseGrainedExecutorBackend').find((one) => one.cwd === cwd)?.pid;
}

function processesBelow(folder: string, word: string): { readonly pid: number; readonly cwd: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const cwd = cwdOf(Number(name));
      if (cwd === undefined || !cwd.startsWith(folder)) return [];
      return commandOf(Number(name)).includes(word) ? [{ pid: Number(name), cwd }] : [];
    });
}

/** The command line of a process; empty if it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // it has just ended
  }
}

function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // it has just ended, or is somebody else's
  }
}
