// How do dialects of regular expressions differ? What is used here (classes, groups, lookahead, lookbehind of a fixed
// text) is common to all of them; they differ in how text is escaped, and in what they match:
//
//   bytes       nginx, Apache, Varnish (PCRE)       a byte from 0x80 up is `[\x80-\xff]`
//   characters  Java, JavaScript                    so a rule with bytes that are not UTF-8 cannot be expressed
import { encodeText } from '../base/bytes.js';

export interface Dialect {
  /** False if a rule has to be text. */
  readonly matchesBytes: boolean;
  /** An expression for just this text (as `base/bytes` decodes it), in printable ASCII without quotes and blanks. */
  readonly literal: (text: string) => string;
  /** One byte or character that can be in a run (SPEC 1). */
  readonly run: string;
  /** Any byte or character that a URL can have. */
  readonly any: string;
  /** The end of the URL. */
  readonly end: string;
}

/** Literal in every dialect, and in the quoted words of every configuration file. */
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

/** Not a letter, digit or byte from 0x80 up, negated. */
const runOfText = '[^\\x00-/:-@\\[-`{-\\x7f]';

/** In Java and JavaScript more than `\n` ends a line, and characters beyond the basic plane are two units. */
export const java: Dialect = {
  matchesBytes: false,
  literal: (text) => text.split('').map(escapeUnit).join(''),
  run: runOfText,
  any: '[^\\n]',
  end: '\\z',
};

export const javascript: Dialect = { ...java, end: '$' };
