// Bodies are decoded completely, or the reason is given; never beyond the limit.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeContent, dechunk } from '../../../src/log/warc/coding.js';

const text = 'a page that says the same thing again and again. '.repeat(50);
const LIMIT = 10_000;

/** A zstd frame of one raw block; `bomb` repeats one byte that often (RFC 8878, 3.1.1). */
function zstdFrame(body: Buffer, windowByte = 0x50): Buffer {
  const block = Buffer.alloc(3);
  block.writeUIntLE((body.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, windowByte), block, body]);
}

function zstdBomb(blocks: number): Buffer {
  const repeat = (isLast: number): Buffer => {
    const block = Buffer.alloc(4, 0x78);
    block.writeUIntLE((65_536 << 3) | 2 | isLast, 0, 3);
    return block;
  };
  const all = Array.from({ length: blocks }, (_, k) => repeat(k === blocks - 1 ? 1 : 0));
  return Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50), ...all]);
}

const CODED: readonly [string, Buffer][] = [
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['GZIP', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdFrame(Buffer.from(text))],
  ['identity', Buffer.from(text)],
  ['', Buffer.from(text)],
  ['gzip, br', brotliCompressSync(gzipSync(text))],
];

test.each(CODED)('%s is decoded', async (coding, body) => {
  const decoded = await decodeContent(body, coding, LIMIT);
  expect(decoded.kind === 'body' && Buffer.from(decoded.body).toString()).toBe(text);
});

test.each(['gzip', 'zstd'])('a body that is not %s, though its header says so, is left as it is', async (coding) => {
  expect(await decodeContent(Buffer.from(text), coding, LIMIT)).toMatchObject({
    kind: 'body',
    body: Buffer.from(text),
  });
});

describe('a body that unpacks to more than the limit is too large', () => {
  const long = 'x'.repeat(3_000_000);
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(long)],
    ['deflate', deflateSync(long)],
    ['br', brotliCompressSync(long)],
    ['zstd', zstdBomb(40)],
    ['zstd', zstdFrame(Buffer.from(text), 0xff)],
    ['zstd', zstdFrame(Buffer.from(text), 0x69)],
    ['gzip, gzip', gzipSync(gzipSync(long))],
    ['', Buffer.from(long)],
  ])('%s', async (coding, body) => {
    expect(await decodeContent(body, coding, LIMIT)).toMatchObject({ kind: 'unusable', reason: 'too-large' });
  });

  test('but at the limit it is not too large', async () => {
    const exact = Buffer.alloc(LIMIT, 'y');
    for (const body of [gzipSync(exact), zstdFrame(exact)]) {
      expect(await decodeContent(body, body[0] === 0x1f ? 'gzip' : 'zstd', LIMIT)).toMatchObject({ kind: 'body' });
    }
  });
});

test('every cut of an encoded body is a decoding error, or the body as it is', async () => {
  for (const [coding, body] of CODED.filter(([coding]) => /^(gzip|deflate|br|zstd)$/.test(coding))) {
    for (let cut = 0; cut < body.length; cut += 1 + (body.length >> 6)) {
      const decoded = await decodeContent(body.subarray(0, cut), coding, LIMIT);
      if (decoded.kind === 'body') expect([coding, cut <= 4]).toEqual([coding, true]);
      else expect(decoded.reason).toBe('decoding');
    }
  }
});

test('an unknown encoding is a decoding error', async () => {
  for (const coding of ['compress', 'aws-chunked', 'gzip, gzip, gzip, gzip, gzip']) {
    expect(await decodeContent(gzipSync(text), coding, LIMIT)).toMatchObject({ kind: 'unusable', reason: 'decoding' });
  }
});

test('any bytes are decoded or refused', async () => {
  const starts = fc.constantFrom(...CODED.map(([, body]) => body.subarray(0, 12)));
  const codings = fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'zstd, br', 'x');
  await fc.assert(
    fc.asyncProperty(starts, fc.uint8Array({ maxLength: 60 }), codings, async (start, rest, coding) => {
      const decoded = await decodeContent(Buffer.concat([start, rest]), coding, LIMIT);
      if (decoded.kind === 'body') expect(decoded.body.length).toBeLessThanOrEqual(LIMIT);
    }),
    { numRuns: 500 },
  );
});

describe('chunked bodies are decoded', () => {
  const chunked = (chunks: readonly Uint8Array[]): Buffer =>
    Buffer.concat([
      ...chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
      Buffer.from('0\r\n\r\n'),
    ]);

  const bodyOf = (body: Buffer, header: string | undefined): Buffer | string => {
    const decoded = dechunk(body, header);
    return decoded.kind === 'body' ? Buffer.from(decoded.body) : decoded.reason;
  };

  test('wherever they were cut', () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 9 });
    fc.assert(
      fc.property(chunks, (pieces) => {
        expect(bodyOf(chunked(pieces), 'chunked')).toEqual(Buffer.concat(pieces));
      }),
    );
  });

  test('with extensions and trailers', () => {
    const body = Buffer.from('3;name="v"\r\nabc\r\n00A \r\n0123456789\r\n0\r\nExpires: now\r\n\r\n');
    expect(bodyOf(body, 'gzip, Chunked')).toEqual(Buffer.from('abc0123456789'));
  });

  test('only if they are chunked', () => {
    for (const page of [text, '', 'abc\nno chunk', '2\r\nno chunk', '0x']) {
      for (const header of ['chunked', undefined, 'identity']) {
        expect([page, bodyOf(Buffer.from(page), header)]).toEqual([page, Buffer.from(page)]);
      }
    }
  });

  test('and no cut of them passes for a page', () => {
    const whole = chunked([Buffer.from('some'), Buffer.from('text')]);
    for (let cut = 3; cut < whole.length - '\r\n\r\n'.length; cut++) {
      expect([cut, bodyOf(whole.subarray(0, cut), 'chunked')]).toEqual([cut, 'decoding']);
    }
  });
});
