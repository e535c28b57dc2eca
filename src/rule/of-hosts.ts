// Rules of a class of hosts: one statement for the hosts that its conditions name, with how many of them agree.
//
//     remove sid   only host a.example, b.example, …        where hosts were heard
//     drop www.    not host c.example                       on all others, as nearly all agree
import { decodeText } from '../base/bytes.js';
import { pathStart } from '../url/form.js';
import { hostAt } from './condition.js';
import { everySite, type Rule } from './rule.js';

type Places = Pick<Rule, 'site' | 'hosts' | 'only' | 'not'>;

/** True for a rule of every site that names nothing but hosts, with the figure of how many agree. */
export function isOfHosts({ site, hosts, only = [], not = [] }: Places): boolean {
  return site === everySite && hosts !== undefined && [...only, ...not].every(({ part }) => part === 'host');
}

/** The host of a URL, with its port; '' if it has none. */
export function hostOf(url: Uint8Array): string {
  const path = pathStart(url);
  return decodeText(url, hostAt(url, 0, path, url.length), path);
}

/** The hosts that the conditions name, in `only` or else in `not`. */
export function hostsNamed({ only, not = [] }: Places): readonly string[] {
  return (only ?? not).map(({ is }) => String(is));
}
