// What does dustbuster learn from the same clusters? `mine --from-clusters` as a process, and the two ways to use its
// rules: what `canonize` writes, and with keys what `canonize --unique` takes for one page.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText, encodeText } from '../../../src/base/bytes.js';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import { readRules } from '../../../src/rule/file.js';
import type { RulesFile, Use } from '../../../src/rule/rule.js';
import { PROGRAM } from '../bench.js';
import type { Labelled, Learned } from './learner.js';

export interface Ours {
  readonly written: Learned;
  readonly withKeys: Learned;
}

export function learnOurs(pages: readonly Labelled[], folder: string): Ours {
  const [urls, clusters, rules] = [join(folder, 'list'), join(folder, 'clusters.tsv'), join(folder, 'rules.json')];
  writeFileSync(urls, pages.map(({ url }) => `${url}\n`).join(''));
  writeFileSync(clusters, pages.map(({ url, label }) => `${url}\t${label}\n`).join(''));
  const flags = ['--no-config', '--no-local', '--site', 'all', '-q', '--from-clusters', clusters, '-o', rules];
  execFileSync(process.execPath, [PROGRAM, 'mine', urls, ...flags]);
  const file = readRules(readFileSync(rules), rules);
  return { written: learnedOf(file, 'write'), withKeys: learnedOf(file, 'key') };
}

function learnedOf(file: RulesFile, use: Use): Learned {
  const rules = file.rules.filter((rule) => rule.status === 'valid' && (use === 'key' || rule.use !== 'key'));
  const { normalization: normalize, urlForm, options } = file;
  const how = { normalize, accept: 'valid', maxIterations: 10, urlForm, sitePolicy: options.site, use } as const;
  const canonizer = createCanonizer(file.rules, how);
  return {
    rules: rules.map(({ id }) => String(id)),
    formOf: (url) => decodeText(canonizer.canonize(encodeText(url))),
  };
}
