import { expect, it } from 'vitest';
import { ByteBuffer } from '../../src/base/buffer.js';

const textOf = ({ bytes, used }: ByteBuffer) => Buffer.from(bytes.subarray(0, used)).toString();

it('bytes are concatenated, whatever the initial capacity', () => {
  for (const size of [0, 1, 5, 1000]) {
    const buffer = new ByteBuffer(size);
    buffer.add(Buffer.from('abc'));
    buffer.push(0x64);
    buffer.add(Buffer.from(`${'x'.repeat(200)}efg`), 199);
    expect(textOf(buffer)).toBe('abcdxefg');
    buffer.used = 1;
    buffer.add(Buffer.from('z'.repeat(300)));
    expect(textOf(buffer)).toBe(`a${'z'.repeat(300)}`);
  }
});

it('a part of the buffer can be appended to it, even if it has to grow for that', () => {
  const buffer = new ByteBuffer(4);
  buffer.add(Buffer.from('abcd'));
  for (let k = 0; k < 8; k++) buffer.add(buffer.bytes, 0, buffer.used);
  expect(textOf(buffer)).toBe('abcd'.repeat(256));
});

it('any length can be appended from any offset, alternately from several arrays', () => {
  const source = Uint8Array.from({ length: 200 }, (_, k) => (k * 37 + 11) & 255);
  const views = [source, source.subarray(3), Uint8Array.from(source).subarray(50, 190)];
  const buffer = new ByteBuffer(1);
  const expected: number[] = [];
  for (let length = 0; length <= 130; length++) {
    for (const [k, view] of views.entries()) {
      buffer.add(view, k, k + length);
      expected.push(...view.subarray(k, k + length));
    }
  }
  expect([...buffer.bytes.subarray(0, buffer.used)]).toEqual(expected);
});
