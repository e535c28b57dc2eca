// Which sites were set up for measuring, and where? What up.sh starts, in the words of programs.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OwnSite {
  readonly name: string;
  /** Where the site is, and what comes before the targets of a log without hosts. */
  readonly base: string;
  readonly hosts: readonly string[];
  /** Whether its log has no hosts. */
  readonly needsBase: boolean;
}

export const OWN_SITES: readonly OwnSite[] = [
  {
    name: 'wiki',
    base: 'http://mw.localhost:8111',
    hosts: ['mw.localhost:8111', 'www.mw.localhost:8111'],
    needsBase: false,
  },
  { name: 'blog', base: 'http://blog.localhost:8112', hosts: ['blog.localhost:8112'], needsBase: true },
];

export function ownSite(name: string): OwnSite {
  const site = OWN_SITES.find((one) => one.name === name);
  if (site === undefined)
    throw new Error(`got the site ${name}, expected ${OWN_SITES.map((one) => one.name).join(' or ')}`);
  return site;
}

/** Where up.sh keeps files, by the same variable. */
export function homeOfSites(): string {
  return process.env['SITES_HOME'] ?? join(tmpdir(), 'dustbuster-measuring-sites');
}
