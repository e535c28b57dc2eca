// Which documents the planted live site has, and under which URLs they are listed.
import { DOMAIN, PREFIX, type HostName } from './live-site-request.js';
import { sections, type Section, type Trap } from './live-site-sections.js';

export interface SiteShape {
  /** About so many documents, with three times as many URLs; at least four per section. Default 200. */
  readonly pages?: number;
  /** The sections that the site has; default all. */
  readonly only?: readonly Trap[];
  /** Sections left out. */
  readonly without?: readonly Trap[];
}

/** A section of a site with the number of its documents. */
export interface Part {
  readonly name: Trap;
  readonly section: Section;
  readonly count: number;
}

/** The requested sections, each with its share of the documents, at least four. */
export function partsOf({ pages = 200, only, without = [] }: SiteShape): Part[] {
  const names = (Object.keys(sections) as Trap[]).filter((name) => only?.includes(name) ?? true);
  const taken = names.filter((name) => !without.includes(name)).map((name) => ({ name, section: sections[name] }));
  const total = taken.reduce((sum, { section }) => sum + section.weight, 0);
  return taken.map(({ name, section }) => {
    return { name, section, count: Math.max(4, Math.round((pages * section.weight) / total)) };
  });
}

/**
 * Every document under its first name and some of the others; some of them also under the twin host or with a tracking
 * field.
 */
export function listUrls(parts: readonly Part[], random: () => number, twins: number): string[] {
  const urls = new Set<string>();
  const has = (trap: Trap) => parts.some(({ name }) => name === trap);
  for (const { section, count } of parts) {
    for (let k = 0; k < count; k++) {
      const forms = section.forms(k, random).filter((_, at) => random() < twins || at === 0);
      for (const form of forms) {
        const slash = form.indexOf('/');
        const host = (form.slice(0, slash) || 'www') as HostName;
        const target = form.slice(slash);
        urls.add(urlOf(host, target));
        if (has('twin') && host === 'www' && random() < 0.15) urls.add(urlOf('bare', target));
        if (has('tracking') && random() < 0.1) urls.add(urlOf(host, withTracking(target, random)));
      }
    }
  }
  return shuffled([...urls], random);
}

function urlOf(host: HostName, target: string): string {
  return `http://${PREFIX[host]}${DOMAIN}${target}`;
}

function withTracking(target: string, random: () => number): string {
  return `${target}${target.includes('?') ? '&' : '?'}utm_source=${Math.floor(random() * 1e6)}`;
}

function shuffled<T>(rows: T[], random: () => number): T[] {
  for (let k = rows.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [rows[k], rows[other]] = [rows[other]!, rows[k]!];
  }
  return rows;
}
