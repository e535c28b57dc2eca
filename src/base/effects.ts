// The outside world as one interface, so that a test can hand in another one.
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import type { Readable, Writable } from 'node:stream';

export interface Effects {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly cores: number;
  readonly memoryBytes: number;
  /** Where scratch folders go unless `--tmpdir` names another place. */
  readonly tmpdir: string;
  now(): Date;
}

export function realEffects(): Effects {
  return {
    env: process.env,
    cwd: process.cwd(),
    // Node makes a stream when it is first asked for, which takes 3 ms.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    tmpdir: tmpdir(),
    now: () => new Date(),
  };
}
