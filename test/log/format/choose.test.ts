// Inputs that are no logs are refused with what they are, and the others are read.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { read } from '../reading.js';
import { SAMPLES } from './samples.js';

const warc = 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\nhttp://h.de/a\n';
const arc = 'filedesc://a.arc 0.0.0.0 20081105135926 text/plain 77\n1 0 x\nURL IP-address\nhttp://h.de/a 1.2.3.4\n';
const picture = Buffer.from(Array.from({ length: 5000 }, (_, k) => (k * 7919) % 251));

test.each([
  ['a WARC file', Buffer.from(warc), /^is a WARC file, .*dustbuster sketch/],
  ['a packed one', gzipSync(warc), /^is a WARC file/],
  ['an ARC file', Buffer.from(arc), /^is an ARC file/],
  ['a picture', picture, /^is a binary file/],
])('%s is refused', async (_, bytes, reason) => {
  const { rows, summary } = await read(bytes);
  expect([rows, summary]).toMatchObject([[], { lines: 0, truncated: true, reason: expect.stringMatching(reason) }]);
});

test('unless its format is named', async () => {
  expect((await read(arc, { format: 'urls' })).rows).toHaveLength(1);
});

test('a log with holes, or with bytes of other programs, is a log', async () => {
  for (const { text, format } of SAMPLES) {
    const odd = '\u0001\u0002\u0016'.repeat(40);
    expect((await read(`${text}${odd}\n`)).summary.format).toBe(format);
  }
  const [common] = SAMPLES;
  expect((await read(`${'\0'.repeat(3000)}\n${common!.text}`)).summary.format).toBe(common!.format);
});
