// Rules of a class of hosts: one statement for the hosts that its conditions name, with how many of them agree.
//
//     remove sid   only host a.example, b.example, …        where hosts were heard
//     drop www.    not host c.example                       on all others, as nearly all agree
import { AT } from '../base/ascii.js';
import { decodeText } from '../base/bytes.js';
import { hostStart, pathStart } from '../url/form.js';
import { everySite, type Rule } from './rule.js';

type Places = Pick<Rule, 'site' | 'hosts' | 'only' | 'not'>;

/** True for a rule of every site that names nothing but hosts, with the figure of how many agree. */
export function isOfHosts({ site, hosts, only = [], not = [] }: Places): boolean {
  return site === everySite && hosts !== undefined && [...only, ...not].every(({ part }) => part === 'host');
}

/** The host of the URL bytes[start, end), with its port and without user information; '' if it has none. */
export function hostOf(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const path = pathStart(bytes, start, end);
  let host = hostStart(bytes, start, end);
  if (host < 0) return '';
  for (let at = host; at < path; at++) if (bytes[at] === AT) host = at + 1;
  return decodeText(bytes, host, path);
}

/** The hosts that the conditions name, in `only` or else in `not`. */
export function hostsNamed({ only, not = [] }: Places): readonly string[] {
  return (only ?? not).map(({ is }) => String(is));
}
