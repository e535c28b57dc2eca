// The cost of starting the program.
import { readFileSync } from 'node:fs';
import { dustbuster, type Case } from '../bench.js';
import { atMost } from '../report.js';

export const startUp: Case = {
  name: 'start-up',
  async run(bench) {
    await bench.compare({
      work: 'start-up',
      count: 1,
      unit: 'starts',
      ways: [
        {
          who: 'dustbuster --version',
          run: dustbuster('--version'),
          runs: 21,
          check: (_, stdout) => expectVersion(readFileSync(stdout, 'utf8')),
          bars: (row, rows) => [atMost('time over node -e 0', row.median / rows[1]!.median, 1.5)],
        },
        { who: 'node -e 0', run: [process.execPath, '-e', '0'], runs: 21 },
      ],
    });
  },
};

function expectVersion(said: string): void {
  if (!/^dustbuster \d+\.\d+\.\d+\n$/.test(said)) throw new Error(`dustbuster --version: got ${said}`);
}
