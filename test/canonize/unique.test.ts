import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxLineBytes } from '../../src/canonize/blocks.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { createLineMapper, type LineOptions } from '../../src/canonize/lines.js';
import { UniqueLines } from '../../src/canonize/unique.js';
import { sampleRule } from '../rule/sample.js';
import { rows, amount, isFew } from '../amount.js';

const canonizer = createCanonizer([sampleRule('a', 'b')], {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'path',
  sitePolicy: 'host',
});

function map(text: string, options: LineOptions, memoryBytes: number): string {
  const mapper = createLineMapper(canonizer, options, new UniqueLines({ memoryBytes, tmpdir: tmpdir() }));
  const out: Buffer[] = [];
  for (const piece of mapper.push(Buffer.from(text, 'latin1'))) out.push(Buffer.from(piece));
  for (const piece of mapper.end()) out.push(Buffer.from(piece));
  return Buffer.concat(out).toString('latin1');
}

/** The first line of each form, and all that are not URLs: by a set of strings. */
function naive(text: string, options: LineOptions): string {
  const seen = new Set<string>();
  const lines = map(text, { ...options, pairs: true, unique: false }, Infinity).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines
    .filter((line) => {
      const form = /\t((?:\/|http)[^\r\n]*)\r?\n?$/.exec(line)?.[1];
      if (form === undefined) return true;
      const isFirst = !seen.has(form);
      seen.add(form);
      return isFirst;
    })
    .map((line) => (options.pairs === true ? line : line.replace(/\t(?=\r?\n?$)/, '').replace(/^[^\t]*\t/, '')))
    .join('');
}

describe('every canonical form once', () => {
  const piece = fc.constantFrom('/a', '/b', '/a/b', '/b#a', '/c\r', '', 'no url', '/%7ea', '/~b');
  const text = fc.tuple(fc.array(piece, { maxLength: 60 }), fc.constantFrom('', '\n', '/a'));
  const options = fc.record({ pairs: fc.boolean(), changed: fc.boolean() });

  it('comes out at its first place, in whatever memory', () => {
    fc.assert(
      fc.property(text, options, fc.constantFrom(0, 1 << 12, Infinity), ([lines, end], chosen, memoryBytes) => {
        const all = `${lines.join('\n')}${end}`;
        expect(map(all, { ...chosen, unique: true }, memoryBytes)).toBe(naive(all, chosen));
      }),
      { numRuns: amount(300), seed: 5 },
    );
  });

  it.skipIf(isFew)('comes out in order even if the set of forms and both sorters spill to disk', () => {
    const lines = Array.from({ length: 150_000 }, (_, at) => {
      const name = createHash('md5')
        .update(String(Math.imul(at, 7919) % 60_000))
        .digest('hex');
      return at % 50 === 7 ? `no url ${at}` : `/${name}/${at % 2 === 0 ? 'a' : 'b'}`;
    });
    const long = `/${'x'.repeat(2 * maxLineBytes)}/a`;
    const all = `${lines.slice(0, 100_000).join('\n')}\n${long}\n${lines.slice(100_000).join('\n')}`;
    const expected = naive(all, {});
    for (const memoryBytes of rows([3 << 20, Infinity, 4 << 20], 3)) {
      expect(map(all, { unique: true }, memoryBytes) === expected).toBe(true);
    }
  });
});
