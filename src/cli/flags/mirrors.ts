// Which options does `mirrors` have?
import { NIGHT_OPTIONS } from './history.js';
import { machineOptions } from './machine.js';
import { group, type FlagsOf } from './option.js';
import type { TerminalFlags } from './terminal.js';

const { memory, tmpdir } = machineOptions('');

export const MIRRORS_OPTIONS = {
  ...group('Instead of contents:', {
    byUrls: {
      kind: 'switch',
      flags: '--by-urls',
      text: 'rank pairs of hosts by the paths that they share, in any list of URLs; --min-pages is the minimum',
    },
  }),
  ...group('Tables instead of a list:', {
    linkTable: {
      kind: 'text',
      flags: '--link-table <file>',
      text: 'CSV of source, destination; the inputs are CSV of page, fingerprints of its chunks',
    },
  }),
  ...group('Which pages are similar:', {
    sharedChunks: {
      kind: 'number',
      flags: '--shared-chunks <T>',
      text: 'minimum of chunks that similar pages share, or all chunks of a page with fewer: 15 for chunks of four lines, 25 for two',
      min: 1,
      standard: 15,
    },
    fingerprints: {
      kind: 'word',
      flags: '--fingerprints <bits>',
      text: 'how many bits of the fingerprints of chunks are compared',
      words: ['64', '32'],
      standard: '64',
    },
  }),
  ...group('Which collections:', {
    minPages: {
      kind: 'number',
      flags: '--min-pages <n>',
      text: 'ignore collections with fewer pages in each copy',
      min: 2,
      standard: 10,
    },
    singleSite: {
      kind: 'switch',
      flags: '--single-site',
      text: 'let collections grow only along links within a host',
    },
    extended: {
      kind: 'switch',
      flags: '--extended',
      text: 'let a copy include pages of another copy that it links to, for partial mirrors',
    },
    overBreaks: {
      kind: 'switch',
      flags: '--over-breaks',
      text: 'join clusters whose copies are linked directly or over one page, whose text differs in each copy',
    },
    nearby: {
      kind: 'switch',
      flags: '--nearby',
      text: 'also avoid similar pages in the folders of copies that are in no collection themselves',
    },
  }),
  ...group('Result:', {
    output: {
      kind: 'text',
      flags: '-o, --output <file>',
      isOutput: true,
      text: 'write clusters of collections as JSON to FILE, complete or not at all',
      standard: '-',
    },
    rollUp: {
      kind: 'text',
      flags: '--roll-up <file>',
      isOutput: true,
      text: 'also write each page of a collection with its copy in the principal collection',
    },
    avoid: {
      kind: 'text',
      flags: '--avoid <file>',
      isOutput: true,
      text: 'also write what a crawler need not fetch: folders and URLs of all copies but the principal one',
    },
    toRules: {
      kind: 'text',
      flags: '--to-rules <file>',
      isOutput: true,
      text: 'also write rules for copies of hosts and folders, to be validated',
    },
    chart: {
      kind: 'text',
      flags: '--chart <file>',
      isOutput: true,
      text: 'also draw the clusters, copies over pages by powers of ten, as SVG',
    },
    top: {
      kind: 'number',
      flags: '--top <n>',
      text: 'clusters in the table',
      min: 1,
      standard: 10,
      isHarmless: true,
    },
    stages: {
      kind: 'switch',
      flags: '--stages',
      text: 'report the time of each stage, and what it sorts on disk, on standard error',
    },
  }),
  ...group('Night after night:', {
    history: {
      kind: 'text',
      flags: '--history <file>',
      mayBeReplaced: true,
      text: 'collections of the night before (none the first time): folders that were not crawled stay on the avoid list',
    },
    budget: {
      kind: 'number',
      flags: '--budget <n>',
      text: 'with --history: take those n folders off the avoid list that were not seen for the longest time',
      min: 1,
    },
  }),
  ...NIGHT_OPTIONS,
  ...group('Memory and disk:', { memory, tmpdir }),
};

export type MirrorsFlags = FlagsOf<typeof MIRRORS_OPTIONS> & TerminalFlags;
