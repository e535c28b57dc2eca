// Where do visitors spend their requests? By the templates of a site's addresses (mine/templates), which are found on the
// URLs that the lists were looked for in. Each URL is counted when its group of duplicates is known:
//
//   sample ─→ templates ─┐
//   groups ─→ URL, name ─┴→ rows        a duplicate is a URL that its group is not named by
//                    └────→ visitors    who asked for it
import { decodeText, encodeText } from '../../../base/bytes.js';
import { agentOf, type AgentGroup } from '../../../log/agents/agents.js';
import type { ListedUrl } from '../../../mine/lists/sample.js';
import { pathOf } from '../../../mine/lists/slots.js';
import { type Templates, templatesOf } from '../../../mine/templates/templates.js';
import type { SiteOf } from '../../../table/url-list.js';
import { masked } from '../../../url/secret.js';
import type { LogFacts, TemplateRow } from '../model.js';
import type { VisitorMeter } from './visitors.js';
import type { Costs } from './visits.js';

/** Sites with fewer URLs need no templates, and other sites beyond so many no table. */
const FEWEST_URLS = 20;
const MOST_SITES = 5;

/** Hits of one visitor. */
export interface TemplateHits {
  readonly hits: number;
  readonly duplicateHits: number;
}

type Sums = { -readonly [Key in keyof Pick<TemplateRow, 'urls' | 'pages' | 'hits' | 'bytes' | 'once'>]: number } & {
  nameHits: number;
};

interface SiteTemplates {
  readonly templates: Templates;
  /** The number of its first line among those of all sites. */
  readonly first: number;
  readonly sums: Sums[];
}

/** Build (`addUrl`, then `addLone` or `addName`), then ask (`finish`). */
export class TemplateMeter {
  readonly #sites = new Map<string, SiteTemplates>();
  readonly #visitors: VisitorMeter;
  readonly #siteOf: SiteOf;
  /** The line of the URL that was added last. */
  #latest: Sums | undefined;

  constructor(urls: readonly ListedUrl[], visitors: VisitorMeter, siteOf: SiteOf) {
    this.#siteOf = siteOf;
    this.#visitors = visitors;
    let first = 0;
    for (const [site, own] of largest(urls)) {
      const templates = templatesOf(own);
      this.#sites.set(site, { templates, first, sums: templates.lines.map(emptySums) });
      first += templates.lines.length;
    }
  }

  /** The template of a URL; the path if its site has no templates. */
  templateOf(url: string): string {
    const bytes = encodeText(url);
    const known = this.#sites.get(this.#siteOf(bytes, 0, bytes.length));
    if (known === undefined) return url.slice(pathOf(url)).split(/[?#]/, 1)[0]!;
    return known.templates.lines[known.templates.lineOf(url)]!;
  }

  /** A distinct URL of the log: bytes[start, end). */
  addUrl(site: string, bytes: Uint8Array, start: number, end: number, costs: Costs): void {
    const known = this.#sites.get(site);
    this.#latest = undefined;
    if (known === undefined) return;
    const line = known.templates.lineOf(decodeText(bytes, start, end));
    const sums = (this.#latest = known.sums[line]!);
    sums.urls++;
    sums.hits += costs.hits;
    sums.bytes += costs.bytes;
    if (costs.hits === 1) sums.once++;
    this.#visitors.addTemplate(bytes, start, end, known.first + line);
  }

  /** The URL that was added last has no duplicates. */
  addLone({ hits }: Costs): void {
    addName(this.#latest, hits);
  }

  /** The URL that a group is named by. */
  addName(site: string, url: Uint8Array, { hits }: Costs): void {
    const known = this.#sites.get(site);
    addName(known?.sums[known.templates.lineOf(decodeText(url))], hits);
  }

  /** `byTemplate`: hits by visitor, for each number of a template. Most hits first. */
  finish(byTemplate: ReadonlyMap<number, ReadonlyMap<number, TemplateHits>>): Pick<LogFacts, 'templates'> {
    const rows = Array.from(this.#sites).flatMap(([site, { templates, first, sums }]) =>
      templates.lines
        .map((template, line): TemplateRow => {
          const { nameHits, ...counts } = sums[line]!;
          const groups = byGroup(byTemplate.get(first + line));
          return { site, template: masked(template), ...counts, duplicateHits: counts.hits - nameHits, groups };
        })
        .filter(({ urls }) => urls > 0)
        .toSorted((a, b) => b.hits - a.hits || (a.template < b.template ? -1 : 1)),
    );
    return rows.length === 0 ? {} : { templates: rows };
  }
}

function addName(sums: Sums | undefined, hits: number): void {
  if (sums === undefined) return;
  sums.pages++;
  sums.nameHits += hits;
}

function emptySums(): Sums {
  return { urls: 0, pages: 0, hits: 0, bytes: 0, once: 0, nameHits: 0 };
}

/** The sites with the most hits. */
function largest(urls: readonly ListedUrl[]): (readonly [string, readonly ListedUrl[]])[] {
  const bySite = new Map<string, { readonly urls: ListedUrl[]; hits: number }>();
  for (const url of urls) {
    let own = bySite.get(url.site);
    if (own === undefined) bySite.set(url.site, (own = { urls: [], hits: 0 }));
    own.urls.push(url);
    own.hits += url.hits;
  }
  return Array.from(bySite)
    .filter(([, own]) => own.urls.length >= FEWEST_URLS)
    .toSorted(([a, one], [b, other]) => other.hits - one.hits || (a < b ? -1 : 1))
    .slice(0, MOST_SITES)
    .map(([site, own]) => [site, own.urls] as const);
}

function byGroup(byVisitor: ReadonlyMap<number, TemplateHits> = new Map()): TemplateRow['groups'] {
  const groups: { [Group in AgentGroup]?: TemplateHits } = {};
  for (const [visitor, { hits, duplicateHits }] of [...byVisitor].sort(([a], [b]) => a - b)) {
    const { group } = agentOf(visitor);
    const sum = groups[group] ?? { hits: 0, duplicateHits: 0 };
    groups[group] = { hits: sum.hits + hits, duplicateHits: sum.duplicateHits + duplicateHits };
  }
  return groups;
}
