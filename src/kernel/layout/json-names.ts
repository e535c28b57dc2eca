// The names of JSON objects that lines have had, as a trie: log/plain-names says what each means, and the kernel finds
// them. Node 0 is the line itself.
//
//   | counts u32 | found values | slots u16 | nodes | text | slack |
//
//   node    | parent | key | key length | follower | meaning u32 |
//           the follower is the node that came after it in the line before; a meaning is a cell and its rank << 8
//   value   | start | end | rank | has escapes u32 |

export const NODES = 0;
export const TEXT_USED = 4;
/** A name that is not known: the node of the object that has it, and its bytes; the end is 0 if all were known. */
export const UNKNOWN_PARENT = 8;
export const UNKNOWN_START = 12;
export const UNKNOWN_END = 16;

export const VALUES = 64;
export const VALUE_BYTES = 16;

export const SLOTS = 256;
export const SLOT_COUNT = 2048;

export const NODE = SLOTS + 2 * SLOT_COUNT;
export const NODE_BYTES = 20;
export const MOST_NODES = 1024;

export const KEYS = NODE + NODE_BYTES * MOST_NODES;
export const KEY_BYTES = 1 << 15;
export const MOST_KEY = 128;
export const NAMES_BYTES = KEYS + KEY_BYTES + 16;
