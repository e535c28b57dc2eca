// How do dialects of regular expressions write the same thing? What expressions are made of here (classes, groups,
// looking ahead and behind a fixed text) all of them have; they differ in how text is escaped, and in what they match
// against:
//
//   bytes       nginx, Apache, Varnish (PCRE)       a byte from 0x80 up is `[\x80-\xff]`
//   characters  Java, JavaScript                    so a rule with bytes that are no UTF-8 cannot be said
import { encodeText } from '../base/bytes.js';

export interface Dialect {
  /** False if a rule has to be text. */
  readonly matchesBytes: boolean;
  /** An expression for just this text (as `base/bytes` decodes it), in printable ASCII without quotes and blanks. */
  readonly literal: (text: string) => string;
  /** One byte or character that stands in runs of a token (SPEC 1). */
  readonly run: string;
  /** Any byte or character that a URL can have. */
  readonly any: string;
  /** The end of the URL. */
  readonly end: string;
}

/** These stand for themselves in every dialect, and in the quoted words of every configuration file. */
const PLAIN = /^[0-9A-Za-z/_=&:,~%@!-]$/;
const MARKS = /^[.?+*()[\]|^]$/;

function escapeWith(hex: (char: string) => string): (char: string) => string {
  return (char) => (PLAIN.test(char) ? char : MARKS.test(char) ? `\\${char}` : hex(char));
}

const hexOfByte = (char: string) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
const hexOfUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escapeByte = escapeWith(hexOfByte);
const escapeUnit = escapeWith((unit) => (unit < '\x80' ? hexOfByte(unit) : hexOfUnit(unit)));

export const pcre: Dialect = {
  matchesBytes: true,
  literal: (text) => Array.from(Buffer.from(encodeText(text)).toString('latin1'), escapeByte).join(''),
  run: '[0-9A-Za-z\\x80-\\xff]',
  any: '.',
  end: '$',
};

/** No letter, digit or byte from 0x80 up, turned round. */
const runOfText = '[^\\x00-/:-@\\[-`{-\\x7f]';

/** Java and JavaScript end a line at more than `\n`, and write what is beyond the basic plane as two units. */
export const java: Dialect = {
  matchesBytes: false,
  literal: (text) => text.split('').map(escapeUnit).join(''),
  run: runOfText,
  any: '[^\\n]',
  end: '\\z',
};

export const javascript: Dialect = { ...java, end: '$' };
