// The outside world as one interface, so that tests can pass another one.
import { fstatSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { ReadAccess } from './access.js';
import { unlessRefused, UserError } from './error.js';
import { workingFolder } from './file-name.js';
import type { Paint } from './paint.js';
import type { Progress } from './progress.js';

/** The stream for messages to people. */
export interface Messages {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface Effects {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Messages;
  /** Where long work reports its progress. */
  readonly progress?: Progress | undefined;
  /** Styles for tables on standard output; plain by default. */
  readonly paint?: Paint;
  /** The inputs that were read, so that new files are open to nobody else. Missing if the command writes no file. */
  readonly access?: ReadAccess;
  readonly cores: number;
  readonly memoryBytes: number;
  /** Where scratch folders go, unless `--tmpdir` names another place. */
  readonly tmpdir: string;
  now(): Date;
}

/** Bytes of memory of the machine, or of the container or job (cgroup) if that has less. */
export function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

const FOLDER_GIVEN =
  'standard input is a folder; expected a file or a pipe. Name the folder as an argument to read the files in it.';

export function realEffects(): Effects {
  return {
    env: process.env,
    get cwd() {
      try {
        return workingFolder();
      } catch (error) {
        throw new UserError('the working folder is gone; expected one that is there. cd to another.', { cause: error });
      }
    },
    // Node creates the stream on first access, which takes 3 ms.
    get stdin() {
      // Node would read nothing from a folder, without an error.
      if (unlessRefused(() => fstatSync(0))?.isDirectory() === true) throw new UserError(FOLDER_GIVEN);
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    cores: availableParallelism(),
    memoryBytes: memoryHere(),
    tmpdir: tmpdir(),
    now: () => new Date(),
  };
}
