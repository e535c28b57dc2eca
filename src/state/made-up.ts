// Pseudonyms for the values of visitors in a state. Nights need to know which URLs differ, not the sessions, keys and
// addresses in them. So each token of such a value is replaced by a made-up token of the same shape. The state has a
// secret key for that, which makes the replacement the same every night:
//
//     ?sid=a7f3c2&id=7                     ->  ?sid=d0b9e4&id=7
//     /u/ann%40example.org                 ->  /u/qzt%40kfhwawe.bxs
//     ?k=sk_live_9fQ2xLb0                  ->  ?k=sk_live_4dW7aKm5       the prefix names the kind of key, and stays
//
// Equal tokens stay equal, and different tokens different: short tokens are permuted (a Feistel network over their
// characters), long tokens are hashed, which cannot be undone. So the buckets, groups and pairs are the same as
// without.
import { createHmac } from 'node:crypto';
import { AMPERSAND, AT, EQUALS, PERCENT, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import type { RecordBatch } from '../log/record.js';
import { secretKindOf, secretOf } from '../url/secret.js';

/** A shorter value is no secret, unless its name says so or it is an address. */
const LEAST_UNNAMED = 16;
const MOST_KNOWN = 1 << 16;

/** Prefixes that name a kind of key. */
const KEPT =
  /^(?:(?:sk|pk|rk)_(?:live|test)_|gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|AKIA|ASIA|AIza|ya29\.|eyJ|SG\.|whsec_|shp(?:at|ss|ca|pa)_|npm_|hf_|dop_v1_)/;
const TOKEN = /%[0-9A-Fa-f]{2}|[A-Za-z0-9]+/g;

export class MadeUpValues {
  readonly #key: Uint8Array;
  readonly #isTelling = new Map<string, boolean>();
  readonly #tokens = new Map<string, string>();

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Replaces values in the URLs of a batch, in place: no value changes its length. */
  putInto({ bytes: { buffer, byteOffset, length }, rows, urlStart, urlEnd }: RecordBatch): void {
    const bytes = Buffer.from(buffer, byteOffset, length);
    for (let row = 0; row < rows; row++) this.#putIntoUrl(bytes, urlStart[row]!, urlEnd[row]!);
  }

  /** The URL with made-up values. */
  urlOf(url: Uint8Array): Uint8Array {
    const bytes = Buffer.from(url);
    this.#putIntoUrl(bytes, 0, bytes.length);
    return bytes;
  }

  /** Replaces all tokens of a text, as in a value of a visitor. */
  textOf(text: string): string {
    return this.#valueFor(text);
  }

  #putIntoUrl(bytes: Buffer, start: number, end: number): void {
    let at = pathAt(bytes, start, end);
    let isQuery = false;
    for (let from = at; at <= end; at++) {
      const byte = at < end ? bytes[at]! : SEMICOLON;
      const isCut = isQuery
        ? byte === AMPERSAND || byte === SEMICOLON
        : byte === SLASH || byte === SEMICOLON || byte === QUESTION;
      if (!isCut) continue;
      if (at - from > 3) this.#putIntoPiece(bytes, from, at);
      from = at + 1;
      isQuery ||= byte === QUESTION;
    }
  }

  #putIntoPiece(bytes: Buffer, start: number, end: number): void {
    let value = start;
    let isOdd = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === EQUALS && value === start) value = at + 1;
      else if (byte === EQUALS || byte === AT || byte === PERCENT) isOdd = true;
    }
    if (value === end) return;
    const name = value === start ? '' : bytes.toString('latin1', start, value - 1);
    if (!isOdd && end - value < LEAST_UNNAMED && !(name !== '' && this.#tells(name))) return;
    const text = bytes.toString('latin1', value, end);
    const secret = secretOf(name, text);
    if (secret === undefined || secret.kind === 'random') return;
    bytes.write(this.#valueFor(text.slice(0, secret.length)), value, 'latin1');
  }

  /** True for a name whose values are secrets even if they are short. */
  #tells(name: string): boolean {
    let isTelling = this.#isTelling.get(name);
    if (isTelling !== undefined) return isTelling;
    if (this.#isTelling.size >= MOST_KNOWN) this.#isTelling.clear();
    this.#isTelling.set(name, (isTelling = secretKindOf(name, 'a1b2c3') !== undefined));
    return isTelling;
  }

  #valueFor(value: string): string {
    const kept = KEPT.exec(value)?.[0] ?? '';
    // The names of an inner query stay, so that its values can still be recognised.
    const isInner = /=|%(?:25)*3d/i.test(value);
    const made = value
      .slice(kept.length)
      .replace(TOKEN, (token) =>
        token.startsWith('%') || (isInner && !/\d/.test(token)) ? token : this.#tokenFor(token),
      );
    return kept + made;
  }

  #tokenFor(token: string): string {
    let made = this.#tokens.get(token);
    if (made !== undefined) return made;
    if (this.#tokens.size >= MOST_KNOWN) this.#tokens.clear();
    this.#tokens.set(token, (made = madeUp(token, this.#key)));
    return made;
  }
}

/** Where the path begins, or the end. */
function pathAt(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === SLASH) return start;
  let slashes = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUESTION || (byte === SLASH && ++slashes === 3)) return at;
  }
  return end;
}

const CLASSES = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
const HEX_CLASSES = ['0123456789', 'abcdef', 'ABCDEF'];
/** Tokens up to this length are permuted. Longer tokens are hashed; no two have been seen to collide. */
const LONGEST_PERMUTED = 16;
const ROUNDS = 4;

/** Hexadecimal tokens become hexadecimal ones, and others do not, so that two tokens never become equal. */
function madeUp(token: string, key: Uint8Array): string {
  const isHex = HEX.test(token);
  const classes = isHex ? HEX_CLASSES : CLASSES;
  const alphabets = Array.from(token, (char) => classes.find((some) => some.includes(char))!);
  let made = token;
  do made = token.length > LONGEST_PERMUTED ? hashed(made, alphabets, key) : permuted(made, alphabets, key);
  while (!isHex && HEX.test(made));
  return made;
}

function hashed(token: string, alphabets: readonly string[], key: Uint8Array): string {
  const hash = hashOf(key, 0, token);
  return alphabets.map((some, at) => some[hash[at % hash.length]! % some.length]!).join('');
}

/** Shifts each half by a hash of the other, several times. */
function permuted(token: string, alphabets: readonly string[], key: Uint8Array): string {
  const half = token.length >> 1;
  let halves: readonly [string, string] = [token.slice(0, half), token.slice(half)];
  for (let round = 0; round < ROUNDS; round += 2) {
    const first = shifted(halves[0], alphabets, hashOf(key, round, `${token.length} ${halves[1]}`));
    const hash = hashOf(key, round + 1, `${token.length} ${first}`);
    halves = [first, shifted(halves[1], alphabets.slice(half), hash)];
  }
  return halves.join('');
}

function shifted(text: string, alphabets: readonly string[], hash: Uint8Array): string {
  return Array.from(text, (char, at) => {
    const some = alphabets[at]!;
    return some[(some.indexOf(char) + hash[at]!) % some.length]!;
  }).join('');
}

function hashOf(key: Uint8Array, round: number, text: string): Buffer {
  return createHmac('sha256', key).update(`${round} ${text}`).digest();
}
