// What a command, the driver in Python (spark-driver/driver.py) and the processes of Node in executors tell each other,
// whatever the job is.
import { readSync, writeSync } from 'node:fs';
import { decodeText } from '../../../base/bytes.js';
import { readU32 } from '../../../base/row.js';

/** What the driver is asked for; the rest of a job is for its tasks. */
export interface Task {
  readonly kind: string;
}

/** A job as it is sent to the driver. */
export type DriverJob<T extends Task> = T & {
  readonly node: string;
  /** The root of this package. */
  readonly root: string;
  /** Where results are written: `done.json`, and what tasks say. */
  readonly folder: string;
};

/** `done.json`, once all is there. */
export interface DriverResult {
  readonly application: string;
  /** Where each process ran: executor, and what it did. */
  readonly ran: readonly { readonly task: string; readonly executor: string; readonly pid: number }[];
  /** Tasks that failed and were run again. */
  readonly failures: number;
  readonly shuffleBytes: number;
}

/** What a process took. */
export interface ProcessUse {
  readonly cpuMs: number;
  /** At most. */
  readonly memoryBytes: number;
}

// A process in an executor and its task in Python talk by its standard streams: synchronously, as there is nothing else
// to do.

const [IN, OUT] = [0, 1];

/** What comes first: its length as u32, and the job as JSON. */
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

/** Of this process, up to now. */
export function useOfProcess(): ProcessUse {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMs: Math.round((userCPUTime + systemCPUTime) / 1000), memoryBytes: maxRSS * 1024 };
}
