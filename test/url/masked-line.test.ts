import { expect, test } from 'vitest';
import { maskedLine } from '../../src/url/masked-line.js';

test.each([
  ['GET /a?sid=a7f3c2 HTTP/9', 'GET /a?sid=… HTTP/9'],
  ['1 http://ann:pw@h/x?mail=ann@example.org&id=7', '1 http://h/x?mail=…&id=7'],
  ['x "ann@example.org" - /a;jsessionid=1A530637289A03B0', 'x "…" - /a;jsessionid=…'],
  ['{"password":"hunter","url":"/a?token=abc123"', '{"password":"…","url":"/a?token=…"'],
  ['Cookie: PHPSESSID=q2v8ksd0f9a7; a=1', 'Cookie: PHPSESSID=…; a=1'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer …'],
  ['"next=%2Fcart%3Fsid%3Da7f3c2"', '"next=…"'],
  ['/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP', '/verify/…'],
  ['10.0.0.1 - - [04/Mar/2025:09:00:01 +0000] "GET / HTTP/1.1" 200 512', undefined],
  ['', undefined],
])('%s', (line, masked = line) => {
  expect(maskedLine(line)).toBe(masked);
  expect(maskedLine(masked)).toBe(masked);
});

test('a line of a megabyte takes steps by its length', () => {
  for (const part of ['_', 'a=', '"a":', '://', 'a@', '%3d', 'bearer ']) {
    expect(maskedLine(part.repeat(1_000_000 / part.length)).length).toBeLessThanOrEqual(1_000_000);
  }
});
