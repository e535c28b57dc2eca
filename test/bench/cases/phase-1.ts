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
import { atLeast, atMost, type Bar, type Row } from '../report.js';

export const phase1: Case = {
  name: 'phase-1',
  async run(bench) {
    await everyWay(bench);
    await large(bench, bench.scaled(100_000));
    if (!bench.isQuick) await large(bench, 1_000_000);
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

async function everyWay(bench: Bench): Promise<void> {
  const count = bench.scaled(20_000);
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

async function large(bench: Bench, count: number): Promise<void> {
  const table = await siteTable(bench, count);
  const same = sameAnswer(`pairs of ${count} URLs`);
  const { threads } = bench;
  const [many, single] = [ownWay(bench, table, threads, same), ownWay(bench, table, 1, same)];
  const warm = inside('command', ...minePairs(table, bench.scratch('pairs-warm.tsv'), threads));
  const ours = (rows: readonly Row[], threads: number) => rows[threads === 1 ? 1 : 0]!.median;
  const sort = (on: number, limit: number): Way => ({
    who: `sort -u, ${threadsInWords(on)}`,
    run: sortUnique(table, on),
    needs: 'sort',
    bars: (row, rows): Bar[] => [
      atMost(`our time on ${threadsInWords(on)} over it`, ours(rows, on) / row.median, limit),
    ],
  });
  const sql = (on: number): Way => ({
    ...scriptWay(bench, BEST_SQL, table, on, same, 'ways/duckdb', 'ids'),
    series: `DuckDB, ${threadsInWords(on)}`,
    runs: count < 1_000_000 ? 3 : 1,
    bars: (row, rows): Bar[] => [atLeast('its time over ours, same threads', row.median / ours(rows, on), 25)],
  });
  await bench.compare({
    work: `phase 1, ${count} URLs`,
    count,
    unit: 'URLs',
    ways: [
      many,
      single,
      { who: `dustbuster, ${threadsInWords(threads)}, warm`, run: warm },
      sort(1, 4),
      sort(threads, 2.5),
      sql(threads),
      sql(1),
    ],
  });
}
