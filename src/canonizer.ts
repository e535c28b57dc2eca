// `@dustbuster/dustbuster/canonizer`: rules are read and applied, in browsers, in edge workers, anywhere. No Node, no
// dependency, one file of less than 15 kB (gzip).
//
//     import { createCanonizer, readRules } from '@dustbuster/dustbuster/canonizer';
//     const rules = readRules(await (await fetch('/dustbuster-rules.json')).text());
//     const { canonize } = createCanonizer(rules);
//     canonize('http://www.example.com/index.html?sid=F3'); // http://example.com/
//
// It is the code of `dustbuster canonize`, apart from one thing: that reads sites from the whole public suffix list, and this from
// the lines of it that the rules file has (`publicSuffixes`), which give the same sites.
import { UserError } from './base/error.js';
import { createTextCanonizer, type CanonizerSettings, type TextCanonizer } from './canonize/text.js';
import { advice, checkRules } from './rule/check.js';
import type { RulesFile } from './rule/rule.js';
import { createDomainOf } from './url/registrable-domain.js';
import { createSiteFinder } from './url/site-finder.js';

export { UserError };
export type { CanonizerSettings, ExplainedStep, Explanation, TextCanonizer as Canonizer } from './canonize/text.js';
export type { Ending } from './canonize/rounds.js';
export type * from './rule/rule.js';

/**
 * Rules from the text or the bytes of a rules file, or from what `JSON.parse` made of it. Throws {@link UserError} with the place
 * of what is wrong; `name` is what messages call the file.
 *
 *     const rules = readRules('{"format":"dustbuster-rules", …');
 */
export function readRules(rules: string | Uint8Array | object, name = 'rules'): RulesFile {
  return checkRules(valueOf(rules, name), name);
}

/** What `JSON.parse` itself has to say of damage is enough here; the commands tell line and column, which takes 1 kB. */
function valueOf(rules: string | Uint8Array | object, name: string): unknown {
  if (typeof rules !== 'string' && !(rules instanceof Uint8Array)) return rules;
  try {
    const text = typeof rules === 'string' ? rules : new TextDecoder('utf-8', { fatal: true }).decode(rules);
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UserError(`${name}: no JSON (${(error as Error).message}). ${advice}.`, { cause: error });
  }
}

/**
 * A canonizer by the rules of a file, which is checked as {@link readRules} does.
 *
 *     const canonizer = createCanonizer(rules, { accept: 'likely' });
 *     canonizer.canonize('http://www.example.com/a.html'); // http://example.com/a
 */
export function createCanonizer(rules: RulesFile, settings: CanonizerSettings = {}): TextCanonizer {
  const file = readRules(rules);
  const siteOf = createSiteFinder(file.options.site, createDomainOf(file.publicSuffixes ?? []));
  return createTextCanonizer(file, siteOf, settings);
}
