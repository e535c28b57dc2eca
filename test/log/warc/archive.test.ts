// What an archive returns for a URL, however its files are compressed, and whatever is wrong with them.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { WARCParser, WARCRecord, WARCSerializer } from 'warcio';
import { decodeText } from '../../../src/base/bytes.js';
import { UserError } from '../../../src/base/error.js';
import { hashBytes } from '../../../src/base/hash.js';
import type { Input } from '../../../src/log/bytes.js';
import { fileInput } from '../../../src/log/inputs.js';
import { openWarcs, type WarcArchive } from '../../../src/log/warc/archive.js';
import { openBytes } from '../../../src/log/warc/bytes.js';
import { type Capture, readRecord } from '../../../src/log/warc/capture.js';
import { scanWarc } from '../../../src/log/warc/scan.js';
import { amount } from '../../amount.js';
import { scratchFolder } from '../../cli/process.js';
import { type Composed, OK, pack, PACKINGS, record, seededBytes, shelfIn, WARCINFO } from './compose.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const shelf = shelfIn(scratch.path);

/** After `http://a.example/` these have the same hash (`base/hash`). */
const COLLIDING = ['712a67567ec1', '8bb136fd832b'] as const;

/** The common question: the body as text, or what was found instead. */
async function bodyOf(archive: WarcArchive, url: string): Promise<string> {
  const capture = await archive.find(url);
  return capture === undefined ? 'nothing' : shown(capture);
}

function shown(capture: Capture): string {
  if (capture.kind === 'document') return Buffer.from(capture.body).toString('latin1');
  return capture.kind === 'answer' ? `answer ${capture.status}` : `unusable: ${capture.reason}`;
}

async function bodiesOf(records: readonly Composed[], urls: readonly string[]): Promise<string[]> {
  const archive = await shelf.open([pack(records.map(record), 'by record')]);
  const bodies: string[] = [];
  for (const url of urls) bodies.push(await bodyOf(archive, url));
  await archive.close();
  return bodies;
}

const sha1 = (body: string | Buffer): [string, string] => [
  'WARC-Payload-Digest',
  `sha1:${createHash('sha1').update(body).digest('hex')}`,
];

describe.each(PACKINGS)('an archive compressed %s', (packing) => {
  const site = [
    WARCINFO,
    record({ type: 'request', url: 'http://a.example/1', http: ['GET /1 HTTP/1.1'] }),
    record({ url: 'http://a.example/1', body: 'one' }),
    record({ type: 'metadata', url: 'http://a.example/1', http: null, body: 'via: x' }),
    record({ url: 'http://a.example/long', version: '1.1', body: seededBytes(300_000) }),
    record({ url: 'http://a.example/short-packed', body: 'x'.repeat(2 << 20) }),
    record({ type: 'response', url: 'dns:a.example', http: null, body: 'a.example. 1 IN A 127.0.0.1' }),
    record({ type: 'resource', url: 'https://a.example/2', http: null, body: 'two' }),
    record({ url: 'http://a.example/empty', body: '' }),
  ];

  test('is counted by kind of record', async () => {
    const archive = await shelf.open([pack(site, packing)]);
    expect(archive.counts).toEqual({ response: 4, revisit: 0, resource: 1, other: 4 });
    expect(archive.damages).toEqual([]);
    await archive.close();
  });

  test('returns each page', async () => {
    const archive = await shelf.open([pack(site, packing)]);
    expect(await bodyOf(archive, 'http://a.example/1')).toBe('one');
    expect(await bodyOf(archive, 'https://a.example/2')).toBe('two');
    expect(await bodyOf(archive, 'http://a.example/empty')).toBe('');
    expect(await bodyOf(archive, 'http://a.example/long')).toBe(seededBytes(300_000).toString('latin1'));
    expect(await bodyOf(archive, 'http://a.example/short-packed')).toBe('x'.repeat(2 << 20));
    expect(await archive.find('http://a.example/3')).toBeUndefined();
    expect(await archive.find('dns:a.example')).toBeUndefined();
    await archive.close();
  });

  test('reports, for every cut, what is left and that it is truncated', async () => {
    const few = [0, 1].map((n) => record({ url: `http://a.example/${n}`, body: `body ${n}` }));
    const whole = pack(few, packing);
    // Where each record is complete: its member, or its last byte before the line ends.
    const ends = few.map((_, n) => pack(few.slice(0, n + 1), packing).length - (packing === 'plain' ? 4 : 0));
    let opened = 0;
    for (let cut = 0; cut <= whole.length; cut++) {
      const left = packing === 'as one' || packing === 'zstd' ? undefined : ends.filter((end) => end <= cut).length;
      const archive = await shelf.open([whole.subarray(0, cut)]).catch((error: unknown) => error);
      if (archive instanceof Error) {
        expect(archive).toBeInstanceOf(UserError);
        expect(left ?? 0).toBe(0);
        continue;
      }
      opened++;
      const { counts, damages } = archive as WarcArchive;
      const found = await Promise.all([0, 1].map((n) => bodyOf(archive as WarcArchive, `http://a.example/${n}`)));
      expect(found).toEqual([0, 1].map((n) => (n < counts.response ? `body ${n}` : 'nothing')));
      if (left !== undefined) expect(counts.response).toBe(left);
      const isAtSeam = packing === 'as one' ? cut === whole.length : isSeam(cut, ends, packing);
      expect([cut, damages.length > 0]).toEqual([cut, !isAtSeam]);
      await (archive as WarcArchive).close();
    }
    expect(opened).toBeGreaterThan(10);
  });
});

/** True if a file that is cut there looks complete. */
function isSeam(cut: number, ends: readonly number[], packing: string): boolean {
  return ends.some((end) => cut === end || (packing === 'plain' && cut > end && cut <= end + 4));
}

test('offsets and records are those of warcio', async () => {
  const records = [WARCINFO];
  for (let n = 0; n < 40; n++) {
    const made = WARCRecord.create(
      { url: `http://a.example/${n}`, type: n % 3 === 0 ? 'resource' : 'response', httpHeaders: { 'X-N': `${n}` } },
      [seededBytes(1 + n * n * 90)],
    );
    records.push(gunzipSync(await WARCSerializer.serialize(made, { gzip: true })));
  }
  for (const packing of ['by record', 'plain'] as const) {
    const file = pack(records, packing);
    const path = join(scratch.path, 'twin.warc');
    writeFileSync(path, file);
    const bytes = await openBytes(path);
    const ours: [number, string | undefined][] = [];
    await scanWarc(bytes, {
      record: (_, offset, warc) => ours.push([offset, warc.get('WARC-Record-ID')]),
      damage: (offset, reason) => expect.fail(`${reason} at ${offset}`),
      scratch: () => expect.fail('nothing is to be unpacked'),
    });
    const parser = new WARCParser([readFileSync(path)]);
    const theirs: typeof ours = [];
    for await (const one of parser) {
      theirs.push([parser.offset, one.warcHeader('WARC-Record-ID') ?? undefined]);
      const raw = await one.readFully(false);
      const back = await readRecord({ bytes, packing: packing === 'plain' ? 'plain' : 'gzip' }, parser.offset, 1 << 20);
      expect(back!.payload!.equals(raw)).toBe(true);
    }
    expect(ours).toEqual(theirs);
    expect(ours.length).toBe(41);
    await bytes.close();
  }
});

describe('of several captures of a URL', () => {
  const at = (date: string, body: string | Buffer, http = OK): Composed => ({
    url: 'http://a.example/x',
    date,
    body,
    http,
  });
  const url = ['http://a.example/x'];

  test('the latest with a 2xx status is returned', async () => {
    const captures = [
      at('2024-01-02T00:00:00Z', 'newer'),
      at('2024-01-01T00:00:00Z', 'older'),
      at('2024-01-03T00:00:00Z', 'gone', ['HTTP/1.1 404 Not Found']),
    ];
    expect(await bodiesOf(captures, url)).toEqual(['newer']);
  });

  test('the latest is returned if none has a 2xx status', async () => {
    const captures = [
      at('2024-01-02T00:00:00Z', '', ['HTTP/1.1 503 Busy']),
      at('2024-01-03T00:00:00Z', '', ['HTTP/1.1 410 Gone']),
      at('2024-01-01T00:00:00Z', '', ['HTTP/1.1 404 Not Found']),
    ];
    expect(await bodiesOf(captures, url)).toEqual(['answer 410']);
  });

  test('a resource counts as one with a 2xx status', async () => {
    const resource = { ...at('2024-01-01T00:00:00Z', 'kept'), type: 'resource', http: null };
    expect(await bodiesOf([resource, at('2024-01-02T00:00:00Z', '', ['HTTP/1.1 404 No'])], url)).toEqual(['kept']);
  });

  test('the later of two with the same date is returned, across files', async () => {
    const files = ['first', 'second'].map((body) => pack([record(at('2024-01-01T00:00:00Z', body))], 'by record'));
    const archive = await shelf.open(files);
    expect(await bodyOf(archive, url[0]!)).toBe('second');
    await archive.close();
  });

  test('an unusable one gives way to an earlier one', async () => {
    const broken = at('2024-01-03T00:00:00Z', Buffer.from('\x1f\x8bjunk', 'latin1'), [...OK, 'Content-Encoding: gzip']);
    expect(await bodiesOf([at('2024-01-01T00:00:00Z', 'good'), broken], url)).toEqual(['good']);
    expect(await bodiesOf([broken], url)).toEqual(['unusable: decoding']);
  });
});

describe('a URL is found', () => {
  test('by its bytes, rather than by its safe normal form', async () => {
    const records = ['/%7Ea', '/~a', '/b/../c', '/%2fd'].map((path) => ({
      url: `http://a.example${path}`,
      body: path,
    }));
    const asked = ['/%7Ea', '/~a', '/%7ea', '/b/../c', '/c', '/./c', '/%2Fd', '//d'].map((p) => `http://a.example${p}`);
    const found = ['/%7Ea', '/~a', '/~a', '/b/../c', '/b/../c', '/b/../c', '/%2fd', 'nothing'];
    const bodies = await bodiesOf(records, asked);
    expect(bodies.with(2, '/~a')).toEqual(found);
    expect(['/~a', '/%7Ea']).toContain(bodies[2]);
  });

  test('whatever the spelling of scheme and host, and without fragment', async () => {
    const records = [
      { url: 'http://A.Example:80', body: 'root' },
      { url: '<http://a.example/wget>', body: 'wget' },
      { url: 'http://a.example/part#x', body: 'part' },
    ];
    const asked = [
      'http://a.example/',
      'HTTP://a.EXAMPLE/#top',
      'http://a.example/wget',
      'https://a.example/',
      'http://a.example/part',
    ];
    expect(await bodiesOf(records, asked)).toEqual(['root', 'root', 'wget', 'nothing', 'part']);
  });

  test('even if its bytes are not UTF-8', async () => {
    const urls = [Buffer.from('http://a.example/\xe4', 'latin1'), Buffer.from('http://a.example/\xf6', 'latin1')];
    const records = [...urls, Buffer.from('http://a.example/ä')].map((url, n) => ({ url, body: `${n}` }));
    const asked = [...urls.map((url) => decodeText(url)), 'http://a.example/ä', 'http://a.example/\ufffd'];
    expect(await bodiesOf(records, asked)).toEqual(['0', '1', '2', 'nothing']);
  });

  test('and no other, even if hashes collide', async () => {
    const [a, b] = COLLIDING.map((name) => `http://a.example/${name}`) as [string, string];
    const hashOf = (url: string): number => hashBytes(Buffer.from(url), 0, url.length);
    expect(hashOf(a)).toBe(hashOf(b));
    expect(await bodiesOf([{ url: a, body: 'a' }], [a, b])).toEqual(['a', 'nothing']);
    expect(
      await bodiesOf(
        [
          { url: a, body: 'a' },
          { url: b, body: 'b' },
        ],
        [a, b],
      ),
    ).toEqual(['a', 'b']);
  });
});

describe('a revisit', () => {
  const first = { url: 'http://a.example/x', date: '2024-01-01T00:00:00Z', body: 'body', warc: [sha1('body')] };
  const revisit = (warc: [string, string][], http: string[] | null = OK): Composed => ({
    type: 'revisit',
    url: 'http://a.example/y',
    date: '2024-02-01T00:00:00Z',
    warc,
    http,
  });
  const refersTo = (url: string, date: string): [string, string][] => [
    ['WARC-Refers-To-Target-URI', url],
    ['WARC-Refers-To-Date', date],
  ];

  test('has the payload of the record that it refers to', async () => {
    const second = { ...first, date: '2024-01-02T00:00:00Z', body: 'other', warc: [] };
    const records = [second, first, revisit(refersTo(first.url, first.date))];
    expect(await bodiesOf(records, ['http://a.example/y'])).toEqual(['body']);
  });

  test('has the payload with its digest, in any file', async () => {
    for (const warc of [[sha1('body')], [sha1('body'), ...refersTo('http://a.example/lost', first.date)]]) {
      const files = [[revisit(warc)], [{ ...first, url: 'http://b.example/' }]];
      const archive = await shelf.open(files.map((records) => pack(records.map(record), 'by record')));
      expect(await bodyOf(archive, 'http://a.example/y')).toBe('body');
      await archive.close();
    }
  });

  test('has the encodings of its original and its own type', async () => {
    const original = { ...first, http: [...OK, 'Content-Encoding: gzip'], body: gzipSync('body') };
    const later = revisit([...refersTo(first.url, first.date)], ['HTTP/1.1 200 OK', 'Content-Type: text/plain']);
    const archive = await shelf.open([pack([original, later].map(record), 'by record')]);
    const capture = await archive.find('http://a.example/y');
    expect(capture).toMatchObject({ kind: 'document', contentType: 'text/plain' });
    expect(shown(capture!)).toBe('body');
    await archive.close();
  });

  test('without headers of its own has those of its original', async () => {
    const gone = { ...first, http: ['HTTP/1.1 404 Not Found'] };
    expect(await bodiesOf([first, revisit([sha1('body')], null)], ['http://a.example/y'])).toEqual(['body']);
    expect(await bodiesOf([gone, revisit([sha1('body')], null)], ['http://a.example/y'])).toEqual(['answer 404']);
  });

  test('without headers of its own redirects where its original does', async () => {
    const moved = { ...first, http: ['HTTP/1.1 301 Moved', 'Location: /z'] };
    const archive = await shelf.open([pack([moved, revisit([sha1('body')], null)].map(record), 'by record')]);
    expect(await archive.find('http://a.example/y')).toMatchObject({ kind: 'answer', status: 301, location: '/z' });
    await archive.close();
  });

  test('that was not modified equals its original', async () => {
    const later = revisit(refersTo(first.url, first.date), ['HTTP/1.1 304 Not Modified']);
    expect(await bodiesOf([first, later], ['http://a.example/y'])).toEqual(['body']);
  });

  test('of a revisit has the payload of the original', async () => {
    const between = { ...revisit([sha1('body')]), url: first.url, date: '2024-01-15T00:00:00Z' };
    const last = revisit([sha1('body'), ...refersTo(first.url, between.date)]);
    expect(await bodiesOf([between, last, first], ['http://a.example/y'])).toEqual(['body']);
  });

  test('does not get a payload of another digest with the same hash', async () => {
    const [ours, theirs] = COLLIDING.map((name): [string, string] => {
      return ['WARC-Payload-Digest', `http://a.example/${name}`];
    });
    const bodies = await bodiesOf([{ ...first, warc: [theirs!] }, revisit([ours!])], ['http://a.example/y']);
    expect(bodies).toEqual(['unusable: no-original']);
  });

  test('of a missing record, or of another payload, is unusable', async () => {
    const asked = ['http://a.example/y'];
    expect(await bodiesOf([revisit([sha1('body')])], asked)).toEqual(['unusable: no-original']);
    const other = revisit([sha1('another'), ...refersTo(first.url, first.date)]);
    expect(await bodiesOf([first, other], asked)).toEqual(['unusable: no-original']);
  });
});

describe('what is not a complete page is distinguished', () => {
  test.each<[string, Composed, string]>([
    ['a redirect', { http: ['HTTP/1.1 301 Moved', 'Location: /x'] }, 'answer 301'],
    ['a status that says nothing', { http: ['HTTP/1.1 OK'], body: 'x' }, 'answer 0'],
    ['a record that the crawler cut', { warc: [['WARC-Truncated', 'length']], body: 'x' }, 'unusable: cut-short'],
    ['a body beyond the limit', { body: 'x'.repeat(1001) }, 'unusable: too-large'],
    ['a body beyond all limits', { body: seededBytes(400_000) }, 'unusable: too-large'],
    ['a body at the limit', { body: 'x'.repeat(1000) }, 'x'.repeat(1000)],
    ['a bomb', { http: [...OK, 'Content-Encoding: gzip'], body: gzipSync('x'.repeat(9e5)) }, 'unusable: too-large'],
    ['headers with bare line feeds', { http: null, body: 'HTTP/1.0 200 OK\nX: y\n\nbody' }, 'body'],
    ['a folded header', { http: ['HTTP/1.1 200 OK', 'X: a', ' b'], body: 'body' }, 'body'],
  ])('%s', async (_, made, expected) => {
    for (const packing of PACKINGS) {
      const archive = await shelf.open([pack([record(made)], packing)], { maxBodyBytes: 1000 });
      expect(await bodyOf(archive, 'http://a.example/')).toBe(expected);
      await archive.close();
    }
  });

  test('a body beyond the limit is not even read', async () => {
    const asked: number[] = [];
    const bytes = pack([record({ body: seededBytes(3_000_000) })], 'plain');
    const read = async (position: number, length: number): Promise<Buffer> => {
      asked.push(length);
      return bytes.subarray(position, position + length);
    };
    const region = { bytes: { length: bytes.length, read, close: async () => {} }, packing: 'plain' } as const;
    expect(await readRecord(region, 0, 1000)).toMatchObject({ payload: undefined });
    expect(Math.max(...asked)).toBeLessThan(200_000);
  });

  test('the Location of a redirect keeps its bytes', async () => {
    const moved = record({
      http: null,
      body: Buffer.from('HTTP/1.1 302 Found\r\nlocation:  /\xe4 \r\n\r\n', 'latin1'),
    });
    const archive = await shelf.open([moved]);
    expect(await archive.find('http://a.example/')).toMatchObject({ status: 302, location: '/\udce4' });
    await archive.close();
  });
});

describe('damage is reported and skipped', () => {
  const urls = [0, 1, 2, 3].map((n) => `http://a.example/${n}`);
  const records = urls.map((url, n) => ({ url, body: `body ${n} `.repeat(40) + seededBytes(600).toString('hex') }));

  async function survivors(file: Buffer): Promise<{ alive: number[]; damages: WarcArchive['damages'] }> {
    const archive = await shelf.open([file]);
    const alive: number[] = [];
    for (const [n, url] of urls.entries()) {
      const body = await bodyOf(archive, url);
      if (body === records[n]!.body) alive.push(n);
      else expect(body).toBe('nothing');
    }
    await archive.close();
    return { alive, damages: archive.damages };
  }

  test('if one byte of a member is changed, at most one record is lost', async () => {
    const members = records.map((one) => gzipSync(record(one)));
    const [start, end] = [members[0]!.length, members[0]!.length + members[1]!.length];
    const whole = Buffer.concat(members);
    let lost = 0;
    for (let at = start; at < end; at += 7) {
      const file = Buffer.from(whole);
      file[at]! ^= 0x55;
      const { alive, damages } = await survivors(file);
      expect([at, alive.filter((n) => n !== 1)]).toEqual([at, [0, 2, 3]]);
      if (alive.includes(1)) expect(damages).toEqual([]);
      else {
        lost++;
        expect(damages.map(({ file: name, offset }) => [name, offset])).toEqual([['0.warc', start]]);
      }
    }
    expect(lost).toBeGreaterThan(40);
  });

  test.each([-5, 5, 100_000])('if a Content-Length is wrong by %i, only its record is lost', async (lie) => {
    for (const packing of PACKINGS) {
      const lying = records.map((one, n) => record(n === 2 ? { ...one, lie } : one));
      const { alive, damages } = await survivors(pack(lying, packing));
      expect([packing, alive]).toEqual([packing, [0, 1, 3]]);
      expect(damages.length).toBe(1);
      expect(damages[0]!.reason).toMatch(
        lie < 0 ? /longer than its Content-Length/ : /(shorter|longer) than its Content-Length/,
      );
      // The member of a record shows where it ends.
      if (packing === 'by record') expect(damages[0]!.reason).toContain(`is ${lie < 0 ? 'longer' : 'shorter'} than`);
      else if (lie < 100_000) expect(damages[0]!.reason).toContain('is shorter or longer than');
    }
  });

  test('if there is something between records', async () => {
    for (const packing of ['by record', 'plain'] as const) {
      const junk = Buffer.from('\r\nthis is no record\r\nWARC/nor this\r\n\x1f\x8b\x08 and no member\r\n', 'latin1');
      const file = Buffer.concat([pack(records.slice(0, 2).map(record), packing), junk]);
      const { alive, damages } = await survivors(Buffer.concat([file, pack(records.slice(2).map(record), packing)]));
      expect(alive).toEqual([0, 1, 2, 3]);
      expect(damages.length).toBe(1);
    }
  });

  test('if the first bytes are damaged', async () => {
    for (const packing of ['by record', 'plain'] as const) {
      const file = pack(records.map(record), packing);
      file.fill(0x41, 0, 4);
      expect((await survivors(file)).alive).toEqual([1, 2, 3]);
    }
  });

  test('if several records are compressed together', async () => {
    const pairs = [records.slice(0, 2), records.slice(2)].map((pair) => pack(pair.map(record), 'as one'));
    expect(await survivors(Buffer.concat(pairs))).toEqual({ alive: [0, 1, 2, 3], damages: [] });
  });
});

describe('a file without records is refused by name', () => {
  const arc = 'filedesc://x.arc 0.0.0.0 20240101000000 text/plain 76\n1 1 InternetArchive\n';
  test.each<[string, Uint8Array, RegExp]>([
    ['an empty one', Buffer.alloc(0), /"1\.warc": the file is empty; expected WARC/],
    ['text', Buffer.from('hello\n'), /"1\.warc": no WARC record begins here; expected WARC/],
    ['packed text', gzipSync('hello\n'), /"1\.warc": no WARC record begins here/],
    ['an ARC file', Buffer.from(arc), /"1\.warc" is an ARC file; .*`warcio recompress`/],
    ['a packed ARC file', gzipSync(arc), /"1\.warc" is an ARC file/],
    ['half a member', gzipSync(WARCINFO).subarray(0, 60), /"1\.warc": the gzip data ends too early/],
  ])('%s', async (_, bytes, message) => {
    const opening = shelf.open([pack([WARCINFO], 'plain'), bytes]);
    await expect(opening).rejects.toThrow(UserError);
    await expect(opening).rejects.toThrow(message);
  });

  test('and so are a missing one, a folder, and WACZ from a pipe', async () => {
    const open = (input: Input): Promise<WarcArchive> => openWarcs([input], { tmpdir: scratch.path });
    const gone = fileInput('gone.warc', join(scratch.path, 'gone.warc'));
    await expect(open(gone)).rejects.toThrow(/cannot read "gone\.warc" \(ENOENT\); expected a WARC file/);
    await expect(open(fileInput('folder', scratch.path))).rejects.toThrow(/cannot read "folder" \(EISDIR\)/);
    const zip = Buffer.from('PK\x03\x04 and the rest of a zip');
    await expect(open({ name: '-', open: () => [zip] })).rejects.toThrow(/"-" is a zip file in a pipe; .* by its path/);
    await expect(open({ name: '-', open: () => [] })).rejects.toThrow(/no pages in "-": the file is empty/);
  });
});

test('no bytes make opening fail except with a message', async () => {
  const pieces = fc.constantFrom(
    WARCINFO,
    gzipSync(WARCINFO),
    Buffer.of(0x1f, 0x8b, 0x08),
    Buffer.of(0x1f, 0x8b, 0x08, 0xff),
    Buffer.from('\r\n'),
    Buffer.from('WARC/1.0\r\n'),
    Buffer.from('\nWARC/1.0\r\n\r\n'),
    Buffer.from('Content-Length: 9\r\n\r\n'),
    Buffer.alloc(9),
    record({ body: 'x', lie: 3 }),
    gzipSync(record({ lie: -1, body: 'x' })),
    gzipSync(Buffer.concat([WARCINFO, WARCINFO])),
  );
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 6 }), fc.uint8Array({ maxLength: 9 }), async (parts, tail) => {
      const archive = await shelf.open([Buffer.concat([...parts, tail])]).catch((error: unknown) => error);
      if (archive instanceof UserError) return;
      if (archive instanceof Error) throw archive;
      opened++;
      await (archive as WarcArchive).find('http://a.example/');
      await (archive as WarcArchive).close();
    }),
    { numRuns: amount(200, 4) },
  );
  expect(opened).toBeGreaterThan(amount(30, 6));
});
