// Compiles rules to regular expressions. A rule becomes a few *steps*, each of which finds one place and writes
// something there; in sequence they are the rule (SPEC 7). Every step has the same shape, so that a target needs to
// know nothing about rules:
//
//     ^ conditions ( head ) what goes          $1 put rest-of-the-URL
//
// It begins at the start of the URL and has one group, so it matches at most once however the software repeats it; a
// target that replaces whole strings adds a group for the rest. A lazy head makes it the leftmost place. What
// conditions say:
//
//     site and scope     whose URL this is
//     only, not          where it holds (rule/condition)
//     except             not a URL that the rule leaves alone
//
// The head also excludes places that would change scheme or host (url-head).
//
// A match inside an occurrence of `to` is excluded by the text around it: `story` → `my-story` looks for
// `(?!(?<=(?<!run)my-)story(?!run))(?<!run)story(?!run)`, with `run` a byte of a token.
import { decodeText } from '../base/bytes.js';
import { compileSubstring, type Substitution } from '../rule/apply.js';
import type { ParameterRule, Rule, SubstringRule } from '../rule/rule.js';
import { textsOf } from '../rule/meaning.js';
import { isRunByte } from '../url/token.js';
import { conditionPattern } from './condition-pattern.js';
import type { Dialect } from './dialect.js';
import { normalSteps } from './normal-steps.js';
import { parameterSteps } from './parameter-steps.js';
import { hasSuffixesBelow, originPattern, sitePattern, SUFFIXES_BELOW } from './site-pattern.js';
import type { Expression, ExpressionOptions, Unsaid } from './step.js';
import { unwritable } from './unwritable.js';
import { headsOf } from './url-head.js';

export function expressionOf(rule: Rule, options: ExpressionOptions): Expression | Unsaid {
  const { dialect } = options;
  if (!dialect.matchesBytes && ownTexts(rule).some((text) => /\p{Cs}/u.test(text))) {
    return left('has bytes that are no UTF-8');
  }
  if (hasSuffixesBelow(rule.site, options.sitePolicy)) return left(SUFFIXES_BELOW);
  const site = sitePattern(rule.site, options);
  if (site === undefined) return left('is for a site whose URLs never come here');
  const where = conditionPattern(rule, options);
  if (where === undefined) return left('is for a host, and URLs here have none');
  const conditions = site + where + exceptPattern(rule, dialect);
  switch (rule.kind) {
    case 'substring':
      return substringSteps(rule, conditions, options);
    case 'parameter':
      if (!isAskedAlike(rule)) return left('would have to ask anew where it holds while it changes that');
      return parameterSteps(rule, conditions, options);
    case 'step':
      return normalSteps(rule, conditions, options);
    case 'pattern':
      return left('is a pattern');
    default:
      return rule satisfies never;
  }
}

/** The conditions that do not change while fields are removed one by one: only these may be tested before each. */
function isAskedAlike({ name, only, not }: ParameterRule): boolean {
  return [...(only ?? []), ...(not ?? [])].every(({ part, is }) => {
    if (part === 'parameter' || part === 'fields' || part === 'query' || part === 'text') return false;
    return part !== 'field' || (is.includes('=') && !is.startsWith(`${name}=`));
  });
}

function left(reason: string): Unsaid {
  return { kind: 'left', reason };
}

function ownTexts(rule: Rule): readonly string[] {
  const conditions = [...(rule.only ?? []), ...(rule.not ?? [])].map(({ is }) => String(is));
  return [...textsOf(rule), rule.site, ...conditions, ...(rule.except ?? [])];
}

function exceptPattern({ except = [] }: Rule, { literal, end }: Dialect): string {
  return except.length === 0 ? '' : `(?!(?:${except.map(literal).join('|')})${end})`;
}

function substringSteps(rule: SubstringRule, conditions: string, options: ExpressionOptions): Expression | Unsaid {
  const { dialect } = options;
  const substitution = compileSubstring(rule);
  const harm = unwritable(rule.to);
  if (harm !== undefined) return left(harm);
  if (reachesIntoOrigin(substitution, options))
    return left('could find a part of what it writes in the name of the host');
  const place = placePattern(rule, substitution, dialect);
  const isNowhere = substitution.from.length === 0 && (rule.anchor === 'none' || rule.anchor === 'both');
  if (isNowhere) return left('matches nothing');
  const heads = headsOf(substitution, options);
  if (heads === undefined) return left('can take a URL apart at its scheme');
  if (heads.length === 0) return left('matches nothing');
  // In order of position, so that the leftmost place is found.
  const before = heads.map(({ head, behind }) => (behind === '' ? head : `${head}(?=${place}${behind})`)).join('|');
  const origin = options.urls === 'any' && options.urlForm === 'path' ? originPattern(options) : '';
  // A target may have an empty form for a URL that it has given up.
  const filled = substitution.from.length === 0 ? `(?=${dialect.any})` : '';
  const find = `^${filled}${conditions}(${origin}${heads.length === 1 && origin === '' ? before : `(?:${before})`})${place}`;
  return { kind: 'steps', steps: [{ find, put: rule.to, repeat: false }] };
}

/**
 * Rules of paths never look at what precedes the path. A lookbehind for the rule's own result would, in lines that may
 * be of either form, if that could extend from the end of a host into a path.
 */
function reachesIntoOrigin({ inside, to }: Substitution, { urls, urlForm }: ExpressionOptions): boolean {
  if (urls !== 'any' || urlForm !== 'path') return false;
  const head = decodeText(to).search(/[/?]/);
  return head > 0 && inside.some((at) => at > 0);
}

/** An expression that matches `from` where the rule does, without what surrounds it. */
function placePattern(rule: SubstringRule, { from, to, atEnd, inside }: Substitution, dialect: Dialect): string {
  const { literal, run, end } = dialect;
  const cutBefore = (bytes: Uint8Array) => (bytes.length > 0 && isRunByte(bytes[0]!) ? `(?<!${run})` : '');
  const cutAfter = (bytes: Uint8Array) =>
    atEnd ? end : bytes.length > 0 && isRunByte(bytes.at(-1)!) ? `(?!${run})` : '';
  const own = inside.map((at) => {
    const before = decodeText(to, 0, at);
    const after = decodeText(to, at + from.length);
    const behind = before === '' ? '' : `(?<=${cutBefore(to)}${literal(before)})`;
    return `(?!${behind}${literal(rule.from)}${literal(after)}${cutAfter(to)})`;
  });
  return `${own.join('')}${cutBefore(from)}${literal(rule.from)}${cutAfter(from)}`;
}
