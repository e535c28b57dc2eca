// How good are the forms of a learner? One judge for all of them, ours too: `dustbuster eval --map`, by the labels.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM } from '../bench.js';
import type { Labelled } from './learner.js';

export interface Judged {
  readonly coverage: number;
  readonly falseMerges: number;
  readonly urls: number;
}

/** `folder` is for files that may be overwritten. */
export function judge(pages: readonly Labelled[], formOf: (url: string) => string, folder: string): Judged {
  const [urls, truth, map, measures] = ['urls', 'truth.tsv', 'map.tsv', 'measures.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  write(urls, pages, ({ url }) => url);
  write(truth, pages, ({ url, label }) => `${url}\t${label}`);
  write(map, pages, ({ url }) => `${url}\t${formOf(url)}`);
  execFileSync(
    process.execPath,
    [PROGRAM, 'eval', '--no-config', '-q', '--json', '-o', measures].concat([
      '--map',
      map,
      '--urls',
      urls,
      '--truth',
      truth,
    ]),
  );
  return (JSON.parse(readFileSync(measures, 'utf8')) as { readonly all: Judged }).all;
}

function write(path: string, pages: readonly Labelled[], lineOf: (page: Labelled) => string): void {
  writeFileSync(path, pages.map((page) => `${lineOf(page)}\n`).join(''));
}
