// Which options does `dups` have?
import { SPOT_WINDOW } from '../../near/near-spots.js';
import { SIGNATURES } from '../../sketch/spots.js';
import { FORMAT_OPTIONS } from './format.js';
import { machineOptions } from './machine.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

export const DUPS_OPTIONS = {
  ...group('Which pages are near duplicates:', {
    resemblance: {
      kind: 'number',
      flags: '--resemblance <share>',
      text: 'minimum resemblance of near duplicates (default: 0.9; 0.85 for spot signatures)',
      min: 0.05,
      max: 1,
      fraction: true,
    },
    signature: {
      kind: 'word',
      flags: '--signature <kind>',
      text: 'refuse a list with other signatures; by default any single kind is accepted',
      words: SIGNATURES,
    },
    clusters: {
      kind: 'word',
      flags: '--clusters <how>',
      text: 'clusters are chains of near duplicates, or pages around one that all others resemble',
      words: ['transitive', 'star'],
      standard: 'transitive',
    },
  }),
  ...group('With spot signatures:', {
    minSpots: {
      kind: 'number',
      flags: '--min-spots <n>',
      text: 'a page with fewer signatures left resembles no other page',
      min: 1,
      standard: SPOT_WINDOW.minSize,
    },
    minIdf: {
      kind: 'number',
      flags: '--min-idf <share>',
      text: 'leave out spot signatures on too many pages: ln((N + 1) / pages) / ln(N + 1) below this',
      min: 0,
      max: 1,
      fraction: true,
      standard: SPOT_WINDOW.minIdf,
    },
    maxIdf: {
      kind: 'number',
      flags: '--max-idf <share>',
      text: 'leave out spot signatures on too few pages; 1 for none',
      min: 0,
      max: 1,
      fraction: true,
      standard: SPOT_WINDOW.maxIdf,
    },
  }),
  ...group('Result:', {
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write clusters to FILE, complete or not at all',
      standard: '-',
    },
    pairs: {
      kind: 'text',
      flags: '--pairs <file>',
      isOutput: true,
      text: 'also write all near-duplicate pairs, with their resemblance',
    },
    minPages: {
      kind: 'number',
      flags: '--min-pages <n>',
      text: 'write only clusters of at least so many URLs: 2 for duplicates alone',
      min: 1,
      standard: 1,
    },
  }),
  ...FORMAT_OPTIONS,
  ...machineOptions('threads for reading'),
};

export type DupsFlags = FlagsOf<typeof DUPS_OPTIONS> & TerminalFlags;
