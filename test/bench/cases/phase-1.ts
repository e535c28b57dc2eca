// The pairs of one site (SPEC 3): beside SQL, the paper's literal tables, and sort as the yardstick of the machine.
import { dustbuster, digestOfLines, expectSame, inside, script, type Bench, type Case, type Way } from '../bench.js';
import { atLeast, atMost, type Row } from '../report.js';
import { siteUrls } from '../input/site.js';
import { isInstalled } from '../ways/optional.js';

export const phase1: Case = {
  name: 'phase-1',
  async run(bench) {
    await everyWay(bench);
    await large(bench);
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

export function duckDb(bench: Bench, form: Form, table: string): readonly string[] {
  return script('ways/duckdb', form, table, bench.scratch(`duckdb-${form}.tsv`), String(bench.threads));
}

type Form = 'ids' | 'text';

/** A way with the file that its pairs are in. */
interface PairsWay extends Way {
  readonly pairs: string;
}

const FORMS: Readonly<Record<Form, string>> = { ids: 'DuckDB, its best form', text: 'DuckDB, plain text form' };

function duckDbWays(bench: Bench, table: string, forms: readonly Form[]): PairsWay[] {
  if (!isInstalled('@duckdb/node-api')) {
    bench.say('DuckDB is left out: @duckdb/node-api is not installed\n');
    return [];
  }
  return forms.map((form) => ({
    who: FORMS[form],
    run: duckDb(bench, form, table),
    pairs: bench.scratch(`duckdb-${form}.tsv`),
  }));
}

function ownWay(bench: Bench, table: string, threads: number): PairsWay {
  const pairs = bench.scratch(`pairs-${threads}.tsv`);
  const who = `dustbuster, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  return { who, run: dustbuster(...minePairs(table, pairs, threads)), pairs };
}

/** All have written the same pairs, in whatever order. */
async function expectSamePairs(ways: readonly PairsWay[]): Promise<void> {
  const [ours, ...others] = ways;
  const digest = await digestOfLines(ours!.pairs);
  for (const { who, pairs } of others) expectSame(`pairs of ${who}`, digest, await digestOfLines(pairs));
}

async function everyWay(bench: Bench): Promise<void> {
  const count = bench.scaled(20_000);
  const table = await siteTable(bench, count);
  const text = bench.scratch('literal.tsv');
  const ways: PairsWay[] = [
    ownWay(bench, table, bench.threads),
    ...duckDbWays(bench, table, ['ids', 'text']),
    {
      who: 'GNU sort, the paper’s tables as text',
      run: script('ways/literal', table, text, String(bench.threads)),
      runs: 1,
      pairs: text,
    },
  ];
  const check = () => expectSamePairs(ways);
  await bench.compare({ work: `phase 1, ${count} URLs, every way`, count, unit: 'URLs', ways, check });
}

async function large(bench: Bench): Promise<void> {
  const count = bench.scaled(1_000_000);
  const { threads } = bench;
  const table = await siteTable(bench, count);
  const [many, single] = [ownWay(bench, table, threads), ownWay(bench, table, 1)];
  const sql = duckDbWays(bench, table, ['ids']);
  const times = (row: Row, other: Row) => row.median / other.median;
  await bench.compare({
    work: `phase 1, ${count} URLs`,
    count,
    unit: 'URLs',
    check: () => expectSamePairs([many, single, ...sql]),
    ways: [
      many,
      single,
      { who: `dustbuster, warm, ${threads} threads`, run: inside(...minePairs(table, many.pairs, threads)) },
      {
        who: 'sort -u, 1 thread',
        run: sortUnique(table, 1),
        bars: (row, rows) => [atMost('our time on 1 thread over it', times(rows[1]!, row), 4)],
      },
      {
        who: `sort -u, ${threads} threads`,
        run: sortUnique(table, threads),
        bars: (row, rows) => [atMost(`our time on ${threads} threads over it`, times(rows[0]!, row), 2.5)],
      },
      ...sql.map((way) => ({
        ...way,
        who: `${way.who}, ${threads} threads`,
        bars: (row: Row, rows: readonly Row[]) => [atLeast('its time over ours', times(row, rows[0]!), 25)],
      })),
    ],
  });
}
