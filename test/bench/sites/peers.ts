// What would a user pick instead? Normalizers and filters of URL lists beside dustbuster and a person's rules, on live
// sites of real software: redundancy removed against documents lost.
//
//   npm run bench:peers -- [--site wiki,blog] [--others FOLDER] [--python PROGRAM] [--seed 1]
//
// PROGRAM is a Python that has uro and w3lib; what it does not have is left out with a message.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import normalizeUrl from 'normalize-url';
import { closeAll } from './ask.js';
import { measuredSite, SITE_NAMES, type MeasuredSite } from './measured-site.js';
import { measureForms, type Truth } from './measures.js';
import { Checkout } from './run.js';
import { asCount, asPercent, asShare, markdownOf } from './spread.js';

const W3LIB = 'import sys; from w3lib.url import canonicalize_url as c; [print(c(line.strip())) for line in sys.stdin]';
/** A program that prints the URLs that it keeps. */
const URO = 'import sys; from uro.uro import main; main()';

interface Row {
  readonly site: string;
  readonly tool: string;
  readonly removed: number;
  readonly lost: number;
  readonly documents: number;
  readonly longer: number;
}

const { values: flags } = parseArgs({
  options: {
    site: { type: 'string', default: SITE_NAMES.join(',') },
    others: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    seed: { type: 'string', default: '1' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'dustbuster-peers-'));
const found: Row[] = [];
try {
  const checkout = await Checkout.at(new URL('../../../..', import.meta.url).pathname, folder);
  for (const name of flags.site.split(',')) {
    const site = await measuredSite(name, flags.others ?? process.env['SHARED_SITES'] ?? null);
    if (typeof site === 'string') console.error(`${name}: left out, ${site}`);
    else found.push(...(await rowsOf(site, checkout)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await closeAll();
}
console.log(
  markdownOf(
    ['site, tool', 'redundancy removed', 'documents lost', 'of', 'longer'],
    found.map(({ site, tool, removed, lost, documents, longer }) => [
      `${site}, ${tool}`,
      asShare(removed),
      asCount(lost),
      asCount(documents),
      asPercent(longer),
    ]),
  ),
);

async function rowsOf(site: MeasuredSite, checkout: Checkout): Promise<Row[]> {
  const urls = [...site.truth.keys()];
  const named = (tool: string, forms: ReadonlyMap<string, string>): Row => {
    const { coverage, lostPages, contents, longerShare } = measureForms(site.truth, forms);
    return { site: site.name, tool, removed: coverage, lost: lostPages, documents: contents, longer: longerShare };
  };
  const formed = (formOf: (url: string) => string) => new Map(urls.map((url) => [url, formOf(url)]));
  const rows = [
    named(
      'normalize-url',
      formed((url) => normalizeUrl(url, { stripHash: true })),
    ),
  ];
  const w3lib = outputOf(W3LIB, urls);
  if (w3lib !== null) rows.push(named('w3lib', new Map(urls.map((url, k) => [url, w3lib[k]!]))));
  const uro = outputOf(URO, urls);
  if (uro !== null) rows.push(filtered(site, 'uro', new Set(uro)));
  for (const way of ['none', 'fetch'] as const) {
    const mined = await checkout.mine(site, { way, budget: null, seed: Number(flags.seed) });
    const canonized = await checkout.canonize(site, mined.path, way === 'none' ? 'confident' : 'valid');
    rows.push(named(way === 'none' ? 'dustbuster from the log alone' : 'dustbuster', canonized!.forms));
  }
  return [...rows, named('rules by hand', formed(site.byHand))];
}

/** Lines that a Python program prints for the list; null if it does not run. */
function outputOf(program: string, urls: readonly string[]): string[] | null {
  const run = spawnSync(flags.python, ['-c', program], { input: `${urls.join('\n')}\n`, encoding: 'utf8' });
  if (run.status === 0) return run.stdout.trimEnd().split('\n');
  console.error(`left out: ${flags.python} ${program.split(';')[1]!.trim()}: ${run.stderr.trim().split('\n').at(-1)!}`);
  return null;
}

/** Of a filter: right are the URLs that went and whose document is still there. */
function filtered({ name, truth }: MeasuredSite, tool: string, kept: ReadonlySet<string>): Row {
  const documents = documentsOf(truth);
  let [right, lost] = [0, 0];
  for (const urls of documents.values()) {
    const left = urls.filter((url) => kept.has(url)).length;
    if (left === 0) lost++;
    else right += urls.length - left;
  }
  return {
    site: name,
    tool,
    removed: right / Math.max(1, truth.size - documents.size),
    lost,
    documents: documents.size,
    longer: 0,
  };
}

function documentsOf(truth: Truth): Map<string, string[]> {
  const documents = new Map<string, string[]>();
  for (const [url, { near }] of truth) documents.set(near, [...(documents.get(near) ?? []), url]);
  return documents;
}
