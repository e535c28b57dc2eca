// Where are the tokens of a URL?

/** Offsets at which tokens of raw `bytes` start, and the length at the end: m + 1 numbers for m tokens. */
export function tokenOffsets(bytes: Uint8Array): number[] {
  const text = Buffer.from(bytes).toString('latin1');
  const tokens = text.matchAll(/%[A-Fa-f0-9]{2}|[A-Za-z0-9\x80-\xff]+|[^]/g);
  return [...Array.from(tokens, ({ index }) => index), bytes.length];
}
