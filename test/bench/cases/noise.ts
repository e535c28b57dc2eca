// Which near duplicates do the three signatures of dups find under the templates of sites? Real texts with planted
// noise: precision and recall of pairs, and how far the noise moves the resemblance of two versions of a text,
// |sim(P1, P2) - sim(content of P1, content of P2)|.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SIGNATURES, type SignatureKind } from '../../../src/sketch/spots.js';
import { dustbuster, PROGRAM, type Bench, type Case, type Way } from '../bench.js';
import { noisyPages, VERSIONS, type NoisyPage, type Weight } from '../input/noise.js';

const KINDS = [
  ['short', [40, 120]],
  ['long', [500, 1500]],
  ['mixed', [40, 1500]],
] as const;
const WEIGHTS: readonly Weight[] = ['light', 'heavy'];
const TEXTS = 200;
const RESEMBLANCE = 0.85;
/** The least that dups lists: pairs below count as 0. */
const LEAST = 0.05;

export const noise: Case = {
  name: 'noise',
  isByHand: true,
  async run(bench) {
    const texts = bench.scaled(TEXTS);
    for (const [weight, [kind, words]] of WEIGHTS.flatMap((one) => KINDS.map((range) => [one, range] as const))) {
      const name = `${weight}-${kind}`;
      const pages = noisyPages(texts, words, weight, 7);
      for (const part of ['html', 'content'] as const) writePages(bench.scratch(`${name}-${part}`), pages, part);
      await bench.compare({
        work: `dups, ${texts} ${kind} texts of ${words.join(' to ')} words in ${VERSIONS} versions, ${weight} noise`,
        count: pages.length,
        unit: 'pages',
        ways: SIGNATURES.map((signature) => wayOf(bench, name, signature, pages)),
      });
    }
  },
};

function writePages(folder: string, pages: readonly NoisyPage[], part: 'html' | 'content'): void {
  for (const page of pages) {
    const path = join(folder, page.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page[part]);
  }
}

function wayOf(bench: Bench, name: string, kind: SignatureKind, pages: readonly NoisyPage[]): Way {
  const textOf = new Map(pages.map(({ path, text }) => [`http://${path}`, text]));
  const list = sketched(bench, `${name}-html`, kind);
  let found: Found = { precision: 0, recall: 0, moved: 0 };
  return {
    who: `dustbuster --signature ${kind}`,
    run: dustbuster('dups', list, '-q', '--resemblance', `${RESEMBLANCE}`, '-o', bench.scratch('clusters.tsv')),
    check: () => {
      const noisy = pairsOf(bench, list);
      const clean = pairsOf(bench, sketched(bench, `${name}-content`, kind));
      found = foundIn(noisy, clean, textOf);
    },
    note: () => `precision ${three(found.precision)}, recall ${three(found.recall)}, moved by ${three(found.moved)}`,
  };
}

const three = (share: number) => (Number.isNaN(share) ? 'none' : share.toFixed(3));

function sketched(bench: Bench, folder: string, kind: SignatureKind): string {
  const list = bench.scratch(`${folder}-${kind}.jsonl`);
  execFileSync(process.execPath, [
    PROGRAM,
    'sketch',
    '-q',
    '--signature',
    kind,
    '--mirror',
    bench.scratch(folder),
    '-o',
    list,
  ]);
  return list;
}

/** The resemblance of URLs, both ways round: within a class, and of all URLs of one class with all of another. */
function pairsOf(bench: Bench, list: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const [clusters, pairs] = ['clusters.tsv', 'pairs.tsv'].map((name) => bench.scratch(name));
  const flags = ['-q', '--resemblance', `${LEAST}`, '-o', clusters!, '--pairs', pairs!];
  execFileSync(process.execPath, [PROGRAM, 'dups', list, ...flags]);
  const classes = new Map<string, string[]>();
  const classOf = new Map<string, string[]>();
  for (const [url, number, cluster] of linesOf(clusters!)) {
    const own = classes.get(`${number} ${cluster}`) ?? [];
    own.push(url!);
    classes.set(`${number} ${cluster}`, own);
    classOf.set(url!, own);
  }
  const known = new Map<string, Map<string, number>>(
    [...classOf.keys()].map((url) => [url, new Map<string, number>()]),
  );
  const put = (some: readonly string[], others: readonly string[], resemblance: number) => {
    for (const a of some) for (const b of others) if (a !== b) known.get(a)!.set(b, resemblance);
  };
  for (const urls of classes.values()) put(urls, urls, 1);
  for (const [a, b, resemblance] of linesOf(pairs!)) {
    const [some, others] = [classOf.get(a!)!, classOf.get(b!)!];
    if (some === others) continue;
    put(some, others, Number(resemblance));
    put(others, some, Number(resemblance));
  }
  return known;
}

function linesOf(path: string): readonly string[][] {
  const text = readFileSync(path, 'utf8').trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.split('\t'));
}

interface Found {
  /** Of the found pairs those of one text; NaN if none is found. Of the pairs of one text those found. */
  readonly precision: number;
  readonly recall: number;
  readonly moved: number;
}

function foundIn(
  noisy: ReadonlyMap<string, ReadonlyMap<string, number>>,
  clean: ReadonlyMap<string, ReadonlyMap<string, number>>,
  textOf: ReadonlyMap<string, number>,
): Found {
  let [right, wrong, all, moved] = [0, 0, 0, 0];
  for (const [a, text] of textOf) {
    for (const [b, resemblance] of noisy.get(a) ?? []) {
      if (resemblance < RESEMBLANCE) continue;
      if (textOf.get(b) === text) right++;
      else wrong++;
    }
    for (const [b, other] of textOf) {
      if (other !== text || a === b) continue;
      all++;
      moved += Math.abs((noisy.get(a)?.get(b) ?? 0) - (clean.get(a)?.get(b) ?? 0));
    }
  }
  return { precision: right / (right + wrong), recall: right / all, moved: moved / all };
}
