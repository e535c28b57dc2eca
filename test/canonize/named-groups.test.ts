// The name of a group of forms that keys make one: held to a naive twin in whatever memory.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { createLineMapper } from '../../src/canonize/lines.js';
import { keysBy, NamedGroups } from '../../src/canonize/named-groups.js';
import type { Hits } from '../../src/rule/rule.js';
import { amount } from '../amount.js';
import { sampleRule } from '../rule/sample.js';

const options = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'path',
  sitePolicy: 'host',
} as const;
const written = [sampleRule('w', 'a')];

type Write = 'all' | 'names';

function map(text: string, write: Write, memoryBytes = Infinity, hits?: Hits): { out: string; dropped: number } {
  const key = sampleRule('old', 'new', { rank: 2, use: 'key', ...(hits && { hits }) });
  const keys = createCanonizer([...written, key], { ...options, use: 'key' });
  const groups = new NamedGroups({ memoryBytes, tmpdir: tmpdir() }, keysBy(keys), write);
  const lines = { pairs: write === 'all', unique: true };
  const mapper = createLineMapper(createCanonizer(written, options), lines, groups);
  const out: Buffer[] = [];
  for (const piece of mapper.push(Buffer.from(text))) out.push(Buffer.from(piece));
  for (const piece of mapper.end()) out.push(Buffer.from(piece));
  return { out: Buffer.concat(out).toString(), dropped: mapper.counts.dropped };
}

describe('the name of a group', () => {
  it('is the form of most lines, at the place of the first', () => {
    expect(map('/new/1\n/x\nno url\n/old/1\n/old/1\n', 'names')).toEqual({ out: '/old/1\n/x\nno url\n', dropped: 2 });
  });

  it('is the first of those with as many lines', () => {
    expect(map('/new/1\n/old/1\n/old/2\n/new/2', 'names').out).toBe('/new/1\n/old/2\n');
  });

  it('is on the side that has the hits of the log, whatever the lines', () => {
    const text = '/new/1\n/new/1\n/old/1\n';
    expect(map(text, 'names', Infinity, { kept: 2, given: 90 }).out).toBe('/old/1\n');
    expect(map('/old/1\n/old/1\n/new/1', 'names', Infinity, { kept: 90, given: 2 }).out).toBe('/new/1\n');
  });

  it('stands beside every member with --pairs, whose lines all stay', () => {
    expect(map('/new/1\r\n/old/1\n/old/1#x\n\n/w', 'all')).toEqual({
      out: '/new/1\t/old/1\r\n/old/1\t/old/1\n/old/1#x\t/old/1\n\t\n/w\t/a',
      dropped: 0,
    });
  });
});

/** Groups in a map of strings. */
function naive(text: string, write: Write): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const formOf = (line: string) =>
    line
      .replace(/[\r\n]+$/, '')
      .replace(/#.*/, '')
      .replace(/^\/w/, '/a');
  const keyOf = (line: string) => formOf(line).replace('old', 'new');
  const urls = lines.filter((line) => line.startsWith('/'));
  const nameOf = (line: string) => {
    const forms = urls.filter((one) => keyOf(one) === keyOf(line)).map(formOf);
    const count = (form: string) => forms.filter((one) => one === form).length;
    return forms.reduce((best, form) => (count(form) > count(best) ? form : best));
  };
  const seen = new Set<string>();
  return lines
    .flatMap((line) => {
      const ending = line.slice(line.replace(/[\r\n]+$/, '').length);
      const text = line.slice(0, line.length - ending.length);
      if (!line.startsWith('/')) return [write === 'all' ? `${text}\t${line}` : line];
      if (write === 'all') return [`${text}\t${nameOf(line)}${ending}`];
      if (seen.has(keyOf(line))) return [];
      seen.add(keyOf(line));
      return [nameOf(line) + ending];
    })
    .join('');
}

it('is what a map of strings says, in whatever memory', () => {
  const piece = fc.constantFrom(
    '/old/1',
    '/new/1',
    '/old/2',
    '/new/2#x',
    '/new/2',
    '/w',
    '/a',
    '',
    'no url',
    '/old/1\r',
  );
  const text = fc.tuple(fc.array(piece, { maxLength: 60 }), fc.constantFrom('\n', '\n/old/1'));
  const write = fc.constantFrom<Write>('all', 'names');
  fc.assert(
    fc.property(text, write, fc.constantFrom(0, 1 << 12, Infinity), ([lines, end], chosen, memoryBytes) => {
      const all = `${lines.join('\n')}${end}`;
      expect(map(all, chosen, memoryBytes).out).toBe(naive(all, chosen));
    }),
    { numRuns: amount(300), seed: 7 },
  );
});
