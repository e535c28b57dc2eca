// The parameters and results of the sweep: 4-byte numbers at TOLD and after it, in the memory of the module.
//
//   found     | start | end | path | group | rules | rule … |  for each line found, end to end; end 0: not plain
//   settled   | start | end | -form | form's end | rules …   a found line whose canonical form is known (layout/rule)

/** Numbers of a found line before its rules. */
export const WORDS = 5;

export const TOLD = 1024;
/** The scratch memory of the rounds, and the table of rules that are filed under single bytes. */
export const SCRATCH = 4096;
/** The rules that changed the last URL, in order: | round | rule | …, as many as `TRACED` says, and no more than that. */
export const TRACE = 6144;
export const MOST_TRACED = 256;
export const BYTES = 8192;
/** Items of a list: at most so many. Longer lists are left to JavaScript. */
export const ITEMS = 12288;
export const MOST_ITEMS = 64;
/** The first address that JavaScript may use: behind the parameters, the module's own data and the scratch memory. */
export const FIRST_FREE = 13312;

// Addresses of the columns of the look, the lookup and the hosts (canonize), with their masks and other numbers.
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

// Results.
export const LINES = 80;
export const FOUND_LENGTH = 84;

// What the rounds need (layout/rule): the columns of rules and conditions, the most rounds, whether START is where the
// path begins, how far around a change tokens are looked up again, and the memory for forms.
export const RULES = 88;
export const CONDITIONS = 92;
export const TESTED = 96;
export const ROUNDS = 100;
export const PATH_ONLY = 104;
export const BEFORE = 108;
export const BEHIND = 112;
export const FORMS = 116;
export const FORMS_END = 120;
/** Up to where that room is used, and how many changes of the last URL `TRACE` has. */
export const FORMS_USED = 124;
export const TRACED = 128;

export const TOLD_BYTES = 132;
