// Inputs for tests of sketches.
import type { Document, TextDocument } from '../../src/sketch/document.js';
import { documentOf } from '../../src/sketch/page.js';

/** A seeded generator of numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Words that no other call with another name gives. */
export function wordsOf(name: string, count: number): string {
  return Array.from({ length: count }, (_, k) => `${name}${k}`).join(' ');
}

export function htmlDocument(...blocks: readonly string[]): Document {
  return documentOf(Buffer.from(`<!doctype html>${blocks.map((block) => `<p>${block}</p>`).join('\n')}`), 'text/html');
}

export function textDocument(...blocks: readonly string[]): TextDocument {
  const document = htmlDocument(...blocks);
  if (document.kind !== 'text') throw new Error('the page has no words');
  return document;
}
