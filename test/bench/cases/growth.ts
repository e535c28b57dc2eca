// What more URLs cost, and what less memory costs.
import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { digestOf, dustbuster, expectSame, type Bench, type Case, type Way } from '../bench.js';
import { runOnce, type Sample } from '../measure.js';
import { atMost, type Row } from '../report.js';
import { isInstalled } from '../ways/optional.js';
import { duckDb, minePairs, siteTable, sortUnique } from './phase-1.js';
import { expectPlanted } from './planted.js';

/** Half the machine: more than 10 million URLs need. */
const PLENTY = `${Math.floor(totalmem() / 2 ** 21)}m`;

export const growth: Case = {
  name: 'growth',
  async run(bench) {
    const lists = await growingLists(bench);
    const pairs = (list: List) => dustbuster(...minePairs(list.table, '/dev/null', bench.threads), '--memory', PLENTY);
    await grow(bench, 'dustbuster, phase 1', lists, pairs, { bars: timePerUrl });
    const checkRules = async () => {
      for (const { table, count } of lists) expectPlanted(rulesOf(bench, table, PLENTY), count);
    };
    const rules = ({ table }: List) => mineRules(bench, table, PLENTY);
    await grow(bench, 'dustbuster mine', lists, rules, { bars: timePerUrl, check: checkRules });
    await grow(bench, 'sort -u', lists, ({ table }) => sortUnique(table, bench.threads));
    if (!isInstalled('@duckdb/node-api')) return;
    await grow(bench, 'DuckDB, phase 1', lists.slice(0, 2), ({ table }) => duckDb(bench, 'ids', table));
  },
};

interface List {
  readonly table: string;
  readonly count: number;
}

async function growingLists(bench: Bench): Promise<List[]> {
  const counts = bench.isQuick ? [20_000, 100_000, 500_000] : [100_000, 1_000_000, 10_000_000];
  const lists: List[] = [];
  for (const count of counts) lists.push({ count, table: await siteTable(bench, count) });
  return lists;
}

interface Held {
  /** Of the row with most URLs. */
  readonly bars?: NonNullable<Way['bars']>;
  readonly check?: () => Promise<void>;
}

/** The same by one way for each list. */
async function grow(
  bench: Bench,
  series: string,
  lists: readonly List[],
  command: (list: List) => readonly string[],
  { bars, check }: Held = {},
): Promise<void> {
  const ways = lists.map((list, at): Way => ({
    who: `${series}, ${list.count} URLs`,
    series,
    count: list.count,
    run: command(list),
    runs: list.count > 1_000_000 ? 1 : 3,
    ...(bars !== undefined && at === lists.length - 1 && { bars }),
  }));
  const work = { work: `growth, ${series}`, count: lists[0]!.count, unit: 'URLs', ways };
  await bench.compare(check === undefined ? work : { ...work, check });
}

function timePerUrl(row: Row, rows: readonly Row[]) {
  return [atMost('time per URL over the least', Math.max(...rows.map(({ rate }) => rate)) / row.rate, 1.6)];
}

function mineRules(bench: Bench, table: string, memory: string): readonly string[] {
  const output = rulesOf(bench, table, memory);
  return dustbuster('mine', table, '-o', output, '--threads', String(bench.threads), '--memory', memory);
}

function rulesOf(bench: Bench, table: string, memory: string): string {
  return bench.scratch(`${table.slice(table.lastIndexOf('/') + 1)}-${memory}.json`);
}

export const memory: Case = {
  name: 'memory',
  async run(bench) {
    const count = bench.scaled(10_000_000);
    const table = await siteTable(bench, count);
    const cap = bench.isQuick ? '100m' : '1g';
    const limit = bench.isQuick ? 130 : 1300;
    const bars = (row: Row) => [
      atMost('resident, MB', (row.mebibytes * 2 ** 20) / 1e6, limit),
      atMost('time over that with memory', row.ratio, 3),
    ];
    await bench.compare({
      work: `mine, ${count} URLs`,
      count,
      unit: 'URLs',
      ways: [
        { who: `dustbuster --memory ${PLENTY}`, run: mineRules(bench, table, PLENTY), runs: 1 },
        { who: `dustbuster --memory ${cap}`, run: mineRules(bench, table, cap), runs: 1, bars },
      ],
      check: async () => {
        const [plenty, capped] = [rulesOf(bench, table, PLENTY), rulesOf(bench, table, cap)];
        expectPlanted(plenty, count);
        expectSame('rules with little memory', await digestOf(`cat ${capped}`), await digestOf(`cat ${plenty}`));
      },
    });
  },
};

/** Once, by hand: a list of 7 GB. */
export const hundredMillion: Case = {
  name: 'hundred-million',
  isByHand: true,
  async run(bench) {
    const count = bench.scaled(100_000_000);
    const table = await siteTable(bench, count);
    let disk = 0;
    const run = async (): Promise<Sample> => {
      const before = freeBytes(bench);
      const watch = setInterval(() => (disk = Math.max(disk, before - freeBytes(bench))), 1000);
      try {
        return await runOnce(mineRules(bench, table, '4g'), bench.scratch('output'));
      } finally {
        clearInterval(watch);
      }
    };
    await bench.compare({
      work: `mine, ${count} URLs`,
      count,
      unit: 'URLs',
      ways: [{ who: 'dustbuster --memory 4g', run, runs: 1 }],
      check: async () => expectPlanted(rulesOf(bench, table, '4g'), count),
    });
    bench.say(`${(disk / 1e9).toFixed(1)} GB of disk in use at most, as far as nobody else used any\n`);
  },
};

function freeBytes(bench: Bench): number {
  const { bavail, bsize } = statfsSync(bench.scratch('.'));
  return bavail * bsize;
}
