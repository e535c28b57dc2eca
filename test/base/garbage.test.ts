// How much do new objects take, and garbage? In a process of its own, as V8 does not give the space back.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isFew } from '../amount.js';

const GARBAGE = new URL('../../dist/src/base/garbage.js', import.meta.url).href;

/** MiB of the space for new objects after many that live for a while. */
function newSpaceAfter(begin: string): number {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { keepNewObjectsFew } from '${GARBAGE}';
    ${begin}
    const kept = [];
    for (let k = 0; k < 2_000_000; k++) kept[k % 100_000] = { k };
    const space = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    console.log(space.space_size / 2 ** 20);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
}

test.skipIf(isFew)('new objects take little memory while they are to be few, and afterwards as much as usual', () => {
  const usual = newSpaceAfter('');
  expect(usual).toBeGreaterThan(8);
  expect(newSpaceAfter('keepNewObjectsFew();')).toBeLessThan(4);
  expect(newSpaceAfter('keepNewObjectsFew()();')).toBe(usual);
});

/** The most MiB that objects take while they live for a while, looked at at every thousandth. */
function mostUsed(begin: string): number {
  const script = `
    import { limitGarbage } from '${GARBAGE}';
    const collect = ${begin};
    const kept = [];
    let most = 0;
    for (let k = 0; k < 4_000_000; k++) {
      kept[k % 300_000] = [k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7];
      if (k % 1000 > 0) continue;
      collect();
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
    console.log(most / 2 ** 20);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
}

test('garbage is collected at a limit, and where more than that is in use, when it has grown by half', () => {
  const usual = mostUsed('() => {}');
  const inUse = mostUsed('limitGarbage(1)');
  expect(usual).toBeGreaterThan(90);
  expect(mostUsed('limitGarbage(64 << 20)')).toBeLessThan(80);
  expect(inUse).toBeLessThan(80);
});
