// Which lines of a robots.txt do not say what they seem to say? Crawlers skip what they do not understand, so a misspelt
// line is silently no line.
import { fieldOf, linesOf, MAX_LINE_LENGTH, MAX_ROBOTS_BYTES } from './lines.js';

/** `error`: a line that does nothing, or not what it says. `note`: crawlers differ. */
export interface Fault {
  readonly line: number;
  readonly kind: 'error' | 'note';
  readonly says: string;
}

/** Keys beside those of RFC 9309 that some crawler reads. */
const KNOWN = new Set(
  'sitemap host clean-param content-signal content-usage request-rate visit-time cache-delay'.split(' '),
);
const GONE = new Set(['noindex', 'nofollow', 'noarchive', 'nosnippet']);
const MOST_FAULTS = 1000;

export function faultsOf(body: Uint8Array): readonly Fault[] {
  if (isHtml(body)) return [{ line: 1, kind: 'error', says: 'this is a page in HTML, not a robots.txt' }];
  const faults: Fault[] = [];
  if (body.length >= MAX_ROBOTS_BYTES)
    faults.push({ line: 1, kind: 'error', says: 'the file is longer than 500 KiB: crawlers read no further' });
  let hasAgent = false;
  for (const [at, text] of linesOf(body).entries()) {
    if (faults.length >= MOST_FAULTS) break;
    for (const fault of lineFaults(text, hasAgent)) faults.push({ line: at + 1, ...fault });
    if (fieldOf(text).key === 'agent') hasAgent = true;
  }
  return faults;
}

/** Servers that answer every request with a page answer this one so too. */
export function isHtml(body: Uint8Array): boolean {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(start);
}

type Said = Omit<Fault, 'line'>;

function lineFaults(text: string, hasAgent: boolean): readonly Said[] {
  const { key, name, value } = fieldOf(text);
  const error = (says: string): Said => ({ kind: 'error', says });
  const note = (says: string): Said => ({ kind: 'note', says });
  if (text === '' || text.startsWith('#')) return [];
  if (name === '') return [error('no crawler understands it: expected a key, a colon and a value')];
  if (key === 'other') return unknownKey(name, error);
  const long = text.length >= MAX_LINE_LENGTH ? [error('the line is too long: crawlers cut it off')] : [];
  const spelt = keyFaults(key, name, text, error);
  if (key === 'agent') return [...long, ...spelt, ...agentFaults(value, error, note)];
  if (!hasAgent) return [error('it stands before the first User-agent, so it is for no crawler')];
  if (key === 'delay') return [...spelt, ...delayFaults(value, error)];
  return [...long, ...spelt, ...pathFaults(value, error, note)];
}

type Say = (says: string) => Said;

function unknownKey(name: string, error: Say): readonly Said[] {
  if (KNOWN.has(name)) return [];
  if (GONE.has(name)) return [error(`no crawler reads ${name} in robots.txt; it belongs into the page or its headers`)];
  return [error(`no crawler knows the key ${name.slice(0, 40)}`)];
}

const SPELT = { agent: 'user-agent', allow: 'allow', disallow: 'disallow', delay: 'crawl-delay' } as const;

function keyFaults(key: keyof typeof SPELT, name: string, text: string, error: Say): readonly Said[] {
  if (name !== SPELT[key])
    return [error(`${name} is misspelt: some crawlers take it for ${SPELT[key]}, others skip it`)];
  return text.split('#', 1)[0]!.includes(':') ? [] : [error('the colon is missing: some crawlers skip the line')];
}

function agentFaults(value: string, error: Say, note: Say): readonly Said[] {
  if (value === '') return [error('it names no crawler')];
  const token = /^[a-z_-]+/i.exec(value)?.[0] ?? '';
  const word = /^[^\s/]+/.exec(value)![0];
  if (word === '*' || token === word) return [];
  const says = token === '' ? 'is no name by RFC 9309' : `is ${token} by RFC 9309`;
  return [note(`${word.slice(0, 40)} ${says}, which knows letters, _ and - only; most crawlers still find their name`)];
}

function delayFaults(value: string, error: Say): readonly Said[] {
  return /^\d*\.?\d/.test(value) ? [] : [error('it has no number of seconds')];
}

function pathFaults(value: string, error: Say, note: Say): readonly Said[] {
  if (value === '') return [];
  if (/^https?:\/\//i.test(value)) return [error('it has a whole URL, and a path was expected: it matches nothing')];
  if (!/^[/*$]/.test(value)) return [error('the path does not begin with / or *: it matches nothing')];
  if (/\s[/*]/.test(value)) return [error('it has two paths: expected one a line')];
  const inside = value.slice(0, -1).includes('$') ? [note('a $ that is not at the end is an ordinary sign')] : [];
  const escaped = /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9ae]|3[0-9]|2[de]|5f)/i.test(value)
    ? [note('letters are escaped: by RFC 9309 they are the letters, but Google compares them as they stand')]
    : [];
  return [...inside, ...escaped];
}
