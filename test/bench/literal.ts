// The paper's way, literally: every substring with its envelope as a line of text, GNU sort, buckets, pairs, GNU sort again.
// What a user with the paper and a shell would build. No bordered pairs are repaired, so sizes are left out as well.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { tokenOffsets } from '../../src/url/token.js';

export interface LiteralOptions {
  readonly S: number;
  readonly T_low: number;
  readonly MS: number;
}

/** `from TAB to TAB low` of every pair with low >= MS, START as `^` and END as `$`, each as \x01 and \x02 inside. */
export async function literalPairs(urls: readonly string[], options: LiteralOptions): Promise<Set<string>> {
  const { S, T_low, MS } = options;
  const pairs = sorter();
  let envelope = '';
  let bucket: string[] = [];
  const closeBucket = () => {
    if (bucket.length >= 2 && bucket.length <= T_low) {
      for (let a = 0; a < bucket.length; a++) {
        for (let b = 0; b < a; b++) pairs.write(`${shrinking(bucket[a]!, bucket[b]!)}\n`);
      }
    }
    bucket = [];
  };
  const substrings = sorter();
  for (const url of urls) {
    for (const line of envelopesOf(url, S)) if (!substrings.write(line)) await substrings.drained();
  }
  for await (const line of substrings.lines()) {
    const [key, substring] = line.split('\t') as [string, string];
    if (key !== envelope) closeBucket();
    envelope = key;
    bucket.push(substring);
  }
  closeBucket();
  const likely = new Set<string>();
  let last = '';
  let count = 0;
  for await (const line of pairs.lines()) {
    if (line !== last) {
      if (count >= MS) likely.add(`${last}\t${count}`);
      last = line;
      count = 0;
    }
    count++;
  }
  if (count >= MS) likely.add(`${last}\t${count}`);
  return likely;
}

function* envelopesOf(url: string, S: number): Generator<string> {
  const offsets = tokenOffsets(Buffer.from(url));
  const tokens = ['\u0001', ...offsets.slice(1).map((end, k) => url.slice(offsets[k], end)), '\u0002'];
  for (let i = 0; i <= tokens.length; i++) {
    for (let end = i; end <= Math.min(tokens.length, i + S); end++) {
      const [prefix, inner, suffix] = [tokens.slice(0, i), tokens.slice(i, end), tokens.slice(end)];
      yield `${prefix.join('')}\u0003${suffix.join('')}\t${inner.join('')}\n`;
    }
  }
}

function shrinking(a: string, b: string): string {
  const isFrom = a.length > b.length || (a.length === b.length && a > b);
  return isFrom ? `${a}\t${b}` : `${b}\t${a}`;
}

function sorter() {
  const child = spawn('sort', ['-S', '1G', '--parallel=4'], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    write: (line: string) => child.stdin.write(line),
    drained: () => once(child.stdin, 'drain'),
    lines: () => {
      child.stdin.end();
      return createInterface({ input: child.stdout });
    },
  };
}
