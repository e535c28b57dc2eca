// Work inside one process, without its start: node inside.js WHAT ARGUMENTS…, a line of JSON out.
//
//   parse LOG THREADS         a log to batches of records
//   canonize RULES LIST       lines in memory through the rules, one thread
//   mine ARGUMENTS…           the command line, in a process that has just done the same
//   hash KEYS                 keys of 60 bytes, one by one
//   hash-xxhash KEYS          the same by xxhash-wasm
//
// Everything is done once to warm up, then timed once.
import { readFileSync } from 'node:fs';
import xxhash from 'xxhash-wasm';
import { realEffects } from '../../src/base/effects.js';
import { hashBytes } from '../../src/base/hash.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { createLineMapper } from '../../src/canonize/lines.js';
import { main } from '../../src/cli/main.js';
import { findInputs } from '../../src/log/inputs.js';
import { readRecordsParallel } from '../../src/log/parallel.js';
import { createReadReport, type ReadOptions } from '../../src/log/read.js';
import { readRules } from '../../src/rule/file.js';

const [what, ...args] = process.argv.slice(2);
const CHUNK = 1 << 18;

/** Gives what is to be timed; its result only keeps it from being optimised away, or is shown. */
async function prepare(): Promise<() => number | Promise<number>> {
  switch (what) {
    case 'parse':
      return () => parse(args[0]!, Number(args[1]));
    case 'canonize':
      return canonizing(args[0]!, args[1]!);
    case 'mine':
      return async () => (await main(['mine', ...args]), Number(process.exitCode));
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

async function parse(log: string, threads: number): Promise<number> {
  const options: ReadOptions = { base: null, scheme: 'http', normalize: 'safe', maxUrlLength: 2048 };
  const inputs = await findInputs([log], realEffects());
  let records = 0;
  for await (const batch of readRecordsParallel(inputs, options, createReadReport(), threads)) records += batch.rows;
  return records;
}

function canonizing(rules: string, list: string): () => number {
  const file = readRules(readFileSync(rules), rules);
  const options = { normalize: file.normalization, urlForm: file.urlForm, sitePolicy: file.options.site };
  const canonizer = createCanonizer(file.rules, { ...options, accept: 'valid', maxIterations: 10 });
  const lines = readFileSync(list);
  return () => {
    const mapper = createLineMapper(canonizer);
    let bytes = 0;
    for (let at = 0; at < lines.length; at += CHUNK) {
      for (const piece of mapper.push(lines.subarray(at, at + CHUNK))) bytes += piece.length;
    }
    for (const piece of mapper.end()) bytes += piece.length;
    return bytes;
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
const started = performance.now();
const result = await run();
const seconds = (performance.now() - started) / 1000;
const mebibytes = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify({ seconds, mebibytes, result })}\n`);
