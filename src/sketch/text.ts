// The text of a body, if it is text at all:
//
//    text/html, application/xhtml+xml                      the visible text (html.ts); but feeds are always XML
//    XML, *+xml; JSON, *+json                              their text, without markup and punctuation (xml.ts, json.ts)
//    other text/*, JavaScript, YAML                        all of it; but text/plain with HTML or XML is read as that
//    application/octet-stream, no type, an invalid type    by its first bytes: binary, HTML, XML, JSON or other text
//    anything else                                         no text
import { charsetIn, markedCharset, utf8Of } from './charset.js';
import { htmlTextBytes } from './html.js';
import { xmlText } from './xml.js';

const SNIFFED_BYTES = 4096;
/** The most bytes that a code unit takes in UTF-8. */
const MAX_UTF8 = 3;

const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);
const unsaidTypes = new Set(['', 'application/octet-stream', 'application/unknown', 'unknown/unknown', '*/*']);
const textType =
  /^(?:text\/.+|application\/(?:json|xml|xml-dtd|(?:x-)?javascript|ecmascript|x-ndjson|x-yaml|yaml)|.+\+(?:xml|json))$/;
const xmlType = /^(?:(?:text|application)\/xml|.+\+xml)$/;
const jsonType = /^(?:(?:text|application)\/(?:x-nd)?json|.+\+json)$/;

/** The beginning of HTML, after white space and an XML declaration (the list of WHATWG's MIME Sniffing). */
const htmlStart =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,2048}?-->\s*)?<(?:!doctype\s+html|!--|html|head|script|iframe|h1|div|font|table|a|style|title|body|b|br|p|meta|link)(?:[\s>/]|$)/i;
/** The beginning of HTML that can be nothing else, for bodies declared as plain text or XML. */
const pureHtmlStart = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,2048}?-->\s*)?<(?:!doctype\s+html|html)(?:[\s>/]|$)/i;
const prolog = '^\\s*(?:<\\?xml[^>]*>\\s*)?(?:<\\?xml-stylesheet[^>]*>\\s*)*(?:<!--[^]{0,2048}?-->\\s*)?';
const feedStart = new RegExp(`${prolog}<(?:rss|feed|rdf:rdf|urlset|sitemapindex)(?:[\\s>/]|$)`, 'i');
const xmlStart = /^\s*<\?xml\s/;
const jsonStart = /^\s*(?:\{\s*["}]|\[\s*(?:[[{"\]\d-]|true|false|null))/;

type Kind = 'html' | 'xml' | 'json' | 'plain';

/** A body that is text. */
export interface Source {
  readonly kind: Kind;
  /** Without a byte order mark. */
  readonly utf8: Uint8Array;
}

/** The kind of text that a body is, or undefined. `contentType` is the header as sent. Never throws. */
export function sourceOf(body: Uint8Array, contentType: string | undefined): Source | undefined {
  const { type, charset } = headerOf(contentType);
  const isUnsaid = unsaidTypes.has(type);
  if (!htmlTypes.has(type)) {
    if (!isUnsaid && !textType.test(type)) return undefined;
    // Servers use text/plain for unknown files.
    if (isBinary(body, charset)) return undefined;
  }
  const utf8 = utf8Of(body, charset);
  return { kind: kindOf(type, textOf(utf8.subarray(0, MAX_UTF8 * SNIFFED_BYTES)).slice(0, SNIFFED_BYTES)), utf8 };
}

/** The visible text of a body in UTF-8. The next call may overwrite it. */
export function seenOf({ kind, utf8 }: Source): Uint8Array {
  switch (kind) {
    case 'html':
      return htmlTextBytes(utf8);
    case 'xml':
      return Buffer.from(xmlText(textOf(utf8)));
    case 'json':
      return Buffer.from(jsonText(textOf(utf8)));
    case 'plain':
      return utf8;
    default:
      return kind satisfies never;
  }
}

/** The visible text of a body, or undefined if it is no text. `contentType` is the header as sent. Never throws. */
export function visibleText(body: Uint8Array, contentType: string | undefined): string | undefined {
  const source = sourceOf(body, contentType);
  return source === undefined ? undefined : textOf(seenOf(source));
}

function textOf(utf8: Uint8Array): string {
  return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString();
}

function headerOf(contentType: string | undefined): { readonly type: string; readonly charset: string | undefined } {
  const header = contentType ?? '';
  return { type: essenceOf(header), charset: charsetIn(header.slice(header.indexOf(';') + 1)) };
}

function kindOf(type: string, start: string): Kind {
  if (htmlTypes.has(type)) return feedStart.test(start) ? 'xml' : 'html';
  if (jsonType.test(type)) return 'json';
  if (xmlType.test(type)) return pureHtmlStart.test(start) ? 'html' : 'xml';
  const isUnsaid = unsaidTypes.has(type);
  if (!isUnsaid && type !== 'text/plain') return 'plain';
  if ((isUnsaid ? htmlStart : pureHtmlStart).test(start)) return 'html';
  if (feedStart.test(start) || xmlStart.test(start)) return 'xml';
  return isUnsaid && jsonStart.test(start) ? 'json' : 'plain';
}

/** `type/subtype` in lower case, or '' if the header has none. */
function essenceOf(header: string): string {
  const type = (header.split(/[;,]/, 1)[0] ?? '').trim().toLowerCase();
  return /^[^\s/]+\/[^\s/]+$/.test(type) ? type : '';
}

/** True for a NUL anywhere, or another byte near the beginning that no text has. UTF-16 and UTF-32 may have NULs. */
function isBinary(body: Uint8Array, charset: string | undefined): boolean {
  if (body[0] === 0x25 && body[1] === 0x50 && body[2] === 0x44 && body[3] === 0x46) return true; // %PDF
  const marked = markedCharset(body);
  if (marked?.startsWith('utf-16') || /^(?:utf-?(?:16|32)|ucs-?[24])/i.test(charset ?? '')) return false;
  if (body.indexOf(0) >= 0) return true;
  const length = Math.min(body.length, SNIFFED_BYTES);
  for (let at = 0; at < length; at++) if (body[at]! < 0x20 && !isTextControl(body[at]!)) return true;
  return false;
}

/** Tab, line feed, form feed, carriage return, and ESC, which ISO-2022-JP uses. */
function isTextControl(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b;
}

// The readable text of a JSON document:
//
//     {"title":"Caf\u00e9 \"Nord\"","tags":[1,true]}   →   title Café "Nord"  tags  1 true
//
// Keys and values without the punctuation around them. This scans and does not parse, so truncated text and JSON lines
// work too, and depth costs nothing.

const escapes: Readonly<Record<string, string>> = { b: ' ', f: ' ', n: '\n', r: '\r', t: '\t' };

/** The text of a JSON document, words separated by white space. Any string is one; takes linear time. */
export function jsonText(source: string): string {
  const parts: string[] = [];
  for (let at = 0; at < source.length;) {
    const quote = source.indexOf('"', at);
    const open = quote < 0 ? source.length : quote;
    parts.push(source.slice(at, open).replace(/[{}[\],:]+/g, ' '));
    const close = endOfString(source, open + 1);
    parts.push(unescaped(source.slice(open + 1, close)));
    at = close + 1;
  }
  return parts.join(' ').trim();
}

/** The offset of the quote that ends the string which begins at `at`. */
function endOfString(source: string, at: number): number {
  for (; at < source.length && source[at] !== '"'; at++) if (source[at] === '\\') at++;
  return Math.min(at, source.length);
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-f]{4})|([^]))/gi, (_, hex: string | undefined, char: string) =>
    hex === undefined ? (escapes[char] ?? char) : String.fromCharCode(parseInt(hex, 16)),
  );
}
