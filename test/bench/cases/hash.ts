// The hash of the tables beside the fastest one that npm has.
import { inside, type Case } from '../bench.js';

export const hash: Case = {
  name: 'hash',
  async run(bench) {
    const count = bench.scaled(1_000_000);
    await bench.compare({
      work: `hash of ${count} keys of 60 bytes`,
      count,
      unit: 'keys',
      ways: [
        { who: 'base/hash hashBytes', run: inside('hash', String(count)) },
        { who: 'xxhash-wasm h32Raw', run: inside('hash-xxhash', String(count)) },
      ],
    });
  },
};
