// Which options does `canonize` have?
import { targetNames } from '../../export/targets.js';
import { MEMORY, SCRATCH_FOLDER } from './machine.js';
import { group, type FlagsOf } from './option.js';
import { RULE_OPTIONS } from './rules.js';
import { SPARK_READ_OPTION, sparkOptions } from './spark.js';
import { DEBUG_OPTION, type TerminalFlags } from './terminal.js';

export const CANONIZE_OPTIONS = {
  ...group('Lines in and out:', {
    input: {
      kind: 'repeated',
      flags: '-i, --input <file>',
      mayBeReplaced: true,
      text: 'read lines of FILE, plain or compressed (gzip, bzip2, xz, zstd); - is standard input',
      standard: [],
    },
    columns: {
      kind: 'text',
      flags: '--columns <map>',
      text: 'read a table (CSV, TSV, JSON lines): url=NAME is the column of its URLs, by number without a header; all else stays as it is. Of Parquet, read that column',
      isHarmless: true,
    },
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write to FILE, complete or not at all',
      standard: '-',
    },
    outParquet: {
      kind: 'text',
      flags: '--out-parquet <file>',
      isOutput: true,
      text: 'instead, write a Parquet file with the columns url and canonical',
    },
    pairs: {
      kind: 'switch',
      flags: '--pairs',
      text: 'print each line, a tab, and its canonical form; in a table, add the column canonical',
    },
    as: {
      kind: 'word',
      flags: '--as <target>',
      text: 'print the forms that the export for this target gives; it may leave rules out',
      words: targetNames,
    },
    unique: {
      kind: 'switch',
      flags: '--unique',
      text: 'print each page only once, keys included; with --pairs all URLs, each with the name of its page',
    },
    changed: { kind: 'switch', flags: '--changed', text: 'print only URLs that are not canonical already' },
    json: { kind: 'switch', flags: '--json', text: 'with -o: print the counts as one JSON document' },
    lineBuffered: {
      kind: 'switch',
      flags: '--line-buffered',
      text: 'write each line as soon as it is ready, for a reader that waits for it',
    },
    ...DEBUG_OPTION,
  }),
  ...group('Memory, disk and threads:', {
    threads: {
      kind: 'number',
      flags: '--threads <n>',
      text: ({ cores }) =>
        `threads for files of more than 8 MiB (default: one for each 16 MiB, at most ${cores}); a pipe uses one`,
      min: 1,
      max: 256,
    },
    memory: {
      kind: 'size',
      flags: '--memory <size>',
      text: 'memory for the forms of --unique; the rest is spilled to disk',
      standard: MEMORY,
    },
    tmpdir: { kind: 'text', flags: '--tmpdir <folder>', text: 'folder for what is spilled', standard: SCRATCH_FOLDER },
  }),
  ...sparkOptions('canonize'),
  ...SPARK_READ_OPTION,
  ...RULE_OPTIONS,
};

export type CanonizeFlags = FlagsOf<typeof CANONIZE_OPTIONS> & TerminalFlags;
