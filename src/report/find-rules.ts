// Which of some rules can touch a URL, each of them tried by itself?
import type { CanonizerOptions } from '../canonize/canonizer.js';
import type { CompiledRule } from '../rule/apply.js';
import { createLookup, lookupKey } from '../rule/lookup.js';
import type { Rule } from '../rule/rule.js';
import { pathStart } from '../url/form.js';
import { createSiteOf } from '../url/site.js';

export type FindRules = (url: Uint8Array) => Int32Array;

/** Indexes of the rules that can touch a URL; valid until the next call. */
export function createFindRules(
  rules: readonly Rule[],
  compiled: readonly CompiledRule[],
  { sitePolicy, urlForm }: CanonizerOptions,
): FindRules {
  const lookup = createLookup(rules.map(({ site }, at) => ({ site, text: lookupKey(compiled[at]!) })));
  const siteOf = createSiteOf(sitePolicy);
  const pathGroup = lookup.groupOf('');
  return (url) => {
    const isPath = urlForm === 'path';
    const group = isPath ? pathGroup : lookup.groupOf(siteOf(url, 0, url.length));
    const count = lookup.find(url, isPath ? pathStart(url) : 0, group, 0);
    return lookup.found.subarray(0, count);
  };
}
