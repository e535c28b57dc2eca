import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  createBlockCanonizer,
  createCanonizer,
  type Canonizer,
  type CanonizerOptions,
} from '../../src/canonize/canonizer.js';
import { maxLineBytes } from '../../src/canonize/blocks.js';
import { createLineMapper, type LineOptions } from '../../src/canonize/lines.js';
import { UniqueLines } from '../../src/canonize/unique.js';
import { sampleRule } from '../rule/sample.js';

const options: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'path',
  sitePolicy: 'host',
};
const lineByLine = createCanonizer([sampleRule('a', 'b')], options);
const byBlock = createBlockCanonizer([sampleRule('a', 'b')], options);

/** Fails if the two canonizers differ. */
function map(text: string | Uint8Array, options: LineOptions = {}, step = 1 << 16): string {
  const [one, other] = [lineByLine, byBlock].map((canonizer) => mapBy(canonizer, text, options, step));
  if (one !== other) throw new Error(`line by line ${one}, by block ${other}`);
  return one!;
}

function mapBy(canonizer: Canonizer, text: string | Uint8Array, options: LineOptions, step: number): string {
  const mapper = createLineMapper(canonizer, options, new UniqueLines({ memoryBytes: Infinity, tmpdir: tmpdir() }));
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    for (const piece of mapper.push(bytes.subarray(at, at + step))) out.push(Buffer.from(piece));
  }
  for (const piece of mapper.end()) out.push(Buffer.from(piece));
  return Buffer.concat(out).toString('latin1');
}

const text = '/a\n\n/x/a\r\nno url\r\n/caf\xe9/a\n/b\n \n/a b\n/\x00a\n/a#f\n/b\r\n\r\n/x/a';

const table: readonly (readonly [string, LineOptions, string])[] = [
  ['every line', {}, '/b\n\n/x/b\r\nno url\r\n/caf%E9/b\n/b\n \n/b%20b\n/\x00a\n/b\n/b\r\n\r\n/x/b'],
  [
    'pairs',
    { pairs: true },
    '/a\t/b\n\t\n/x/a\t/x/b\r\nno url\tno url\r\n/caf\xe9/a\t/caf%E9/b\n/b\t/b\n \t \n/a b\t/b%20b\n/\x00a\t/\x00a\n/a#f\t/b\n/b\t/b\r\n\t\r\n/x/a\t/x/b',
  ],
  [
    'rows of a table',
    { rows: true },
    '/a\t/b\n\t\n/x/a\t/x/b\nno url\t\n/caf\xe9/a\t/caf%E9/b\n/b\t/b\n \t\n/a b\t/b%20b\n/\x00a\t\n/a#f\t/b\n/b\t/b\n\t\n/x/a\t/x/b\n',
  ],
  [
    'what changes and is new, as rows of a table',
    { changed: true, rows: true, unique: true },
    '/a\t/b\n/x/a\t/x/b\n/caf\xe9/a\t/caf%E9/b\n/a b\t/b%20b\n',
  ],
  ['what is new', { unique: true }, '/b\n\n/x/b\r\nno url\r\n/caf%E9/b\n \n/b%20b\n/\x00a\n\r\n'],
  ['what changes', { changed: true }, '/b\n/x/b\r\n/caf%E9/b\n/b%20b\n/b\n/x/b'],
  [
    'what changes, as pairs',
    { changed: true, pairs: true },
    '/a\t/b\n/x/a\t/x/b\r\n/caf\xe9/a\t/caf%E9/b\n/a b\t/b%20b\n/a#f\t/b\n/x/a\t/x/b',
  ],
  [
    'what changes and is new, as pairs',
    { changed: true, pairs: true, unique: true },
    '/a\t/b\n/x/a\t/x/b\r\n/caf\xe9/a\t/caf%E9/b\n/a b\t/b%20b\n',
  ],
];

describe('lines in, canonical lines out', () => {
  it.each(table)('%s', (_, options, expected) => expect(map(text, options)).toBe(expected));

  it.each(table)('%s, wherever the chunks are cut', (_, options, expected) => {
    for (let step = 1; step <= text.length; step++) expect(map(text, options, step)).toBe(expected);
  });

  it('empty input gives empty output', () => expect(map('')).toBe(''));

  it('a line over the limit passes byte for byte, the lines around it are canonized', () => {
    const long = `/a/${'x'.repeat(3 * maxLineBytes)}`;
    const expected = `/b\n${long}\r\n/b\n`;
    for (const step of [1 << 16, 100_003]) expect(map(`/a\n${long}\r\n/a\n`, {}, step) === expected).toBe(true);
    expect(map(`${long}\n/a`, { changed: true })).toBe('/b');
    expect(map(long) === long).toBe(true);
  });

  it('a line below the limit is one line, however small the pieces it comes in', () => {
    const noUrl = `${'x'.repeat(maxLineBytes - 10)} /a`;
    expect(map(`${noUrl}\n/a`, {}, 1000) === `${noUrl}\n/b`).toBe(true);
  });

  it('writes its output in pieces, however much a chunk grows', () => {
    const growing = createBlockCanonizer([sampleRule('a', 'b'.repeat(3000))], {
      normalize: 'none',
      accept: 'valid',
      maxIterations: 10,
      urlForm: 'path',
      sitePolicy: 'host',
    });
    let pieces = 0;
    for (const piece of createLineMapper(growing).push(Buffer.from('/a\n'.repeat(10_000)))) {
      pieces++;
      expect(piece.length).toBeLessThan(300_000);
    }
    expect(pieces).toBeGreaterThan(100);
  });
});
