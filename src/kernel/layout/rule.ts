// Compiled rules and their conditions, as the sweep reads them: 4-byte numbers, in records of fixed width.
//
//   rule        | kind | flags | text | length | other | length | list | count | only | count | not | count | except | end |
//   condition   | part | text | length | number |
//
//   kind        text       other        list
//   substring   from       to           offsets of `from` in `to`
//   remove      name       scope
//   set         name       scope        the value: its bytes, and how many; count -1 for none
//   a step      its text
//   items       the name   the heads    the separator, one number (rule/items-place)
//
//   except      | length, 2 bytes | URL | …
//   heads       | length, 2 bytes | head, unescaped | …
//
// Texts are addresses. `only` and `not` are addresses of lists of condition numbers; an `only` count of -1 means that
// the rule has no `only`.

export const RULE_SHIFT = 6;
export const KIND = 0;
export const FLAGS = 4;
export const TEXT = 8;
export const TEXT_LENGTH = 12;
export const OTHER = 16;
export const OTHER_LENGTH = 20;
export const LIST = 24;
export const LIST_COUNT = 28;
export const ONLY = 32;
export const ONLY_COUNT = 36;
export const NOT = 40;
export const NOT_COUNT = 44;
export const EXCEPT = 48;
export const EXCEPT_END = 52;

// Kinds. A URL that an UNKNOWN rule may change is left to JavaScript.
export const UNKNOWN = 0;
export const SUBSTRING = 1;
export const REMOVE = 2;
export const SET = 3;
export const FOLD_SLASHES = 4;
export const DROP_END_SLASH = 5;
export const ADD_END_SLASH = 6;
export const DROP_SEGMENT = 7;
export const DROP_LAST_SEGMENT = 8;
export const LOWER_CASE = 9;
export const DROP_EMPTY_FIELDS = 10;
export const DROP_NUMBER_FIELDS = 11;
export const DROP_REPEATED_FIELDS = 12;
export const SORT_FIELDS = 13;
export const SORT_VALUES = 14;
export const ONE_SEPARATOR = 15;
export const UNESCAPE = 16;
export const TRIM_END = 17;
/** A rule that never changes a URL: its text cannot occur, or its result is no URL. */
export const NEVER = 18;
export const SORT_ITEMS = 19;
export const DROP_REPEATED_ITEMS = 20;

// Flags.
export const AT_START = 1;
export const AT_END = 2;
/** The rule cannot match its own result. */
export const DONE_AT_ONCE = 4;
/** The rule has more exceptions than the sweep checks: URLs that it changes are left to JavaScript. */
export const HAS_MANY_EXCEPT = 8;
/** For parameter rules: the scope is a prefix, or a path; without a flag, the whole site. */
export const IN_PREFIX = 16;
export const ON_PATH = 32;
/** For items: of a value, of a segment after a segment, of all segments below a folder; without a flag, of fields. */
export const IN_VALUE = 64;
export const IN_SEGMENT = 128;
export const IN_SEGMENTS = 256;

export const CONDITION_SHIFT = 4;
export const PART = 0;
export const IS = 4;
export const IS_LENGTH = 8;
export const NUMBER = 12;

// Parts.
export const OF_HOST = 0;
export const OF_FIRST = 1;
export const OF_LAST = 2;
export const OF_SEGMENT = 3;
export const OF_EXTENSION = 4;
export const OF_DEPTH = 5;
export const OF_FIELDS = 6;
export const OF_PARAMETER = 7;
export const OF_FIELD = 8;
export const OF_TEXT = 9;
export const OF_QUERY = 10;

/**
 * The most fields of a URL, rounds, and bytes of a text or list that the sweep handles; the rest is left to JavaScript.
 */
export const MOST_FIELDS = 64;
export const MOST_ROUNDS = 16;
export const MOST_TEXT = 256;
export const MOST_INSIDE = 4;
/** The most bytes of all exceptions of a rule, with their lengths. */
export const MOST_EXCEPT = 4096;
