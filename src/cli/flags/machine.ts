// How much of the machine may a command take?
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { parseSize } from '../../base/size.js';
import { group, type ByMachine, type OptionRow, type OptionTable } from './option.js';

/** 1g, or a quarter of the memory of the machine or container if that is less. */
export const MEMORY: ByMachine<string> = {
  of: ({ memoryBytes }) => {
    const quarter = Math.floor(memoryBytes / 4 / 2 ** 20);
    return quarter < 1024 ? `${quarter}m` : '1g';
  },
  described: '1g, or a quarter of the memory of the machine or container if that is less',
};

export const SCRATCH_FOLDER: ByMachine<string> = {
  of: ({ env, tmpdir }: Effects) => env['TMPDIR'] || tmpdir,
  described: '$TMPDIR, or the folder of the system for temporary files',
};

const CORES: ByMachine<number> = { of: ({ cores }) => cores, described: 'the number of cores' };
const CORES_WITHIN_MEMORY = {
  ...CORES,
  described: `${CORES.described}; with less than 1g of --memory no more than one for each 64m`,
};

/** A run with less --memory than that has few threads, unless somebody says how many. */
const AMPLE_BYTES = 1 << 30;
/** Of --memory, for each thread: one takes up to 26 MiB beside it. */
const BYTES_FOR_THREAD = 64 << 20;

/** Lowers the number of threads that a command has by default to what its --memory is enough for. */
export function fitThreads(command: Command): void {
  const { threads, memory } = command.opts<{ readonly threads?: number; readonly memory?: string }>();
  if (threads === undefined || memory === undefined || command.getOptionValueSource('threads') !== 'default') return;
  const memoryBytes = sizeOf(memory);
  if (memoryBytes === undefined || memoryBytes >= AMPLE_BYTES) return;
  const most = Math.max(1, Math.floor(memoryBytes / BYTES_FOR_THREAD));
  command.setOptionValueWithSource('threads', Math.min(threads, most), 'default');
}

/** Undefined if it is no size, which the command says with the place where it stands. */
function sizeOf(memory: string): number | undefined {
  try {
    return parseSize(memory, '--memory');
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** `text`: what they are for. */
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

/** `text`: what is written there. */
export function tmpdirOption(text: string) {
  return {
    kind: 'text',
    flags: '--tmpdir <folder>',
    text,
    standard: SCRATCH_FOLDER,
    inLibrary: true,
  } as const satisfies OptionRow;
}

/** `threads`: what they are for. */
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
