// A log, from its lines to ranked rules: beside a sort of its URL column, and beside GoAccess, which makes its own report.
import { readFileSync } from 'node:fs';
import { dustbuster, expectSame, inside, script, type Bench, type Case, type Way } from '../bench.js';
import { logLines } from '../input/log.js';
import { hasProgram, outputOf } from '../measure.js';
import { atLeast, atMost, type Row } from '../report.js';
import { expectPlanted } from './planted.js';

type Format = 'combined' | 'vhost';

/** SPEC 2 in awk, for logs as these are; `host` for logs that have one first. */
const KEPT = '($m == "\\"GET" || $m == "\\"HEAD") && $s ~ /^(200|301|304)$/';
const COLUMNS = { combined: { m: 6, s: 9, url: '$7' }, vhost: { m: 7, s: 10, url: '$1 $8' } } as const;

function awk(format: Format, condition: string, log: string): string {
  const { m, s, url } = COLUMNS[format];
  return `awk -v m=${m} -v s=${s} '${condition} {print ${url}}' ${log}`;
}

export function accessLog(bench: Bench, format: Format): Promise<string> {
  const count = bench.scaled(1_000_000);
  return bench.inputs.file(`${format}.log`, count, () => logLines(count, format));
}

export const log: Case = {
  name: 'log',
  async run(bench) {
    for (const format of ['combined', 'vhost'] as const) await mining(bench, format);
  },
};

async function mining(bench: Bench, format: Format): Promise<void> {
  const count = bench.scaled(1_000_000);
  const path = await accessLog(bench, format);
  const kept = awk(format, KEPT, path);
  const urls = Number(await outputOf(`${kept} | sort -u | wc -l`));
  const rules = bench.scratch('rules.json');
  const mine = (threads: number) => ['mine', path, '-o', rules, '--threads', String(threads)];
  const summary = await outputOf(dustbuster(...mine(bench.threads)), 'stderr');
  expectSame(`URLs of the ${format} log`, Number(/(\d+) URLs/.exec(summary)?.[1]), urls);
  expectSame(`records of the ${format} log`, recordsIn(summary), Number(await outputOf(`${kept} | wc -l`)));
  expectPlanted(rules, urls);
  const column = bench.scratch(`${format}-column`);
  await outputOf(`${awk(format, '1', path)} > ${column}`);
  await bench.compare({
    work: `mine, ${format} log of ${count} lines, ${urls} URLs`,
    count,
    unit: 'lines',
    ways: [
      { who: `dustbuster, ${bench.threads} threads`, run: dustbuster(...mine(bench.threads)) },
      { who: 'dustbuster, 1 thread', run: dustbuster(...mine(1)) },
      {
        who: 'sort -u of the URL column, cut out before',
        run: ['sort', '-u', column],
        bars: (row, rows) => [atMost('our time over it', rows[0]!.median / row.median, 10)],
      },
      { who: 'awk | sort -u', run: `${awk(format, '1', path)} | sort -u` },
      ...(format === 'combined' ? await goAccess(bench, path, count) : []),
    ],
  });
}

const recordsIn = (summary: string) => Number(/(\d+) records/.exec(summary)?.[1]);

async function goAccess(bench: Bench, path: string, count: number): Promise<Way[]> {
  if (!(await hasProgram('goaccess'))) {
    bench.say('GoAccess is left out: goaccess is not installed\n');
    return [];
  }
  const report = bench.scratch('goaccess.json');
  const run = ['goaccess', path, '--log-format=COMBINED', '--no-global-config', '--no-progress', '-o', report];
  await outputOf(run);
  const { general } = JSON.parse(readFileSync(report, 'utf8')) as { general: Record<string, number> };
  expectSame('lines of the log by GoAccess', general['valid_requests']!, count);
  const bars = (row: Row, rows: readonly Row[]) => [atLeast('its time over ours', row.median / rows[0]!.median, 4)];
  return [{ who: 'GoAccess, its report', run, runs: 1, bars }];
}

/** Lines to records, inside a process. */
export const parsing: Case = {
  name: 'parsing',
  async run(bench) {
    const count = bench.scaled(1_000_000);
    const path = await accessLog(bench, 'combined');
    const kept = Number(await outputOf(`${awk('combined', KEPT, path)} | wc -l`));
    for (const threads of [1, bench.threads]) {
      const { result } = JSON.parse(await outputOf(script('inside', 'parse', path, String(threads)))) as {
        result: number;
      };
      expectSame(`records on ${threads} threads`, result, kept);
    }
    await bench.compare({
      work: `parsing a combined log of ${count} lines`,
      count,
      unit: 'lines',
      ways: [
        {
          who: 'dustbuster, 1 thread',
          run: inside('parse', path, '1'),
          bars: (row) => [atLeast('lines/s', row.rate, 1e6)],
        },
        {
          who: `dustbuster, ${bench.threads} threads`,
          run: inside('parse', path, String(bench.threads)),
          bars: (row) => [atLeast('lines/s', row.rate, 2e6)],
        },
        { who: 'wc -l', run: ['wc', '-l', path] },
        { who: 'awk, two columns', run: `awk '{print $7, $9}' ${path}` },
      ],
    });
  },
};
