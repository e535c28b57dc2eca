// May this page be fetched, and which line of robots.txt says so? RFC 9309, and lines as Google's parser takes them:
//
//   User-agent: ExampleBot/2.0    the product token of a line is its leading letters, `_` and `-`: examplebot
//   User-agent: *
//   Crawl-delay: 5s               for the agents named since the last rule or delay
//   Disallow: /a                  for the agents named since the last rule; lines of other kinds end no group
//
// All groups of the first of our names that has any apply together. A colon may be missing, a key may be misspelt as
// people often do (`dissallow`) and go on (`disallowed`), only the first 16,663 bytes of a line count. Unlike Google's,
// `Allow: /a/index.html` does not allow `/a/`. No library was found that passes the published cases
// (test/validate/live/robots-cases.ts), says which line decided, and cannot be made to waste time or memory.
import { patternForm, requestForm } from './robots-form.js';
import { createMatch, type Rule } from './robots-match.js';
import { escapeOf } from './target.js';

/** So much of a robots.txt is read (RFC 9309, 2.5: at least 500 KiB); the rest is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Google's limit: eight times the longest URL of a browser. */
const MAX_LINE_LENGTH = 8 * 2083 - 1;

/** With the rule that decided; a path that none matches is allowed. */
export type RobotsVerdict =
  { readonly allowed: true; readonly rule?: Rule } | { readonly allowed: false; readonly rule: Rule };

export interface RobotsRules {
  /** `path` is a request target, as in {@link Target}. */
  readonly judge: (path: string) => RobotsVerdict;
  readonly crawlDelaySeconds: number;
}

/** Parses arbitrary bytes; lines that are not rules are skipped. `names` are ours, as in {@link robotNames}. */
export function parseRobots(body: Uint8Array, names: readonly string[]): RobotsRules {
  const groups = new Groups(names);
  for (const [at, line] of linesOf(body).entries()) groups.read(line, at + 1);
  const { rules, delaySeconds } = groups.ours;
  const match = createMatch(rules.values());
  return {
    crawlDelaySeconds: delaySeconds,
    judge(path) {
      const rule = /^\/robots\.txt(\?|$)/.test(path) ? undefined : match(requestForm(path));
      if (rule === undefined) return { allowed: true };
      return rule.allows ? { allowed: true, rule } : { allowed: false, rule };
    },
  };
}

/**
 * The names in robots.txt that mean us, the best first: the product token of the `User-Agent` header, which is what the
 * site's log shows; then that of the program, and all robots.
 */
export function robotNames(userAgent: string): string[] {
  return Array.from(new Set([productToken(userAgent), 'dustbuster', '*'])).filter((name) => name !== '');
}

/** Of a header or a line: letters, `_` and `-` (RFC 9309, 2.2.1), or the first word if it begins with none of them. */
function productToken(text: string): string {
  return (/^(?:[a-z_-]+|[^\s/]+)/i.exec(text)?.[0] ?? '').toLowerCase();
}

interface Group {
  isNamed: boolean;
  /** By pattern. */
  readonly rules: Map<string, Rule>;
  /** The longest of its lines. */
  delaySeconds: number;
}

/** What is said to each of our names. Lines for others are not kept. */
class Groups {
  readonly #byName = new Map<string, Group>();
  /** The groups that the next rule belongs to, and those that the next delay belongs to. */
  readonly #ruled = new Set<Group>();
  readonly #delayed = new Set<Group>();
  #hasRule = false;
  #hasDelay = false;

  constructor(names: readonly string[]) {
    for (const name of names) this.#byName.set(name, createGroup());
  }

  /** That of the first name which the file has; without one, an empty one. */
  get ours(): Group {
    return Array.from(this.#byName.values()).find(({ isNamed }) => isNamed) ?? createGroup();
  }

  read(text: string, line: number): void {
    const { key, value } = fieldOf(text);
    if (key === 'agent') this.#name(value);
    else if (key === 'delay') this.#delay(value);
    else if (key !== 'other') this.#rule(value, { allows: key === 'allow', line, text });
  }

  #name(value: string): void {
    if (this.#hasRule) this.#ruled.clear();
    if (this.#hasRule || this.#hasDelay) this.#delayed.clear();
    this.#hasRule = this.#hasDelay = false;
    const group = this.#byName.get(productToken(value));
    if (group === undefined) return;
    group.isNamed = true;
    this.#ruled.add(group);
    this.#delayed.add(group);
  }

  #delay(value: string): void {
    this.#hasDelay = true;
    for (const group of this.#delayed) group.delaySeconds = Math.max(group.delaySeconds, secondsIn(value));
  }

  #rule(path: string, parts: Omit<Rule, 'pattern'>): void {
    this.#hasRule = true;
    if (path === '' || this.#ruled.size === 0) return;
    const rule = { ...parts, pattern: patternForm(path) };
    for (const { rules } of this.#ruled) {
      const known = rules.get(rule.pattern);
      if (known === undefined || (rule.allows && !known.allows)) rules.set(rule.pattern, rule);
    }
  }
}

function createGroup(): Group {
  return { isNamed: false, rules: new Map(), delaySeconds: 0 };
}

/** The number that the value begins with, whatever its unit; 0 for none. */
function secondsIn(value: string): number {
  const seconds = Number.parseFloat(value);
  return seconds > 0 ? seconds : 0;
}

/** Lines without blanks around them, in printable ASCII and tabs. */
function linesOf(body: Uint8Array): string[] {
  const isCut = body.length >= MAX_ROBOTS_BYTES;
  const read = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MAX_ROBOTS_BYTES)).toString('latin1');
  const text = (isCut ? withoutLastLine(read) : read).replace(/^\xef(?:\xbb\xbf?)?/, ''); // a byte order mark
  const ascii = text.replace(/[^\t\n\r -~]/g, (char) => escapeOf(char.charCodeAt(0)));
  return ascii.split(/\r\n|\n|\r/).map((line) => line.slice(0, MAX_LINE_LENGTH).trim());
}

/** A rule of which half is missing would say something else. */
function withoutLastLine(text: string): string {
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

type Key = keyof typeof KEYS | 'other';

const KEYS = {
  agent: /^user[- ]?agent/,
  allow: /^allow/,
  disallow: /^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)/,
  delay: /^crawl[- ]?delay/,
} as const;

function fieldOf(line: string): { readonly key: Key; readonly value: string } {
  const comment = line.indexOf('#');
  const text = (comment < 0 ? line : line.slice(0, comment)).trim();
  const colon = text.indexOf(':');
  // Without a colon, only two words are a key and a value.
  const words = colon < 0 ? text.split(/[\t ]+/, 3) : [text.slice(0, colon), text.slice(colon + 1)];
  if (words.length !== 2) return { key: 'other', value: '' };
  const name = words[0]!.trim().toLowerCase();
  const key = (Object.keys(KEYS) as (keyof typeof KEYS)[]).find((known) => KEYS[known].test(name));
  return { key: key ?? 'other', value: words[1]!.trim() };
}
