import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { NAMED } from './format/samples.js';
import { inPieces, read } from './reading.js';

const time = '[10/Feb/2012:16:42:07 -0500]';
const rest = `${time} "GET /ä/\\x41\\"b c HTTP/1.1" 200 368 "-" "x \\" y"`;

const logs: Record<string, string> = {
  common: `1.2.3.4 - - ${time} "GET /a HTTP/1.1" 200 5\r\n\r\nbroken\n1.2.3.4 - - ${time} "-" 408 -\n1 - - ${time} "GET /b" 200 0`,
  combined: `1.2.3.4 - - ${rest}\n1.2.3.4 - - ${rest}\r`,
  vhost: `h.de:443 1.2.3.4 - - ${rest}\r\n[::1]:81 1.2.3.4 - - ${rest}\n- 1.2.3.4 - - ${rest}\n`,
  lighttpd: `1.2.3.4 h.de - ${rest}\n1.2.3.4 a/b - ${rest}\n\n`,
  urls: 'http://h/a\r\n\n  /b \nHTTP://h/\nnothing\n/ö',
  csv: 'url,status,note\n/a,200,"x\r\ny ""z"" "\n"/b",404,\n/c,200,"open\n/d,200,\n',
  tsv: '\ufeffurl\tsize\r\n/a\t5\r\n/b"\t\r\n\r\n/c\tx',
  jsonl: '{"url":"/ä","size":5}\r\n{"url":\n{"url":"/b"}',
  heritrix:
    '20090514142101026 200 5 http://h/ P - text/html #1 2 sha1:A - -\n20090514142101026 -1 - http://h/ P - x #1 - - - -\n',
};

describe.each([...Object.entries(logs), ...NAMED.map(({ format, brief }) => [format, brief] as const)])(
  '%s',
  (format, log) => {
    const bytes = Buffer.from(log);

    test.each([1, 2, 3, 5, 7, 11, 64])('in pieces of %i bytes reads as in one piece', async (pieceBytes) => {
      const whole = await read(bytes);
      expect(whole.summary.format).toBe(format);
      expect(whole.rows.length).toBeGreaterThan(0);
      expect(await read(bytes, {}, pieceBytes)).toEqual(whole);
    });

    test.each([1, 3, 9])('compressed, in pieces of %i bytes, reads as in one piece', async (pieceBytes) => {
      expect(await read(gzipSync(bytes), {}, pieceBytes)).toEqual(await read(bytes));
    });

    test('of several members, one of them empty, reads as in one piece', async () => {
      const members = [...inPieces(bytes, 37), Buffer.alloc(0)].map((piece) => gzipSync(piece));
      expect(await read(Buffer.concat(members))).toEqual(await read(bytes));
      expect(await read(Buffer.concat(members), {}, 5)).toEqual(await read(bytes));
    });

    test('cut off anywhere, the counts add up and nothing throws', { timeout: 20_000 }, async () => {
      for (let length = 0; length < bytes.length; length++) {
        const { summary, rows } = await read(bytes.subarray(0, length), { format: summaryFormat(format) });
        const refused = [summary.dropped, summary.rejected].flatMap((causes) => Object.values(causes));
        expect(rows.length + refused.reduce((sum, count) => sum + count, 0)).toBe(summary.lines);
      }
    });
  },
);

function summaryFormat(name: string) {
  // If its header is truncated, a table has no URL column, which is an error for the user; that is another test.
  return name === 'csv' || name === 'tsv' ? 'urls' : (name as 'common');
}
