// A crawl's table as Parquet, to distinct URLs on one thread: beside the same rows as CSV, and beside DuckDB, which
// wrote the Parquet (row groups of 122,880 rows, Snappy).
import { rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { expectSame, inside, type Case, type Way } from '../bench.js';
import { seeded } from '../input/random.js';
import { SEED, siteUrls } from '../input/site.js';

export const parquet: Case = {
  name: 'parquet',
  async run(bench) {
    const count = bench.scaled(1_000_000);
    const csv = await bench.inputs.file('crawl.csv', count, () => crawlRows(count));
    const table = bench.scratch('crawl.parquet');
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`COPY (FROM read_csv('${csv}', header = true)) TO '${table}' (FORMAT parquet)`);
    const { urls, records } = truthOf(count);
    const way = (who: string, what: string, path: string): Way => ({
      who,
      run: inside(what, path, ...(what === 'parse' ? ['1'] : [])),
      check: ({ result }) => expectSame(`${what}, ${who}`, result!, what === 'parse' ? records : urls),
    });
    await bench.compare({
      work: `${count} rows of a crawl, to ${urls} distinct URLs`,
      count,
      unit: 'rows',
      ways: [
        way('dustbuster, Parquet', 'distinct', table),
        way('dustbuster, CSV', 'distinct', csv),
        way('DuckDB, Parquet', 'distinct-duckdb', table),
        way('DuckDB, CSV', 'distinct-duckdb', csv),
      ],
    });
    await bench.compare({
      work: `${count} rows of a crawl, to records`,
      count,
      unit: 'rows',
      ways: [way('dustbuster, Parquet', 'parse', table), way('dustbuster, CSV', 'parse', csv)],
    });
    rmSync(table);
  },
};

interface CrawlRow {
  readonly url: string;
  readonly status: number;
  readonly size: number;
}

/** Two rows in three have a new URL, the others one of before; one in ten is gone. */
function* crawl(count: number): Generator<CrawlRow> {
  const random = seeded(SEED);
  const seen: { readonly url: string; readonly size: number }[] = [];
  const urls = siteUrls(count, SEED);
  for (let row = 0; row < count; row++) {
    if (row === 0 || random() < 2 / 3) {
      const { host, path, size } = urls.next().value!;
      seen.push({ url: `http://${host}${path}`, size });
    }
    const { url, size } = random() < 2 / 3 ? seen.at(-1)! : seen[Math.floor(random() * seen.length)]!;
    yield { url, status: random() < 0.1 ? 404 : 200, size };
  }
}

function* crawlRows(count: number): Generator<string> {
  yield 'url,fetch_status,size\n';
  for (const { url, status, size } of crawl(count)) yield `"${url}",${status},${size}\n`;
}

function truthOf(count: number): { readonly urls: number; readonly records: number } {
  const urls = new Set<string>();
  let records = 0;
  for (const { url, status } of crawl(count)) {
    if (status !== 200) continue;
    urls.add(url);
    records++;
  }
  return { urls: urls.size, records };
}
