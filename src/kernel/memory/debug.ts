// Do the invariants of the kernel hold? The debug build (`node src/kernel/build.js --debug`) asserts them; the release
// has none of it.

/** Code under `if (IS_DEBUG)` is not even compiled in the release, including its loads. */
export const IS_DEBUG: bool = ASC_OPTIMIZE_LEVEL == 0;
