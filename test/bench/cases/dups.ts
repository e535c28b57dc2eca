// The near duplicates of a million ready sketches, and of ten million with --memory 2g.
import { digestOf, dustbuster, sameAnswer, type Case } from '../bench.js';
import { pagesWithSketches } from '../input/sketches.js';
import { atMost } from '../report.js';

const SIZES = [
  { count: 1_000_000, memory: '1g', seconds: 30, megabytes: 1000 },
  { count: 10_000_000, memory: '2g', seconds: 480, megabytes: 2300 },
];

export const dups: Case = {
  name: 'dups',
  isByHand: true,
  async run(bench) {
    for (const { count: all, memory, seconds, megabytes } of bench.isQuick ? SIZES.slice(0, 1) : SIZES) {
      const count = bench.scaled(all);
      const list = await bench.inputs.file('sketches', count, () => pagesWithSketches(count));
      const output = bench.scratch('clusters.tsv');
      const same = sameAnswer('clusters in any memory');
      const way = (size: string) => ({
        who: `dustbuster --memory ${size}`,
        run: dustbuster('dups', '-q', list, '-o', output, '--memory', size),
        runs: 1,
        check: async () => same(await digestOf(output)),
      });
      await bench.compare({
        work: `dups, ${count} sketches`,
        count,
        unit: 'sketches',
        ways: [
          {
            ...way(memory),
            bars: (row) => [
              atMost('seconds', row.median, seconds),
              atMost('resident, MB', (row.mebibytes * 2 ** 20) / 1e6, megabytes),
            ],
          },
          ...(bench.isQuick ? [way('100m')] : []),
        ],
      });
    }
  },
};
