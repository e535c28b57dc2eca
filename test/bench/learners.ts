// What do the learners of the literature reach beside ours, on the same halves of labelled clusters?
//
//   npm run bench:learners -- [--column 2] [--seeds 1,2,3] [--learner duster] [--rules] [TRUTH.tsv.gz…]
//
// TRUTH has lines of URL, tab, label; --column is that of the label. Without a file, a made-up site. Each learner learns
// from the clusters of one half, and `eval --map` measures the forms that it gives the URLs of the other half.
// --rules prints what the learners of the literature have learned. Seconds are of the clock, those of ours of a process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { contextTrees } from './learners/context-trees.js';
import { duster } from './learners/duster.js';
import { type Halves, halvesOf, readLabelled } from './learners/halves.js';
import { judge, type Judged } from './learners/judge.js';
import { keyValuesOf, urlOf } from './learners/key-values.js';
import type { Labelled, Learned, Learner } from './learners/learner.js';
import { madeUpSite } from './learners/made-up.js';
import { learnOurs } from './learners/ours.js';
import { pairwise } from './learners/pairwise.js';
import { patternTree } from './learners/pattern-tree.js';
import { asShare, markdownOf } from './sites/spread.js';

interface Measured extends Judged {
  readonly learner: string;
  readonly rules: number;
  readonly seconds: number;
}

const LITERATURE: readonly Learner[] = [pairwise, contextTrees, patternTree, duster];
const OURS = 'dustbuster';

const { values: flags, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    column: { type: 'string', default: '2' },
    seeds: { type: 'string', default: '1,2,3' },
    learner: { type: 'string', default: '' },
    rules: { type: 'boolean', default: false },
  },
});
const seeds = flags.seeds.split(',').map((text) => countIn(text, '--seeds'));
const column = countIn(flags.column, '--column');
const folder = mkdtempSync(join(tmpdir(), 'dustbuster-learners-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const sites: readonly (readonly [string, (seed: number) => Labelled[]])[] =
  paths.length === 0
    ? [['made-up', madeUpSite]]
    : paths.map((path) => [basename(path).replace(/\.tsv(\.gz)?$/, ''), () => readLabelled(path, column)]);

for (const { name, needs, misses } of LITERATURE) console.log(`${name}: needs ${needs}; misses ${misses}`);
const head = ['site', 'learner', ...seeds.map((seed) => `seed ${seed}`), 'false merges', 'rules', 'seconds'];
console.log(`\n${markdownOf(head, []).trimEnd()}`);
for (const [site, pagesOf] of sites) {
  const runs = seeds.map((seed) => {
    console.error(`${site}, seed ${seed}`);
    return measured(halvesOf(pagesOf(seed), seed), seed);
  });
  for (const [at, { learner }] of runs[0]!.entries()) {
    const each = runs.map((run) => run[at]!);
    const joined = (cell: (one: Measured) => string | number): string => each.map(cell).join(', ');
    const cells = [site, learner, ...each.map(({ coverage }) => asShare(coverage))];
    cells.push(
      joined(({ falseMerges }) => falseMerges),
      joined(({ rules }) => rules),
      joined(({ seconds }) => seconds.toFixed(1)),
    );
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function measured({ learning, measuring }: Halves, seed: number): Measured[] {
  const isWanted = (name: string): boolean => name.toLowerCase().includes(flags.learner.toLowerCase());
  const one = (learner: string, seconds: number, { rules, formOf }: Learned): Measured => {
    return { ...judge(measuring, formOf, folder), learner, rules: rules.length, seconds };
  };
  const literature = LITERATURE.filter(({ name }) => isWanted(name)).map(({ name, learn }) => {
    const [learned, seconds] = timed(() => learn(learning, seed));
    if (flags.rules) console.error([name, ...learned.rules].join('\n  '));
    return one(name, seconds, learned);
  });
  const sorted = one('keys and values alone', 0, { rules: [], formOf: (url) => urlOf(keyValuesOf(url)) });
  if (!isWanted(OURS)) return [sorted, ...literature];
  const [ours, seconds] = timed(() => learnOurs(learning, folder));
  return [
    sorted,
    ...literature,
    one(`${OURS}, written`, seconds, ours.written),
    one(`${OURS}, with keys`, seconds, ours.withKeys),
  ];
}

function countIn(text: string, flag: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`${flag}: got ${text}, expected whole numbers from 1 on`);
  return count;
}

function timed<T>(work: () => T): readonly [T, number] {
  const start = performance.now();
  const result = work();
  return [result, (performance.now() - start) / 1000];
}
