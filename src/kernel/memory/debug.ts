// The debug build (`node src/kernel/build.js --debug`) asserts the invariants of the kernel. The release has none of
// these assertions.

/** Code under `if (IS_DEBUG)` is not compiled in the release, not even its loads. */
export const IS_DEBUG: bool = ASC_OPTIMIZE_LEVEL == 0;
