// How much is tested? Every law is, by `npm test`, on as much as shows it; `npm run test:all`, and CI, run all of it:
// more random cases, larger material, test/e2e, and each command line as a process of its own. Not DUSTBUSTER_TEST:
// that is the program's --test.

/** Whether everything runs. */
export const isAll = process.env['TEST_AMOUNT'] === 'all';

/** So many random cases, or of what they come upon; one `part`-th of it where not everything runs. */
export function amount(all: number, part = 10): number {
  return isAll ? all : Math.floor(all / part);
}

/** Rows of a table: all of them, or every so many-th one, the first included. */
export function rows<T>(all: readonly T[], every: number): readonly T[] {
  return all.filter((_, at) => isAll || at % every === 0);
}
