// The standard streams of a process in an executor, by which it and its task in Python talk: synchronously, as there is
// nothing else to do.
import { readSync, writeSync } from 'node:fs';
import { decodeText } from '../../../base/bytes.js';
import { readU32 } from '../../../base/row.js';
import type { ProcessUse } from './job.js';

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
