// Which clusters teach, and which measure? By a hash of seed and label, so that a cluster is in one half only.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Labelled } from './learner.js';

export interface Halves {
  readonly learning: readonly Labelled[];
  readonly measuring: readonly Labelled[];
}

export function halvesOf(pages: readonly Labelled[], seed: number): Halves {
  const isLearned = ({ label }: Labelled): boolean =>
    createHash('md5').update(`${seed}${label}`).digest()[0]! % 2 === 0;
  return { learning: pages.filter(isLearned), measuring: pages.filter((page) => !isLearned(page)) };
}

/** Lines of URL, tab, label, where more columns may follow; `-` is no label. Of a URL twice, the last counts. */
export function readLabelled(path: string, column: number): Labelled[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const labels = new Map<string, string>();
  for (const line of text.split('\n')) {
    const fields = line.split('\t');
    const label = fields[column - 1];
    if (label !== undefined && label !== '-') labels.set(fields[0]!, label);
  }
  return Array.from(labels, ([url, label]) => ({ url, label }));
}
