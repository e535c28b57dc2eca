// How do browsers and edge workers find the rules for a URL? They try all rules of the site. For the few dozen rules of
// a site that takes microseconds; an index would be a quarter of the download. The commands do the same where there are
// many canonizers with few rules each.
import { everySite } from '../rule/rule.js';
import { pathStart } from '../url/form.js';
import type { Look, NewLook } from './rounds.js';

export const everyRule: NewLook = (_rules, sites, { urlForm }, siteOf) => {
  const pathOnly = urlForm === 'path';
  const bySite = new Map<string, number[]>([[everySite, []]]);
  for (const [rule, site] of sites.entries()) {
    const others = bySite.get(site);
    if (others === undefined) bySite.set(site, [rule]);
    else others.push(rule);
  }
  const every = bySite.get(everySite)!;
  const rulesOf = new Map<string, Int32Array>();
  for (const [site, own] of bySite) rulesOf.set(site, Int32Array.from(new Set([...own, ...every])).sort());

  const look: Look = {
    count: 0,
    found: new Int32Array(0),
    origin: 0,
    path: 0,
    // Each form is prepared first.
    plain: () => false,
    any(bytes, start, end) {
      look.path = pathStart(bytes, start, end);
      look.origin = pathOnly ? look.path : start;
      look.found = rulesOf.get(pathOnly ? '' : siteOf(bytes, start, end)) ?? rulesOf.get(everySite)!;
      look.count = look.found.length;
    },
  };
  return look;
};
