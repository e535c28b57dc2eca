// What less memory costs, and what is possible with it.
import { statfsSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { digestOf, dustbuster, sameAnswer, type Bench, type Case } from '../bench.js';
import { runOnce, type Sample } from '../measure.js';
import { atMost } from '../report.js';
import { siteTable } from './phase-1.js';
import { expectPlanted } from './planted.js';

/** Half the machine: more than 10 million URLs need. */
export const PLENTY = `${Math.floor(totalmem() / 2 ** 21)}m`;

export function mineRules(bench: Bench, table: string, memory: string): readonly string[] {
  const output = rulesOf(bench, table, memory);
  return dustbuster('mine', table, '-o', output, '--threads', String(bench.threads), '--memory', memory);
}

export function rulesOf(bench: Bench, table: string, memory: string): string {
  return bench.scratch(`${table.slice(table.lastIndexOf('/') + 1)}-${memory}.json`);
}

export const memory: Case = {
  name: 'memory',
  async run(bench) {
    const count = bench.isQuick ? 500_000 : 10_000_000;
    const table = await siteTable(bench, count);
    const [cap, megabytes] = bench.isQuick ? ['100m', 100] : ['1g', 1000];
    const same = sameAnswer('rules with less memory');
    const check = (memory: string) => async () => {
      const rules = rulesOf(bench, table, memory);
      expectPlanted(rules, count);
      same(await digestOf(rules));
    };
    await bench.compare({
      work: `mine, ${count} URLs`,
      count,
      unit: 'URLs',
      ways: [
        { who: `dustbuster --memory ${PLENTY}`, run: mineRules(bench, table, PLENTY), runs: 1, check: check(PLENTY) },
        {
          who: `dustbuster --memory ${cap}`,
          run: mineRules(bench, table, cap),
          runs: 1,
          check: check(cap),
          bars: (row) => [
            atMost('resident, MB', (row.mebibytes * 2 ** 20) / 1e6, megabytes + 300),
            atMost('time over that with memory', row.ratio, 3),
          ],
        },
      ],
    });
  },
};

/** Of a list and of what is written to sort it, by what shorter lists took. */
const DISK_PER_URL = 500;

/** Once, by hand: a list of 7 GB. */
export const hundredMillion: Case = {
  name: 'hundred-million',
  isByHand: true,
  async run(bench) {
    const count = bench.scaled(100_000_000);
    const [free, needed] = [freeBytes(), count * DISK_PER_URL];
    if (free < needed)
      throw new Error(`hundred-million: ${inGigabytes(free)} free in ${tmpdir()}, expected ${inGigabytes(needed)}`);
    const table = await siteTable(bench, count);
    let disk = 0;
    const run = async (): Promise<Sample> => {
      const before = freeBytes();
      const watch = setInterval(() => (disk = Math.max(disk, before - freeBytes())), 1000);
      try {
        return await runOnce(mineRules(bench, table, '4g'), bench.scratch('stdout'));
      } finally {
        clearInterval(watch);
      }
    };
    await bench.compare({
      work: `mine, ${count} URLs`,
      count,
      unit: 'URLs',
      ways: [
        {
          who: 'dustbuster --memory 4g',
          run,
          runs: 1,
          note: () => `${inGigabytes(disk)} of disk at most, as far as nobody else used any`,
          check: () => expectPlanted(rulesOf(bench, table, '4g'), count),
          bars: (row) => [atMost('resident, MB', (row.mebibytes * 2 ** 20) / 1e6, 4300)],
        },
      ],
    });
  },
};

const inGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize;
}
