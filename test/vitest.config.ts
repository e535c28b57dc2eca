// How do tests run? In two workers, as CI has two cores, and with a minute per test, as machines are shared. A worker
// keeps its loaded modules from one file to the next: a process and its imports take 0.4 to 0.6 s of CPU for each of 255
// files. Unless everything runs (amount.ts), test/e2e is left to CI.
import { configDefaults, defineConfig } from 'vitest/config';
import { isAll, isFew } from './amount.js';
import { COSTLY } from './costly.js';

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
