// Work inside one process, without its start: node inside.js WHAT ARGUMENTS…, a `Sample` as a line of JSON out.
//
//   command ARGUMENTS…        a command line of dustbuster
//   parse LOG THREADS         a log to batches of records; their number is the result
//   distinct LOG              the number of distinct URLs of its records
//   distinct-duckdb TABLE     the same of a table with url and fetch_status, on one thread
//   hash KEYS                 keys of 60 bytes, one by one
//   hash-xxhash KEYS          the same by xxhash-wasm
//
// Everything is done once to warm up, then timed once.
import xxhash from 'xxhash-wasm';
import { realEffects } from '../../src/base/effects.js';
import { hashBytes } from '../../src/base/hash.js';
import { main } from '../../src/cli/main.js';
import { findInputs } from '../../src/log/inputs.js';
import { readRecordsParallel } from '../../src/log/parallel.js';
import { createReadReport, readRecords, type ReadOptions } from '../../src/log/read.js';
import type { Sample } from './measure.js';

const [what, ...args] = process.argv.slice(2);

/** Returns what is to be timed; its result is shown, or only keeps it from being optimised away. */
async function prepare(): Promise<() => number | Promise<number>> {
  switch (what) {
    case 'command':
      return command;
    case 'parse':
      return () => parse(args[0]!, Number(args[1]));
    case 'distinct':
      return () => distinctUrls(args[0]!);
    case 'distinct-duckdb':
      return distinctUrlsByDuckDb(args[0]!);
    case 'hash':
      return hashing(Number(args[0]), (bytes, start) => hashBytes(bytes, start, start + 60));
    case 'hash-xxhash': {
      const hasher = await xxhash();
      return hashing(Number(args[0]), (bytes, start) => hasher.h32Raw(bytes.subarray(start, start + 60)));
    }
    default:
      throw new Error(`inside: got ${what}`);
  }
}

async function command(): Promise<number> {
  await main(args);
  if (process.exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${process.exitCode}`);
  return 0;
}

const options: ReadOptions = { base: null, scheme: 'http', normalize: 'safe', maxUrlLength: 2048 };

async function parse(log: string, threads: number): Promise<number> {
  const inputs = await findInputs([log], realEffects());
  let records = 0;
  for await (const batch of readRecordsParallel(inputs, options, createReadReport(), threads)) records += batch.rows;
  return records;
}

async function distinctUrls(log: string): Promise<number> {
  const urls = new Set<string>();
  for await (const { rows, bytes, urlStart, urlEnd } of readRecords(
    await findInputs([log], realEffects()),
    options,
    createReadReport(),
  )) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let row = 0; row < rows; row++) urls.add(text.toString('latin1', urlStart[row], urlEnd[row]));
  }
  return urls.size;
}

async function distinctUrlsByDuckDb(table: string): Promise<() => Promise<number>> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  return async () => {
    const read = table.endsWith('.parquet') ? 'read_parquet' : 'read_csv';
    const sql = `SELECT count(DISTINCT url)::INTEGER FROM ${read}('${table}') WHERE fetch_status = 200`;
    return Number((await connection.runAndReadAll(sql)).getRows()[0]![0]);
  };
}

function hashing(keys: number, hash: (bytes: Uint8Array, start: number) => number): () => number {
  const bytes = Uint8Array.from({ length: keys * 60 }, (_, at) => at * 31 + (at >>> 8));
  return () => {
    let sum = 0;
    for (let key = 0; key < keys; key++) sum ^= hash(bytes, key * 60);
    return sum;
  };
}

const run = await prepare();
await run();
const cpu = process.cpuUsage();
const started = performance.now();
const result = await run();
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
const sample: Sample = { seconds, cpuSeconds: (user + system) / 1e6, mebibytes, result };
process.stdout.write(`${JSON.stringify(sample)}\n`);
