// Decodes character references of HTML:
//
//     &amp; → &    &eacute → é    &#20013; → 中    &notit; → ¬it;    &nosuch; → &nosuch;
//
// htmlparser2, which has the standard's list of 2,231 names, decodes them. A table by hash keeps the results, as a page
// has few distinct references. In an attribute, a name without semicolon before `=` or a letter stands for itself, so
// that `?a=1&copy=2` stays an address.
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { isText } from '../../base/bytes.js';

type Place = 'text' | 'attribute';

/** What follows a reference, as far as it matters. */
type After = 'end' | 'equals' | 'other';

interface Kept {
  readonly source: Uint8Array;
  readonly isEqualsNext: boolean;
  readonly text: Uint8Array;
}

const SEMICOLON = 0x3b;
const EQUALS = 0x3d;

/** Longer references are not kept. */
const MAX_KEPT_BYTES = 64;
const SLOTS = 1 << 10;
const slots = (): (Kept | undefined)[] => Array.from({ length: SLOTS });
const kept = { text: slots(), attribute: slots() };

/** The end of a reference that may begin with the ampersand at `at`: after letters, digits and a semicolon. */
export function referenceEnd(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < bytes.length && isOfReference(bytes[end]!)) end++;
  return bytes[end] === SEMICOLON ? end + 1 : end;
}

function isOfReference(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) || byte === 0x23;
}

/**
 * The text of the reference in bytes[start, end), which ends at its `referenceEnd`, in UTF-8. Often it is the reference
 * itself.
 */
export function referenceText(bytes: Uint8Array, start: number, end: number, place: Place): Uint8Array {
  if (end === bytes.length) return decoded(bytes, start, end, place, 'end');
  const isEqualsNext = place === 'attribute' && bytes[end] === EQUALS;
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
  const slot = (hash ^ (hash >>> 10)) & (SLOTS - 1);
  const known = kept[place][slot];
  if (known !== undefined && known.isEqualsNext === isEqualsNext && isText(bytes, start, end, known.source)) {
    return known.text;
  }
  const text = decoded(bytes, start, end, place, isEqualsNext ? 'equals' : 'other');
  if (end - start <= MAX_KEPT_BYTES) kept[place][slot] = { source: bytes.slice(start, end), isEqualsNext, text };
  return text;
}

const tails = { end: '', equals: '=', other: '\n' } as const;

function decoded(bytes: Uint8Array, start: number, end: number, place: Place, after: After): Uint8Array {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const tail = tails[after];
  const listener = new Listener(place === 'text' ? source + tail : `<a b="${source}${tail}`);
  const tokenizer = new Tokenizer({}, listener);
  tokenizer.write(listener.source);
  tokenizer.end();
  return Buffer.from(listener.text.slice(0, listener.text.length - tail.length));
}

class Listener implements TokenizerCallbacks {
  readonly source: string;
  text = '';

  constructor(source: string) {
    this.source = source;
  }

  ontext(start: number, end: number): void {
    this.text += this.source.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    this.text += String.fromCodePoint(codePoint);
  }

  onattribdata(start: number, end: number): void {
    this.text += this.source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.text += String.fromCodePoint(codePoint);
  }

  onopentagname(): void {}
  onclosetag(): void {}
  onattribname(): void {}
  onattribend(): void {}
  onopentagend(): void {}
  onselfclosingtag(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
