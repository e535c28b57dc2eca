// How much is tested? By `npm test` every law, on small inputs; by `npm run test:all`, and in CI, everything: more
// random cases, larger inputs, test/e2e, and new processes for command lines (cli/process.ts). The variable is not
// DUSTBUSTER_TEST: that would set the program's --test.

/** Whether everything runs. */
export const isAll = process.env['TEST_AMOUNT'] === 'all';

/**
 * Whether what costs most is left out: some files (costly.ts), and tests that take seconds, marked `skipIf`. By
 * `npm test`, not where files are named.
 */
export const isFew = process.env['TEST_AMOUNT'] === 'few';

/**
 * A number of random cases, or of something counted in them; reduced to one `part`-th unless everything runs, and by
 * `npm test` to half of that, but not to none.
 */
export function amount(all: number, part = 10): number {
  if (isAll) return all;
  const some = Math.floor(all / part);
  return isFew ? Math.ceil(some / 2) : some;
}

/** All rows of a table, or every `every`-th, from the first on. */
export function rows<T>(all: readonly T[], every: number): readonly T[] {
  return all.filter((_, at) => isAll || at % every === 0);
}
