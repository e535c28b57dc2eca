// A trie of the names that JSON objects of a log have: log/plain-reader says what each name means, and the kernel looks
// names up. Node 0 is the line itself. Also the separators that lines have between two values
// (kernel/read/json-separators).
//
//   | counts u32 | found values | slots u16 | first separators u16 | nodes | text | slack | separators | text | slack |
//
//   node        | parent | key | key length | meaning | depth u32 |
//               a meaning is a cell and its rank << 8
//   value       | start | end | rank | has escapes u32 |
//   separator   | text | length | the next one of this state, or 0 | state after the value that follows |
//               | meaning of that value | is it a text? u32 |
//
// A state is 4 * node + place, where the place says: value of a member, first text of a list, or other value of a list.
// State 0 is the start of a line, and END_STATE its end.

export const NODES = 0;
export const TEXT_USED = 4;
/**
 * The unknown name that stopped a call: the node of the object around it, and the bytes of the name. UNKNOWN_END is 0
 * if all names were known.
 */
export const UNKNOWN_PARENT = 8;
export const UNKNOWN_START = 12;
export const UNKNOWN_END = 16;
export const SEPARATORS = 20;
export const SEPARATOR_USED = 24;

export const VALUES = 64;
export const VALUE_BYTES = 16;

export const SLOTS = 256;
export const SLOT_COUNT = 2048;

export const FIRST_SEPARATORS = SLOTS + 2 * SLOT_COUNT;
export const STATES = 4096;
export const END_STATE = 1;

export const NODE = FIRST_SEPARATORS + 2 * STATES;
export const NODE_BYTES = 20;
export const MOST_NODES = 1024;

export const KEYS = NODE + NODE_BYTES * MOST_NODES;
export const KEY_BYTES = 1 << 15;
export const MOST_KEY = 128;

export const SEPARATOR = KEYS + KEY_BYTES + 16;
export const SEPARATOR_BYTES = 24;
export const MOST_SEPARATORS = 1024;
export const MOST_SEPARATOR_BYTES = 255;
export const SEPARATOR_TEXT = SEPARATOR + SEPARATOR_BYTES * MOST_SEPARATORS;
export const SEPARATOR_TEXT_BYTES = 1 << 15;
export const NAMES_BYTES = SEPARATOR_TEXT + SEPARATOR_TEXT_BYTES + 16;
