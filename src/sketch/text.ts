// Which text does a body carry, if it is text at all?
//
//     text/html, application/xhtml+xml                     what a reader sees of it (html.ts)
//     text/*, JSON, XML, JavaScript, *+xml, *+json         all of it, markup included
//     application/octet-stream, no type, a type that is none    by its first bytes: binary, HTML or other text
//     anything else                                        no text
import { charsetIn, decodeBody, markedCharset } from './charset.js';
import { htmlText } from './html.js';

const SNIFFED_BYTES = 4096;

const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);
const unsaidTypes = new Set(['', 'application/octet-stream', 'application/unknown', 'unknown/unknown', '*/*']);
const textType =
  /^(?:text\/.+|application\/(?:json|xml|xml-dtd|(?:x-)?javascript|ecmascript|x-ndjson|x-yaml|yaml)|.+\+(?:xml|json))$/;

/** How HTML begins, after white space and an XML declaration (the list of the WHATWG's MIME Sniffing). */
const htmlStart =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]{0,2048}?-->\s*)?<(?:!doctype\s+html|!--|html|head|script|iframe|h1|div|font|table|a|style|title|body|b|br|p|meta|link)(?:[\s>/]|$)/i;

/** The text of a body, or undefined where it is none. `contentType` is the header as it was sent. Never throws. */
export function visibleText(body: Uint8Array, contentType: string | undefined): string | undefined {
  const header = contentType ?? '';
  const type = essenceOf(header);
  const charset = charsetIn(header.slice(header.indexOf(';') + 1));
  if (htmlTypes.has(type)) return htmlText(decodeBody(body, charset));
  const isUnsaid = unsaidTypes.has(type);
  if (!isUnsaid && !textType.test(type)) return undefined;
  // Servers call files that they do not know text/plain.
  if (isBinary(body, charset)) return undefined;
  const text = decodeBody(body, charset);
  return isUnsaid && htmlStart.test(text.slice(0, SNIFFED_BYTES)) ? htmlText(text) : text;
}

/** `type/subtype` in lower case, or nothing where the header holds no such thing. */
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
