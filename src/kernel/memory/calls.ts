// What the kernel calls in JavaScript (base/heap).

/** The address of the URL of a row of a list on disk; loads its page. Valid until the second call after this one. */
export declare function page(row: i32): usize;

/** 1 if two rows of the current site, whose sketches differ, are alike. */
export declare function alike(a: i32, b: i32): i32;

/** The number of the site of the URL [start, end), in raw bytes. */
export declare function siteOf(start: usize, end: usize): i32;

/** Passes `bytes` of results at an address to JavaScript; their layout depends on the export that was called. */
export declare function give(address: usize, bytes: usize): void;

/** Throws: out of memory for this many bytes. */
export declare function refuse(bytes: usize): void;
