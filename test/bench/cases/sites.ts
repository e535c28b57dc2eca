// One log with thousands of sites, against as many URLs of one site.
import { readFileSync } from 'node:fs';
import type { RulesFile } from '../../../src/rule/rule.js';
import { dustbuster, expectSame, type Bench, type Case, type Way } from '../bench.js';
import { manySites } from '../input/shapes.js';
import { siteUrls } from '../input/site.js';
import { atMost } from '../report.js';

const URLS_PER_SITE = 100;

export const sites: Case = {
  name: 'sites',
  async run(bench) {
    const count = bench.scaled(1_000_000);
    const one = await bench.inputs.file('site.txt', count, () => linesOf(siteUrls(count)));
    const many = await bench.inputs.file('small-sites-lines.txt', count, () =>
      linesOf(manySites(count / URLS_PER_SITE, URLS_PER_SITE)),
    );
    const { threads } = bench;
    await bench.compare({
      work: `mine, ${count} URLs`,
      count,
      unit: 'URLs',
      ways: [
        way(bench, 'of one site', one, threads, 1),
        way(bench, `of ${count / URLS_PER_SITE} sites`, many, threads, count / URLS_PER_SITE),
        way(bench, `of ${count / URLS_PER_SITE} sites, 1 thread`, many, 1, count / URLS_PER_SITE),
      ],
    });
  },
};

function way(bench: Bench, who: string, list: string, threads: number, expected: number): Way {
  const output = bench.scratch(`sites-${expected}-${threads}.json`);
  const isCompared = expected > 1 && threads > 1;
  return {
    who: `dustbuster, ${who}`,
    run: dustbuster('mine', list, '-q', '-o', output, '--threads', String(threads)),
    check: () => {
      const file = JSON.parse(readFileSync(output, 'utf8')) as RulesFile;
      expectSame(`sites of ${list}`, file.sites.mined, expected);
      // Rules carry their site, and say nothing of another one.
      const stray = file.rules.filter(({ site, ...rule }) => !JSON.stringify(rule).includes(site));
      expectSame(`rules of ${list} without an example of their site`, stray.length, 0);
    },
    ...(isCompared && { bars: (row) => [atMost('time over that of one site', row.ratio, 1.5)] }),
  };
}

function* linesOf(urls: Iterable<{ readonly host: string; readonly path: string }>): Generator<string> {
  for (const { host, path } of urls) yield `http://${host}${path}\n`;
}
