// How likely is a yes to a question, before any request? This only decides the order, and so what is asked before
// requests run out: a wrong guess costs requests, never a wrong rule.
import { likelinessIn } from '../../mine/rank.js';
import type { Rule, SubstringRule } from '../../rule/rule.js';
import type { IsTracker } from './trackers.js';

/** Names of parameters that describe the visit, not the page, on any site. */
const TRACKERS =
  /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|ref|ref_src|referrer|source|campaign)$/i;
const SESSIONS = /^(?:(?:php|j|asp|cf)?sess(?:ion)?_?(?:id|key)?|\w*sid|sessid)$/i;
const ONCE = /^(?:s|token|timestamp|ts|t|nocache|cachebuster|cb|_|rand|v)$/i;
const VIEWS =
  /^(?:print|printable|theme|skin|style|view|mobile|highlight|hl|return|returnto|return_to|redirect|next|back|from|sort|order|dir)$/i;
/** Names of parameters that identify the page. */
const PAGES =
  /^(?:id|p|page|pg|offset|start|q|query|search|s|title|name|path|file|f|action|do|cat|category|tag|year|date|lang|language|locale|uselang|rev|oldid|diff|version|format|type)$/i;

const DEFAULTS = /^(?:0|1|all|any|asc|default|false|html?|index|item|list|main|no|none|off|show|view)$/i;

const none: IsTracker = () => false;

/** True for a name that says who visits or from where, wherever it occurs, or that `isTracker` knows. */
export function isOfVisit(name: string, isTracker: IsTracker = none): boolean {
  return TRACKERS.test(name) || SESSIONS.test(name) || isTracker(name);
}

/** `isTracker` also knows the names of public lists. */
export function parameterPrior(name: string, values: readonly string[], isTracker: IsTracker = none): number {
  if (TRACKERS.test(name) || isTracker(name)) return 0.95;
  if (SESSIONS.test(name) || ONCE.test(name)) return 0.5;
  if (PAGES.test(name)) return 0.1;
  // Longer hashes name objects, such as commits.
  if (values.filter((value) => /^[0-9a-f]{24,39}$/i.test(value)).length > 0.8 * values.length) return 0.5;
  if (VIEWS.test(name)) return 0.35;
  return 0.25;
}

/** How likely is a value to be the default, which the page has without the field too? */
export function defaultPrior(value: string): number {
  return DEFAULTS.test(value) ? 0.4 : 0.2;
}

/** The highest prior that a log can give: pages always have to confirm. */
const MOST_BY_LOG = 0.94;

/**
 * The prior of a mined rule: its rank score, lowered if it only replaces a number, year, version or language by
 * another; or its confidence from the log, if that is higher.
 */
export function minedPrior(rule: Rule, isTracker: IsTracker = none): number {
  const isUntried = rule.verdict === undefined || rule.verdict.undecided === 'interrupted';
  const isOpen = isUntried && !(rule.kind === 'substring' && isSeries(rule));
  return Math.max(rankedPrior(rule, isTracker), isOpen ? Math.min(MOST_BY_LOG, rule.confidence) : 0);
}

function rankedPrior(rule: Rule, isTracker: IsTracker): number {
  const base = Math.max(0.03, Math.min(0.9, likelinessIn(rule)));
  if (rule.kind === 'parameter')
    return Math.max(base, 0.3, rule.action === 'remove' ? parameterPrior(rule.name, [rule.value ?? ''], isTracker) : 0);
  if (rule.kind === 'step' || rule.kind === 'pattern') return base;
  return isSeries(rule) ? 0.2 * base : 0.6 * base;
}

const WORD = /[0-9A-Za-z]+/g;

/**
 * True if both sides have the same punctuation, and differ only in numbers, versions or short codes: languages, and
 * single letters as values (`sort=n`, `sort=d`).
 */
export function isSeries({ from, to }: Pick<SubstringRule, 'from' | 'to'>): boolean {
  if (from.replace(WORD, '') !== to.replace(WORD, '')) return false;
  const [a, b] = [from.match(WORD) ?? [], to.match(WORD) ?? []];
  if (a.length !== b.length) return false;
  const differing = a.flatMap((word, at) => (word === b[at] ? [] : [[word, b[at]!] as const]));
  const inNumbers = (x: string, y: string) => x.replace(/\d+/g, '0') === y.replace(/\d+/g, '0');
  const code = from.includes('=') ? /^[a-z]{1,2}$/i : /^[a-z]{2}$/i;
  const isCode = (word: string) => code.test(word);
  return differing.every(([x, y]) => inNumbers(x, y) || (isCode(x) && isCode(y)));
}
