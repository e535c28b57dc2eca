// The measurements of a run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { scratchFolder } from '../cli/process.js';
import { runOnce } from './measure.js';

const folder = scratchFolder();
afterAll(() => folder.remove());
const stdout = join(folder.path, 'stdout');

const MIB = 2 ** 20;

/** Holds 150 MiB for a moment, and 300 ms of CPU. */
const BUSY = `const held = Buffer.alloc(150 * ${MIB}, 1); const end = Date.now() + 300; while (Date.now() < end) held[0]++;`;

describe.runIf(existsSync('/proc/self/status'))('a run', () => {
  test('is charged with what the processes take that its threads start', async () => {
    const inThread = `const { Worker } = require('node:worker_threads');
      new Worker(\`require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}])\`, { eval: true });`;
    const sample = await runOnce([process.execPath, '-e', inThread], stdout);
    expect(sample.mebibytes).toBeGreaterThan(150);
    expect(sample.mebibytes).toBeLessThan(400);
    expect(sample.cpuSeconds).toBeGreaterThan(0.1);
  });

  test('that fails says why', async () => {
    const run = runOnce(['sh', '-c', 'echo no such thing >&2; exit 3'], stdout);
    await expect(run).rejects.toThrow('ended with 3: no such thing');
  });
});
