// Which text does a body have, if it is text at all?
//
//    text/html, application/xhtml+xml                      the visible text (html.ts); but feeds are always XML
//    XML, *+xml; JSON, *+json                              their text, without markup and punctuation (xml.ts, json.ts)
//    other text/*, JavaScript, YAML                        all of it; but text/plain with HTML or XML is read as that
//    application/octet-stream, no type, an invalid type    by its first bytes: binary, HTML, XML, JSON or other text
//    anything else                                         no text
import { charsetIn, decodeBody, markedCharset } from './charset.js';
import { htmlText } from './html.js';
import { jsonText } from './json.js';
import { xmlText } from './xml.js';

const SNIFFED_BYTES = 4096;

const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);
const unsaidTypes = new Set(['', 'application/octet-stream', 'application/unknown', 'unknown/unknown', '*/*']);
const textType =
  /^(?:text\/.+|application\/(?:json|xml|xml-dtd|(?:x-)?javascript|ecmascript|x-ndjson|x-yaml|yaml)|.+\+(?:xml|json))$/;
const xmlType = /^(?:(?:text|application)\/xml|.+\+xml)$/;
const jsonType = /^(?:(?:text|application)\/(?:x-nd)?json|.+\+json)$/;

/** How HTML begins, after white space and an XML declaration (the list of the WHATWG's MIME Sniffing). */
const htmlStart =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,2048}?-->\s*)?<(?:!doctype\s+html|!--|html|head|script|iframe|h1|div|font|table|a|style|title|body|b|br|p|meta|link)(?:[\s>/]|$)/i;
/** How HTML begins that is nothing else: of what is called plain text or XML. */
const pureHtmlStart = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,2048}?-->\s*)?<(?:!doctype\s+html|html)(?:[\s>/]|$)/i;
const prolog = '^\\s*(?:<\\?xml[^>]*>\\s*)?(?:<\\?xml-stylesheet[^>]*>\\s*)*(?:<!--[^]{0,2048}?-->\\s*)?';
const feedStart = new RegExp(`${prolog}<(?:rss|feed|rdf:rdf|urlset|sitemapindex)(?:[\\s>/]|$)`, 'i');
const xmlStart = /^\s*<\?xml\s/;
const jsonStart = /^\s*(?:\{\s*["}]|\[\s*(?:[[{"\]\d-]|true|false|null))/;

type Kind = 'html' | 'xml' | 'json' | 'plain';

/** The text of a body, or undefined if it is none. `contentType` is the header as it was sent. Never throws. */
export function visibleText(body: Uint8Array, contentType: string | undefined): string | undefined {
  const { type, charset } = headerOf(contentType);
  const isUnsaid = unsaidTypes.has(type);
  if (!htmlTypes.has(type)) {
    if (!isUnsaid && !textType.test(type)) return undefined;
    // Servers use text/plain for unknown files.
    if (isBinary(body, charset)) return undefined;
  }
  const text = decodeBody(body, charset);
  const kind = kindOf(type, text.slice(0, SNIFFED_BYTES));
  switch (kind) {
    case 'html':
      return htmlText(text);
    case 'xml':
      return xmlText(text);
    case 'json':
      return jsonText(text);
    case 'plain':
      return text;
    default:
      return kind satisfies never;
  }
}

/** The source of the first `maxBytes` of an HTML page; undefined for any other body. */
export function htmlSource(body: Uint8Array, contentType: string | undefined, maxBytes: number): string | undefined {
  const { type, charset } = headerOf(contentType);
  if (!htmlTypes.has(type) && !unsaidTypes.has(type) && type !== 'text/plain') return undefined;
  const source = decodeBody(body.subarray(0, maxBytes), charset);
  return kindOf(type, source.slice(0, SNIFFED_BYTES)) === 'html' ? source : undefined;
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

/** NUL anywhere or other bytes that no text has near the beginning; but UTF-16 and UTF-32 have NULs. */
function isBinary(body: Uint8Array, charset: string | undefined): boolean {
  if (body[0] === 0x25 && body[1] === 0x50 && body[2] === 0x44 && body[3] === 0x46) return true; // %PDF
  const marked = markedCharset(body);
  if (marked?.startsWith('utf-16') || /^(?:utf-?(?:16|32)|ucs-?[24])/i.test(charset ?? '')) return false;
  if (body.includes(0)) return true;
  const head = body.subarray(0, SNIFFED_BYTES);
  return head.some((byte) => byte < 0x20 && !isTextControl(byte));
}

/** Tab, line feed, form feed, carriage return, and the escape that ISO-2022-JP switches with. */
function isTextControl(byte: number): boolean {
  return byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x1b;
}
