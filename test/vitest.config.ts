// How do tests run? In two workers, as CI has two cores, and with a minute per test, as machines are shared. Unless
// everything runs (amount.ts), test/e2e is left to CI, and a worker keeps its loaded modules from one file to the next:
// a process and its imports take 0.6 s of CPU for each of 230 files.
import { configDefaults, defineConfig } from 'vitest/config';
import { isAll } from './amount.js';

export default defineConfig({
  test: {
    dir: 'test',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: isAll,
    exclude: [...configDefaults.exclude, ...(isAll ? [] : ['**/e2e/**'])],
    globalSetup: ['test/kernel/fresh.ts', 'test/setup.ts'],
  },
});
