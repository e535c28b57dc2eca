// `dustbuster sketch`: a line for each answer of a crawl, the same from any packing and number of threads.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFew } from '../../amount.js';
import { createSketch, formatSketch } from '../../../src/sketch/sketch.js';
import { fingerprints } from '../../../src/sketch/shingle.js';
import { OK, pack, PACKINGS, record, WARCINFO } from '../../log/warc/compose.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
});
afterAll(() => folder.remove());

const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder.path, name), content);
const sketch = (...args: string[]) => run(['sketch', ...args], { cwd: folder.path });
const linesOf = (stdout: Buffer) =>
  stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const digestOf = (body: string | Buffer) => `sha256:${createHash('sha256').update(body).digest('hex')}`;
const sketchOf = (text: string, w = 4, s = 128) => formatSketch(createSketch(fingerprints(text, w), w, s));

const url = (path: string) => `http://a.example/${path}`;
const HTML = '<title>One</title><link rel=canonical href="/1"><p>A rose is a rose is a rose, and so on.';
const TEXT = 'One A rose is a rose is a rose, and so on.';
const GZIPPED = gzipSync('<p>what is sent in a coding is read without it');
const PAYLOAD: [string, string] = ['WARC-Payload-Digest', 'sha1:one'];

const CRAWL = [
  WARCINFO,
  record({ url: url('1?x'), body: HTML, warc: [PAYLOAD], date: '2026-01-02T03:04:05Z' }),
  record({ type: 'request', url: url('1?x'), http: ['GET /1 HTTP/1.1'] }),
  record({ type: 'revisit', url: url('again'), warc: [PAYLOAD], body: '' }),
  record({ url: url('coded'), http: [...OK, 'Content-Encoding: gzip'], body: GZIPPED }),
  record({ url: url('old'), http: ['HTTP/1.1 301 Moved', 'Location: /%31'], body: '' }),
  record({ url: url('gone'), http: ['HTTP/1.1 404 Not Found'], body: '<p>There is no such page here' }),
  record({ url: url('picture'), http: ['HTTP/1.1 200 OK', 'Content-Type: image/png'], body: '\x89PNG' }),
  record({ type: 'revisit', url: url('lost'), warc: [['WARC-Payload-Digest', 'sha1:none']], body: '' }),
  record({ url: url('large'), body: 'x'.repeat(3000) }),
  record({ url: url('cut'), body: 'half', warc: [['WARC-Truncated', 'length']] }),
  record({
    url: url('broken'),
    http: [...OK, 'Content-Encoding: gzip'],
    body: Buffer.concat([GZIPPED.subarray(0, 12), Buffer.alloc(20, 255)]),
  }),
];

const page = (body: string | Buffer, text: string) => ({
  status: 200,
  type: 'text/html',
  size: body.length,
  digest: digestOf(body),
  sketch: sketchOf(text),
});
const NEW_YEAR = '2024-01-01T00:00:00Z';
const RECORDS = [
  { url: url('1?x'), time: '2026-01-02T03:04:05Z', ...page(HTML, TEXT), canonical: url('1') },
  { url: url('again'), time: NEW_YEAR, ...page(HTML, TEXT), canonical: url('1') },
  {
    url: url('coded'),
    time: NEW_YEAR,
    ...page('<p>what is sent in a coding is read without it', 'what is sent in a coding is read without it'),
  },
  { url: url('old'), time: NEW_YEAR, status: 301, redirect: url('1') },
  { url: url('gone'), time: NEW_YEAR, status: 404 },
  {
    url: url('picture'),
    time: NEW_YEAR,
    status: 200,
    type: 'image/png',
    size: 5,
    digest: digestOf(Buffer.from('\x89PNG')),
  },
];

describe('dustbuster sketch', { timeout: 30_000 }, () => {
  it.each(PACKINGS)('writes a line for each answer of an archive compressed %s', async (packing) => {
    put('crawl.warc', pack(CRAWL, packing));
    const { code, stdout, stderr } = await sketch('crawl.warc', '--max-body', '2k');
    expect(code, stderr).toBe(0);
    expect(linesOf(stdout)).toEqual(RECORDS);
    expect(stderr).toBe(
      '10 captures = 4 pages (1 without words) + 1 redirect + 1 other answer + 4 left out ' +
        '(too-large 1, decoding 1, cut-short 1, no-original 1); 2 records of other kinds\n',
    );
  });

  it.each(PACKINGS)('reads a pipe, of an archive compressed %s', async (packing) => {
    const { code, stdout, stderr } = await run(['sketch', '-', '--max-body', '2k'], {
      cwd: folder.path,
      input: pack(CRAWL, packing),
    });
    expect(code, stderr).toBe(0);
    expect(linesOf(stdout)).toEqual(RECORDS);
  });

  it.skipIf(isFew)(
    'writes the same bytes in any number of threads, with shingles and sketches of any size',
    async () => {
      const words = (seed: number) =>
        Array.from({ length: 300 }, (_, k) => `word${(seed * k * 7919) % 1009}`).join(' ');
      const many = Array.from({ length: 300 }, (_, k) => record({ url: url(`${k}`), body: `<p>${words(k + 1)}` }));
      put('many.warc.gz', pack(many, 'by record'));
      const sizes = ['--words', '2', '--minima', '20', 'many.warc.gz'];
      const one = await sketch('--threads', '1', ...sizes);
      expect((await sketch('--threads', '3', ...sizes)).stdout).toEqual(one.stdout);
      const lines = linesOf(one.stdout);
      expect(lines).toHaveLength(300);
      expect(lines[7]).toMatchObject({ url: url('7'), sketch: sketchOf(words(8), 2, 20) });
    },
  );

  it('writes links and chunks if asked', async () => {
    const body = '<base href="/x/"><p>one<p>two<p>three <a href="b?c&amp;d#e">link</a><a href="//c.example">';
    put('linked.warc', pack([record({ url: url('1'), body })], 'plain'));
    const chunk = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
    const both = linesOf((await sketch('--links', '--chunks', '2', 'linked.warc')).stdout);
    expect(both).toMatchObject([
      { links: [url('x/b?c&d'), 'http://c.example/'], chunks: [chunk('one\ntwo\n'), chunk('three link\n')] },
    ]);
    const narrow = linesOf((await sketch('--chunks', '1', '--line-width', '5', 'linked.warc')).stdout);
    expect(narrow[0]).toMatchObject({ chunks: ['one\n', 'two\n', 'three\n', 'link\n'].map(chunk) });
    expect((await sketch('--line-width', '5', 'linked.warc')).stderr).toContain('expected --chunks with it');
    const [whole] = linesOf((await sketch('--chunks', '0', 'linked.warc')).stdout);
    expect(whole).toMatchObject({ chunks: [chunk('one\ntwo\nthree link\n')] });
    expect(whole).not.toHaveProperty('links');
  });

  it('reads a copy of a site by wget', async () => {
    const files = {
      'h.example/index.html': HTML,
      'h.example/list?page=2': '<p>the second page of a list',
      'wget.log': 'x',
    };
    mkdirSync(join(folder.path, 'copy/h.example'), { recursive: true });
    for (const [name, content] of Object.entries(files)) put(`copy/${name}`, content);
    for (const name of Object.keys(files)) utimesSync(join(folder.path, 'copy', name), 0, Date.UTC(2026, 0, 1) / 1000);
    const { code, stdout } = await sketch('--mirror', 'copy');
    expect(code).toBe(0);
    expect(linesOf(stdout)).toMatchObject([
      {
        url: 'http://h.example/',
        time: '2026-01-01T00:00:00Z',
        status: 200,
        size: HTML.length,
        sketch: sketchOf(TEXT),
      },
      { url: 'http://h.example/list?page=2', sketch: sketchOf('the second page of a list') },
    ]);
  });

  it('writes a log with sketches: for mine and for eval, and in place of the pages for validate', async () => {
    const pages = Array.from({ length: 40 }, (_, k) =>
      [`story?id=${k}`, `story_${k}`].map((path) => record({ url: url(path), body: `<p>the whole story number ${k}` })),
    );
    put('stories.warc.gz', pack(pages.flat(), 'by record'));
    expect(await sketch('stories.warc.gz', '-o', 'pages.jsonl')).toMatchObject({ code: 0 });
    const mined = await run(['mine', 'pages.jsonl', '-o', 'rules.json'], { cwd: folder.path });
    expect(mined.stderr).toContain('pages.jsonl (jsonl): 80 lines = 80 records');
    const measured = await run(['eval', '--accept', 'likely', '-r', 'rules.json', '--urls', 'pages.jsonl', '--json'], {
      cwd: folder.path,
    });
    expect(JSON.parse(measured.stdout.toString())).toMatchObject({ all: { labelled: 80, forms: 40, falseMerges: 0 } });
    for (const file of ['stories.warc.gz', 'pages.jsonl']) {
      const args = ['rules.json', '--test', 'pages.jsonl', '--pages', file, '-o', `by-${file}.json`];
      const { code, stderr } = await run(['validate', ...args], { cwd: folder.path });
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(/ 1 of \d+ valid, 0 invalid/);
    }
  });

  it('keeps what a damaged archive still has, and says so', async () => {
    const whole = pack(CRAWL.slice(0, 3), 'by record');
    put('damaged.warc.gz', Buffer.concat([whole, whole.subarray(0, whole.length - 20)]));
    const { code, stdout, stderr } = await sketch('damaged.warc.gz');
    expect(code).toBe(3);
    expect(linesOf(stdout).map((line) => line['url'])).toEqual([url('1?x'), url('1?x')]);
    expect(stderr).toContain('damaged.warc.gz: at byte');
  });

  it('passes over what is no archive in a folder, but not what is called one or is named itself', async () => {
    mkdirSync(join(folder.path, 'crawl/indexes'), { recursive: true });
    put('crawl/a.warc.gz', pack(CRAWL, 'by record'));
    put('crawl/a.cdx', ' CDX a b a m s k r M V g u\n');
    put('crawl/indexes/pages.zip', 'PK\x03\x04 and the rest of a zip');
    put('crawl/log.gz', gzipSync('GET /\n').subarray(0, 20));
    put('alone.warc.gz', pack(CRAWL, 'by record'));
    const { code, stdout, stderr } = await sketch('crawl');
    expect(code).toBe(0);
    expect(stdout).toEqual((await sketch('alone.warc.gz')).stdout);
    expect(stderr.split('\n')[0]).toBe(
      'passed over, as no WARC record begins there: crawl/a.cdx and 2 other files in the folder',
    );
    expect((await sketch('crawl', '-q')).stderr).toBe('');
    expect((await sketch('crawl/a.cdx', 'crawl')).stderr).toMatch(/no pages in "crawl\/a\.cdx": no WARC record begins/);
    expect((await sketch('crawl/indexes')).stderr).toMatch(/no pages in "crawl\/indexes\/pages\.zip"/);
    put('crawl/b.warc.gz.open', '');
    expect(await sketch('crawl')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no pages in "crawl\/b\.warc\.gz\.open": the file is empty/),
    });
  });

  it('refuses what is no crawl', async () => {
    put('access.log', 'h - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5\n');
    expect(await sketch()).toMatchObject({ code: 2, stderr: expect.stringContaining('got no archive') });
    expect(await sketch('access.log')).toMatchObject({ code: 2, stderr: expect.stringContaining('expected WARC') });
    const before = readFileSync(join(folder.path, 'crawl.warc'));
    expect(await sketch('crawl.warc', '-o', 'crawl.warc')).toMatchObject({ code: 2 });
    expect(readFileSync(join(folder.path, 'crawl.warc'))).toEqual(before);
  });
});
