// What more URLs cost, each.
import { dustbuster, type Bench, type Case, type Way } from '../bench.js';
import { atMost, type Row } from '../report.js';
import { minePairs, siteTable, sortUnique } from './phase-1.js';
import { expectPlanted } from './planted.js';
import { mineRules, PLENTY, rulesOf } from './memory.js';

export const growth: Case = {
  name: 'growth',
  async run(bench) {
    const lists = await growingLists(bench);
    const { threads } = bench;
    await grow(bench, 'dustbuster, phase 1', lists, ({ table }) => ({
      run: dustbuster(...minePairs(table, bench.scratch('pairs.tsv'), threads), '--memory', PLENTY),
    }));
    await grow(bench, 'sort -u', lists, ({ table }) => ({ run: sortUnique(table, threads), needs: 'sort' }));
  },
};

export const growthOfMine: Case = {
  name: 'growth-mine',
  async run(bench) {
    const lists = await growingLists(bench);
    await grow(bench, 'dustbuster mine', lists, ({ table, count }) => ({
      run: mineRules(bench, table, PLENTY),
      check: () => expectPlanted(rulesOf(bench, table, PLENTY), count),
    }));
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

/** The same by one way for each list; dustbuster is held to the time that a URL takes. */
async function grow(
  bench: Bench,
  series: string,
  lists: readonly List[],
  way: (list: List) => Pick<Way, 'run' | 'check' | 'needs'>,
): Promise<void> {
  const isOurs = series.startsWith('dustbuster');
  const ways = lists.map((list, at): Way => ({
    ...way(list),
    who: `${series}, ${list.count} URLs`,
    series,
    count: list.count,
    runs: list.count > 1_000_000 ? 1 : 3,
    ...(isOurs && at === lists.length - 1 && { bars: timePerUrl }),
  }));
  await bench.compare({ work: `growth, ${series}`, count: lists[0]!.count, unit: 'URLs', ways });
}

/** Over the least of all, which is stricter than over that of the shortest list: a start weighs most there. */
function timePerUrl(row: Row, rows: readonly Row[]) {
  return [atMost('time per URL over the least', Math.max(...rows.map(({ rate }) => rate)) / row.rate, 1.6)];
}
