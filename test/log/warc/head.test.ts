// Header blocks compared with warcio, whatever is wrong with them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AsyncIterReader, StatusAndHeadersParser } from 'warcio';
import { parseBlock } from '../../../src/log/warc/head.js';

const NAMES = ['A', 'a', 'WARC-Target-URI', 'Content-Length', 'x y', '', ' B', 'C ', 'é', '<b>', "!#$%&'*+-.^_`|~"];

/** Name, first line and values by warcio; undefined if it finds no block. */
async function theirs(text: string): Promise<(string | null)[] | undefined> {
  const reader = new AsyncIterReader([Buffer.from(text.replace(/\r?\n/g, '\r\n'))], null);
  const parsed = await new StatusAndHeadersParser().parse(reader, { headersClass: Headers });
  return parsed === null ? undefined : [parsed.statusline, ...asked.map((name) => parsed.headers.get(name) ?? null)];
}

const asked = NAMES.filter((name) => /^[!-~]+$/.test(name) && name !== '<b>');

const piece = fc.constantFrom('v', 'w: x', ':', ' ', '\t', '\r', '\0', 'ü', ',', '<u>', '');
const value = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...NAMES), value).map((parts) => parts.join(':')) },
  { weight: 2, arbitrary: value.map((text) => ` ${text}`) },
  { weight: 1, arbitrary: value },
);

it('is read as by warcio, folded, repeated, damaged or with bare line feeds', async () => {
  let repeated = 0;
  let folded = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), async (lines, end) => {
      const text = ['HTTP/1.1 200 OK ', ...lines, '', ''].join(end);
      const block = parseBlock(Buffer.from(text, 'latin1'))!;
      const whole = text.slice(0, block.length);
      const ours = [block.firstLine, ...asked.map((name) => block.get(name) ?? null)];
      expect(ours).toEqual(await theirs(whole));
      if (ours.some((one) => one?.includes(', '))) repeated++;
      if (/\w: *\w+\r?\n +\w/.test(whole)) folded++;
    }),
    { numRuns: 3000, seed: 14 },
  );
  expect(repeated).toBeGreaterThan(50);
  expect(folded).toBeGreaterThan(20);
});

it.each(['', 'HTTP/1.1 200 OK\r\nA: b\r\n', '\r\n\r\n', '\n\n', ' \r\n\r\n'])('%j has no block', async (text) => {
  expect(parseBlock(Buffer.from(text))).toBeUndefined();
  if (text.endsWith('\n\r\n')) expect(await theirs(text)).toBeUndefined();
});

it('keeps every byte of a value, and the last one of an à, which is a no-break space to JavaScript', () => {
  const block = parseBlock(Buffer.from('WARC/1.0\r\nWARC-Target-URI: http://a.example/\xe9/à \r\n\r\n'));
  expect(Buffer.from(block!.get('warc-target-uri')!, 'latin1').toString()).toBe('http://a.example/\xe9/à');
});
