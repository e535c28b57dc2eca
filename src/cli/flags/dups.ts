// Which options does `dups` have?
import { ALIKE_RESEMBLANCE } from '../../sketch/sketch.js';
import { FORMAT_OPTIONS } from './format.js';
import { machineOptions } from './machine.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

export const DUPS_OPTIONS = {
  ...group('Which pages are near duplicates:', {
    resemblance: {
      kind: 'number',
      flags: '--resemblance <share>',
      text: 'of near duplicates, at least',
      min: 0.05,
      max: 1,
      fraction: true,
      standard: ALIKE_RESEMBLANCE,
    },
    clusters: {
      kind: 'word',
      flags: '--clusters <how>',
      text: 'by chains of near duplicates, or around a page that all others of the cluster resemble',
      words: ['transitive', 'star'],
      standard: 'transitive',
    },
  }),
  ...group('Result:', {
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      text: 'write clusters to FILE, complete or not at all',
      standard: '-',
    },
    pairs: {
      kind: 'text',
      flags: '--pairs <file>',
      text: 'also write all near-duplicate pairs, with their resemblance',
    },
    minPages: {
      kind: 'number',
      flags: '--min-pages <n>',
      text: 'write only clusters of so many URLs: 2 for duplicates alone',
      min: 1,
      standard: 1,
    },
  }),
  ...FORMAT_OPTIONS,
  ...machineOptions('threads for reading'),
};

export type DupsFlags = FlagsOf<typeof DUPS_OPTIONS> & TerminalFlags;
