// Finds the charset of a text. The first of these that names a known charset decides, as in browsers:
//
//     byte order mark · charset of the Content-Type · <meta> or XML declaration in the first 1,024 bytes
//     · UTF-8 if the bytes are UTF-8 · windows-1252
import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import iconv from 'iconv-lite';

const PRESCAN_BYTES = 1024;

/**
 * iconv-lite accepts these labels too. Most are no charsets, so a header that names one is wrong. UTF-7 is a charset,
 * but browsers refuse it, because markup can hide in it; and decoding 5 MB of it took 3 s, in which no signal was
 * handled.
 */
const noCharsets = new Set(['base64', 'hex', 'binary', 'internal', 'utf7imap', 'utf7', 'unicode11utf7']);

/**
 * The text of `body` as UTF-8, without a byte order mark; usually a part of `body` itself. `declared`: the charset that
 * the Content-Type names. Never throws.
 */
export function utf8Of(body: Uint8Array, declared: string | undefined): Uint8Array {
  const marked = markedCharset(body);
  if (marked === undefined || marked === 'utf-8') {
    const isOwn = marked !== undefined || isNameOfUtf8(declared) || isUtf8Inside(body, declared);
    if (isOwn && isUtf8(body)) return marked === undefined ? body : body.subarray(3);
  }
  return Buffer.from(decodeBody(body, declared));
}

function isNameOfUtf8(label: string | undefined): boolean {
  return label !== undefined && /^\s*utf-?8\s*$/i.test(label);
}

/** True if the Content-Type names no charset, and the body declares UTF-8 or nothing. */
function isUtf8Inside(body: Uint8Array, declared: string | undefined): boolean {
  if (declared !== undefined) return false;
  const inside = charsetInside(body);
  return inside === undefined || isNameOfUtf8(inside);
}

/** The text of `body` without a byte order mark. `declared`: the charset that the Content-Type names. Never throws. */
function decodeBody(body: Uint8Array, declared: string | undefined): string {
  const marked = markedCharset(body);
  if (marked !== undefined) return new TextDecoder(marked).decode(body);
  return (
    decodeAs(body, declared) ??
    decodeAs(body, charsetInside(body)) ??
    decodeStrictly(body) ??
    new TextDecoder('windows-1252').decode(body)
  );
}

/** The charset of the byte order mark, if there is one. */
export function markedCharset(body: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** The decoded body; undefined if the label is unknown. Bytes without a character in the charset become U+FFFD. */
function decodeAs(body: Uint8Array, label: string | undefined): string | undefined {
  const name = label?.trim().toLowerCase() ?? '';
  if (name === '') return undefined;
  return decoderOf(name)?.decode(body) ?? decodeRarely(body, name);
}

function decoderOf(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // an unknown label
    throw error;
  }
}

function decodeRarely(body: Uint8Array, name: string): string | undefined {
  if (!/^[a-z][a-z0-9_.:-]*$/.test(name) || noCharsets.has(name.replace(/[^a-z0-9]/g, ''))) return undefined;
  return iconv.encodingExists(name) ? iconv.decode(body, name) : undefined;
}

function decodeStrictly(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return undefined; // a byte that is not UTF-8
    throw error;
  }
}

/** The charset that the text declares. Reads byte by byte, so a text in UTF-16 cannot declare itself. */
function charsetInside(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN_BYTES)).toString('latin1');
  const label = charsetOfXml(head) ?? charsetOfMeta(head);
  if (label === undefined) return undefined;
  return /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function charsetOfXml(head: string): string | undefined {
  return /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']/.exec(head)?.[1];
}

function charsetOfMeta(head: string): string | undefined {
  const markup = head.replace(/<!--[^]*?(?:-->|$)/g, '');
  for (const [tag] of markup.matchAll(/<meta[\s/][^>]*/gi)) {
    const content = /[\s"'/]content\s*=\s*("[^"]*"|'[^']*'|\S+)/i.exec(tag);
    const rest = content === null ? tag : tag.replace(content[0], ' ');
    const isType = /[\s"'/]http-equiv\s*=\s*["']?\s*content-type/i.test(rest);
    const label = charsetIn(rest) ?? (isType ? charsetIn(content?.[1] ?? '') : undefined);
    if (label !== undefined) return label;
  }
  return undefined;
}

/** The value of the first `charset=` of a tag or a Content-Type. */
export function charsetIn(text: string): string | undefined {
  return /(?:^|[\s;"'/])charset\s*=\s*(?:["']\s*)?([^\s"';>]+)/i.exec(text)?.[1];
}
