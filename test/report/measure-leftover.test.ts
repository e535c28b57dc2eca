// The dust that is left, by class: a table worked out by hand, and on random lists all of it and nothing else.
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { measure } from '../../src/report/measure.js';
import { LeftoverMeter, type LeftoverMeasures } from '../../src/report/measure-leftover.js';
import { sampleFile, sampleParameter } from '../rule/sample.js';
import { amount } from '../amount.js';

function leftOf(forms: readonly (readonly [label: string, form: string])[]): LeftoverMeasures {
  const meter = new LeftoverMeter({ memoryBytes: 1 << 14, tmpdir: tmpdir() }, { runs: 0, bytes: 0 });
  for (const [label, form] of forms) meter.add(label === '' ? undefined : encodeText(label), encodeText(form));
  return meter.finish();
}

const many = Array.from({ length: 10 }, (_, k) => ['error', `http://a.de/gone-${k}`] as const);

test.each([
  [
    'image',
    [
      ['a', 'http://a.de/x.PNG'],
      ['a', 'http://a.de/y.png?v=1'],
    ],
    1,
  ],
  [
    'query',
    [
      ['a', 'http://a.de/x'],
      ['a', 'http://a.de/x?s=1'],
      ['a', 'http://a.de/x?s=2'],
    ],
    2,
  ],
  [
    'replicated',
    [
      ['a', 'http://a.de/~ann/p.pdf'],
      ['a', 'http://b.de/p.pdf?d=1'],
    ],
    1,
  ],
  ['page', many, 9],
  ['other', many.slice(1), 8],
  [
    'other',
    [
      ['a', 'http://a.de/x/'],
      ['a', 'http://a.de/y/'],
    ],
    1,
  ],
] as const)('is of class %s', (name, forms, left) => {
  const { classes, ...all } = leftOf([...forms, ...forms, ['', 'http://a.de/z'], ['b', 'http://a.de/x']]);
  expect([all.left, classes.find((one) => one.duplicates > 0)]).toEqual([
    left,
    { name, duplicates: left, example: [expect.stringContaining('http://'), forms[0]![1]] },
  ]);
});

const url = fc.constantFrom(
  ...['x', 'y/x', 'x.png', 'y/', ''].flatMap((path) => [
    `http://a.de/${path}`,
    `http://a.de/${path}?s=1`,
    `http://b.de/${path}?sid=3`,
  ]),
);
const list = fc.uniqueArray(fc.record({ url, label: fc.constantFrom('', 'A', 'B', 'C') }), {
  selector: (one) => one.url,
});

test('adds up to the dust that canonization leaves', () => {
  const file = sampleFile([sampleParameter('sid', { status: 'valid' })]);
  let seen = 0;
  fc.assert(
    fc.property(list, (urls) => {
      const listed = urls.map((one) => ({
        site: one.url.slice(7, 11),
        url: encodeText(one.url),
        label: one.label === '' ? undefined : encodeText(one.label),
      }));
      const room = { memoryBytes: 1 << 16, tmpdir: tmpdir() };
      const { all, leftover } = measure(listed, file, { accept: 'valid', maxIterations: 10, leftover: true, ...room });
      expect(leftover!.left).toBe(all.dustAfter);
      seen += all.dustAfter;
    }),
    { numRuns: amount(200, 5) },
  );
  expect(seen).toBeGreaterThan(10);
});
