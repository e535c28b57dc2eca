// What does a rule say as regular expressions? A rule becomes a few *steps*, each of which looks for one place and writes
// something there; done one after the other they are the rule (SPEC 7). Every step has the same shape, so that a target needs
// to know nothing of rules:
//
//     ^ conditions ( head ) what goes          $1 put rest-of-the-URL
//
// It begins at the start of the URL and has one group, so it matches at most once however the software repeats it; a target that
// replaces whole strings adds a group for the rest. A lazy head makes it the leftmost place. What conditions say:
//
//     site and scope     whose URL this is
//     except             none of the URLs that the rule leaves alone
//     no URL             where the leftmost match would break `http://`, the rule does not match (rule/apply givesUrl)
//
// A match that already stands in an occurrence of `to` is looked for around it: `story` → `my-story` looks for
// `(?!(?<=(?<!run)my-)story(?!run))(?<!run)story(?!run)`, with `run` a byte of a token.
import { decodeText } from '../base/bytes.js';
import { compileSubstring, type Substitution } from '../rule/apply.js';
import type { Normalization, Rule, SitePolicy, SubstringRule, UrlForm } from '../rule/rule.js';
import { textsOf } from '../rule/meaning.js';
import { isRunByte } from '../url/token.js';
import type { Dialect } from './dialect.js';
import { parameterSteps } from './parameter-steps.js';
import { hasSuffixesBelow, originPattern, sitePattern, SUFFIXES_BELOW } from './site-pattern.js';
import { unwritable } from './unwritable.js';
import { harmAtHead } from './url-head.js';

export interface Step {
  /** Begins with `^` and has one capturing group. */
  readonly find: string;
  /** What stands behind the group afterwards, in place of the rest of the match: text as `base/bytes` decodes it. */
  readonly put: string;
  /** To be done until it finds nothing more; each time it takes something away. */
  readonly repeat: boolean;
}

export interface Expression {
  readonly kind: 'steps';
  readonly steps: readonly Step[];
}

export interface Unsaid {
  readonly kind: 'left';
  /** As in `LeftOut` of target.ts. */
  readonly reason: string;
}

export interface ExpressionOptions {
  readonly dialect: Dialect;
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
  readonly normalization: Normalization;
  /** What the software has in hand. `any`: lines that may be of either form. Rules of path form cannot take `absolute`. */
  readonly urls: 'absolute' | 'path' | 'any';
}

export function expressionOf(rule: Rule, options: ExpressionOptions): Expression | Unsaid {
  const { dialect } = options;
  if (!dialect.matchesBytes && ownTexts(rule).some((text) => /\p{Cs}/u.test(text))) {
    return left('has bytes that are no UTF-8');
  }
  if (hasSuffixesBelow(rule.site, options.sitePolicy)) return left(SUFFIXES_BELOW);
  const site = sitePattern(rule.site, options);
  if (site === undefined) return left('is for a site whose URLs never come here');
  const conditions = site + exceptPattern(rule, dialect);
  if (rule.only !== undefined || rule.not !== undefined) return left('has conditions');
  if (rule.kind === 'step') return left('is a step');
  if (rule.kind === 'parameter') return parameterSteps(rule, conditions, options);
  return substringSteps(rule, conditions, options);
}

function left(reason: string): Unsaid {
  return { kind: 'left', reason };
}

function ownTexts(rule: Rule): readonly string[] {
  return [...textsOf(rule), rule.site, ...(rule.except ?? [])];
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
  const breaks = harmAtHead(substitution, options);
  if (breaks === undefined) return left('can take a URL apart at its scheme');
  const guards = breaks.map(({ head, unless }) => `(?!${dialect.literal(head)}${place}${unless})`).join('');
  const origin = options.urls === 'any' && options.urlForm === 'path' ? originPattern(options) : '';
  // A target may have an empty form for a URL that it has given up.
  const filled = substitution.from.length === 0 ? `(?=${dialect.any})` : '';
  const between = substitution.atStart ? '' : `${dialect.any}*?`;
  const find = `^${filled}${conditions}${origin === '' ? guards : ''}(${origin}${origin === '' ? '' : guards}${between})${place}`;
  return { kind: 'steps', steps: [{ find, put: rule.to, repeat: false }] };
}

/**
 * Rules of paths look at nothing before the path. A look behind for what the rule has written itself would, of lines that may be
 * of either form, where that goes on from the end of a host into a path.
 */
function reachesIntoOrigin({ inside, to }: Substitution, { urls, urlForm }: ExpressionOptions): boolean {
  if (urls !== 'any' || urlForm !== 'path') return false;
  const head = decodeText(to).search(/[/?]/);
  return head > 0 && inside.some((at) => at > 0);
}

/** An expression that matches `from` where the rule does, without what stands around it. */
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
