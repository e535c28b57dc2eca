// What do browsers get instead of `pattern.ts`? A file with patterns is refused there: reading and applying them would
// take 1.9 kB of the 15 that have to be loaded. `browser` of package.json says so to bundlers.

export const faultOfPattern = (): string => 'patterns are only for Node';

// No file with patterns comes so far.
export { faultOfPattern as compilePattern, faultOfPattern as takePattern };
