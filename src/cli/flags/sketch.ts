// Which options does `sketch` have?
import { MAX_SKETCH_MINIMA, MAX_SKETCH_WORDS, SKETCH_SIZE } from '../../sketch/sketch.js';
import { SHINGLE_WORDS } from '../../sketch/shingle.js';
import { LONG_PAGE, SIGNATURES, SPOT_CHAIN } from '../../sketch/spots.js';
import { threadsOption, tmpdirOption } from './machine.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

/** A larger chunk would be a whole page. */
const MAX_CHUNK_LINES = 1000;

export const SKETCH_OPTIONS = {
  ...group('The pages:', {
    mirror: {
      kind: 'list',
      flags: '--mirror <folder...>',
      text: 'copies of sites as wget -m makes them: a folder for each host',
    },
    maxBody: {
      kind: 'size',
      flags: '--max-body <size>',
      text: 'leave out larger bodies, and count them',
      standard: '5m',
    },
  }),
  ...group('What pages are compared by:', {
    signature: {
      kind: 'word',
      flags: '--signature <kind>',
      text: 'what dups compares: a sketch of all shingles, spot signatures, or the one that suits the size of the content',
      words: SIGNATURES,
      standard: 'shingles',
    },
    words: {
      kind: 'number',
      flags: '--words <w>',
      text: 'words of a shingle; only sketches of the same w can be compared',
      min: 1,
      max: MAX_SKETCH_WORDS,
      standard: SHINGLE_WORDS,
    },
    minima: {
      kind: 'number',
      flags: '--minima <s>',
      text: 'fingerprints of a sketch',
      min: 1,
      max: MAX_SKETCH_MINIMA,
      standard: SKETCH_SIZE,
    },
    chain: {
      kind: 'number',
      flags: '--chain <c>',
      text: 'words of a spot signature',
      min: 1,
      max: 9,
      standard: SPOT_CHAIN,
    },
    longPage: {
      kind: 'number',
      flags: '--long-page <n>',
      text: 'for sizespotsigs: pages with at least so many spot signatures are compared by these, others by shingles',
      min: 1,
      max: 100_000,
      standard: LONG_PAGE,
    },
    antecedents: {
      kind: 'text',
      flags: '--antecedents <file>',
      text: 'words after which spot signatures begin, one per line, with a distance if it is not 1',
    },
    stopWords: {
      kind: 'text',
      flags: '--stop-words <file>',
      text: 'words that spot signatures skip, one per line',
    },
  }),
  ...group('Result:', {
    links: { kind: 'switch', flags: '--links', text: 'also write the links of each page' },
    chunks: {
      kind: 'number',
      flags: '--chunks <lines>',
      text: 'also write fingerprints of chunks of so many lines of text; 0: one chunk for the whole page',
      min: 0,
      max: MAX_CHUNK_LINES,
    },
    lineWidth: {
      kind: 'number',
      flags: '--line-width <n>',
      text: 'with --chunks: break longer lines between words, as text browsers do; 0: do not',
      min: 0,
      max: 10_000,
      standard: 0,
    },
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write to FILE, complete or not at all',
      standard: '-',
    },
  }),
  ...group('Threads and disk:', {
    threads: threadsOption('threads for parsing pages'),
    tmpdir: tmpdirOption('where archives that are compressed as a whole are unpacked'),
  }),
};

export type SketchFlags = FlagsOf<typeof SKETCH_OPTIONS> & TerminalFlags;
