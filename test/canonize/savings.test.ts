// What --unique saves, beside sets of strings that know every URL, normal form and canonical form.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBlockCanonizer, createCanonizer, type CanonizerOptions } from '../../src/canonize/canonizer.js';
import { createLineMapper, type LineOptions } from '../../src/canonize/lines.js';
import { keysBy, NamedGroups } from '../../src/canonize/named-groups.js';
import { Savings } from '../../src/canonize/savings.js';
import { UniqueLines } from '../../src/canonize/unique.js';
import { sampleRule, sampleStep } from '../rule/sample.js';
import { amount } from '../amount.js';

const options: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'path',
  sitePolicy: 'host',
};
// Rule 3 makes /d of what is also listed as /c.
const rules = [sampleRule('a', 'b'), sampleStep('drop-end-slash', '', { rank: 2 }), sampleRule('d', 'c', { rank: 3 })];
const keys = createCanonizer([...rules, { ...sampleRule('e', 'b', { rank: 4 }), use: 'key' }], {
  ...options,
  use: 'key',
});

const WAYS = {
  'the first line of each form': (room, savings) => new UniqueLines(room, { savings }),
  'the first line of each key': (room, savings) =>
    new UniqueLines(room, { savings, keyOf: (form) => keys.canonize(form) }),
  'the name of each group': (room, savings) => new NamedGroups(room, keysBy(keys), 'names', savings),
} satisfies Record<string, (room: { memoryBytes: number; tmpdir: string }, savings: Savings) => object>;

/** The output, and what was counted. */
function map(lines: readonly string[], way: keyof typeof WAYS, memoryBytes: number) {
  const room = { memoryBytes, tmpdir: tmpdir() };
  const savings = new Savings(room);
  const chosen: LineOptions = { unique: true, savings: options };
  const mapper = createLineMapper(createBlockCanonizer(rules, options), chosen, WAYS[way](room, savings));
  const out: Buffer[] = [];
  for (const piece of mapper.push(Buffer.from(lines.map((line) => `${line}\n`).join('')))) out.push(Buffer.from(piece));
  for (const piece of mapper.end()) out.push(Buffer.from(piece));
  const { urls, dropped } = mapper.counts;
  return { out: Buffer.concat(out).toString(), counts: { ...savings.end(), forms: urls - dropped } };
}

function naive(lines: readonly string[], way: keyof typeof WAYS) {
  const listed = new Set(lines.filter((line) => line.startsWith('/')));
  const by = (canonizer: ReturnType<typeof createCanonizer>, some: ReadonlySet<string>) =>
    new Set([...some].map((url) => Buffer.from(canonizer.canonize(Buffer.from(url))).toString()));
  const forms = by(createCanonizer(rules, options), listed);
  return {
    urls: listed.size,
    normalForms: by(createCanonizer([], options), listed).size,
    forms: way === 'the first line of each form' ? forms.size : by(keys, forms).size,
  };
}

const piece = fc.constantFrom(
  '/a',
  '/b',
  '/b/',
  '/%61',
  '/%62',
  '/c',
  '/d',
  '/d#x',
  '/e',
  '/e/',
  '/../b',
  'no url',
  '',
);

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('%s', (way) => {
  it('counts distinct URLs, normal forms and forms, in whatever memory, and writes no other lines', () => {
    let saved = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(0, 1 << 12, Infinity), (lines, memoryBytes) => {
        const { out, counts } = map(lines, way, memoryBytes);
        expect(counts).toEqual(naive(lines, way));
        expect(out).toBe(map(lines, way, Infinity).out);
        expect(out.split('\n').length - 1).toBe(counts.forms + lines.filter((line) => !line.startsWith('/')).length);
        if (counts.normalForms > counts.forms && counts.urls > counts.normalForms) saved++;
      }),
      { numRuns: amount(300), seed: 43 },
    );
    expect(saved).toBeGreaterThan(amount(50));
  });
});

it('counts what does not fit into memory', () => {
  const lines = Array.from(
    { length: 60_000 },
    (_, at) => `/${'x'.repeat(60)}${(at * 7919) % 20_000}${['', '/', '#f'][at % 3]}`,
  );
  const { counts } = map(lines, 'the first line of each form', 3 << 20);
  expect(counts).toEqual({ urls: 60_000, normalForms: 40_000, forms: 20_000 });
});
