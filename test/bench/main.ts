// `npm run bench`: what dustbuster takes beside what a user would pick instead, in one run, the answers compared first.
//
//   node dist/test/bench/main.js [--quick] [--only NAME]… [--json FILE] [--chart FILE] [--cache FOLDER]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench, type Case } from './bench.js';
import { canonize } from './cases/canonize.js';
import { growth, hundredMillion, memory } from './cases/growth.js';
import { hash } from './cases/hash.js';
import { log, parsing } from './cases/log.js';
import { phase1 } from './cases/phase-1.js';
import { shapes } from './cases/shapes.js';
import { startUp } from './cases/start-up.js';
import { growthChart } from './chart.js';
import { inputFiles } from './input/files.js';
import { outputOf } from './measure.js';
import { barsOf, tableOf } from './report.js';
import { versionOf } from './ways/optional.js';

const CASES: readonly Case[] = [startUp, hash, parsing, log, phase1, canonize, shapes, growth, memory, hundredMillion];

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
    chart: { type: 'string' },
    cache: { type: 'string', default: join(tmpdir(), 'dustbuster-bench') },
  },
});

function chosenCases(): readonly Case[] {
  const { only } = flags;
  if (only === undefined) return CASES.filter(({ isByHand }) => isByHand !== true);
  const unknown = only.find((name) => CASES.every((one) => one.name !== name));
  const names = CASES.map(({ name }) => name).join(', ');
  if (unknown !== undefined) throw new Error(`--only: got ${unknown}, expected one of ${names}`);
  return CASES.filter(({ name }) => only.includes(name));
}

/** Machine and versions; figures without them say nothing. */
async function setting(): Promise<Record<string, string>> {
  const first = async (command: string) => (await outputOf(`${command} || true`)).split('\n')[0]!.trim() || 'none';
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus().length} × ${cpus()[0]!.model}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    sort: await first('sort --version'),
    sed: await first('sed --version'),
    perl: await first(`perl -e 'print $^V'`),
    goaccess: await first('goaccess --version 2>/dev/null'),
    duckdb: versionOf('@duckdb/node-api'),
    'normalize-url': versionOf('normalize-url'),
  };
}

const scratch = mkdtempSync(join(tmpdir(), 'dustbuster-bench-run-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const bench = new Bench(flags.quick, inputFiles(flags.cache), scratch);
const cases = chosenCases();
const machine = await setting();
const header = Object.entries(machine).map(([name, value]) => `${name}: ${value}\n`);
bench.say(`${header.join('')}\n`);
const took: string[] = [];
for (const one of cases) {
  const started = performance.now();
  await one.run(bench);
  took.push(`${one.name} ${Math.round((performance.now() - started) / 1000)} s`);
}
bench.say(`${tableOf(bench.rows)}\n${barsOf(bench.rows)}\n`);
if (flags.quick) bench.say('Bars are meant for the full sizes; this was a quick run.\n');
bench.say(`Took, with inputs and checks: ${took.join(', ')}\n`);
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify({ machine, rows: bench.rows }, null, 1)}\n`);
const chart = growthChart(bench.rows);
if (flags.chart !== undefined && chart !== undefined) writeFileSync(flags.chart, chart);
