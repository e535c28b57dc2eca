// Which sites are measured, and with what? The two of this folder, and git and doku of a folder that has logs/ and
// truth/ like that of these. A site that is missing, or not running, is left out with a message.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { askFor } from './ask.js';
import { formByHand, trueRulesOf } from './hand-written.js';
import type { Truth } from './measures.js';
import { homeOfSites, OWN_SITES } from './own-site.js';

export interface MeasuredSite {
  readonly name: string;
  readonly log: string;
  /** For a log without hosts. */
  readonly base: string | null;
  readonly truth: Truth;
  /** What a person's rules make of a URL. */
  readonly byHand: (url: string) => string;
  readonly rulesByHand: number;
  /** Null if there is none yet. */
  readonly pages: string | null;
}

export const SITE_NAMES = ['git', 'doku', ...OWN_SITES.map(({ name }) => name)];

const OTHERS: Readonly<Record<string, { readonly front: string; readonly base: string | null }>> = {
  git: { front: 'http://git.localhost:8104/', base: null },
  doku: { front: 'http://doku.localhost:8105/', base: 'http://doku.localhost:8105' },
};

/** The site, or why it is left out. `others` is the folder of git and doku. */
export async function measuredSite(name: string, others: string | null): Promise<MeasuredSite | string> {
  const own = OWN_SITES.find((site) => site.name === name);
  const home = own === undefined ? others : homeOfSites();
  if (home === null) return 'no folder named with --others';
  const log = join(home, 'logs', `${name}.log.gz`);
  const truth = join(home, 'truth', `${name}.tsv.gz`);
  const missing = [log, truth].find((path) => !existsSync(path));
  if (missing !== undefined) return `no ${missing}`;
  const front = own === undefined ? OTHERS[name]!.front : `${own.base}/`;
  if ((await askFor(front)) === null) return `${front} does not answer`;
  const rules = own === undefined ? join(home, 'truth', `${name}.rules`) : sourceOf(`${name}.rules`);
  const written = trueRulesOf(readFileSync(rules, 'utf8'));
  const pages = join(homeOfSites(), 'warc', `${name}.warc.gz`);
  return {
    name,
    log,
    base: own === undefined ? OTHERS[name]!.base : own.needsBase ? own.base : null,
    truth: readTruth(truth),
    byHand: (url) => formByHand(written, url),
    rulesByHand: written.length,
    pages: existsSync(pages) ? pages : null,
  };
}

/** dist has no rules beside this file: those of the source are read. */
function sourceOf(name: string): string {
  return new URL(`../../../../test/bench/sites/${name}`, import.meta.url).pathname;
}

export function readTruth(path: string): Truth {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [url, exact, near] = line.split('\t');
      return exact === '-' ? [] : [[url!, { exact: exact!, near: near! }]];
    }),
  );
}
