// Which near duplicates do dups, datasketch, rensa and text-dedup find among the same texts, and how fast? Manual pages of the
// machine as they are, nothing planted. The truth are the pairs of all with all whose sets of 4-word shingles have a
// Jaccard overlap of 0.9.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM, type Bench, type Case, type Way } from '../bench.js';
import { manualTexts, shinglesOf } from '../input/noise.js';

const TEXTS = 4000;
const RESEMBLANCE = 0.9;
/** Has datasketch, rensa and text-dedup: `BENCH_PYTHON=venv/bin/python npm run bench -- --only near`. */
const PYTHON = process.env['BENCH_PYTHON'] ?? 'python3';
const SCRIPT = new URL('../../../../test/bench/ways/near.py', import.meta.url).pathname;

export const near: Case = {
  name: 'near',
  isByHand: true,
  async run(bench) {
    const texts = new Map(manualTexts(bench.scaled(TEXTS), 7).map((words, at) => [`${at}.html`, words]));
    const list = bench.scratch('texts.tsv');
    writeFileSync(list, Array.from(texts, ([name, words]) => `${name}\t${words.join(' ')}\n`).join(''));
    for (const [name, words] of texts) {
      const path = join(bench.scratch('near'), 'h.test', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `<p>${words.join(' ')}</p>`);
    }
    const truth = truePairs(texts);
    await bench.compare({
      work: `near duplicates of ${texts.size} manual pages, of which ${truth.size} pairs resemble each other by 0.9`,
      count: texts.size,
      unit: 'pages',
      ways: [ours(bench, truth), ...['datasketch', 'rensa', 'text-dedup'].map((who) => theirs(who, list, truth))],
    });
  },
};

function ours(bench: Bench, truth: ReadonlySet<string>): Way {
  const [mirror, pages, clusters, pairs] = ['near', 'pages.jsonl', 'clusters.tsv', 'pairs.tsv'].map((name) =>
    bench.scratch(name),
  );
  const program = `${process.execPath} ${PROGRAM}`;
  const sketch = `${program} sketch -q --threads 1 --mirror ${mirror} -o ${pages}`;
  const dups = `${program} dups -q ${pages} --resemblance ${RESEMBLANCE} -o ${clusters} --pairs ${pairs}`;
  let note = '';
  return {
    who: 'dustbuster sketch, dups',
    run: `${sketch} && ${dups}`,
    check: () => void (note = judged(pairsOf(clusters!, pairs!), truth)),
    note: () => note,
  };
}

function theirs(who: string, list: string, truth: ReadonlySet<string>): Way {
  let note = '';
  return {
    who,
    needs: PYTHON,
    run: [PYTHON, SCRIPT, who, list],
    check: (_, stdout) => void (note = judged(new Set(linesOf(stdout).map(([a, b]) => pairOf(a!, b!))), truth)),
    note: () => note,
  };
}

const pairOf = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`);

function linesOf(path: string): readonly string[][] {
  const text = readFileSync(path, 'utf8').trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.split('\t'));
}

/** Those of classes are written by the first URL of each. */
function pairsOf(clusters: string, pairs: string): Set<string> {
  const name = (url: string) => url.slice(url.lastIndexOf('/') + 1);
  const classes = new Map<string, string[]>();
  const classOf = new Map<string, string[]>();
  for (const [url, number] of linesOf(clusters)) {
    const own = classes.get(number!) ?? [];
    own.push(name(url!));
    classes.set(number!, own);
    classOf.set(name(url!), own);
  }
  const found = new Set<string>();
  const put = (some: readonly string[], others: readonly string[]) => {
    for (const a of some) for (const b of others) if (a !== b) found.add(pairOf(a, b));
  };
  for (const own of classes.values()) put(own, own);
  for (const [a, b] of linesOf(pairs)) put(classOf.get(name(a!))!, classOf.get(name(b!))!);
  return found;
}

function truePairs(texts: ReadonlyMap<string, readonly string[]>): Set<string> {
  const numbers = new Map<string, number>();
  const sets = Array.from(texts, ([name, words]) => {
    const own = Array.from(shinglesOf(words), (shingle) => {
      const number = numbers.get(shingle) ?? numbers.size;
      numbers.set(shingle, number);
      return number;
    });
    return { name, own: Uint32Array.from(own).sort() };
  });
  const pairs = new Set<string>();
  for (const [at, a] of sets.entries())
    for (const b of sets.slice(0, at)) if (overlap(a.own, b.own) >= RESEMBLANCE) pairs.add(pairOf(a.name, b.name));
  return pairs;
}

/** 0 if their sizes alone say that it is too small. */
function overlap(a: Uint32Array, b: Uint32Array): number {
  if (Math.min(a.length, b.length) < RESEMBLANCE * Math.max(a.length, b.length)) return 0;
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const order = a[i]! - b[j]!;
    if (order === 0) shared++;
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return shared / (a.length + b.length - shared);
}

function judged(found: ReadonlySet<string>, truth: ReadonlySet<string>): string {
  const right = [...found].filter((pair) => truth.has(pair)).length;
  return `${right} of ${truth.size} pairs found, ${found.size - right} wrong`;
}
