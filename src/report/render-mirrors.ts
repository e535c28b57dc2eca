// Clusters of replicated collections, for people and for programs.
import { printable } from '../base/bytes.js';
import { PLAIN } from '../base/paint.js';
import { agreeing, many } from '../base/plural.js';
import type { Cluster } from '../mirrors/copies.js';
import type { MirrorCounts, Mirrors } from '../mirrors/find-mirrors.js';
import { aligned } from './aligned.js';
import { clip } from './render.js';

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
  const collections = clusters.reduce((sum, { cardinality }) => sum + cardinality, 0);
  const { small, smallPages } = counts;
  const lines = [
    ...similarLines(counts),
    linksLine(counts),
    `${many(collections, 'collection')} in ${many(clusters.length, 'cluster')}; ${many(small, 'cluster')} ` +
      `${agreeing(small, 'is', 'are')} below --min-pages${small === 0 ? '' : asCounted(smallPages)}`,
    `A crawl without the copies saves ${saving.saved} of ${many(saving.pages, 'page')} ` +
      `(${percent(saving.saved, saving.pages)}): ${percent(saving.similar, saving.pages)} of all pages are similar to ` +
      `another one, and ${percent(saving.similarLeft, saving.pages - saving.saved)} of those that are left`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function asCounted(smallPages: number): string {
  return ` (pages of one copy), with ${many(smallPages, 'page')} in all copies`;
}

function similarLines({ pages, again, texts, textless, similar, trivial, longLists, unseen }: MirrorCounts): string[] {
  const line =
    `${many(pages, 'page')} (${many(again, 'further record')} of one) with ${many(texts, 'different text')}, ` +
    `${textless} without any; ${many(similar, 'page')} ${agreeing(similar, 'is', 'are')} similar to another, in ` +
    many(trivial, 'trivial cluster');
  if (longLists === 0) return [line];
  const [are, were] = [agreeing(longLists, 'is', 'are'), agreeing(unseen, 'was', 'were')];
  return [
    line,
    `${many(longLists, 'chunk')} ${are} in very many pages that have little else; at most ${many(unseen, 'pair')} of those ` +
      `${were} not looked at`,
  ];
}

function linksLine({ links, outside, edges, unmatched, contradictions, unlike }: MirrorCounts): string {
  return [
    `${many(links, 'link')} between pages, and ${outside} to none of them`,
    `${many(edges, 'pair')} of clusters can be joined, ${unmatched} more ${agreeing(unmatched, 'has', 'have')} no ` +
      'partner for each page',
    `${many(contradictions, 'mapping')} ${agreeing(contradictions, 'contradicts', 'contradict')} others`,
    `${many(unlike, 'cluster')} ${agreeing(unlike, 'was', 'were')} taken out, as pages have other parents in other copies`,
  ].join('; ');
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
