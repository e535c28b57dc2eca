// What is it worth to apply only confident rules if nothing may be fetched? On a list that says which document each URL
// names: how much of the redundancy is removed, and how many documents with it. Sizes are those of the documents, or
// have up to 200 bytes of noise, like pages with a date or a counter.
import { readFileSync, writeFileSync } from 'node:fs';
import { dustbuster, PROGRAM, type Bench, type Case, type Way } from '../bench.js';
import { execFileSync } from 'node:child_process';
import { seeded } from '../input/random.js';
import { shopUrls, sizeOf } from '../input/shop.js';
import { atLeast, atMost } from '../report.js';

export const confident: Case = {
  name: 'confident',
  async run(bench) {
    const count = bench.scaled(800_000);
    const ways = [await way(bench, count, 0), await way(bench, count, 200)];
    await bench.compare({ work: `mine without fetching, ${count} URLs`, count, unit: 'URLs', ways });
  },
};

async function way(bench: Bench, count: number, noise: number): Promise<Way> {
  const table = await bench.inputs.file(`shop-${noise}.tsv`, count, () => tableLines(count, noise));
  const rules = bench.scratch(`confident-${noise}.json`);
  let found: Worth = { removed: 0, lost: 0 };
  return {
    who: `dustbuster, sizes ${noise === 0 ? 'as they are' : `with 0 to ${noise} bytes of noise`}`,
    run: dustbuster('mine', table, '-q', '-o', rules),
    check: () => {
      found = worthOf(count, canonized(bench, count, rules));
    },
    note: () => `${percent(found.removed)} of the redundancy removed, ${percent(found.lost)} of the documents lost`,
    bars: () => [atLeast('redundancy removed', found.removed, 0.6), atMost('documents lost', found.lost, 0.001)],
  };
}

const percent = (share: number) => `${(100 * share).toFixed(2)} %`;

function* tableLines(count: number, noise: number): Generator<string> {
  const random = seeded(1);
  yield 'url\tsize\n';
  for (const { url, document } of shopUrls(count)) {
    yield `${url}\t${sizeOf(document) + Math.floor(random() * (noise + 1))}\n`;
  }
}

/** The forms of all URLs, in their order, by the confident rules alone. */
function canonized(bench: Bench, count: number, rules: string): readonly string[] {
  const [urls, forms] = ['urls.txt', 'forms.txt'].map((name) => bench.scratch(name));
  writeFileSync(urls!, Array.from(shopUrls(count), ({ url }) => `${url}\n`).join(''));
  const flags = ['-q', '--accept', 'confident', '-r', rules, '-i', urls!, '-o', forms!];
  execFileSync(process.execPath, [PROGRAM, 'canonize', ...flags]);
  return readFileSync(forms!, 'utf8').split('\n').slice(0, -1);
}

interface Worth {
  /** Of the URLs that name a document with several names. */
  readonly removed: number;
  /** Of the documents: those that no form shows any more, as other documents have more of its URLs. */
  readonly lost: number;
}

function worthOf(count: number, forms: readonly string[]): Worth {
  const documents = new Map<string, Map<string, number>>();
  const all = new Set<string>();
  let line = 0;
  for (const { document } of shopUrls(count)) {
    const form = forms[line++]!;
    const under = documents.get(form) ?? new Map<string, number>();
    documents.set(form, under.set(document, (under.get(document) ?? 0) + 1));
    all.add(document);
  }
  const shown = new Set(Array.from(documents.values(), (under) => [...under].sort((a, b) => b[1] - a[1])[0]![0]));
  return { removed: (count - documents.size) / (count - all.size), lost: (all.size - shown.size) / all.size };
}
