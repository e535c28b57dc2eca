// What does `npm test` leave to CI? `setup.ts` says so after each run.

/**
 * What costs most for what it says of a change, as it kills processes, fills memory or disks,
 * waits for terminals or leases, or runs many processes, threads or nights.
 */
export const COSTLY = [
  '**/base/{draft,lock}.test.ts',
  '**/canonize/first-seen.test.ts',
  '**/cli/links.test.ts',
  '**/cli/help/examples.test.ts',
  '**/cli/run/{dups,merge-rules,part-of-contents}.test.ts',
  '**/cli/run/input/file-names.test.ts',
  '**/cli/run/mine/{state,state-killed,disk,many-hosts,nightly,threads}.test.ts',
  '**/cli/run/canonize/{parquet,threads}.test.ts',
  '**/cli/run/rules/local.test.ts',
  '**/cli/run/validate/{nights,no-lost-result,patterns}.test.ts',
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
