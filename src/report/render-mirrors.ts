// Clusters of replicated collections, for people and for programs.
import { printable } from '../base/bytes.js';
import { PLAIN } from '../base/paint.js';
import type { Cluster } from '../mirrors/copies.js';
import type { Mirrors } from '../mirrors/find-mirrors.js';
import { aligned, clip } from './render.js';

/** What a crawl has of copies, before and after all but the principal ones are left out (the paper, 5.1). */
export interface Saving {
  readonly pages: number;
  readonly saved: number;
  /** Of these, in no collection themselves (`--nearby`). */
  readonly nearby: number;
  /** Pages that are similar to another one: of all, and of those that are left. */
  readonly similar: number;
  readonly similarLeft: number;
}

export function mirrorsTable(clusters: readonly Cluster[], limit: number, paint = PLAIN): string {
  if (clusters.length === 0) return 'No collection is replicated.\n';
  const rows = clusters
    .slice(0, limit)
    .map(({ cardinality, size, saved, copies }) => [
      `${cardinality}`,
      `${size}`,
      `${saved}`,
      clip(printable(copies[0]!.root)),
      clip(printable(copies[1]!.root)),
    ]);
  const more = clusters.length > rows.length ? `… and ${clusters.length - rows.length} more\n` : '';
  const head = ['copies', 'pages', 'saved', 'principal copy', 'one of the others'];
  return aligned([head, ...rows], new Set([0, 1, 2]), paint) + more;
}

export function mirrorsSummary({ counts }: Mirrors, clusters: readonly Cluster[], saving: Saving): string {
  const { texts, textless, trivial, similar, links, outside, edges, contradictions, unmatched, unlike } = counts;
  const collections = clusters.reduce((sum, { cardinality }) => sum + cardinality, 0);
  const lines = [
    `${counts.pages} pages (${counts.again} further records of one) with ${texts} different texts, ${textless} without ` +
      `any; ${similar} pages are similar to another, in ${trivial} trivial clusters`,
    `${links} links between pages (${outside} lead elsewhere); ${edges} pairs of clusters can be joined, ` +
      `${unmatched} more have no partner for each page; ${contradictions} mappings contradict others; ` +
      `${unlike} pages have other parents in other copies`,
    `${collections} collections in ${clusters.length} clusters; ${counts.small} clusters with ${counts.smallPages} ` +
      'pages are below --min-pages',
    `A crawl without copies has ${saving.saved} of ${saving.pages} pages less (${percent(saving.saved, saving.pages)}): ` +
      `${percent(saving.similar, saving.pages)} of its pages are similar to another now, ` +
      `${percent(saving.similarLeft, saving.pages - saving.saved)} then`,
  ];
  if (counts.longLists > 0) {
    lines.splice(
      1,
      0,
      `${counts.longLists} chunks are in very many pages that have little else; ${counts.unseen} pairs of those were ` +
        'not looked at',
    );
  }
  return lines.map((line) => `${line}\n`).join('');
}

function percent(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (100 * part) / whole).toFixed(1)} %`;
}

/** One JSON document; a cluster a line. */
export function* mirrorsJson(head: Readonly<Record<string, unknown>>, clusters: readonly Cluster[]): Generator<string> {
  const text = JSON.stringify(head, null, 1);
  yield `${text.slice(0, -2)},\n "clusters": [`;
  let isFirst = true;
  for (const cluster of clusters) {
    yield `${isFirst ? '' : ','}\n  ${JSON.stringify(cluster)}`;
    isFirst = false;
  }
  yield `${isFirst ? '' : '\n '}]\n}\n`;
}
