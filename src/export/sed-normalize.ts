// The safe normalization (url/normalize) as sed commands, on the URL in the pattern space. Nearly every URL is normal
// already, which an address before each step detects. Temporary marks:
//
//     http://us%65r@Host.com:80/a/../%7eb?q
//            |      |                        escapes are processed from the host on; before it `%` is a tab meanwhile
//                                            a `%` that does not begin an escape is a blank meanwhile
import { HTTP, NEWLINE } from './sed-text.js';

const USER = '([^/?]*@)?';
/** The rest of host and port up to the path, so that nothing before is user information. */
const REST = '([^/?@]*([/?]|$))';
const HEX = '[0-9A-Fa-f]';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const unreserved = '-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~';

/** Commands; their labels begin with `n`. */
export const normalizeCommands: readonly string[] = [
  '\\,%,{',
  ...normalizeEscapes(),
  '}',
  `s,^[Hh][Tt][Tt][Pp]:,http:,`,
  `s,^[Hh][Tt][Tt][Pp][Ss]:,https:,`,
  `\\,^https?://${USER}[^/?@]*[A-Z]${REST},{`,
  lowerCaseHost(),
  // Those of the host were in upper case.
  `\\,^https?://${USER}[^/?@]*%,{`,
  ...hideUserEscapes('nv'),
  upperCaseEscapes(),
  's,\t,%,g',
  '}',
  '}',
  ...dropPort('http', '80'),
  ...dropPort('https', '443'),
  ...removeDotSegments(),
  `s,^(https?://${USER}[^/?@]+)(\\?|$),\\1/\\3,`,
];

function normalizeEscapes(): readonly string[] {
  return [
    ...hideUserEscapes('nu'),
    ':nb',
    `s,%(([^0-9A-Fa-f]|$)|${HEX}([^0-9A-Fa-f]|$)), \\1,`,
    't nb',
    upperCaseEscapes(),
    // In %4%31 the 1 stays escaped, as %41 would be another character.
    `s,( ${HEX}?)%(3[0-9]|4[1-6]|6[1-6]),\\1\t\\2,g`,
    Array.from(unreserved, (char) => `s,${escapeOf(char)},${char},g`).join(';'),
    's, ,%,g',
    's,\t,%,g',
  ];
}

function hideUserEscapes(label: string): readonly string[] {
  return [`:${label}`, `s,^(${HTTP}[^/?]*)%([^/?]*@),\\1\t\\2,`, `t ${label}`];
}

function escapeOf(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

function upperCaseEscapes(): string {
  const digits = Array.from('ABCDEF');
  const second = digits.map((digit) => `s,%([0-9A-Fa-f])${digit.toLowerCase()},%\\1${digit},g`);
  const first = digits.map((digit) => `s,%${digit.toLowerCase()}(${HEX}),%${digit}\\1,g`);
  return [...first, ...second].join(';');
}

function lowerCaseHost(): string {
  return Array.from(UPPER, (letter) => {
    return `:n${letter}\ns,^(https?://${USER}[^/?@]*)${letter}${REST},\\1${letter.toLowerCase()}\\3,\nt n${letter}`;
  }).join('\n');
}

/** A host is in brackets, or ends at its first colon. */
function dropPort(scheme: string, port: string): readonly string[] {
  return [`s,^(${scheme}://${USER}(\\[[^]/?@]*]|[^[/?@:][^/?@:]*)):(${port})?([/?]|$),\\1\\5,`];
}

/** After the tab are the segments that stay, after the newline those still to be processed. */
function removeDotSegments(): readonly string[] {
  return [
    '\\,^[^?]*/\\.\\.?([/?]|$),{',
    `s,^(https?://[^/?]*)?,&\t${NEWLINE},`,
    ':nd',
    `s,\\n/\\.(/),${NEWLINE}\\1,`,
    't nd',
    `s,\\n/\\.(\\?|$),/${NEWLINE}\\1,`,
    't nd',
    `s,(\t[^?]*)/[^/?]*\\n/\\.\\.(/),\\1${NEWLINE}\\2,`,
    't nd',
    `s,(\t[^?]*)/[^/?]*\\n/\\.\\.(\\?|$),\\1/${NEWLINE}\\2,`,
    't nd',
    `s,\t\\n/\\.\\.(/),\t${NEWLINE}\\1,`,
    't nd',
    `s,\t\\n/\\.\\.(\\?|$),\t/${NEWLINE}\\1,`,
    't nd',
    `s,\\n(/[^/?]*),\\1${NEWLINE},`,
    't nd',
    's,\t,,',
    's,\\n,,',
    '}',
  ];
}
