// `npm run bench`: dustbuster compared with what a user would use instead, in one run, with the answers compared.
//
//   node dist/test/bench/main.js [quick] [--only CASE]… [--out FOLDER] [--cache FOLDER] [--readme]
//
// Results are written after every case, so that a run may be interrupted, or made in pieces: results in OUT from an
// earlier run on this machine are kept until the case is run again.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench, type Case } from './bench.js';
import { canonize } from './cases/canonize.js';
import { confident } from './cases/confident.js';
import { dups } from './cases/dups.js';
import { formats } from './cases/formats.js';
import { growth, growthOfMine } from './cases/growth.js';
import { hash } from './cases/hash.js';
import { log, logWithHosts, parsing } from './cases/log.js';
import { hundredMillion, memory } from './cases/memory.js';
import { mirrors } from './cases/mirrors.js';
import { parquet } from './cases/parquet.js';
import { phase1, phase1Large } from './cases/phase-1.js';
import { nightly } from './cases/nightly.js';
import { near } from './cases/near.js';
import { noise } from './cases/noise.js';
import { refresh } from './cases/refresh.js';
import { shapes } from './cases/shapes.js';
import { sites } from './cases/sites.js';
import { startUp } from './cases/start-up.js';
import { inputFiles } from './input/files.js';
import { barsOf } from './report.js';
import { linesOf, readResults, withCase, writeReadme, writeResults } from './results.js';
import { settingOf } from './setting.js';

const CASES: readonly Case[] = [
  startUp,
  hash,
  parsing,
  formats,
  parquet,
  log,
  logWithHosts,
  phase1,
  phase1Large,
  canonize,
  confident,
  shapes,
  sites,
  nightly,
  growth,
  growthOfMine,
  memory,
  mirrors,
  dups,
  near,
  noise,
  refresh,
  hundredMillion,
];
const NAMES = CASES.map(({ name }) => name);

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    out: { type: 'string' },
    cache: { type: 'string', default: join(tmpdir(), 'dustbuster-bench') },
    readme: { type: 'boolean', default: false },
  },
});

function isQuick(): boolean {
  const unknown = positionals.find((word) => word !== 'quick');
  if (unknown !== undefined) throw new Error(`got ${unknown}, expected nothing or quick`);
  return positionals.length > 0;
}

function chosenCases(): readonly Case[] {
  const { only } = flags;
  if (only === undefined) return CASES.filter(({ isByHand }) => isByHand !== true);
  const unknown = only.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`--only: got ${unknown}, expected one of ${NAMES.join(', ')}`);
  return CASES.filter(({ name }) => only.includes(name));
}

const [size, cases] = [isQuick() ? 'quick' : 'full', chosenCases()] as const;
const scratch = mkdtempSync(join(tmpdir(), 'dustbuster-bench-run-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
const out = flags.out ?? mkdtempSync(join(tmpdir(), 'dustbuster-bench-out-'));
mkdirSync(out, { recursive: true });

const bench = new Bench(size === 'quick', inputFiles(flags.cache), scratch);
const setting = await settingOf();
bench.say(`${setting.machine}\n${setting.versions}\n\n`);
let results = readResults(out, size, setting);
for (const one of cases) {
  const started = performance.now();
  await one.run(bench);
  const seconds = Math.round((performance.now() - started) / 1000);
  results = withCase(results, NAMES, { name: one.name, seconds, lines: bench.take() });
  writeResults(out, results);
}
bench.say(`${barsOf(linesOf(results))}\n`);
if (size === 'quick') bench.say('Bars are meant for the full sizes; this was a quick run.\n');
if (flags.readme) writeReadme(results);
bench.say(`Results are in ${out}, inputs in ${flags.cache}\n`);
