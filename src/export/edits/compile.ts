// Which edits express a rule? The edits are those that an administrator would write: renamed hosts, schemes and
// folders, slashes, index files and other endings, dropped parameters. A rule that needs anything else is left out,
// with the reason.
import type { Rule, StepRule, SubstringRule } from '../../rule/rule.js';
import { isDoneBySite, leadsToRedirect } from '../../rule/redirecting.js';
import { isPinned } from '../../rule/standing.js';
import { ELSEWHERE, leadsElsewhere } from '../elsewhere.js';
import { hasSuffixesBelow, SUFFIXES_BELOW } from '../public-suffixes.js';
import type { Edit, Put, Unit } from './edit.js';
import { parameterUnit, placeOf } from './parameter.js';
import { literal, originPattern, partsOf, PLAIN, wherePattern, type Part, type Where } from './where.js';

export interface CompileOptions extends Where {
  /** True for software that redirects people to the form. */
  readonly isRedirected: boolean;
}

/** Longest expression for a rule's conditions: about two lines. */
const LONGEST_WHERE = 300;

/** The edits of a rule as a unit, or the reason why the rule has no edits, without the rule's own text. */
export function compile(rule: Rule, options: CompileOptions): Unit | string {
  const risk = options.isRedirected ? riskOf(rule, options) : undefined;
  if (risk !== undefined) return risk;
  if (hasSuffixesBelow(rule.site, options.sitePolicy)) return SUFFIXES_BELOW;
  if ((rule.except ?? []).length > 0) return 'has exceptions';
  if (!textsIn(rule).every((text) => PLAIN.test(text))) return 'has text that needs escapes, or is long';
  const where = wherePattern(rule.kind === 'parameter' ? placeOf(rule) : rule, options);
  if (where === undefined) return 'holds for a site that this software gets no URLs of';
  if (where.length > LONGEST_WHERE) return 'has conditions that need a long expression';
  switch (rule.kind) {
    case 'substring':
      return substringUnit(rule, where, options);
    case 'step':
      return stepUnit(rule, where, options);
    case 'parameter':
      return parameterUnit(rule, where, options);
    case 'pattern':
      return 'is a pattern';
    default:
      return rule satisfies never;
  }
}

/** The reason why a redirect by this rule could hurt people; undefined if it cannot. */
function riskOf(rule: Rule, { urlForm }: CompileOptions): string | undefined {
  if (isDoneBySite(rule) && !isPinned(rule)) return "does what the site's own redirects do already";
  if (leadsToRedirect(rule)) return 'leads to a URL that redirects';
  return urlForm !== 'path' && leadsElsewhere(rule) ? ELSEWHERE : undefined;
}

function textsIn(rule: Rule): readonly string[] {
  const conditions = [...(rule.only ?? []), ...(rule.not ?? [])].map(({ is }) => String(is));
  switch (rule.kind) {
    case 'substring':
      return [rule.site, ...conditions, rule.from, rule.to];
    case 'parameter':
      return [rule.site, ...conditions, rule.name, rule.path];
    case 'step':
      return [rule.site, ...conditions, rule.text];
    case 'pattern':
      return [rule.pattern, rule.template];
    default:
      return rule satisfies never;
  }
}

/**
 * A unit of one edit, which has no work left as soon as `find` does not match. `parts` are the parts that it reads and
 * changes.
 */
function unitOf(rule: Rule, find: string, put: Put, parts: readonly Part[]): Unit {
  const edit: Edit = { find, put: put.filter((piece) => piece !== '') };
  const reads = new Set([...parts, ...partsOf(rule)]);
  return {
    rules: [rule],
    edits: [edit],
    undone: withoutGroups(find),
    isLimited: false,
    reads,
    changes: new Set(parts),
  };
}

/** The expression for tests only: it captures nothing and ignores the rest of the URL. */
function withoutGroups(find: string): string {
  return find.replace(/\(\.\*\)\$$/, '').replace(/(?<!\\)\((?!\?)/g, '(?:');
}

function substringUnit(rule: SubstringRule, where: string, options: CompileOptions): Unit | string {
  if (!/^[0-9A-Za-z/_.=&;:~@!?+*-]*$/.test(rule.to)) return 'writes text that needs escapes';
  switch (rule.anchor) {
    case 'start':
      return moveUnit(rule, where, options);
    case 'both':
      if (!isWhole(rule.from, options) || !isWhole(rule.to, options)) return 'does not hold for the whole of a URL';
      return unitOf(rule, `^${where}${literal(rule.from)}$`, [rule.to], ['origin', 'path', 'query']);
    case 'end':
      return endUnit(rule, where, options);
    case 'none':
      return hostUnit(rule, where, options);
    default:
      return rule.anchor satisfies never;
  }
}

function isWhole(text: string, { urlForm }: CompileOptions): boolean {
  return (urlForm === 'path' ? /^\/(?!\/)/ : /^https?:\/\/[^/?]*\/(?!\/)/).test(text);
}

/** A scheme, a host or a folder under another name. */
function moveUnit(rule: SubstringRule, where: string, options: CompileOptions): Unit | string {
  const { from, to } = rule;
  const begins = (text: string) => isWhole(text, options) || /^https?:\/\/[^/?]*$/.test(text);
  const isForPaths = options.urlForm === 'path';
  if (!begins(from) || !begins(to) || (isForPaths && from.startsWith('http')))
    return 'is not a host, scheme or folder that moved';
  return startUnit(rule, `^${where}`, [from, to], []);
}

/**
 * Replaces a host, possibly with a folder. The rule itself may match anywhere, but a server applies it to the host
 * only, never inside a value.
 */
function hostUnit(rule: SubstringRule, where: string, options: CompileOptions): Unit | string {
  const isHost = (text: string) => /^[0-9a-z-]+(?:\.[0-9a-z-]+)+(?::[0-9]+)?\/(?!\/)/.test(text);
  if (options.urlForm === 'path' || !isHost(rule.from) || !isHost(rule.to))
    return 'matches anywhere in a URL, even inside values';
  return startUnit(rule, `^${where}(https?://)`, [rule.from, rule.to], [1]);
}

function startUnit(rule: Rule, before: string, [from, to]: readonly [string, string], head: Put): Unit | string {
  // A folder has to become a folder, and a script a script.
  const isInPath = (text: string) => /^(?:https?:\/\/)?[^/?]*[/?]/.test(text);
  if (isInPath(from) !== isInPath(to) || (isInPath(from) && !(from.at(-1) === to.at(-1) && /[/?]$/.test(from))))
    return 'changes a part of a name in a path';
  if (to.startsWith(from)) return 'would match its own result';
  const cut = /[0-9A-Za-z]$/.test(from) ? '(?![0-9A-Za-z\\x80-\\xff])' : '';
  const unit = unitOf(
    rule,
    `${before}${literal(from)}${cut}(.*)$`,
    [...head, to, head.length + 1],
    partsOfMove(from, to),
  );
  // `/a/b/` → `/a/` matches again in `/a/b/b/`.
  const changes =
    originOf(from) === originOf(to) ? new Set([...unit.changes].filter((part) => part !== 'origin')) : unit.changes;
  return { ...unit, changes, isLimited: from.startsWith(to), move: [from, to] };
}

function partsOfMove(from: string, to: string): readonly Part[] {
  const isForHosts = [from, to].every((text) => /^\/?$/.test(text.slice(originOf(text).length)));
  return isForHosts ? ['origin'] : from.endsWith('?') ? ['origin', 'path', 'query'] : ['origin', 'path'];
}

/** The beginning of a URL, up to its path. */
function originOf(text: string): string {
  return /^(?:https?:\/\/)?[^/?]*/.exec(text)![0];
}

/** A unit that shortens the end of a URL. */
function endUnit(rule: SubstringRule, where: string, options: CompileOptions): Unit | string {
  const { from, to } = rule;
  if (to.length >= from.length || !/^[^0-9A-Za-z]/.test(from)) return 'does not shorten the end of a URL';
  const origin = options.urlForm === 'path' ? '' : 'https?://[^/?]+';
  // The path keeps its first slash: `before` matches it, unless `from` and `to` both begin with one.
  const before = from.startsWith('/') && to.startsWith('/') ? `${origin}(?:/.*?)??` : `${origin}/.*?`;
  const unit = unitOf(rule, `^${where}(${before})${literal(from)}$`, [1, to], ['path', 'query']);
  // `.html` matches again in `a.html.html`.
  return { ...unit, isLimited: from.endsWith(to) };
}

function stepUnit(rule: StepRule, where: string, options: CompileOptions): Unit | string {
  const origin = `${originPattern(options)}/`;
  const begin = `${origin}(?:[^?]*/)?`;
  const pathEnd = '(?=(?:;[^/?]*)?(?:\\?|$))';
  switch (rule.step) {
    case 'fold-slashes': {
      const changes = [...(rule.only ?? []), ...(rule.not ?? [])].some(({ part }) => part !== 'host');
      if (changes) return 'changes the path that its conditions test';
      // Removes one run of slashes at a time, so it is repeated a few times.
      const unit = unitOf(rule, `^${where}(${origin}(?:[^?]*[^/?]/)?)/+(.*)$`, [1, 2], ['path']);
      return { ...unit, edits: [...unit.edits, ...unit.edits, ...unit.edits], isLimited: true };
    }
    case 'drop-end-slash':
      return unitOf(rule, `^${where}(${begin}[^/;?][^/?]*?)/+${pathEnd}(.*)$`, [1, 2], ['path']);
    case 'add-end-slash':
      return unitOf(rule, `^${where}(${begin}[^/;?.]+)${pathEnd}(.*)$`, [1, '/', 2], ['path']);
    case 'drop-last-segment':
      return unitOf(rule, `^${where}(${begin})${literal(rule.text)}${pathEnd}(.*)$`, [1, 2], ['path']);
    case 'lower-case':
      return 'folds case, which an expression cannot do';
    case 'drop-repeated-fields':
    case 'sort-fields':
    case 'sort-values':
      return 'compares fields, which an expression cannot do';
    case 'sort-items':
    case 'drop-repeated-items':
      return 'compares the items of a list, which an expression cannot do';
    default:
      return 'would need many edits';
  }
}
