// What does the kernel call in JavaScript (see base/heap)?

/** The address of the URL of a row of a list on disk; fetches its page. Valid until the second next call. */
export declare function page(row: i32): usize;

/** 1 if two rows of the current site, which both have a sketch, but different ones, are alike. */
export declare function alike(a: i32, b: i32): i32;

/** The number of the site of the URL [start, end), in raw bytes. */
export declare function siteOf(start: usize, end: usize): i32;

/** Gives JavaScript `bytes` of results at an address; what they are depends on what was asked for. */
export declare function give(address: usize, bytes: usize): void;

/** Throws: there is no room for this many bytes. */
export declare function refuse(bytes: usize): void;
