// How do tests run? In two workers, as CI has two cores, and with a minute per test, as machines are shared. A worker
// keeps its loaded modules from one file to the next: a process and its imports take 0.4 to 0.6 s of CPU for each of 255
// files. Unless everything runs (amount.ts), test/e2e is left to CI.
import { configDefaults, defineConfig } from 'vitest/config';
import { isAll, isFew } from './amount.js';

/**
 * Left to CI by `npm test`: what costs most for what it says of a change, as it kills processes, fills memory or disks,
 * waits for terminals or leases, or runs many processes or threads.
 */
const COSTLY = [
  '**/base/{draft,lock}.test.ts',
  '**/canonize/first-seen.test.ts',
  '**/cli/links.test.ts',
  '**/cli/help/examples.test.ts',
  '**/cli/run/{dups,merge-rules,part-of-contents}.test.ts',
  '**/cli/run/mine/{state,state-killed,disk,many-hosts,nightly,threads}.test.ts',
  '**/cli/run/canonize/{parquet,threads}.test.ts',
  '**/cli/run/rules/local.test.ts',
  '**/cli/run/validate/patterns.test.ts',
  '**/cli/terminal/{counts,hygiene,streams,progress,progress-phases}.test.ts',
  '**/index.test.ts',
  '**/log/{cuts,filter-threads,packed-threads,parallel,unpack}.test.ts',
  '**/log/parquet/parquet.test.ts',
  '**/log/warc/archive.test.ts',
  '**/log/format/threads.test.ts',
  '**/bench/attacks/{attacks,secrets}.test.ts',
  '**/kernel/debug.test.ts',
  '**/mine/{agreement,crew,parameter-agreement,small-sites}.test.ts',
  '**/near/spot-pairs.test.ts',
  '**/report/measure.test.ts',
  '**/table/pair-sorter.test.ts',
];

export default defineConfig({
  test: {
    dir: 'test',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false,
    exclude: [...configDefaults.exclude, ...(isAll ? [] : ['**/e2e/**']), ...(isFew ? COSTLY : [])],
    globalSetup: ['test/kernel/fresh.ts', 'test/setup.ts'],
    setupFiles: ['test/seed.ts'],
  },
});
