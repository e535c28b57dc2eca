// A line of a log that could not be read, as it may be shown to others. It may be anything, so what looks like a field
// with a secret is masked wherever it stands:
//
//     GET /a?sid=a7f3c2 "http://ann:pw@h/" token=abc123; {"password":"x"} Authorization: Bearer abc
//     GET /a?sid=… "http://h/" token=…; {"password":"…"} Authorization: Bearer …
import { MASK, secretKindOf } from './secret.js';

/** No URL that is read has a longer value. */
const LONGEST = 4096;

const USER = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^/?#\s"'@]{1,1024}@/gi;
const CREDENTIALS = /\b(basic|bearer|digest|negotiate)( +)[\w.~+/=-]+/gi;
const JSON_FIELD = /"([^"\\]{1,100})"(\s{0,10}:\s{0,10}")([^"]*)"/g;
/** Its own fields are masked. */
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
