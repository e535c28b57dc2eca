import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortByteStrings } from '../../src/base/sort.js';
import { seeded } from '../bench/input/random.js';

const shortStrings = fc.array(fc.uint8Array({ maxLength: 6, max: 3 }), { maxLength: 60 });

function columns(strings: readonly Uint8Array[]) {
  const start: number[] = [];
  const end: number[] = [];
  let at = 0;
  for (const string of strings) {
    start.push(at);
    end.push((at += string.length));
  }
  return { bytes: Buffer.concat(strings), start, end };
}

function sorted(strings: readonly Uint8Array[], order: 'forward' | 'backward'): number[] {
  const rows = Int32Array.from(strings.keys());
  sortByteStrings(rows, columns(strings), order);
  return Array.from(rows);
}

function expected(strings: readonly Uint8Array[]): number[] {
  return Array.from(strings.keys()).toSorted((a, b) => Buffer.compare(strings[a]!, strings[b]!) || a - b);
}

test('rows come in byte order, equal strings in row order', () => {
  fc.assert(
    fc.property(shortStrings, (strings) => {
      expect(sorted(strings, 'forward')).toEqual(expected(strings));
    }),
  );
});

test('backward order is byte order of the strings read from the end', () => {
  fc.assert(
    fc.property(shortStrings, (strings) => {
      expect(sorted(strings, 'backward')).toEqual(expected(strings.map((string) => string.slice().reverse())));
    }),
  );
});

test('strings that share thousands of bytes do not exhaust the stack', () => {
  const strings = Array.from({ length: 40 }, (_, k) =>
    Buffer.concat([Buffer.alloc(60_000, 1), Buffer.of((k * 7) % 40)]),
  );
  expect(sorted(strings, 'forward')).toEqual(expected(strings));
});

test('tens of thousands of strings, alike and not, come in the same order', () => {
  const random = seeded(3);
  const pick = (count: number) => Math.floor(random() * count);
  const strings = Array.from({ length: 40_000 }, (_, k) => {
    const kinds = [
      `/shared/part/${pick(50_000)}`,
      `/shared/part/${pick(9)}/${'x/'.repeat(pick(40))}`,
      '/shared/part/',
      `${k % 7}`,
    ];
    return Buffer.from(kinds[pick(pick(2) === 0 ? 1 : 4)]!);
  });
  for (const order of ['forward', 'backward'] as const) {
    const keys = strings.map((string) => (order === 'forward' ? string : Buffer.from(string).reverse()));
    expect(sorted(strings, order)).toEqual(expected(keys));
  }
});
