// `@dustbuster/dustbuster/canonizer`: reads and applies rules in browsers, edge workers, anywhere. No Node, no
// dependencies, one file of less than 15 kB (gzip).
//
//     import { createCanonizer, readRules } from '@dustbuster/dustbuster/canonizer';
//     const rules = readRules(await (await fetch('/dustbuster-rules.json')).text());
//     const { canonize } = createCanonizer(rules);
//     canonize('http://www.example.com/index.html?sid=F3'); // http://example.com/
//
// It is the code of `dustbuster canonize` with one difference: the command finds sites by the whole public suffix list,
// this by the lines of it in the rules file (`publicSuffixes`), which give the same sites.
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
 * Reads rules from the text or bytes of a rules file, or from the value that `JSON.parse` made of it. Throws {@link
 * UserError} with the place of an error; `name` is what messages call the file.
 *
 *     const rules = readRules('{"format":"dustbuster-rules", …');
 */
export function readRules(rules: string | Uint8Array | object, name = 'rules'): RulesFile {
  return checkRules(valueOf(rules, name), name);
}

/** The message of `JSON.parse` is enough here; the commands report line and column, which takes 1 kB of code. */
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
