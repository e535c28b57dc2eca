// What do rules of each kind reach that half of the clusters of a site taught, and all kinds together, on the other half?
//
//   node dist/test/bench/sites/kinds-of-rules.js TRUTH.tsv.gz…        lines of URL, tab, content, tab, cluster
//
// Clusters are halved by a hash of their labels. What is learned from the one half is measured on the URLs of the other:
//
//   substring, parameter   mined from the URLs, judged and ranked by the clusters
//   pattern                alignment alone: DUSTER (Rodrigues et al., TKDE 2015)
//   all                    these together
//   asked                  `mine --from-clusters`: first asks the clusters what `validate` asks a site
//
//   writes     by the rules that write URLs: what canonize does
//   keys       by these and the keys: what canonize --unique does
//   needed     the first of the rules, by rank, that save 50, 80 and 90 % of what all of them save, keys included
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { decodeText, encodeText } from '../../../src/base/bytes.js';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import { ALIGN_DEFAULTS } from '../../../src/mine/align-options.js';
import { type ClusterUrl, learnRules } from '../../../src/mine/align-rules.js';
import { readRules } from '../../../src/rule/file.js';
import type { Rule, RulesFile, Use } from '../../../src/rule/rule.js';
import { createSiteOf } from '../../../src/url/public-suffix.js';
import { PROGRAM } from '../bench.js';
import { readTruth } from './measured-site.js';
import { measureForms, type Truth } from './measures.js';

const KINDS = ['substring', 'parameter', 'pattern'] as const;
const SHARES = [0.5, 0.8, 0.9];
const SEED = 1;

const folder = mkdtempSync(join(tmpdir(), 'dustbuster-learners-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const path of process.argv.slice(2)) {
  const truth = [...readTruth(path)];
  const [learning, measuring] = [true, false].map(
    (isLearned): Truth => new Map(truth.filter(([, { near }]) => isEven(near) === isLearned)),
  );
  console.log(`${basename(path)}: learned from ${learning!.size} URLs, measured on ${measuring!.size}`);
  const mined = minedFrom(learning!);
  for (const kinds of [...KINDS.map((kind) => [kind] as const), KINDS]) {
    show(kinds.length > 1 ? 'all' : kinds[0]!, learnedFrom(learning!, kinds, mined), mined, measuring!);
  }
  show('asked', askedOf(learning!).rules, mined, measuring!);
}

function isEven(label: string): boolean {
  return createHash('sha256').update(label).digest()[0]! % 2 === 0;
}

/** From page records, whose digests are the labels: what a crawler knows of its pages. */
function minedFrom(truth: Truth): RulesFile {
  const records = Array.from(truth, ([url, { near }]) => JSON.stringify({ url, status: 200, digest: `near:${near}` }));
  return mine(records, []);
}

function askedOf(truth: Truth): RulesFile {
  const clusters = join(folder, 'clusters.tsv');
  writeFileSync(clusters, Array.from(truth, ([url, { near }]) => `${url}\t${near}\n`).join(''));
  return mine([...truth.keys()], ['--from-clusters', clusters]);
}

function mine(lines: readonly string[], flags: readonly string[]): RulesFile {
  const [list, rules] = ['list', 'rules.json'].map((name) => join(folder, name));
  writeFileSync(list!, lines.map((line) => `${line}\n`).join(''));
  execFileSync(process.execPath, [PROGRAM, 'mine', '-q', list!, '-o', rules!, ...flags]);
  return readRules(readFileSync(rules!), rules!);
}

function learnedFrom(learning: Truth, kinds: readonly Rule['kind'][], mined: RulesFile): readonly Rule[] {
  const siteOf = createSiteOf(mined.options.site);
  const list = Array.from(learning, ([url, { near }]): ClusterUrl => {
    const bytes = encodeText(url);
    return { url, label: near, site: siteOf(bytes, 0, bytes.length) };
  });
  const others = mined.rules.filter(({ kind }) => kinds.includes(kind));
  const minFreq = kinds.includes('pattern') ? ALIGN_DEFAULTS.minFreq : Infinity;
  return learnRules(list, { others }, { ...ALIGN_DEFAULTS, minFreq, seed: SEED }).rules;
}

function show(name: string, rules: readonly Rule[], mined: RulesFile, measuring: Truth): void {
  const measured = (some: readonly Rule[], use: Use) => measureForms(measuring, formsBy(some, use, mined, measuring));
  const [writes, keys] = [measured(rules, 'write'), measured(rules, 'key')];
  const saved = (some: readonly Rule[]) => measuring.size - measured(some, 'key').forms;
  const [least, most] = [saved([]), saved(rules)];
  const needed = SHARES.map((share) => {
    const first = rules.findIndex((_, at) => saved(rules.slice(0, at + 1)) - least >= share * (most - least));
    return first + 1;
  });
  const of = ({ coverage, falseMerges }: typeof writes) => `${coverage.toFixed(3)} / ${falseMerges}`;
  const count = `${rules.length} (${rules.filter(({ use }) => use === 'key').length} keys)`;
  console.log(
    `  ${name.padEnd(10)} rules ${count.padEnd(14)} writes ${of(writes)}  keys ${of(keys)}  needed ${needed.join(', ')}`,
  );
}

function formsBy(rules: readonly Rule[], use: Use, file: RulesFile, urls: Truth): Map<string, string> {
  const { normalization: normalize, urlForm, options } = file;
  const how = { normalize, accept: 'valid', maxIterations: 10, urlForm, sitePolicy: options.site, use } as const;
  const canonizer = createCanonizer(rules, how);
  return new Map(Array.from(urls.keys(), (url) => [url, decodeText(canonizer.canonize(encodeText(url)))]));
}
