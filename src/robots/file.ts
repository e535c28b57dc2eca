// May this page be fetched, and which line of robots.txt decides? By RFC 9309:
//
//   User-agent: ExampleBot/2.0    the product token of a line is its leading letters, `_` and `-`: examplebot
//   User-agent: *
//   Crawl-delay: 5s               for the agents named since the last rule or delay
//   Disallow: /a                  for the agents named since the last rule; lines of other kinds end no group
//
// All groups with one name apply together. Unlike Google's parser, `Allow: /a/index.html` does not allow `/a/`. No
// library was found that passes the published cases (test/robots/cases.ts), says which line decided, and cannot be made
// to waste time or memory. Agents and rules are two lists, and a rule has a range of the agents: a file of 4,000 agents
// with 4,000 rules costs their sum, not their product.
//
//   agents   a b * c       rules   /x → agents[0, 2)   /y → agents[0, 2)   /z → agents[2, 4)
import { createMatch, type Match, type Rule } from './match.js';
import { patternForm, requestForm } from './form.js';
import { fieldOf, linesOf } from './lines.js';

export { MAX_ROBOTS_BYTES } from './lines.js';

/** The verdict and the rule that decided. A path is allowed if no rule matches it. */
export type RobotsVerdict =
  { readonly allowed: true; readonly rule?: Rule } | { readonly allowed: false; readonly rule: Rule };

export interface RobotsRules {
  /** `path` is a request target: path and query. */
  readonly judge: (path: string) => RobotsVerdict;
  readonly crawlDelaySeconds: number;
}

/** A line that names an agent. */
export interface AgentLine {
  /** The product token, in lower case. */
  readonly name: string;
  /** The first word, in lower case: `mj12bot`, whose product token is `mj`. */
  readonly word: string;
  /** The line number, from 1. */
  readonly line: number;
}

/** Something that is said to agents[from, to). */
interface Said<What> {
  readonly from: number;
  readonly to: number;
  readonly what: What;
}

export interface RobotsFile {
  readonly agents: readonly AgentLine[];
  readonly rules: readonly Said<Rule>[];
  /** Seconds. */
  readonly delays: readonly Said<number>[];
}

/** Parses arbitrary bytes, skipping lines that say nothing. */
export function readRobots(body: Uint8Array): RobotsFile {
  const agents: AgentLine[] = [];
  const rules: Said<Rule>[] = [];
  const delays: Said<number>[] = [];
  // Where the agents begin that the next rule is for, and those that the next delay is for.
  let [ruled, delayed] = [0, 0];
  let [hasRule, hasDelay] = [false, false];
  for (const [at, text] of linesOf(body).entries()) {
    const { key, value } = fieldOf(text);
    const [line, to] = [at + 1, agents.length];
    if (key === 'agent') {
      if (hasRule) ruled = to;
      if (hasRule || hasDelay) delayed = to;
      hasRule = hasDelay = false;
      agents.push({ name: productToken(value), word: firstWord(value), line });
    } else if (key === 'delay') {
      hasDelay = true;
      delays.push({ from: delayed, to, what: secondsIn(value) });
    } else if (key !== 'other') {
      hasRule = true;
      if (value === '') continue;
      rules.push({ from: ruled, to, what: { allows: key === 'allow', pattern: patternForm(value), line, text } });
    }
  }
  return { agents, rules, delays };
}

/** Parses a file for one program. `names` come from {@link robotNames}: the first that has a group counts. */
export function parseRobots(body: Uint8Array, names: readonly string[]): RobotsRules {
  const file = readRobots(body);
  const name = names.find((one) => file.agents.some((agent) => agent.name === one));
  const isOurs = file.agents.map((agent) => agent.name === name);
  const { rules, delays } = saidTo(file, isOurs);
  const judge = judgeBy(matchOf(rules));
  return { judge, crawlDelaySeconds: delays.reduce((most, seconds) => Math.max(most, seconds), 0) };
}

/** The rules and delays for the chosen agents, in the order of the file. */
export function saidTo(
  file: RobotsFile,
  isChosen: readonly boolean[],
): { readonly rules: readonly Rule[]; readonly delays: readonly number[] } {
  const before = new Int32Array(isChosen.length + 1);
  for (const [at, is] of isChosen.entries()) before[at + 1] = before[at]! + Number(is);
  const chosen = <What>(all: readonly Said<What>[]) =>
    all.filter(({ from, to }) => before[to]! > before[from]!).map(({ what }) => what);
  return { rules: chosen(file.rules), delays: chosen(file.delays) };
}

/** Of rules with one pattern, one that allows counts; among those, the first. */
export function matchOf(rules: readonly Rule[]): Match {
  const byPattern = new Map<string, Rule>();
  for (const rule of rules) {
    const known = byPattern.get(rule.pattern);
    if (known === undefined || (rule.allows && !known.allows)) byPattern.set(rule.pattern, rule);
  }
  return createMatch(byPattern.values());
}

/** Judges request targets. No rule applies to robots.txt itself. */
export function judgeBy(match: Match): RobotsRules['judge'] {
  return (path) => {
    const rule = isRobotsFile(path) ? undefined : match(requestForm(path));
    if (rule === undefined) return { allowed: true };
    return rule.allows ? { allowed: true, rule } : { allowed: false, rule };
  };
}

export function isRobotsFile(path: string): boolean {
  return /^\/robots\.txt(\?|$)/.test(path);
}

/**
 * The names in robots.txt that mean this program, the best first: the product token of the `User-Agent` header, which
 * the site's log shows; then the program's own token, and all robots.
 */
export function robotNames(userAgent: string): string[] {
  return Array.from(new Set([productToken(userAgent), 'dustbuster', '*'])).filter((name) => name !== '');
}

/**
 * The token of a header or a line: letters, `_` and `-` (RFC 9309, 2.2.1), or the first word if it begins with none of
 * them.
 */
function productToken(text: string): string {
  return (/^(?:[a-z_-]+|[^\s/]+)/i.exec(text)?.[0] ?? '').toLowerCase();
}

function firstWord(text: string): string {
  return (/^[^\s/]+/.exec(text)?.[0] ?? '').toLowerCase();
}

/** The number at the start of the value, whatever its unit; 0 if there is none. */
function secondsIn(value: string): number {
  const seconds = Number.parseFloat(value);
  return seconds > 0 ? seconds : 0;
}
