// `npm run bench`: what dustbuster takes beside what a user would pick instead, in one run, the answers compared first.
//   npm run bench            everything, minutes
//   npm run bench -- quick   a tenth of it
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import xxhash from 'xxhash-wasm';
import { hashBytes } from '../../src/base/hash.js';
import { writeLog, writeTable, writeUrlList } from './generate.js';
import { literalPairs } from './literal.js';
import { measure } from './measure.js';

const quick = process.argv.includes('quick');
const scale = quick ? 0.1 : 1;
const folder = mkdtempSync(join(tmpdir(), 'dustbuster-bench-'));
const at = (name: string) => join(folder, name);
const dustbuster = `node ${new URL('../../../bin/dustbuster.js', import.meta.url).pathname}`;

interface Line {
  readonly work: string;
  readonly way: string;
  readonly seconds: number;
  readonly mebibytes?: number;
  readonly note?: string;
}

const table: Line[] = [];

function report(line: Line): void {
  table.push(line);
  const memory = line.mebibytes === undefined ? '' : `${line.mebibytes} MiB`;
  const columns = [line.work.padEnd(44), line.way.padEnd(40), `${line.seconds.toFixed(2)} s`.padStart(9)];
  console.log([...columns, memory.padStart(9), line.note ?? ''].join('  ').trimEnd());
}

function same<T>(what: string, a: T, b: T): void {
  if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`${what}: the answers differ`);
}

const output = (command: string) =>
  execFileSync('bash', ['-c', command], { maxBuffer: 1 << 30, env: { ...process.env, LC_ALL: 'C' } }).toString(
    'latin1',
  );

async function reading(): Promise<void> {
  const lines = 1_000_000 * scale;
  const log = at('access.log');
  await writeLog(log, lines);
  const kept = `awk '$6 ~ /GET/ && ($9 == 200 || $9 == 304) {print $7}' ${log}`;
  const urls = Number(output(`${kept} | sort -u | wc -l`));
  const summary = output(`${dustbuster} mine ${log} --stage likely -o /dev/null 2>&1`);
  same('URLs of the log', Number(/(\d+) URLs/.exec(summary)?.[1]), urls);
  const work = `log of ${lines} lines, ${urls} URLs`;
  const mined = `${dustbuster} mine ${log} -q -o ${at('rules.json')}`;
  report({ work, way: 'dustbuster mine, to ranked rules', ...(await measure(mined)) });
  report({ work, way: 'the same, --threads 1', ...(await measure(`${mined} --threads 1`)) });
  // With S = 1 next to nothing is mined: what is left is reading and the URL list.
  const read = await measure(`${dustbuster} mine ${log} -q -o /dev/null --min-site-urls 1000000000 --threads 1`);
  const rate = `${Math.round(lines / read.seconds / 1000)} k lines/s`;
  report({ work, way: 'read into the URL list, --threads 1', ...read, note: rate });
  report({
    work,
    way: 'awk | LC_ALL=C sort -u',
    ...(await measure(`bash -c "LC_ALL=C; export LC_ALL; awk '{print \\$7}' ${log} | sort -u"`)),
  });
}

async function mining(): Promise<void> {
  const count = 200_000 * scale;
  const tsv = at('urls.tsv');
  await writeTable(tsv, count);
  const work = `${count} URLs of about 20 tokens, with sizes`;
  const base = `${dustbuster} mine ${tsv} -q -o ${at('rules.json')}`;
  report({ work, way: 'dustbuster mine --memory 512m', ...(await measure(`${base} --memory 512m`)) });
  report({ work, way: 'dustbuster mine --memory 8m (runs on disk)', ...(await measure(`${base} --memory 8m`)) });
  report({ work, way: 'LC_ALL=C sort -u, one thread', ...(await measure(`env LC_ALL=C sort -u --parallel=1 ${tsv}`)) });
}

async function literally(): Promise<void> {
  const count = 20_000 * scale;
  const list = at('urls.txt');
  await writeUrlList(list, count);
  const urls = [...new Set(readFileSync(list, 'utf8').trimEnd().split('\n'))];
  const work = `phase 1 of ${urls.length} URLs, no sizes`;
  const started = performance.now();
  const literal = await literalPairs(urls, { S: 35, T_low: 6, MS: 3 });
  const seconds = (performance.now() - started) / 1000;
  const stage = `${dustbuster} mine ${list} --stage pairs --tsv -q --no-similarity`;
  const mined = output(stage).trimEnd().split('\n').map(asLiteral);
  same('pairs of phase 1', mined.toSorted(), [...literal].toSorted());
  report({
    work,
    way: 'dustbuster mine --stage pairs',
    ...(await measure(`${stage} -o /dev/null`)),
    note: `${mined.length} pairs`,
  });
  report({ work, way: 'the paper literally: text rows, GNU sort', seconds, note: 'the same pairs' });
}

/** A row of `--stage pairs --tsv` as the literal way writes it. */
function asLiteral(row: string): string {
  const [, anchor, from, to, low] = row.split('\t') as [string, string, string, string, string];
  const open = anchor === 'start' || anchor === 'both' ? '\u0001' : '';
  const close = anchor === 'end' || anchor === 'both' ? '\u0002' : '';
  return `${open}${from}${close}\t${open}${to}${close}\t${low}`;
}

async function canonizing(): Promise<void> {
  const count = 1_000_000 * scale;
  const list = at('many.txt');
  await writeUrlList(list, count);
  // 50 rules that sed can carry too: anchored at the end or with punctuation at both ends, none feeding another.
  const rules = Array.from({ length: 50 }, (_, k) => ({
    from: `/sub.${k % 7}/p${k}/index.html`,
    to: `/sub.${k % 7}/p${k}/`,
  }));
  rules[0] = { from: '/index.html', to: '/' };
  writeFileSync(at('rules.json'), rulesFile(rules));
  const script = rules.map(({ from, to }) => `s#${from.replaceAll('.', '\\.')}$#${to}#`).join('\n');
  writeFileSync(at('rules.sed'), script);
  writeFileSync(
    at('rules.pl'),
    `while (<STDIN>) {\n${rules.map(({ from, to }) => `s#\\Q${from}\\E$#${to}#;`).join('\n')}\nprint;\n}`,
  );
  const ours = `${dustbuster} canonize -r ${at('rules.json')} -i ${list}`;
  const sed = `env LC_ALL=C sed -E -f ${at('rules.sed')} ${list}`;
  const perl = `bash -c "perl ${at('rules.pl')} < ${list}"`;
  const digest = (command: string) => output(`${command} | sha256sum`);
  same('canonical forms, sed', digest(ours), digest(sed));
  same('canonical forms, perl', digest(ours), digest(perl));
  const work = `${count} URLs through 50 rules`;
  const taken = await measure(ours);
  report({ work, way: 'dustbuster canonize', ...taken, note: `${Math.round(count / taken.seconds / 1000)} k URLs/s` });
  report({ work, way: 'sed -E', ...(await measure(sed)) });
  report({ work, way: 'perl', ...(await measure(perl)) });
}

function rulesFile(rules: readonly { readonly from: string; readonly to: string }[]): string {
  const written = JSON.parse(output(`printf '' | ${dustbuster} mine - -q -o -`)) as Record<string, unknown>;
  written['rules'] = rules.map(({ from, to }, index) => ({
    rank: index + 1,
    site: 'example.com',
    kind: 'substring',
    from,
    to,
    anchor: 'end',
    status: 'valid',
    support: { low: 3, high: 3 },
    against: 0,
    confidence: 0.5,
    examples: [],
  }));
  return JSON.stringify(written);
}

async function hashing(): Promise<void> {
  const keys = 1_000_000 * scale;
  const bytes = Buffer.alloc(keys * 60);
  for (let k = 0; k < bytes.length; k++) bytes[k] = (k * 31 + (k >>> 8)) & 0xff;
  const hasher = await xxhash();
  const time = (hash: (start: number) => number) => {
    let sum = 0;
    for (let k = 0; k < keys; k++) sum ^= hash(k * 60);
    const started = performance.now();
    for (let k = 0; k < keys; k++) sum ^= hash(k * 60);
    const seconds = (performance.now() - started) / 1000;
    return { seconds, note: `${Math.round((seconds / keys) * 1e9)} ns a key${sum === 1 ? ' ' : ''}` };
  };
  const work = `hash of ${keys} keys of 60 bytes`;
  report({ work, way: 'base/hash hashBytes', ...time((start) => hashBytes(bytes, start, start + 60)) });
  report({ work, way: 'xxhash-wasm h32Raw', ...time((start) => hasher.h32Raw(bytes.subarray(start, start + 60))) });
}

console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]!.model}; medians of 3`);
try {
  for (const part of [hashing, reading, mining, literally, canonizing]) await part();
  console.log(JSON.stringify(table));
} finally {
  rmSync(folder, { recursive: true });
}
