// Replicated collections of synthetic crawls: what was planted is found, in a time that grows with the pages.
import { readFileSync } from 'node:fs';
import { dustbuster, type Case } from '../bench.js';
import { pagesWithMirrors, type Planted } from '../input/mirrors.js';
import { atMost } from '../report.js';

export const mirrors: Case = {
  name: 'mirrors',
  isByHand: true,
  async run(bench) {
    for (const count of bench.isQuick ? [10_000] : [100_000, 1_000_000]) {
      const planted: Planted = { clusters: 0, collections: 0 };
      const list = await bench.inputs.file('mirrors', count, () => pagesWithMirrors(count, planted));
      // The list may have been made before.
      if (planted.clusters === 0) for (const _ of pagesWithMirrors(count, planted));
      const output = bench.scratch(`mirrors-${count}.json`);
      await bench.compare({
        work: `mirrors, ${count} pages`,
        count,
        unit: 'pages',
        ways: [
          {
            who: 'dustbuster --memory 1g',
            run: dustbuster('mirrors', list, '-q', '-o', output, '--memory', '1g'),
            runs: 1,
            check: () => expectPlanted(output, planted),
            bars: (row) => [atMost('resident, MB', (row.mebibytes * 2 ** 20) / 1e6, 1300)],
          },
          {
            who: 'dustbuster --memory 128m',
            run: dustbuster('mirrors', list, '-q', '-o', output, '--memory', '128m'),
            runs: 1,
            check: () => expectPlanted(output, planted),
            bars: (row) => [atMost('resident, MB', (row.mebibytes * 2 ** 20) / 1e6, 400)],
          },
        ],
      });
    }
  },
};

/** The last collection may be cut off with the list, and be found in part. */
function expectPlanted(output: string, { clusters, collections }: Planted): void {
  const found = (JSON.parse(readFileSync(output, 'utf8')) as { clusters: { cardinality: number }[] }).clusters;
  const copies = found.reduce((sum, { cardinality }) => sum + cardinality, 0);
  const isRight = found.length - clusters <= 1 && copies - collections <= 2 && found.length >= clusters;
  if (!isRight || copies < collections)
    throw new Error(`mirrors: found ${copies} in ${found.length}, expected ${collections} in ${clusters}`);
}
