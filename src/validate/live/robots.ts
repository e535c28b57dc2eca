// May this page be fetched, and which line of robots.txt decides? By RFC 9309, with lines read as Google's parser does:
//
//   User-agent: ExampleBot/2.0    the product token of a line is its leading letters, `_` and `-`: examplebot
//   User-agent: *
//   Crawl-delay: 5s               for the agents named since the last rule or delay
//   Disallow: /a                  for the agents named since the last rule; lines of other kinds end no group
//
// The program has several names, and the first name with a group counts: all groups with that name apply together. A
// colon may be missing, a key may have a common typing error (`dissallow`) or a suffix (`disallowed`), and only the
// first 16,663 bytes of a line count. Unlike Google's parser, `Allow: /a/index.html` does not allow `/a/`. No library
// was found that passes the published cases (test/validate/live/robots-cases.ts), says which line decided, and cannot
// be made to waste time or memory.
import { encodeText } from '../../base/bytes.js';
import { type Rule, createMatch } from './robots-match.js';
import { escapeBytes, escapeOf } from './target.js';

/** Only so much of a robots.txt is read (RFC 9309, 2.5: at least 500 KiB). */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Google's limit: eight times the longest URL of a browser. */
const MAX_LINE_LENGTH = 8 * 2083 - 1;

/** The verdict and the rule that decided. A path is allowed if no rule matches it. */
export type RobotsVerdict =
  { readonly allowed: true; readonly rule?: Rule } | { readonly allowed: false; readonly rule: Rule };

export interface RobotsRules {
  /** `path` is a request target, as in {@link Target}. */
  readonly judge: (path: string) => RobotsVerdict;
  readonly crawlDelaySeconds: number;
}

/** Parses arbitrary bytes, skipping lines that are not rules. `names` come from {@link robotNames}. */
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

interface Group {
  isNamed: boolean;
  /** The rules by their pattern. */
  readonly rules: Map<string, Rule>;
  /** The longest crawl-delay of the group. */
  delaySeconds: number;
}

/** The groups for this program's names. Lines for other robots are not kept. */
class Groups {
  readonly #byName = new Map<string, Group>();
  /** The groups that the next rule belongs to, and the groups that the next delay belongs to. */
  readonly #ruled = new Set<Group>();
  readonly #delayed = new Set<Group>();
  #hasRule = false;
  #hasDelay = false;

  constructor(names: readonly string[]) {
    for (const name of names) this.#byName.set(name, createGroup());
  }

  /** The group of the first name that the file has; an empty group if it has none. */
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

/** The number at the start of the value, whatever its unit; 0 if there is none. */
function secondsIn(value: string): number {
  const seconds = Number.parseFloat(value);
  return seconds > 0 ? seconds : 0;
}

/** Lines without spaces at their ends, in printable ASCII and tabs. */
function linesOf(body: Uint8Array): string[] {
  const isCut = body.length >= MAX_ROBOTS_BYTES;
  const read = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MAX_ROBOTS_BYTES)).toString('latin1');
  const text = (isCut ? withoutLastLine(read) : read).replace(/^\xef(?:\xbb\xbf?)?/, ''); // a byte order mark
  const ascii = text.replace(/[^\t\n\r -~]/g, (char) => escapeOf(char.charCodeAt(0)));
  return ascii.split(/\r\n|\n|\r/).map((line) => line.slice(0, MAX_LINE_LENGTH).trim());
}

/** Drops a line that was cut off: half a rule would have another meaning. */
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
  // A line without a colon is a key and a value only if it has two words.
  const words = colon < 0 ? text.split(/[\t ]+/, 3) : [text.slice(0, colon), text.slice(colon + 1)];
  if (words.length !== 2) return { key: 'other', value: '' };
  const name = words[0]!.trim().toLowerCase();
  const key = (Object.keys(KEYS) as (keyof typeof KEYS)[]).find((known) => KEYS[known].test(name));
  return { key: key ?? 'other', value: words[1]!.trim() };
}

// Before they are compared, paths of rules and of requests are brought into the same form (RFC 9309, 2.2.2 and 2.2.3):
//
//   rule       /*?filter[]='a'  %7Euser  %c3%a9  é       a%2Ab  $b$    →  /*?filter%5B%5D=%27a%27  ~user  %C3%A9  %C3%A9  a%2Ab  %24b$
//   request    /x?filter[]='a'  ~user    %C3%A9          a*b    $b     →  /x?filter%5B%5D=%27a%27  ~user  %C3%A9          a%2Ab  %24b
//
// Unreserved characters are unescaped. The delimiters of URLs are neither escaped nor unescaped, since `/a%2Fb` is not
// `/a/b`. So a rule `?to=http://b` does not match `?to=http%3A%2F%2Fb`. RFC 9309 demands that it does in a query, but
// no crawler complies: a rule `/*/b` should match below a query too.

/** Characters that become escapes: all others except `%`, which begins one. */
const CHANGED = /[^A-Za-z0-9\-._~;,/?:@&=+!()%]/g;
const ESCAPE = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** The path of a rule, in ASCII. A `*` that is left, or a `$` at the end, is a wildcard. */
export function patternForm(path: string): string {
  const end = path.endsWith('$') ? '$' : '';
  const parts = path.slice(0, path.length - end.length).split('*');
  return parts.map(formOf).join('*') + end;
}

/** A request target in the common form, without dot segments. */
export function requestForm(target: string): string {
  const form = formOf(/[^!-~]/.test(target) ? escapeBytes(encodeText(target)) : target);
  return form.includes('/.') ? withoutDots(form) : form;
}

function formOf(text: string): string {
  return text
    .replace(CHANGED, (char) => escapeOf(char.charCodeAt(0)))
    .replace(ESCAPE, (escape) => {
      const char = String.fromCharCode(parseInt(escape.slice(1), 16));
      return UNRESERVED.test(char) ? char : escape.toUpperCase();
    });
}

/** In this form, a URL object only removes the dot segments. */
function withoutDots(form: string): string {
  const { pathname, search } = new URL(`http://robots.invalid${form}`);
  return pathname + search;
}
