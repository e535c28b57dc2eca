// Replaces `pattern.ts` in browsers, where a file with patterns is refused: reading and applying them would add 1.9 kB
// to
// 15. Bundlers find it by `browser` in package.json.

export const faultOfPattern = (): string => 'patterns are only for Node';

// Never called, as a file with patterns is refused earlier.
export { faultOfPattern as compilePattern, faultOfPattern as takePattern };
