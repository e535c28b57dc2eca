import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../src/log/format/detect.js';
import { read } from '../reading.js';

const entry = (url: string, status: number, text = '') => ({
  startedDateTime: '2026-03-02T06:00:00.000Z',
  time: 12.5,
  request: { method: 'GET', url, headers: [{ name: 'url', value: 'http://no.de/' }], cookies: [] },
  response: { status, content: { size: 512, mimeType: 'text/html', text }, redirectURL: '' },
});
const archive = (...entries: readonly object[]) => ({
  log: {
    version: '1.2',
    creator: { name: 'entries', version: '["}' },
    pages: [{ id: 'page_1', title: 'http://h.de/' }],
    entries,
    comment: 'entries',
  },
});
const body = '<p>"\\}{][\n'.repeat(20_000);
const whole = archive(
  entry('https://h.de/a?b', 200, body),
  entry('https://h.de/ä"', 200),
  entry('https://h.de/c', 404),
);
const urls = ['https://h.de/a?b', 'https://h.de/ä"'];

describe('an HTTP archive', () => {
  test.each([0, 2])('is the requests of its entries, however it is laid out (%d)', async (indent) => {
    const text = Buffer.from(JSON.stringify(whole, null, indent));
    expect(detectFormat(text.subarray(0, 1 << 17))).toBe('har');
    for (const pieceBytes of [7, 1000, Infinity]) {
      const { rows, summary } = await read(text, {}, pieceBytes);
      expect(rows.map(({ url, size }) => [url, size])).toEqual(urls.map((url) => [url, 512]));
      expect(summary).toMatchObject({
        format: 'har',
        lines: 3,
        records: 2,
        dropped: { 'client-error': 1 },
        truncated: false,
      });
    }
  });

  test('is read wherever it is cut', async () => {
    const text = Buffer.from(JSON.stringify(archive(entry('https://h.de/a', 200), entry('https://h.de/b', 200))));
    const { rows } = await read(text);
    for (let at = 1; at < text.length; at += 3) {
      const [one, other] = [text.subarray(0, at), text.subarray(at)];
      const cut = await read(Buffer.concat([one, other]), { format: 'har' }, at);
      expect(cut.rows).toEqual(rows);
    }
  });

  test('that breaks off keeps the entries before that, and says so', async () => {
    const text = JSON.stringify(archive(entry('https://h.de/a', 200), entry('https://h.de/b', 200)));
    const { rows, summary } = await read(text.slice(0, text.indexOf('/b"')));
    expect(rows.map(({ url }) => url)).toEqual(['https://h.de/a']);
    expect(summary).toMatchObject({ truncated: true, reason: 'the archive ends too early' });
  });

  test('with an entry that is too long, or that is none, counts it', async () => {
    const long = { ...entry('https://h.de/a', 200), more: Array.from({ length: 60 }, () => 'x'.repeat(60_000)) };
    const { rows, summary } = await read(JSON.stringify(archive(long, {}, entry('https://h.de/b', 200))));
    expect(rows.map(({ url }) => url)).toEqual(['https://h.de/b']);
    expect(summary.rejected).toEqual({ 'line-too-long': 1, 'no-url': 1 });
  });

  test.each(['{"log":{"offset":1},"message":"x"}', '{"log":"x","stream":"y","time":"z"}', '{"log":{"file":{}}}'])(
    'is not taken for one: %s',
    (line) => {
      expect(detectFormat(Buffer.from(line))).not.toBe('har');
    },
  );
});
