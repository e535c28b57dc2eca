// What it takes to say anything at all.
import { dustbuster, expectSame, type Case } from '../bench.js';
import { outputOf } from '../measure.js';
import { atMost } from '../report.js';

export const startUp: Case = {
  name: 'start-up',
  async run(bench) {
    const version = await outputOf(dustbuster('--version'));
    expectSame('the version', /^dustbuster \d+\.\d+\.\d+/.test(version) ? version : 'none', version);
    await bench.compare({
      work: 'start-up',
      count: 1,
      unit: 'starts',
      ways: [
        {
          who: 'dustbuster --version',
          run: dustbuster('--version'),
          runs: 21,
          bars: (row, rows) => [atMost('time over node -e 0', row.median / rows[1]!.median, 1.5)],
        },
        { who: 'node -e 0', run: [process.execPath, '-e', '0'], runs: 21 },
      ],
    });
  },
};
