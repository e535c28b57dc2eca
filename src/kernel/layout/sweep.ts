// What is the sweep told, and what does it tell? Numbers of 4 bytes each, from TOLD on in its memory.
//
//   found   | start | end | path | group | rules | rule … |  of a line, one behind the other; end 0: not plain

export const TOLD = 1024;
/** Behind what it is told, and what the module has for itself. */
export const FIRST_FREE = 4096;

// Addresses of columns of the look, the lookup and the hosts (canonize), masks and other numbers of theirs.
export const KINDS = 0;
export const RUNS = 4;
export const MARKS = 8;
export const MARKS_MASK = 12;
export const IS_ASKED = 16;
export const SLOTS = 20;
export const SLOTS_MASK = 24;
export const LISTS = 28;
export const TEXTS = 32;
export const TEXT_START = 36;
export const TOKEN_AT = 40;
export const GROUP_OF_RULE = 44;
export const HAS_EVERY = 48;
export const HOSTS = 52;
export const HOST_KEYS = 56;
export const GROUP_OF_PATHS = 60;
export const LIST_OF_PATHS = 64;
export const MOST_BYTES = 68;
export const FOUND = 72;
export const FOUND_END = 76;

// What it tells.
export const LINES = 80;
export const FOUND_LENGTH = 84;

export const TOLD_BYTES = 88;
