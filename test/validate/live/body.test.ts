import { execFileSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, createGzip, constants } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { encodingsOf, readBody, type Encoding } from '../../../src/validate/live/decode.js';
import { unzstdPage } from '../../../src/log/unzstd.js';
import { byPath, closeSources, documentOf, serve, SITE, sourceOf, textPage, type Site } from './site.js';

const closers: (() => unknown)[] = [];

async function siteOf(answer: RequestListener): Promise<Site> {
  const site = await serve(answer);
  closers.push(() => site.close());
  return site;
}

/** A server that sends exactly these bytes, and then closes the connection unless `holds` is given. */
async function serveRaw(answer: string | Buffer, end: 'ends' | 'holds' = 'ends'): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (request) => {
      if (request.toString().startsWith('GET /robots.txt ')) {
        return void socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
      }
      socket.write(answer);
      if (end === 'ends') socket.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => server.close());
  return `http://www.site.test:${(server.address() as AddressInfo).port}/a`;
}

afterEach(async () => {
  await closeSources();
  await Promise.all(closers.splice(0).map((close) => close()));
});

const TEXT = 'the quick brown fox '.repeat(500);

function packed(encoding: string, bytes: Uint8Array | string): RequestListener {
  return byPath({
    '/a': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(bytes);
    },
  });
}

/** Like the command `zstd`: a frame whose one block repeats a byte, or several. */
function zstdRepeat(byte: number, count: number, blocks: number, window = 0x38): Buffer {
  const header = (isLast: boolean) => (count << 3) | (1 << 1) | (isLast ? 1 : 0);
  const block = (isLast: boolean) => Buffer.from([header(isLast), header(isLast) >> 8, header(isLast) >> 16, byte]);
  const parts = Array.from({ length: blocks }, (_, k) => block(k === blocks - 1));
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, window]), ...parts]);
}

/** A frame of one raw block. */
function zstdRaw(text: string): Buffer {
  const header = (text.length << 3) | 1;
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, header, header >> 8, header >> 16]),
    Buffer.from(text),
  ]);
}

describe('an encoded body', () => {
  const brotli = brotliCompressSync(TEXT);

  it.each<[string, Uint8Array]>([
    ['gzip', gzipSync(TEXT)],
    ['X-GZip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotli],
    ['zstd', zstdRaw(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['', Buffer.from(TEXT)],
    ['gzip, identity', gzipSync(TEXT)],
    ['gzip, gzip', gzipSync(gzipSync(TEXT))],
    ['br, gzip', gzipSync(brotli)],
    ['zstd,deflate', deflateSync(zstdRaw(TEXT))],
    ['gzip', Buffer.concat([gzipSync(TEXT.slice(0, 777)), gzipSync(TEXT.slice(777))])],
  ])('as %s is decoded', async (encoding, bytes) => {
    const site = await siteOf(packed(encoding, bytes));
    expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({
      kind: 'page',
      document: textPage(TEXT),
    });
  });

  it('may be declared in two headers', async () => {
    const site = await siteOf(
      byPath({
        '/a': (_request, response) => {
          const headers = ['content-type', 'text/html', 'content-encoding', 'br', 'content-encoding', 'gzip'];
          response.writeHead(200, headers).end(gzipSync(brotli));
        },
      }),
    );
    expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({
      kind: 'page',
      document: textPage(TEXT),
    });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, br'])('that is empty is empty, as %s too', async (encoding) => {
    const site = await siteOf(packed(encoding, ''));
    expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind: 'page', document: textPage('') });
  });

  it.each<[string, Uint8Array | string]>([
    ['gzip', 'not packed at all'],
    ['deflate', 'not packed at all'],
    ['br', 'not packed at all'],
    ['zstd', 'not packed at all'],
    ['gzip', gzipSync(TEXT).subarray(0, 50)],
    ['br', brotli.subarray(0, brotli.length - 4)],
    ['zstd', zstdRaw(TEXT).subarray(0, 500)],
    ['zstd', zstdRaw(TEXT).subarray(0, 5)],
    ['gzip', Buffer.concat([gzipSync(TEXT).subarray(0, -8), Buffer.alloc(8)])],
    ['gzip, gzip', gzipSync(TEXT)],
    ['compress', TEXT],
    ['gzip, foo', gzipSync(TEXT)],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(TEXT)))],
    ['constructor', TEXT],
  ])('that is not %s is not a page', async (encoding, bytes) => {
    const site = await siteOf(packed(encoding, bytes));
    const result = await sourceOf().fetch(`${site.origin()}/a`, SITE);
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'decoding' });
  });

  it('is decoded in whatever pieces it comes', async () => {
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(TEXT)],
      ['deflate', deflateSync(TEXT)],
      ['deflate', deflateRawSync(TEXT)],
      ['br', brotli],
      ['zstd', zstdRaw(TEXT.slice(0, 100))],
    ] as const) {
      for (let cut = 0; cut <= Math.min(bytes.length, 12); cut++) {
        const chunks = Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]);
        const body = await readBody(chunks, [encoding], 1e6);
        expect(body).toMatchObject({ kind: 'whole' });
      }
    }
  });

  it('is decoded by the names of RFC 9110, the last encoding first', () => {
    expect(encodingsOf('gzip, br')).toEqual(['br', 'gzip'] satisfies Encoding[]);
    expect(encodingsOf(undefined)).toEqual([]);
    expect(encodingsOf('gzip,gzip,gzip')).toBeUndefined();
  });
});

describe('a body beyond the limit', () => {
  const limit = 100_000;

  /** Bytes read from an endless stream, until `answer` was abandoned. */
  async function endless(
    headers: Record<string, string>,
    chunk: Uint8Array,
  ): Promise<{ sent: number; result: unknown }> {
    let sent = 0;
    const site = await siteOf(
      byPath({
        '/a': (_request, response) => {
          response.writeHead(200, headers);
          const more = () => {
            while (!response.destroyed && response.write(chunk)) sent += chunk.length;
          };
          response.on('drain', more);
          more();
        },
      }),
    );
    const result = await sourceOf({ maxBodyBytes: limit }).fetch(`${site.origin()}/a`, SITE);
    return { sent, result };
  }

  it('is abandoned at the limit', async () => {
    const { sent, result } = await endless({ 'content-type': 'text/plain' }, Buffer.alloc(10_000));
    expect(result).toEqual({ kind: 'unavailable', reason: 'too-large' });
    expect(sent).toBeLessThan(50_000_000);
  });

  it('is abandoned, too, if it never unpacks to anything', async () => {
    const { result } = await endless({ 'content-encoding': 'gzip' }, gzipSync(''));
    expect(result).toEqual({ kind: 'unavailable', reason: 'too-large' });
  });

  it('may be of the size of the limit', async () => {
    for (const [length, kind] of [
      [limit, 'page'],
      [limit + 1, 'unavailable'],
    ] as const) {
      const site = await siteOf(byPath({ '/a': 'x'.repeat(length), '/b': packed('gzip', '') }));
      expect(await sourceOf({ maxBodyBytes: limit }).fetch(`${site.origin()}/a`, SITE)).toMatchObject({ kind });
      const zipped = await siteOf(packed('gzip', gzipSync('x'.repeat(length))));
      expect(await sourceOf({ maxBodyBytes: limit }).fetch(`${zipped.origin()}/a`, SITE)).toMatchObject({ kind });
    }
  });

  it('is not a bomb: ten gigabytes of zeros take little memory', async () => {
    let made = 0;
    const site = await siteOf(
      byPath({
        '/a': (_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' });
          const zeros = Buffer.alloc(1 << 20);
          const source = function* () {
            for (; made < 10 * 1024; made++) yield zeros;
          };
          Readable.from(source())
            .pipe(createGzip({ level: constants.Z_BEST_SPEED }))
            .pipe(response);
          response.on('close', () => (made = Infinity));
        },
      }),
    );
    const before = process.memoryUsage.rss();
    const result = await sourceOf().fetch(`${site.origin()}/a`, SITE);
    expect(result).toEqual({ kind: 'unavailable', reason: 'too-large' });
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 << 20);
  });

  it.each<[string, Buffer]>([
    ['gzip', gzipSync(Buffer.alloc(50 << 20))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50 << 20)))],
    ['br', brotliCompressSync(Buffer.alloc(50 << 20), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zstdRepeat(0, 1 << 17, 20_000)],
  ])('is not a bomb as %s either', async (encoding, bomb) => {
    const site = await siteOf(packed(encoding, bomb));
    const result = await sourceOf().fetch(`${site.origin()}/a`, SITE);
    expect(result).toEqual({ kind: 'unavailable', reason: 'too-large' });
  });

  it('is refused if zstd needs a window that no server may use', async () => {
    const site = await siteOf(packed('zstd', zstdRepeat(97, 10, 1, 0x99)));
    const result = await sourceOf().fetch(`${site.origin()}/a`, SITE);
    expect(result).toMatchObject({
      kind: 'unavailable',
      reason: 'decoding',
      detail: expect.stringContaining('window'),
    });
    // From the first size above 8 MiB on, which libzstd itself would take.
    const more = await siteOf(packed('zstd', zstdRepeat(97, 10, 1, 0x69)));
    expect(await sourceOf().fetch(`${more.origin()}/a`, SITE)).toMatchObject({ reason: 'decoding' });
    const most = await siteOf(packed('zstd', zstdRepeat(97, 10, 1, 0x68)));
    expect(await sourceOf().fetch(`${most.origin()}/a`, SITE)).toMatchObject({ kind: 'page' });
    // Also in a frame after the first.
    const second = await siteOf(packed('zstd', Buffer.concat([zstdRaw('x'), zstdRepeat(97, 10, 1, 0x99)])));
    expect(await sourceOf().fetch(`${second.origin()}/a`, SITE)).toMatchObject({ reason: 'decoding' });
  });
});

it('cannot make a few bytes of zstd copy for hours', async () => {
  // One block: a literal that is repeated once, then 98,047 sequences of 65,539 bytes each, which take no bits.
  const block = Buffer.from([0x09, 97, 255, 255, 255, 0x54, 0, 0, 52, 1]);
  const header = (block.length << 3) | (2 << 1) | 1;
  const frame = Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, header, header >> 8, header >> 16]),
    block,
  ]);
  const unpack = async () => {
    for await (const chunk of unzstdPage(Readable.from([frame]))) expect(chunk.length).toBeLessThan(2e6);
  };
  await expect(unpack()).rejects.toThrow('the zstd data is damaged');
});

describe('a connection that ends early or lies', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';

  it.each<[string, string | Buffer]>([
    ['before its length', `${head}content-length: 100\r\n\r\nshort`],
    ['inside of a chunk', `${head}transfer-encoding: chunked\r\n\r\n10\r\nshort`],
    ['before the last chunk', `${head}transfer-encoding: chunked\r\n\r\n5\r\nshort\r\n`],
    ['inside of its headers', 'HTTP/1.1 200 OK\r\ncontent-ty'],
    ['before anything', ''],
    ['with another protocol', '220 mail.example.com ESMTP\r\n'],
    ['with headers without end', `HTTP/1.1 200 OK\r\n${'x-a: bbbbbbbb\r\n'.repeat(10_000)}`],
    ['with two lengths', `${head}content-length: 5\r\ncontent-length: 6\r\n\r\nshort!`],
  ])('%s gives no page', async (_name, answer) => {
    const result = await sourceOf().fetch(await serveRaw(answer), SITE);
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('is not taken for a page if the encoding hides that it was cut', async () => {
    const body = gzipSync(TEXT);
    const answer = Buffer.concat([
      Buffer.from(`${head}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`),
      body,
    ]);
    const result = await sourceOf().fetch(await serveRaw(answer.subarray(0, -10)), SITE);
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('may send more than its length, which is not read', async () => {
    const result = await sourceOf().fetch(await serveRaw(`${head}content-length: 5\r\n\r\nshort and more`), SITE);
    expect(result).toMatchObject({ kind: 'page', document: textPage('short') });
  });

  it('may end the page by the end of the connection, as in HTTP/1.0', async () => {
    const answer = 'HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\nold page';
    const result = await sourceOf().fetch(await serveRaw(answer), SITE);
    expect(result).toMatchObject({ kind: 'page', document: textPage('old page') });
  });
});

describe('a slow server', () => {
  const limits = { headersMs: 60, bodyMs: 60, connectMs: 0 };

  it('is abandoned for its headers', async () => {
    const site = await siteOf((request) => void request);
    const quiet = await serveRaw('', 'holds');
    const result = await sourceOf(limits).fetch(quiet, SITE);
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'time-out', detail: 'no headers in 60 ms' });
    expect(site.requests).toEqual([]);
  });

  it('is abandoned for its body, however steadily it drips', async () => {
    const site = await siteOf(
      byPath({
        '/a': (_request, response) => {
          const timer = setInterval(() => response.write('x'), 5);
          response.on('close', () => clearInterval(timer));
        },
        '/b': (_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' });
          response.write(gzipSync(TEXT).subarray(0, 20));
        },
        '/c': (_request, response) => {
          response.writeHead(404);
          response.write('x');
        },
      }),
    );
    // On a busy machine the headers alone may take longer.
    const source = sourceOf({ ...limits, headersMs: 10_000 });
    for (const path of ['/a', '/b']) {
      const result = await source.fetch(site.origin() + path, SITE);
      expect(result).toMatchObject({ kind: 'unavailable', reason: 'time-out', detail: 'no whole body in 60 ms' });
    }
    // The encoding of a body that is not needed does not matter.
    expect(await source.fetch(`${site.origin()}/c`, SITE)).toMatchObject({ kind: 'missing' });
  });
});

it('passes bytes and content type to the function that makes documents', async () => {
  const bytes = Buffer.from([0, 255, 128]);
  const site = await siteOf(
    byPath({
      '/a': (_request, response) => response.setHeader('content-type', 'image/x-é').end(bytes),
      '/b': (_request, response) => response.end(bytes),
    }),
  );
  const types: (string | undefined)[] = [];
  const source = sourceOf({
    documentOf: (body, type) => {
      types.push(type);
      return documentOf(body, type);
    },
  });
  for (const path of ['/a', '/b']) {
    const result = await source.fetch(site.origin() + path, SITE);
    expect(result).toMatchObject({ kind: 'page', document: documentOf(bytes, undefined) });
  }
  expect(types).toEqual(['image/x-é', undefined]);
});

it('unpacks what the zstd command packs', async () => {
  const command = (() => {
    try {
      return execFileSync('zstd', ['-q', '-c'], { input: TEXT.repeat(20) });
    } catch {
      return undefined; // not installed here
    }
  })();
  if (command === undefined) return;
  const site = await siteOf(packed('zstd', command));
  expect(await sourceOf().fetch(`${site.origin()}/a`, SITE)).toMatchObject({ document: textPage(TEXT.repeat(20)) });
});
