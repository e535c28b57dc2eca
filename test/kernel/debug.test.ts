// Do the assertions of the kernel's debug build hold, and do its traps name their function?
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinHeap, kernel, sharedHeap } from '../../src/base/heap.js';
import { compileWasm, newSharedMemory } from '../../src/base/wasm.js';
import { localEngine } from '../../src/mine/engine.js';
import { seeded } from '../bench/input/random.js';
import { eachPairOf } from '../pair-bytes.js';
import { twinPairs, type TwinUrl } from '../twin.js';
import { siteUrlsOf } from '../url-list.js';

const release = sharedHeap();
beforeAll(() => {
  execFileSync(process.execPath, ['src/kernel/build.js', '--debug'], { stdio: 'pipe' });
  joinHeap({ module: compileWasm('dist/kernel.debug.wasm'), memory: newSharedMemory(2048) });
  kernel().openHeap();
}, 60_000);
// Other files of tests may run in this process.
afterAll(() => joinHeap(release));

const options = { S: 35, T_low: 6, T_high: 11, MS: 2, similarity: true };

/** Mainly a crawler trap, whose instances overlap, and a shop. */
function urls(seed: number): TwinUrl[] {
  const random = seeded(seed);
  const below = (most: number) => Math.floor(random() * most);
  const paths = Array.from({ length: 120 }, (_, k) =>
    k % 2 === 0
      ? `/${'a/'.repeat(below(9))}${'b/'.repeat(below(3))}${below(4)}`
      : `/item/${below(30)}${below(2) > 0 ? '?p=1' : ''}`,
  );
  return [...new Set(paths)].map((url) => ({ url, min: 10 + (url.length % 3), max: 12 }));
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test.each([1, 2, 3])('finds the pairs of the twin (seed %i)', (seed) => {
  const list = urls(seed);
  const records = list.flatMap(({ url, min, max }) => [
    { url, size: min! },
    { url, size: max! },
  ]);
  const found: string[] = [];
  const room = { memoryBytes: 1 << 24, tmpdir: tmpdir(), stats: { runs: 0, bytes: 0 } };
  localEngine.eachLikelyPair(siteUrlsOf(records), options, room, (pairs) => {
    for (const { from, to, anchor, low, high, against } of eachPairOf(pairs))
      found.push(`${anchor} ${latin1(from)} → ${latin1(to)} ${low}/${high}/${against}`);
  });
  const expected = twinPairs(list, options).map(
    ({ from, to, anchor, low, high, against }) => `${anchor} ${from} → ${to} ${low}/${high}/${against}`,
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(found.length).toBeGreaterThan(50);
});

test('a block that is freed twice traps, and the stack says where', () => {
  const { alloc, free } = kernel();
  const block = alloc(100) >>> 0;
  alloc(100);
  free(block);
  let stack = '';
  try {
    free(block);
  } catch (error) {
    stack = (error as Error).stack!;
  }
  kernel().unlockHeap();
  expect(stack).toMatch(/RuntimeError: unreachable\n.*memory\/heap\/free/);
});
