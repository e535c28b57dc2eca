// How much of the machine may a command take?
import { sizeOf } from '../../base/amounts.js';
import type { Effects } from '../../base/effects.js';
import { type ByMachine, group, type OptionRow, type OptionTable } from './option.js';

/** 1g, or a quarter of the memory of the machine or container if that is less. */
export const MEMORY: ByMachine<string> = {
  of: ({ memoryBytes }) => {
    const quarter = Math.max(1, Math.floor(memoryBytes / 4 / 2 ** 20));
    return quarter < 1024 ? `${quarter}m` : '1g';
  },
  described: '1g, or a quarter of the memory of the machine or container if that is less',
};

export const SCRATCH_FOLDER: ByMachine<string> = {
  of: ({ env, tmpdir }: Effects) => env['TMPDIR'] || tmpdir,
  described: '$TMPDIR, or the folder of the system for temporary files',
};

const CORES: ByMachine<number> = { of: ({ cores }) => cores, described: 'the number of cores' };

/** A run with less --memory than this gets fewer threads, unless the user sets their number. */
const AMPLE_BYTES = 1 << 30;
/** The part of --memory that each thread needs; a thread takes up to 26 MiB beside it. */
const BYTES_FOR_THREAD = 64 << 20;

const CORES_WITHIN_MEMORY: ByMachine<number> = {
  ...CORES,
  among: (cores, { memory }) => {
    // The command refuses text that is not a size, as it knows where that was set.
    const bytes = sizeOf(String(memory)) ?? AMPLE_BYTES;
    return bytes < AMPLE_BYTES ? Math.min(cores, Math.max(1, Math.floor(bytes / BYTES_FOR_THREAD))) : cores;
  },
  described: `${CORES.described}; with less than 1g of --memory no more than one for each 64m`,
};

/** `text` says what the threads are for. */
export function threadsOption(text: string) {
  return {
    kind: 'number',
    flags: '--threads <n>',
    text,
    min: 1,
    max: 256,
    standard: CORES,
    inLibrary: true,
  } as const satisfies OptionRow;
}

/** `text` says what is written to the folder. */
export function tmpdirOption(text: string) {
  return {
    kind: 'text',
    flags: '--tmpdir <folder>',
    text,
    standard: SCRATCH_FOLDER,
    inLibrary: true,
  } as const satisfies OptionRow;
}

/** `threads` says what the threads are for. */
export function machineOptions(threads: string) {
  return group('Memory, disk and threads:', {
    memory: {
      kind: 'size',
      flags: '--memory <size>',
      text: 'memory for tables and buffers; the rest is spilled to disk',
      standard: MEMORY,
      inLibrary: true,
    },
    threads: { ...threadsOption(threads), standard: CORES_WITHIN_MEMORY },
    tmpdir: tmpdirOption('where sorted runs are spilled'),
  } satisfies OptionTable);
}
