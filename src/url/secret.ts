// Finds values of a URL that belong to one visitor: a session, a key, the address of a person.
//
//   /shop/cart;jsessionid=1A530637289A03B07199A44E8D531427?id=7&api_key=sk_live_9fQ2xLb0&mail=ann%40example.org
//                         session                               key                        person
//   /asset/5d41402abc4b2a76b9719d911017c592.js?h=0f3c9a55d2e17b60
//          random                                random
//
// `random` is a shape, and proves nothing: a commit, a digest and a session look alike. If the log knows who asked for
// such a value, that decides (validate/permission). Files for others mask it in any case.
import { knownKindOf } from './names.js';

export type SecretKind = 'session' | 'key' | 'person' | 'random';

/** Replaces a secret in texts for people. */
export const MASK = '…';

/** Parts of names, in lower case and without separators. */
const SESSION_NAMES =
  /^(?:sid|sess|session|sessid|sesskey|phpsess|.*sess(?:ion)?_?id|.*sessionkey|s_?id|ssid|visitor_?id)$/;
/** Of the names of campaigns, those whose value is of one click or one reader of a mail. */
const CLICK_NAMES = /clid$|^(?:gbraid|wbraid|igshid|li_fat_id|mc_eid|ga|gl|hsenc|hsmi|vero_id|ef_id|epik)$/;
const KEY_NAMES =
  /^(?:.*(?:passw(?:or)?d|passwort|passphrase|secret|token|apikey|accesskey|privatekey|signature|credential|csrf|xsrf|nonce|hmac).*|pw|pwd|pass|auth|authorization|key|sig|sign|otp|pin|cvv|cvc|ticket|jwt|bearer|authkey|securekey|hash_?key|downloadkey|nk|sign_?hash)$/;
const PERSON_NAMES =
  /^(?:e?mail|e?mail_?addr(?:ess)?|user_?e?mail|phone|phone_?(?:no|number)|tel|telephone|mobile|msisdn|ssn|iban|card_?(?:no|number)|creditcard|passport|birth_?(?:date|day)|dob)$/;

/** Prefixes of the keys of well-known services, and of tokens that name their kind. */
const KEY_SHAPES =
  /^(?:(?:sk|pk|rk)_(?:live|test)_\w{8,}|gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|SG\.[\w-]{16,}\.[\w-]{16,}|whsec_\w{16,}|shp(?:at|ss|ca|pa)_\w{20,}|npm_\w{30,}|hf_\w{20,}|dop_v1_\w{20,})$/;
const E_MAIL = /^[^\s@/?&=;]{1,64}(?:@|%40)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i;

/** The kind of a value of the field `name`, escaped as in the URL. The name of a path segment is ''. */
export function secretKindOf(name: string, value: string): SecretKind | undefined {
  if (value === '') return undefined;
  if (KEY_SHAPES.test(value)) return 'key';
  if (E_MAIL.test(value)) return 'person';
  const bare = plainName(name);
  if (bare !== '') {
    const known = knownKindOf(name);
    if ((known === 'session' || SESSION_NAMES.test(bare)) && isOpaque(value, 6)) return 'session';
    if (known === 'campaign' && (looksRandom(value) || (CLICK_NAMES.test(bare) && isOpaque(value, 6))))
      return 'session';
    if (/passw|passphrase|^(?:pw|pwd|pass|pin|otp|cvv|cvc)$/.test(bare)) return 'key';
    if (KEY_NAMES.test(bare) && isOpaque(value, 6)) return 'key';
    if (PERSON_NAMES.test(bare) && /[\d@]|%40/.test(value)) return 'person';
  }
  const inner = /=|@|%(?:25)*(?:3d|40)/i.test(value) ? innerKindOf(value) : undefined;
  if (inner !== undefined) return inner;
  return looksRandom(value) ? 'random' : undefined;
}

/** A value may be a URL with secrets of its own, as in `next=%2Fcart%3Fsid%3Da7f3c2`. */
function innerKindOf(value: string): SecretKind | undefined {
  const text = value.replace(/%(?:[2-6][0-9a-f]|7[0-9a-e])/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text)) return 'key';
  // A value without escapes and `?` was split with the URL around it.
  const isInner = text.length < value.length || text.includes('?');
  for (const { name, text: one } of isInner ? valuesOf(text) : []) {
    const kind = one.length < value.length ? secretKindOf(name, one) : undefined;
    if (kind !== undefined && kind !== 'random') return kind;
  }
  return undefined;
}

/** Turns `user[e-mail]` into user_email: no brackets, escapes and capitals. */
function plainName(name: string): string {
  return name
    .replace(/%5b|%5d|[[\]]/gi, '_')
    .replace(/-|\./g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}

/** True for a text that is no word: long enough, with a digit or both cases. */
function isOpaque(value: string, least: number): boolean {
  return value.length >= least && (/\d/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value)));
}

const LEAST_RANDOM = 16;

/**
 * True for letters and digits as a machine draws them: a digest, a UUID, base 64; not for
 * `winter-sale-2024-black-shoes`.
 */
export function looksRandom(value: string): boolean {
  if (value.length < LEAST_RANDOM || !/^[\w.~+/=-]+$/.test(value.replace(/%(?:2[bdf]|3d|5f|7e)/gi, '='))) return false;
  const text = value.replace(/[^A-Za-z0-9]/g, '');
  if (text.length < LEAST_RANDOM || !/[A-Za-z]/.test(text)) return false;
  const digits = text.match(/\d/g)?.length ?? 0;
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text)) return digits > 1 && digits < text.length;
  const changes = text.match(/(?:\d(?=[A-Za-z]))|(?:[A-Za-z](?=\d))|(?:[a-z](?=[A-Z]))/g)?.length ?? 0;
  return changes >= text.length / 5 && !/[a-z]{9,}/.test(text);
}

export interface UrlValue {
  /** The name of its field; '' for a segment of the path. */
  readonly name: string;
  /** The value as it stands in the URL, at [start, end). */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The values of a URL that could be secrets, in order: path segments, path parameters, fields. The URL is absolute or a
 * path.
 */
export function valuesOf(url: string): UrlValue[] {
  const values: UrlValue[] = [];
  const start = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0;
  const mark = url.indexOf('?', start);
  const query = mark < 0 ? url.length : mark;
  for (const { 0: piece, index } of url.slice(start, query).matchAll(/[^/;]+/g)) addValue(values, piece, start + index);
  for (const { 0: piece, index } of url.slice(query + 1).matchAll(/[^&;]+/g)) {
    addValue(values, piece, query + 1 + index);
  }
  return values;
}

function addValue(values: UrlValue[], piece: string, at: number): void {
  const cut = piece.indexOf('=');
  const start = at + cut + 1;
  values.push({ name: cut < 0 ? '' : piece.slice(0, cut), text: piece.slice(cut + 1), start, end: at + piece.length });
}

/** The URL with some values replaced. `replaced` returns undefined to keep a value. */
export function withValues(url: string, replaced: (value: UrlValue) => string | undefined): string {
  let text = '';
  let copied = 0;
  for (const value of valuesOf(url)) {
    const other = replaced(value);
    if (other === undefined) continue;
    text += url.slice(copied, value.start) + other;
    copied = value.end;
  }
  return copied === 0 ? url : text + url.slice(copied);
}

/** The URL as others may see it: secrets become `…`, and a user and password before the host are dropped. */
export function masked(url: string): string {
  return withValues(withoutUser(url), ({ name, text }) => {
    const secret = secretOf(name, text);
    return secret === undefined ? undefined : MASK + text.slice(secret.length);
  });
}

/**
 * The kind of a secret, and how many bytes of the value it takes: without the extension of a file,
 * `5d41402abc4b2a76.js`.
 */
export function secretOf(
  name: string,
  value: string,
): { readonly kind: SecretKind; readonly length: number } | undefined {
  const stem = name === '' && !E_MAIL.test(value) ? value.replace(/\.[a-z]{1,5}$/i, '') : value;
  const kind = secretKindOf(name, stem);
  return kind === undefined ? undefined : { kind, length: stem.length };
}

/** `http://user:password@host/` without user and password. */
export function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}

// Masks a line of a log for others. The line could not be read, so it may have any form, and everything that looks like
// a field with a secret is masked wherever it stands:
//
//     GET /a?sid=a7f3c2 "http://ann:pw@h/" token=abc123; {"password":"x"} Authorization: Bearer abc
//     GET /a?sid=… "http://h/" token=…; {"password":"…"} Authorization: Bearer …

/** A longer field is masked whatever it says: URLs that are kept have at most 2,048 bytes by default. */
const LONGEST = 4096;

const USER = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^/?#\s"'@]{1,1024}@/gi;
const CREDENTIALS = /\b(basic|bearer|digest|negotiate)( +)[\w.~+/=-]+/gi;
const JSON_FIELD = /"([^"\\]{1,100})"(\s{0,10}:\s{0,10}")([^"]*)"/g;
/** A URL: its own fields are masked. */
const IS_URL = /^\/|:\/\//;
const PIECE = /[^\s"'<>(){}[\],;&?/#|\\]+/g;

export function maskedLine(line: string): string {
  return line
    .replace(USER, '$1')
    .replace(CREDENTIALS, `$1$2${MASK}`)
    .replace(JSON_FIELD, (field, name: string, middle: string, value: string) =>
      !IS_URL.test(value) && isSecret(name, value) ? `"${name}"${middle}${MASK}"` : field,
    )
    .replace(PIECE, maskedPiece);
}

function maskedPiece(piece: string): string {
  const cut = piece.indexOf('=');
  const [name, value] = [cut < 0 ? '' : piece.slice(0, cut), piece.slice(cut + 1)];
  return isSecret(name, value) ? piece.slice(0, cut + 1) + MASK : piece;
}

function isSecret(name: string, value: string): boolean {
  return name.length + value.length > LONGEST || secretKindOf(name, value) !== undefined;
}
