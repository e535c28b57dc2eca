// Which lines of what decides over rules does no test of theirs run? `npm run check` lists them: src/rule and
// src/validate are the code whose mistakes a site owner would pay for.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/rule/**/*.test.ts', 'test/validate/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    isolate: false,
    reporters: ['dot'],
    globalSetup: ['test/kernel/fresh.ts', 'test/setup.ts'],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['src/rule/**', 'src/validate/**'],
      reporter: [['text', { skipFull: true }]],
      reportsDirectory: 'node_modules/.cache/coverage',
    },
  },
});
