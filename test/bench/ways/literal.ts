// Phase 1 the paper's way, literally: node literal.js INPUT.tsv OUTPUT.tsv THREADS. Every substring with its envelope
// is a line of text, GNU sort groups them into buckets, pairs of a bucket are lines again, sorted once more and
// counted: what a user with the paper and a shell would build. Returns the rows of `mine --stage pairs --tsv`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { tokenOffsets } from '../../token-offsets.js';

const S = 35;
const T_LOW = 6;
const T_HIGH = 11;
const MS = 3;

/** START and END sort before all other bytes; a third mark separates the two parts of an envelope. */
const [START, END, INSIDE] = ['\u0001', '\u0002', '\u0003'];

interface Member {
  readonly substring: string;
  readonly row: string;
  readonly size: string;
}

const [input, output, threads] = process.argv.slice(2) as [string, string, string];

/** The two passes before the last. */
async function instancesOfAll(): Promise<ReturnType<typeof sorter>> {
  const substrings = sorter();
  let row = 0;
  for await (const line of createInterface({ input: createReadStream(input) })) {
    if (row++ === 0) continue;
    const [url, size] = line.split('\t') as [string, string];
    for (const text of envelopesOf(url)) {
      if (!substrings.write(`${text}\t${row}\t${size}\n`)) await substrings.drained();
    }
  }
  const instances = sorter();
  let envelope = '';
  let bucket: Member[] = [];
  for await (const line of substrings.lines()) {
    const [key, substring, id, size] = line.split('\t') as [string, string, string, string];
    if (key !== envelope) for (const text of instancesOf(bucket.splice(0))) instances.write(text);
    envelope = key;
    if (bucket.length <= T_HIGH) bucket.push({ substring, row: id, size });
  }
  for (const text of instancesOf(bucket)) instances.write(text);
  return instances;
}

function* envelopesOf(url: string): Generator<string> {
  const offsets = tokenOffsets(Buffer.from(url));
  const tokens = [START, ...offsets.slice(1).map((end, k) => url.slice(offsets[k], end)), END];
  for (let i = 0; i <= tokens.length; i++) {
    for (let end = i; end <= Math.min(tokens.length, i + S); end++) {
      const [prefix, inner, suffix] = [tokens.slice(0, i), tokens.slice(i, end), tokens.slice(end)];
      yield `${prefix.join('')}${INSIDE}${suffix.join('')}\t${inner.join('')}`;
    }
  }
}

/** α, β, the two URLs, and what they count for: `1 low` before `2 high`, as a pair of URLs counts once. */
function* instancesOf(bucket: readonly Member[]): Generator<string> {
  if (bucket.length < 2 || bucket.length > T_HIGH) return;
  const isSmall = bucket.length <= T_LOW;
  for (const a of bucket) {
    for (const b of bucket) {
      if (!shrinks(a.substring, b.substring)) continue;
      const isAlike = a.size === b.size;
      if (!isAlike && !isSmall) continue;
      const kind = isAlike ? (isSmall ? '1 low' : '2 high') : '3 against';
      yield `${a.substring}\t${b.substring}\t${a.row}\t${b.row}\t${kind}\n`;
    }
  }
}

function shrinks(a: string, b: string): boolean {
  return a.length > b.length || (a.length === b.length && a > b);
}

async function* pairs(instances: ReturnType<typeof sorter>): AsyncGenerator<string> {
  let pair = '';
  let rows = '';
  let [low, high, against] = [0, 0, 0];
  for await (const line of instances.lines()) {
    const [alpha, beta, a, b, kind] = line.split('\t') as [string, string, string, string, string];
    if (`${alpha}\t${beta}` !== pair) {
      if (low >= MS) yield rowOf(pair, `${low}\t${high}\t${against}`);
      pair = `${alpha}\t${beta}`;
      rows = '';
      low = high = against = 0;
    }
    if (rows === `${a} ${b}`) continue;
    rows = `${a} ${b}`;
    if (kind === '1 low') low++;
    if (kind !== '3 against') high++;
    else against++;
  }
  if (low >= MS) yield rowOf(pair, `${low}\t${high}\t${against}`);
}

function rowOf(pair: string, counts: string): string {
  const [atStart, atEnd] = [pair.startsWith(START), pair.endsWith(END)];
  const anchor = atStart && atEnd ? 'both' : atStart ? 'start' : atEnd ? 'end' : 'none';
  return `example.com\t${anchor}\t${pair.replaceAll(START, '').replaceAll(END, '')}\t${counts}\n`;
}

function sorter() {
  const child = spawn('sort', ['-S', '1G', `--parallel=${threads}`], { stdio: ['pipe', 'pipe', 'inherit'] });
  return {
    write: (line: string) => child.stdin.write(line),
    drained: () => once(child.stdin, 'drain'),
    lines: () => {
      child.stdin.end();
      return createInterface({ input: child.stdout });
    },
  };
}

const file = createWriteStream(output);
for await (const row of pairs(await instancesOfAll())) file.write(row);
file.end();
