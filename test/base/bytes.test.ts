import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText, printable } from '../../src/base/bytes.js';

test('bytes to text and back loses nothing, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(Buffer.from(encodeText(decodeText(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
});

test('damaged UTF-8 survives JSON', () => {
  const bytes = Buffer.from([0x2f, 0xe4, 0xf0, 0x9f, 0x92, 0x61, 0xed, 0xa0, 0x80, 0xc0, 0x80, 0xff]);
  const text = JSON.parse(JSON.stringify(decodeText(bytes))) as string;
  expect(Buffer.from(encodeText(text))).toEqual(bytes);
});

test('nothing that moves the cursor or reverses text reaches a terminal', () => {
  expect(printable('a\u001b[31m\u0007\u009b\u202e\u2028\udce4z')).toBe('a\\x1b[31m\\x07\\x9b\\u{202e}\\u{2028}\\xe4z');
});
