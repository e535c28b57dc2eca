// Phase 1 on lists that are hard on one idea or another: time must not depend on a lucky shape. Bytes are counted, as
// URLs of 400 tokens cost more than short ones whatever their shape.
import { readFileSync, statSync } from 'node:fs';
import { dustbuster, expectSame, type Bench, type Case } from '../bench.js';
import { SHAPES, type Shape } from '../input/shapes.js';
import { outputOf } from '../measure.js';
import { twinPairs, type TwinUrl } from '../../twin.js';
import { minePairs, sortUnique } from './phase-1.js';

export const shapes: Case = {
  name: 'shapes',
  async run(bench) {
    for (const shape of SHAPES) {
      await expectTwinPairs(bench, shape);
      const count = bench.scaled(shape.count);
      const list = await listOf(bench, shape, count);
      const pairs = minePairs(list, bench.scratch('pairs.tsv'), bench.threads);
      await bench.compare({
        work: `phase 1, ${count} URLs, ${shape.name}`,
        count: statSync(list).size,
        unit: 'bytes',
        ways: [
          { who: 'dustbuster', run: dustbuster(...pairs), runs: 1, note: () => shape.about },
          { who: 'sort -u', run: sortUnique(list, bench.threads), needs: 'sort', runs: 1 },
        ],
      });
    }
  },
};

function listOf(bench: Bench, { name, urls }: Shape, count: number): Promise<string> {
  return bench.inputs.file(`${name}.txt`, count, function* () {
    for (const url of urls(count)) yield `${url}\n`;
  });
}

/** A few URLs of the shape have the pairs that the naive twin finds, site by site. */
async function expectTwinPairs(bench: Bench, shape: Shape): Promise<void> {
  const list = await listOf(bench, shape, shape.few);
  const ours = await outputOf(dustbuster(...minePairs(list, '-', bench.threads)));
  const sites = new Map<string, TwinUrl[]>();
  for (const url of readFileSync(list, 'latin1').trimEnd().split('\n')) {
    const site = /\/\/(?:www\.)?([^/]+)/.exec(url)![1]!;
    sites.set(site, [...(sites.get(site) ?? []), { url }]);
  }
  const rows: string[] = [];
  for (const [site, urls] of sites) {
    for (const pair of twinPairs(urls, { S: 35, T_low: 6, T_high: 11, MS: 3, similarity: true })) {
      const { anchor, from, to, low, high, against } = pair;
      rows.push(`${[site, anchor, from, to, low, high, against].join('\t')}\n`);
    }
  }
  if (rows.length === 0) throw new Error(`${shape.name}: the twin finds no pairs, so that it tells nothing`);
  expectSame(`pairs of ${shape.name}`, inOrder(ours.split(/(?<=\n)/)), inOrder(rows));
}

const inOrder = (rows: readonly string[]) => rows.toSorted().join('');
