// Does a rule contain data of one visitor? It would be of use to that visitor only, and would reveal the visitor to
// everybody who has the file:
//
//     ?PHPSESSID=q2v8ksd0f9 → ?PHPSESSID=u71mmx03pa      by its own text
//     q2v8ksd0f9 → u71mmx03pa                            by its examples, where this is the value of PHPSESSID
//     .html → ⟩   only with field "mail=ann@example.org"
//
// Random text alone, such as a digest in a path, does not count, as it may be the name of a page.
import { AT, EQUALS, PERCENT } from '../base/ascii.js';
import { secretOf, valuesOf } from '../url/secret.js';
import type { RuleSaying } from './identity.js';
import type { Condition } from './rule.js';

/** True if the rule goes into no file. */
export function namesVisitor(rule: RuleSaying): boolean {
  if (rule.only?.every(isOfVisitor) === true) return true;
  const texts = textsOf(rule);
  return texts.some(hasSecret) || sharesSecret(texts, rule.examples);
}

/** True for a condition that only URLs of one visitor meet. */
export function isOfVisitor({ is }: Condition): boolean {
  return typeof is === 'string' && hasSecret(is);
}

/** False for text that cannot make a rule name a visitor: it has no value, and all of its tokens are words. */
export function mayNameVisitor(text: Uint8Array): boolean {
  let [length, hasDigit, hasLower, hasUpper] = [0, false, false, false];
  for (const byte of text) {
    if (byte === EQUALS || byte === AT || byte === PERCENT) return true;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    const isUpper = byte >= 0x41 && byte <= 0x5a;
    const isLower = byte >= 0x61 && byte <= 0x7a;
    if (!isDigit && !isUpper && !isLower) {
      length = 0;
      hasDigit = hasLower = hasUpper = false;
      continue;
    }
    length++;
    hasDigit ||= isDigit;
    hasLower ||= isLower;
    hasUpper ||= isUpper;
    if (length >= LEAST_TOKEN && (hasDigit || (hasLower && hasUpper))) return true;
  }
  return false;
}

function textsOf(rule: RuleSaying): readonly string[] {
  switch (rule.kind) {
    case 'substring':
      return [rule.from, rule.to];
    case 'parameter': {
      const set = rule.action === 'set' && rule.value !== null ? `=${rule.value}` : '';
      return [rule.name + set, rule.path];
    }
    case 'step':
      return [rule.text];
    case 'pattern':
      return [rule.pattern, rule.template];
    default:
      return rule satisfies never;
  }
}

/** True if a part of a URL, wherever it was cut out, holds a session, a key or an address of a person. */
export function hasSecret(text: string): boolean {
  if (text.length < LEAST_TOKEN && !text.includes('=')) return false;
  return text.split(/[/?&;#]/).some((piece) => {
    const cut = piece.indexOf('=');
    return isSecret(cut < 0 ? '' : piece.slice(0, cut), piece.slice(cut + 1));
  });
}

function isSecret(name: string, value: string): boolean {
  const secret = secretOf(name, value);
  return secret !== undefined && secret.kind !== 'random';
}

const LEAST_TOKEN = 6;
const TOKENS = /[A-Za-z0-9]{6,}/g;

/** True if the rule's text is the value of a session in an example, even without the name of the session. */
function sharesSecret(texts: readonly string[], examples: RuleSaying['examples']): boolean {
  const tokens = new Set(texts.flatMap(opaqueTokensOf));
  if (tokens.size === 0) return false;
  return examples.some((pair) => pair.some((url) => secretTokensOf(url).some((token) => tokens.has(token))));
}

function secretTokensOf(url: string): readonly string[] {
  return valuesOf(url).flatMap(({ name, text }) => (isSecret(name, text) ? opaqueTokensOf(text) : []));
}

/** Tokens that are not words. */
function opaqueTokensOf(text: string): readonly string[] {
  if (text.length < LEAST_TOKEN) return [];
  return (text.match(TOKENS) ?? []).filter((token) => /\d/.test(token) || /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(token));
}
