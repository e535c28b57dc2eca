// Does what has to hold in the kernel hold? The debug build (`node src/kernel/build.js --debug`) looks; the release has
// none of it.

/** What stands behind `if (IS_DEBUG)` is not even compiled in the release, loads included. */
export const IS_DEBUG: bool = ASC_OPTIMIZE_LEVEL == 0;
