// Which prefixes do programs write before the lines of a log? Those that collect what containers print, syslog and
// journald, and `grep` over several files. Nothing in them belongs to the line.
import { compilePattern, type Pattern, skipPattern } from './pattern.js';

export const ESCAPE = 0x1b;

/** RFC 3339, and ISO 8601 as rsyslog and journald write it. */
const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:[.,]\d+)?[Z+-][\d:]{0,5}`;
const COLOUR = String.raw`(?:\x1b\[[\d;]*m)?`;
const COLOURS = COLOUR + COLOUR;
/** What syslog writes before the message: `<190>`, and `nginx[12]: ` behind the host. */
const PRIORITY = String.raw`(?:<\d{1,3}>)?`;
const TAG = String.raw`[^ :[\]<>{}"]+(?:\[[^\]"]*\])?: ?`;
/** A name of a file has a dot, a slash or `_`; the `h:x` of a line without a prefix does not. */
const FILE = String.raw`[A-Za-z0-9+~@-]*[./_][^ :"{}[\]|<>]*:`;
/** `[id key="value"]` of RFC 5424. */
const DATA = String.raw`(?:\[[^\]]*\])?`;

/** In this order: of two that explain as many lines, the first is chosen. */
const EXPRESSIONS = {
  // 2026-03-02T06:00:00.689166775Z stdout F line
  cri: `${TIME} std[a-z]{3} F `,
  // [pod/web-5d4f8b7c9-x2x7q/nginx] line
  kubectl: String.raw`\[pod/[^/ ]+/[^\] ]+\] `,
  // web-1  | line
  compose: String.raw`${COLOURS}[\w.@-]+ *\|${COLOURS} ${COLOUR}`,
  // Mar  2 06:00:00 web1 nginx[12]: line        as journald shows it, and RFC 3164
  syslog: String.raw`${PRIORITY}[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2}(?:[.,]\d+)? [^ ]+ ${TAG}`,
  // 2026-03-02T06:00:00.123456+00:00 web1 nginx[12]: line
  rsyslog: `${PRIORITY}${TIME} [^ ]+ ${TAG}`,
  // <190>1 2026-03-02T06:00:00Z web1 nginx 12 - - line
  rfc5424: String.raw`${PRIORITY}1 [\dTZ:.,+-]+ [^ ]+ [^ ]+ [^ ]+ [^ ]+ -?${DATA}${DATA} (?:\xef\xbb\xbf)?`,
  // 2026-03-02T06:00:00+00:00 app[web.1]: line
  heroku: String.raw`${TIME} [a-z]+\[[\w.-]+\]: `,
  // 06:00:00 web.1  | line
  foreman: String.raw`${COLOUR}\d{2}:\d{2}:\d{2} [\w.-]+ *\|${COLOURS} ${COLOUR}`,
  // 2026-03-02T06:00:00.689166775Z line         of `--timestamps`
  timestamps: `${TIME} `,
  // web-5d4f8b7c9-x2x7q nginx line
  stern: String.raw`${COLOURS}[a-z0-9.]+-[a-z0-9.-]+${COLOURS} ${COLOURS}[a-z0-9-]+${COLOURS} ${COLOURS}`,
  // access.log:12:line
  'grep -n': String.raw`${FILE}\d+:`,
  // access.log:line
  grep: FILE,
} as const;

export type PrefixName = keyof typeof EXPRESSIONS;

export const PREFIX_NAMES = Object.keys(EXPRESSIONS) as PrefixName[];

/** Other text may look like these: they are known only where most of the first lines of an input have them. */
const COMMON_SHAPES: readonly PrefixName[] = ['stern', 'grep -n', 'grep'];

/** Prefixes that one line is enough to know by. */
export const SURE_NAMES = PREFIX_NAMES.filter((name) => !COMMON_SHAPES.includes(name));

const patterns = new Map<PrefixName, Pattern>();

export function patternOf(name: PrefixName): Pattern {
  let pattern = patterns.get(name);
  if (pattern === undefined) patterns.set(name, (pattern = compilePattern(EXPRESSIONS[name])));
  return pattern;
}

const colour = compilePattern(String.raw`\x1b\[[\d;]*m`);

/** Writes bytes[start, end) without `\x1b[32m` and the like; returns the length. */
export function copyWithoutColours(bytes: Uint8Array, start: number, end: number, to: Uint8Array): number {
  let out = 0;
  for (let at = start; at < end;) {
    const next = bytes[at] === ESCAPE ? skipPattern(colour, bytes, at, end) : -1;
    if (next > at) at = next;
    else to[out++] = bytes[at++]!;
  }
  return out;
}

/** The expression of a prefix, as text. */
export function expressionOf(name: PrefixName): string {
  return EXPRESSIONS[name];
}

/** The offset after all these prefixes of bytes[start, end); -1 if one of them is not there. */
export function skipPrefixes(names: readonly PrefixName[], bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (let k = 0; k < names.length && at >= 0; k++) at = skipPattern(patternOf(names[k]!), bytes, at, end);
  return at;
}
