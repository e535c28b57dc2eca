// Messages of every kind of job between a command, the driver in Python (spark-driver/driver.py) and the Node processes
// in executors.
import { readSync, writeSync } from 'node:fs';
import { decodeText } from '../../../base/bytes.js';
import { readU32 } from '../../../base/row.js';

/** What the driver has to do. The other fields of a job are for its tasks. */
export interface Task {
  readonly kind: string;
}

/** A job as the driver gets it. */
export type DriverJob<T extends Task> = T & {
  readonly node: string;
  /** The root folder of this package. */
  readonly root: string;
  /** The folder for results: `done.json`, and the reports of tasks; or `refused`, a message for the user. */
  readonly folder: string;
};

/** Content of `done.json`, which is written last. */
export interface DriverResult {
  readonly application: string;
  /** The executor and the process of each task. */
  readonly ran: readonly { readonly task: string; readonly executor: string; readonly pid: number }[];
  /** How many tasks failed and were run again. */
  readonly failures: number;
  readonly shuffleBytes: number;
}

/** The costs of a process. */
export interface ProcessUse {
  readonly cpuMs: number;
  /** The peak. */
  readonly memoryBytes: number;
}

// A process in an executor and its task in Python communicate by standard streams. Reads and writes are synchronous, as
// the process has nothing else to do.

const [IN, OUT] = [0, 1];

/** Receives the job: its length as u32, then JSON. */
export function receiveJob(): unknown {
  return JSON.parse(decodeText(receive(readU32(receive(4), 0))));
}

export function receive(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const got = readSync(IN, bytes, done, length - done, null);
    if (got === 0) throw new Error(`standard input ended ${length - done} bytes early`);
    done += got;
  }
  return bytes;
}

export function send(bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(OUT, bytes, done);
}

/** The costs of this process so far. */
export function useOfProcess(): ProcessUse {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMs: Math.round((userCPUTime + systemCPUTime) / 1000), memoryBytes: maxRSS * 1024 };
}
