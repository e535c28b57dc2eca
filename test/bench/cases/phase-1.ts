// The pairs of one site (SPEC 3): beside SQL, the paper's literal tables, and sort as the yardstick of the machine.
import {
  digestOfLines,
  dustbuster,
  inside,
  sameAnswer,
  script,
  threadsInWords,
  type Bench,
  type Case,
  type Way,
} from '../bench.js';
import { siteUrls } from '../input/site.js';
import { atLeast, atMost } from '../report.js';

/** The paper's tables as text take minutes and gigabytes beyond this. */
export const phase1: Case = { name: 'phase-1', run: (bench) => everyWay(bench, bench.scaled(20_000)) };

export const phase1Large: Case = {
  name: 'phase-1-large',
  async run(bench) {
    const counts = bench.isQuick ? [100_000] : [100_000, 1_000_000];
    for (const count of counts) await large(bench, count, counts.at(-1)!);
  },
};

/** URL and size, with a header. */
export function siteTable(bench: Bench, count: number): Promise<string> {
  return bench.inputs.file('site.tsv', count, function* () {
    yield 'url\tsize\n';
    for (const { host, path, size } of siteUrls(count)) yield `http://${host}${path}\t${size}\n`;
  });
}

export function minePairs(table: string, output: string, threads: number): readonly string[] {
  return ['mine', table, '--stage', 'pairs', '--tsv', '-q', '-o', output, '--threads', String(threads)];
}

export function sortUnique(file: string, threads: number): readonly string[] {
  return ['sort', '-u', `--parallel=${threads}`, file];
}

type Same = (answer: string) => void;

function ownWay(bench: Bench, table: string, threads: number, same: Same): Way {
  const pairs = bench.scratch(`pairs-${threads}.tsv`);
  return {
    who: `dustbuster, ${threadsInWords(threads)}`,
    run: dustbuster(...minePairs(table, pairs, threads)),
    check: () => same(digestOfLines(pairs)),
  };
}

function scriptWay(
  bench: Bench,
  who: string,
  table: string,
  threads: number,
  same: Same,
  name: string,
  ...args: readonly string[]
): Way {
  const pairs = bench.scratch(`${name.replace('/', '-')}-${threads}.tsv`);
  return {
    who: `${who}, ${threadsInWords(threads)}`,
    run: script(name, ...args, table, pairs, String(threads)),
    check: () => same(digestOfLines(pairs)),
  };
}

const BEST_SQL = 'DuckDB, its best form';

async function everyWay(bench: Bench, count: number): Promise<void> {
  const table = await siteTable(bench, count);
  const same = sameAnswer(`pairs of ${count} URLs`);
  const { threads } = bench;
  await bench.compare({
    work: `phase 1, ${count} URLs, every way`,
    count,
    unit: 'URLs',
    ways: [
      ownWay(bench, table, threads, same),
      scriptWay(bench, BEST_SQL, table, threads, same, 'ways/duckdb', 'ids'),
      scriptWay(bench, 'DuckDB, plain text form', table, threads, same, 'ways/duckdb', 'text'),
      {
        ...scriptWay(bench, 'GNU sort, the paper’s tables as text', table, threads, same, 'ways/literal'),
        needs: 'sort',
        runs: 1,
      },
    ],
  });
}

/** Held to bars at the `last` of the counts, as a start weighs more before. */
async function large(bench: Bench, count: number, last: number): Promise<void> {
  const table = await siteTable(bench, count);
  const same = sameAnswer(`pairs of ${count} URLs`);
  const { threads } = bench;
  const sql = (on: number): Way => ({
    ...scriptWay(bench, BEST_SQL, table, on, same, 'ways/duckdb', 'ids'),
    series: `DuckDB, ${threadsInWords(on)}`,
    runs: count < 1_000_000 ? 3 : 1,
  });
  const sort = (on: number): Way => ({
    who: `sort -u, ${threadsInWords(on)}`,
    run: sortUnique(table, on),
    needs: 'sort',
  });
  const ways = [
    ownWay(bench, table, threads, same),
    ownWay(bench, table, 1, same),
    {
      who: `dustbuster, ${threadsInWords(threads)}, warm`,
      run: inside('command', ...minePairs(table, bench.scratch('pairs-warm.tsv'), threads)),
    },
    heldTo(sort(1), overSort(1, 4)),
    heldTo(sort(threads), overSort(0, 2.5)),
    heldTo(sql(threads), underSql(0)),
    heldTo(sql(1), underSql(1)),
  ];
  const work = { work: `phase 1, ${count} URLs`, count, unit: 'URLs' };
  await bench.compare({ ...work, ways: count === last ? ways : ways.map((way) => heldTo(way, () => [])) });
}

type Bars = NonNullable<Way['bars']>;

const heldTo = (way: Way, bars: Bars): Way => ({ ...way, bars });

/** Our time in row `ours` over that of sort. */
function overSort(ours: number, limit: number): Bars {
  return (row, rows) => [atMost('our time over it, same threads', rows[ours]!.median / row.median, limit)];
}

function underSql(ours: number): Bars {
  return (row, rows) => [atLeast('its time over ours, same threads', row.median / rows[ours]!.median, 25)];
}
