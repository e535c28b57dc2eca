// Patterns of prefixes, compared with the same expressions of JavaScript.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern, skipPattern } from '../../../src/log/prefix/pattern.js';
import { expressionOf, patternOf, PREFIX_NAMES } from '../../../src/log/prefix/prefixes.js';
import { WRITERS } from './writers.js';

function skip(text: string, start = 0, end = text.length): number {
  return skipPattern(pattern, Buffer.from(text, 'latin1'), start, end);
}
const pattern = compilePattern(String.raw`(?:<\d{1,3}>)?[a-c]{2,3}\[?x*y+`);

test.each([
  ['<12>aay', 7],
  ['aby', 3],
  ['abcy', 4],
  ['<1234>aay', -1],
  ['<12aay', -1],
  ['ab[xxxyyyz', 9],
  ['abx', -1],
  ['a', -1],
  ['', -1],
  ['ab\ny', -1],
])('%j ends at %i', (text, expected) => {
  expect(skip(text)).toBe(expected);
});

test('nothing is read outside of the line', () => {
  expect(skip('abyyy', 0, 4)).toBe(4);
  expect(skip('aby', 0, 2)).toBe(-1);
  expect(skip('<aby', 1)).toBe(4);
});

const pieces = [
  ...'<>[]:| \x1b-/.1aZTm{"\\\n\xef'.split(''),
  ...WRITERS.map(({ write }) => write('', 7)),
  ' web1 nginx[1]: ',
  '06:00:00',
];
const text = fc
  .array(fc.constantFrom(...pieces, '\x1b[32m', '2026-03-02T06:00:00Z'), { maxLength: 6 })
  .map((all) => all.join(''));

test.each(PREFIX_NAMES)('%s: the steps find what the expression finds', (name) => {
  const expression = new RegExp(`^(?:${expressionOf(name)})`);
  const own = WRITERS.filter(({ prefixes }) => prefixes[0] === name).map(({ write }) => write('', 3));
  let found = 0;
  const cut = fc.tuple(fc.constantFrom(...own), fc.nat(60), fc.constantFrom('', ...pieces)).map(([one, at, more]) => {
    return `${one.slice(0, at)}${more}${one.slice(at)}`;
  });
  fc.assert(
    fc.property(fc.oneof(text, cut), (line) => {
      const bytes = Buffer.from(line, 'latin1');
      // A class has no newline, as no line has one.
      const bare = line.split('\n', 1)[0]!;
      const length = expression.exec(bare)?.[0].length ?? -1;
      const end = skipPattern(patternOf(name), bytes, 0, bytes.length);
      // Steps never go back, so they may miss what an expression finds; never the other way round.
      if (end >= 0) expect([line, end]).toEqual([line, length]);
      if (end >= 0) found++;
    }),
    { numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(20);
});
