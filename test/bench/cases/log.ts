// A log, from its lines to ranked rules: beside a sort of its URL column, and beside GoAccess, which makes its own
// report.
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { dustbuster, expectSame, inside, threadsInWords, type Bench, type Case, type Way } from '../bench.js';
import { logLines } from '../input/log.js';
import { outputOf } from '../measure.js';
import { atLeast, atMost } from '../report.js';
import { expectPlanted } from './planted.js';

type Format = 'combined' | 'vhost';

export const log: Case = { name: 'log', run: (bench) => mining(bench, 'combined') };

/** A site of two hosts. */
export const logWithHosts: Case = { name: 'log-vhost', run: (bench) => mining(bench, 'vhost') };

export function accessLog(bench: Bench, format: Format, count: number): Promise<string> {
  return bench.inputs.file(`${format}.log`, count, () => logLines(count, format));
}

/** Host where the log has one, method, path, status: of logs as these are. */
const LINE = /^(?:(\S+):80 )?\S+ - - \[[^\]]+\] "(\S+) (\S+) HTTP\/1\.1" (\d+) /;

interface Truth {
  readonly records: number;
  readonly urls: number;
}

/** Counts what SPEC 2 keeps of a log, line by line; optionally writes its URL column, of all lines, to a file. */
async function truthOf(path: string, column?: string): Promise<Truth> {
  const urls = new Set<string>();
  const file = column === undefined ? undefined : createWriteStream(column);
  let records = 0;
  for await (const line of createInterface({ input: createReadStream(path, 'latin1') })) {
    const [, host, method, target, status] = LINE.exec(line)!;
    const url = host === undefined ? target! : `${host} ${target!}`;
    if (file !== undefined && !file.write(`${url}\n`)) await once(file, 'drain');
    if (!/^(GET|HEAD)$/.test(method!) || !/^(200|301|304)$/.test(status!)) continue;
    urls.add(url);
    records++;
  }
  if (file !== undefined) await once(file.end(), 'close');
  return { records, urls: urls.size };
}

async function mining(bench: Bench, format: Format): Promise<void> {
  const count = bench.scaled(1_000_000);
  const path = await accessLog(bench, format, count);
  const column = bench.scratch(`${format}-column`);
  const { records, urls } = await truthOf(path, column);
  const own = (threads: number): Way => {
    const rules = bench.scratch(`${format}-rules-${threads}.json`);
    const run = dustbuster('mine', path, '-o', rules, '--threads', String(threads));
    return { who: `dustbuster, ${threadsInWords(threads)}`, run, check: () => expectPlanted(rules, urls) };
  };
  const summary = await outputOf([...(own(bench.threads).run as readonly string[])], 'stderr');
  expectSame(`records of the ${format} log`, Number(/(\d+) records/.exec(summary)?.[1]), records);
  await bench.compare({
    work: `mine, ${format} log of ${count} lines, ${urls} URLs`,
    count,
    unit: 'lines',
    ways: [
      own(bench.threads),
      own(1),
      {
        who: 'sort -u of the URL column, cut out before',
        run: ['sort', '-u', column],
        needs: 'sort',
        bars: (row, rows) => [atMost('our time over it', rows[0]!.median / row.median, 10)],
      },
      {
        who: 'awk | sort -u',
        run: `awk '{print $${format === 'combined' ? 7 : 8}}' ${path} | sort -u`,
        needs: 'awk',
      },
      ...(format === 'combined' ? [goAccess(bench, path, count)] : []),
    ],
  });
}

function goAccess(bench: Bench, path: string, count: number): Way {
  const report = bench.scratch('goaccess.json');
  return {
    who: 'GoAccess, its report',
    run: ['goaccess', path, '--log-format=COMBINED', '--no-global-config', '--no-progress', '-o', report],
    needs: 'goaccess',
    runs: 1,
    check: () => {
      const { general } = JSON.parse(readFileSync(report, 'utf8')) as { general: Record<string, number> };
      expectSame('lines of the log by GoAccess', general['valid_requests']!, count);
    },
    bars: (row, rows) => [atLeast('its time over ours', row.median / rows[0]!.median, 4)],
  };
}

/** Lines to records, inside a process. */
export const parsing: Case = {
  name: 'parsing',
  async run(bench) {
    const count = bench.scaled(1_000_000);
    const path = await accessLog(bench, 'combined', count);
    const { records } = await truthOf(path);
    const own = (threads: number, linesPerSecond: number): Way => ({
      who: `dustbuster, ${threadsInWords(threads)}`,
      run: inside('parse', path, String(threads)),
      check: ({ result }) => expectSame(`records on ${threadsInWords(threads)}`, result!, records),
      bars: (row) => [atLeast('lines/s', row.rate, linesPerSecond)],
    });
    await bench.compare({
      work: `parsing a combined log of ${count} lines`,
      count,
      unit: 'lines',
      ways: [
        own(1, 1e6),
        own(bench.threads, 2e6),
        { who: 'wc -l', run: ['wc', '-l', path], needs: 'wc' },
        { who: 'awk, two columns', run: `awk '{print $7, $9}' ${path}`, needs: 'awk' },
      ],
    });
  },
};
