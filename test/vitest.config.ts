// How are tests run? What `npm test` adds by flags (package.json) stays there.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: 'test/kernel/fresh.ts' } });
