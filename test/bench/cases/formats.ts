// Lines to records on one thread, format by format: beside awk, which prints the URL column of the same lines, and
// GoAccess where it knows the format, which makes its report.
import { readFileSync } from 'node:fs';
import { expectSame, inside, type Bench, type Case, type Way } from '../bench.js';
import { BENCH_FORMATS, formatLines, type BenchFormat } from '../input/formats.js';
import { outputOf } from '../measure.js';
import { atLeast } from '../report.js';

export const formats: Case = {
  name: 'formats',
  async run(bench) {
    const count = bench.scaled(200_000);
    for (const format of BENCH_FORMATS) await compareFormat(bench, format, count);
  },
};

export async function compareFormat(bench: Bench, format: BenchFormat, count: number): Promise<void> {
  const path = await bench.inputs.file(`format-${format.name.replaceAll(' ', '-')}`, count, () =>
    formatLines(format, count),
  );
  const awk = ['awk', ...format.awk, path];
  const column = bench.scratch('column');
  await expectSameUrls(format, path, awk);
  const own: Way = {
    who: 'dustbuster, 1 thread',
    run: inside('parse', path, '1'),
    check: ({ result }) => expectSame(`records of ${format.name}`, result!, count),
    bars: (row) => [atLeast('lines/s', row.rate, 300_000)],
  };
  await bench.compare({
    work: `parsing ${count} lines, ${format.name}`,
    count,
    unit: 'lines',
    ways: [own, { who: 'awk, the URL column', run: awk, needs: 'awk' }, ...goAccess(format, path, count, column)],
  });
}

/** The distinct URLs of all records are as many as those of the column. */
async function expectSameUrls({ name }: BenchFormat, path: string, awk: readonly string[]): Promise<void> {
  const lines = (await outputOf(awk)).trimEnd().split('\n');
  const { result } = await inside('distinct', path)();
  expectSame(`distinct URLs of ${name}`, result!, new Set(lines).size);
}

function goAccess({ goAccess: name }: BenchFormat, path: string, count: number, scratch: string): readonly Way[] {
  if (name === undefined) return [];
  const report = `${scratch}.json`;
  return [
    {
      who: 'GoAccess, its report',
      run: ['goaccess', path, `--log-format=${name}`, '--no-global-config', '--no-progress', '-o', report],
      needs: 'goaccess',
      runs: 1,
      check: () => {
        const { general } = JSON.parse(readFileSync(report, 'utf8')) as { general: Record<string, number> };
        expectSame(`lines of ${name} by GoAccess`, general['valid_requests']!, count);
      },
      bars: (row, rows) => [atLeast('its time over ours', row.median / rows[0]!.median, 4)],
    },
  ];
}
