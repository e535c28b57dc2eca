// Which secrets of visitors stand in what the program writes? A log with secrets of ten kinds is mined, with a state and
// without, reported and exported to every target. All files are searched for the planted secrets: as they are, percent
// decoded, in base64, deflated, and in the collation bytes of a state. Throws if one is found.
import {
  closeSync,
  createWriteStream,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { targetNames } from '../../../src/export/targets.js';
import { uncollate } from '../../../src/url/token.js';
import { SECRET_HEADER, SECRET_KINDS, secretLines } from '../input/secrets.js';

export interface SecretSearch {
  readonly folder: string;
  readonly lines: number;
  readonly seed: number;
  /** Runs the program; standard output and error end to end. */
  readonly run: (args: readonly string[]) => Promise<{ readonly code: number | null; readonly said: string }>;
}

export interface FoundSecrets {
  readonly lines: number;
  readonly planted: number;
  readonly kinds: number;
  /** Files that were searched, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  readonly rules: number;
  readonly found: number;
}

/** Throws with the names of files that have planted secrets, and how many. */
export async function searchSecrets({ folder, lines, seed, run }: SecretSearch): Promise<FoundSecrets> {
  const at = (name: string) => join(folder, name);
  const planted = await writeLogs([at('night-1.tsv'), at('night-2.tsv')], lines, seed);
  const said: string[] = [];
  const ran = async (...args: readonly string[]) => {
    const { code, said: text } = await run(args);
    if (code !== 0 && code !== 3) throw new Error(`${args.join(' ')} ended with ${code}: ${text.slice(0, 500)}`);
    said.push(text);
  };
  const logs = [at('night-1.tsv'), at('night-2.tsv')];
  const rules = at('rules.json');
  await ran('mine', ...logs, '-o', rules, '--rejects', at('rejects.txt'));
  const state = ['--state', at('state')];
  await ran('mine', logs[0]!, ...state, '--now', '2026-11-21', '-o', at('nightly.json'));
  await ran('mine', logs[1]!, ...state, '--now', '2026-11-22', '-o', at('nightly.json'));
  await ran('report', rules, '--log', ...logs, '--accept', 'likely', '-o', at('report.html'));
  await ran('report', rules, '--log', ...logs, '--accept', 'likely', '--json', '-o', at('report.json'));
  await ran('report', ...logs, '-o', at('alone.html'));
  await ran('eval', '--rules', rules, '--urls', ...logs, '--accept', 'likely', '--leftover', '-o', at('eval.txt'));
  writeFileSync(at('few.tsv'), firstLines(logs[0]!));
  for (const target of targetNames) {
    await ran(
      'export',
      rules,
      '--to',
      target,
      '--accept',
      'likely',
      '--urls',
      at('few.tsv'),
      '-o',
      at(`export-${target}`),
    );
  }
  const files = filesIn(folder).filter((path) => !path.endsWith('.tsv'));
  const found = new Map<string, number>();
  let bytes = 0;
  for (const path of files) {
    bytes += statSync(path).size;
    note(found, path, secretsIn(readFileSync(path), planted));
  }
  note(found, 'standard output and error', secretsIn(Buffer.from(said.join('\n')), planted));
  if (found.size > 0) {
    throw new Error(`secrets of visitors are in ${Array.from(found, ([path, some]) => `${path}: ${some}`).join(', ')}`);
  }
  const counted = (JSON.parse(readFileSync(rules, 'utf8')) as { readonly rules: readonly unknown[] }).rules.length;
  return {
    lines,
    planted: planted.size,
    kinds: SECRET_KINDS.length,
    files: files.length,
    bytes,
    rules: counted,
    found: 0,
  };
}

/** Returns what to look for. */
async function writeLogs(paths: readonly string[], lines: number, seed: number): Promise<ReadonlySet<string>> {
  const planted = new Set<string>();
  const streams = paths.map((path) => createWriteStream(path));
  for (const stream of streams) stream.write(`${SECRET_HEADER}\n`);
  let count = 0;
  for (const { line, core } of secretLines(lines, seed)) {
    planted.add(core);
    const stream = streams[Math.floor((count++ * streams.length) / lines)]!;
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  }
  for (const stream of streams) await new Promise<void>((done) => stream.end(done));
  return planted;
}

/** Enough for the examples in the comments of exports. */
function firstLines(path: string): string {
  const bytes = Buffer.alloc(1 << 20);
  const fd = openSync(path, 'r');
  const text = bytes.toString('latin1', 0, readSync(fd, bytes));
  closeSync(fd);
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

function note(found: Map<string, number>, path: string, secrets: ReadonlySet<string>): void {
  if (secrets.size > 0) found.set(path, secrets.size);
}

const PIECE = 1 << 24;
const OVERLAP = 1 << 10;

/** The planted secrets that stand in these bytes, in any writing. */
export function secretsIn(bytes: Uint8Array, planted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE + OVERLAP);
    search(Buffer.from(piece).toString('latin1'), planted, found);
    searchWords(Buffer.from(uncollate(piece)).toString('latin1'), planted, found);
  }
  return found;
}

/** In the text, and in what is packed in it. */
function search(text: string, planted: ReadonlySet<string>, found: Set<string>): void {
  searchWords(text, planted, found);
  if (text.includes('%'))
    searchWords(
      text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => unescaped(hex)),
      planted,
      found,
    );
  for (const [word] of text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
    const bytes = Buffer.from(word, 'base64');
    searchWords(bytes.toString('latin1'), planted, found);
    if (bytes.length > 100) searchWords(Buffer.from(uncollate(bytes)).toString('latin1'), planted, found);
    if (bytes[0] === 0x78) search(inflated(bytes), planted, found);
  }
}

function searchWords(text: string, planted: ReadonlySet<string>, found: Set<string>): void {
  for (const [word] of text.matchAll(/[A-Za-z0-9]{10,}/g)) if (planted.has(word)) found.add(word);
}

function unescaped(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function inflated(bytes: Uint8Array): string {
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    return ''; // a word that only begins as deflated data does
  }
}
