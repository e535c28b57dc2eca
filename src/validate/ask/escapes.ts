// Does a rule cut a percent-escape in two? `product_class%` is a piece of `product_class%3Acard`; the rest would be
// garbage.
import type { Rule } from '../../rule/rule.js';

/** `urls` are the URLs of the list. */
export function cutsEscapes(rule: Rule, urls: readonly string[]): boolean {
  if (rule.kind !== 'substring') return false;
  const { from, to } = rule;
  if (/%[0-9a-f]?$/i.test(from) || /%[0-9a-f]?$/i.test(to)) return true;
  return [from, to].some((text) => /^[0-9a-f]{2}/i.test(text) && urls.some((url) => url.includes(`%${text}`)));
}
