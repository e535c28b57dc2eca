// Lines that the kernel reads, compared with the same lines read by JavaScript.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import { alloc, giveBack, u8At } from '../../src/base/heap.js';
import { giveBackBatch, HeapBatchBuilder } from '../../src/log/batch.js';
import { Composer } from '../../src/log/compose.js';
import { createFormat, HEAD_BYTES } from '../../src/log/format/detect.js';
import { createFields, type FormatName, type LineFormat } from '../../src/log/format/format.js';
import { createNcsa } from '../../src/log/format/ncsa.js';
import { createTable } from '../../src/log/format/table.js';
import { createUrlList } from '../../src/log/format/url-lists.js';
import { LineReader } from '../../src/log/line-reader.js';
import { OwnTargets } from '../../src/log/own-target.js';
import { type ParserOptions, PartParser, sourceOf } from '../../src/log/part-parser.js';
import { filePartsOf, plainFile } from '../../src/log/parts.js';
import { PlainReader } from '../../src/log/plain-reader.js';
import { utf16Of } from '../../src/log/utf16.js';
import { METHOD, type RecordBatch, refusalOf, VISITOR } from '../../src/log/record.js';
import { amount } from '../amount.js';
import { scratchFolder } from '../cli/process.js';
import { SAMPLES } from './format/samples.js';
import { plainOptions, read as readText, rowsOf } from './reading.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

/** A new file each time: to write over the last one can wait for the disk. */
function fileOf(log: string | Buffer, ending: string): string {
  const file = join(folder.path, `log.${ending}`);
  rmSync(file, { force: true });
  writeFileSync(file, log);
  return file;
}

type Options = Pick<ParserOptions, 'base' | 'normalize' | 'maxUrlLength' | 'scheme' | 'visitors'>;

/** Everything read from a log: with the heap, plain lines are read by the kernel. */
function readFrom(path: string, format: FormatName, memory: 'heap' | 'own', options: Partial<Options>) {
  const parsing = { ...plainOptions, ...options, format, memory, wantsRejects: true };
  const file = plainFile(path, HEAD_BYTES)!;
  const source = sourceOf(0, file, parsing)!;
  const parser = new PartParser(parsing);
  const parts = [...filePartsOf(file, 1500)].map((part) => {
    const { batches, rejects, counts, lines, forms } = parser.parse(source, part);
    const rows = batches.flatMap((batch) => [...rowsOf(batch), ...visitorsOf(batch)]);
    batches.forEach(giveBackBatch);
    const refused = rejects.map(({ number, cause, line }) => [number, cause, decodeText(line)]);
    return { rows, refused, counts, lines, forms };
  });
  parser.close();
  return parts;
}

function visitorsOf({ visitor, day, duration }: RecordBatch): readonly (readonly number[])[] {
  return Array.from(visitor ?? [], (who, row) => [who, day![row]!, duration![row]!]);
}

/** Lines that differ from plain ones in few places. */
function mostly(usual: string, ...odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
}

const plainPieces = [
  '/a',
  '.html',
  '/',
  '?q=1',
  '&r=%2F',
  '%C3%A4',
  '+',
  '//',
  'http://h/',
  '~',
  '/more-than-sixteen-bytes',
];
const oddPieces = [
  '\0',
  'a\x7f',
  '%41',
  '%c3%a4',
  '%',
  '%2',
  '/./',
  '/..',
  '/.x',
  'ö',
  '\\',
  '#f',
  ' ',
  '"',
  '%7E',
  '%2E',
  'Z',
];
const path = fc.array(fc.constantFrom(...plainPieces, ...oddPieces), { maxLength: 3 }).map((parts) => parts.join(''));
const origin = fc.oneof(
  fc.constantFrom('', 'http://a.de', 'https://b-1.example.com'),
  fc.constantFrom('http://A.de', 'http://a.de:80', 'http://u@a.de', 'http://', 'HTTP://a.de', 'http:/a.de', 'x', ' '),
  fc.constantFrom('ftp://a.de', 'mailto:x', 'httpx://a.de', '*', 'http://a_b.de', 'http:///', 'http://a.de?', ''),
);
const url = fc.tuple(origin, mostly('/', ''), path).map((parts) => parts.join(''));
const size = mostly('512', '0', '-', '', '123456789012345', '1234567890123456', 'x', '-1', '007');
const status = mostly('200', '304', '301', '404', '206', '-', '', '0', '999', '99', 'x', '2000');
const ending = mostly('\n', '\r\n', '\n\n', ' \n', '\r\r\n', '\t\n');

const headers = ['url\tsize', 'size\tx\turl', 'url\tstatus\tsize\tsketch', 'method\turl\tsketch\tx', 'host\turl'];
const cell = fc.oneof(url, url, size, status, fc.constantFrom('GET', 'HEAD', 'POST', 'a sketch', '-', '"q"'));
/** A row that mostly has valid columns. */
function rowOf(header: string): fc.Arbitrary<string> {
  const wanted = header.split('\t').map((column) => {
    if (column === 'url') return url;
    if (column === 'size') return size;
    if (column === 'status') return status;
    return column === 'method' ? mostly('GET', 'HEAD', 'POST', '-', 'get', 'GETS', '') : cell;
  });
  const row = fc.tuple(...wanted).map((cells) => cells.join('\t'));
  return fc.oneof(
    { weight: 5, arbitrary: row },
    fc.array(cell, { maxLength: 5 }).map((cells) => cells.join('\t')),
  );
}

const request = fc
  .tuple(
    mostly('GET ', 'GET  ', 'HEAD ', 'POST ', 'get ', 'GET', ''),
    url,
    mostly(
      ' HTTP/1.1',
      ' HTTP/2.0',
      ' HTTP/2',
      '  HTTP/1.0',
      ' HTTP/x.1',
      ' HTTP/1. 1',
      ' HTTP/1 .',
      '',
      ' ',
      ' HTTP/1.1 ',
    ),
  )
  .map((parts) => parts.join(''));
const ncsaLine = fc
  .tuple(
    mostly('1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] ', '1.2.3.4 - "x" [t] ', '] ', ' ] ', 'x]', ''),
    request,
    mostly('" ', '"', '\\" ', '"  '),
    status,
    mostly(' ', '  ', ''),
    size,
    mostly(' "-" "agent"', ' "-" "Googlebot/2.1" 0.120', ' "r" "-"', '', ' "a \\" b"', 'x', '\t', ' '),
  )
  .map(([head, asked, close, ...rest]) => `${head}"${asked}${close}${rest.join('')}`);

const listLine = fc
  .tuple(mostly('', ' ', '\t', '\0', '\x0b'), url, mostly('', ' ', '\t ', '\0', ' x', ' # y'))
  .map((parts) => parts.join(''));

const balancerUrl = fc
  .tuple(
    mostly('https://a.de:443', 'http://a.de:80', 'https://a.de:80', 'http://a.de:443', 'http://a.de:8', 'https://a.de'),
    url,
  )
  .map((parts) => parts.join(''));
const balancerLine = (kind: string) =>
  fc
    .tuple(
      mostly(kind, '', 'https', ' '),
      mostly('2024-05-12T10:00:00Z', '2024', '', '2024-05-12 10:00:00Z'),
      mostly(' app/x 1.2.3.4:5 10.0.0.1:80 0.0 0.1 0.0 ', ' app/x  1.2.3.4:5 - -1 -1 -1 ', ' x\t1 2 3 4 5 ', ' x 1 '),
      status,
      mostly(' 200 34 ', ' - - ', ' 200  34 ', ' '),
      size,
      mostly(' "GET ', ' "GET  ', ' "HEAD ', ' "- ', ' GET ', ' "'),
      fc.oneof(balancerUrl, url),
      mostly(' HTTP/1.1" "agent" - -', ' HTTP/1.1"', ' HTTP/1.1" - "', '- -" "a" ', ' HTTP/2.0" "a', '"'),
    )
    .map((parts) => parts.join(''));

const jsonText = mostly('x', '', 'a\\"b', '\\u00e4', '\\u00E', '\\/', '\\x', 'a\tb', '\u00ff', '"');
const jsonKey = mostly('b', 'x', 'uri', 'url', 'Host', 'request.uri', 'a\\u0062', 'k'.repeat(200), '', 'a\n');
const jsonValue: fc.Arbitrary<string> = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: jsonText.map((text) => `"${text}"`) },
    { weight: 2, arbitrary: mostly('1', '-0', '1.5', '01', '1.', '-', '1e5', '2E+7', '.5', 'Infinity') },
    { weight: 2, arbitrary: mostly('null', 'true', 'false', 'nul', 'True', 'falsy') },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(', ')}]`) },
    { weight: 1, arbitrary: fc.array(tie('member'), { maxLength: 3 }).map((all) => `{${all.join(',')}}`) },
  ),
  member: fc.tuple(jsonKey, tie('value')).map(([key, value]) => `"${key}":${String(value)}`),
})).value as fc.Arbitrary<string>;

const host = mostly(
  'a.de',
  '',
  '-',
  'A.de',
  'a.de:80',
  'a.de:443',
  'a.de:8',
  '::1',
  '[::1]',
  'a b',
  '1.2.3.4',
  'h_x',
  '8080',
);
const scheme = mostly('https', 'http', 'HTTPS', 'wss', '443', '80', '', 'httpx', '772', '9x9');
const query = mostly('', 'q=1', '-', '?q=1', 'a/./b', '%7E', '%', 'x#y', '?');
const asked = request.map((text) => text.replaceAll(/[\\"]/g, ''));
const text = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((value) => `"${value}"`);
const either = (arbitrary: fc.Arbitrary<string>) => fc.oneof(arbitrary, text(arbitrary));

/** Objects with these members in this order, except for a few that are missing, odd or twice there. */
function objectOf(members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const usual = Object.entries(members).map(([key, value]) => value.map((known) => [`"${key}":${known}`]));
  const odd = fc.tuple(jsonKey, jsonValue).map(([key, value]) => [`"${key}":${value}`]);
  const parts = usual.map((member) =>
    fc.oneof(
      { weight: 40, arbitrary: member },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: fc.tuple(member, odd).map((all) => all.flat()) },
      { weight: 1, arbitrary: fc.tuple(member, member).map((all) => all.flat()) },
    ),
  );
  return fc
    .tuple(
      fc.tuple(...parts),
      mostly(',', ', ', ' ,\t'),
      mostly('{', '{ ', ' {', '', '[{'),
      mostly('}', '} ', ' }', '', '},', '}}'),
    )
    .map(([all, comma, open, close]) => `${open}${all.flat().join(comma)}${close}`);
}

const caddyLine = objectOf({
  ts: mostly('1.5', '"x"'),
  request: objectOf({
    method: text(mostly('GET', 'POST', 'HEAD', '-', '')),
    host: fc.oneof({ weight: 9, arbitrary: text(host) }, { weight: 1, arbitrary: fc.constant('8080') }),
    uri: text(url.map((one) => one.replaceAll('"', '\\"'))),
    headers: objectOf({ Accept: jsonValue, 'User-Agent': text(jsonText).map((agent) => `[${agent}, "b"]`) }),
    tls: objectOf({ version: mostly('772', '"https"', '1', 'null', '[443]') }),
  }),
  size: either(size),
  status: either(status),
});
const jsonLine = objectOf({
  request: text(asked),
  args: text(query),
  scheme: text(scheme),
  host: text(host),
  status: either(status),
  bytes: either(size),
  sketch: either(mostly('abc', '-', '')),
  time: jsonValue,
});
const piecesLine = objectOf({
  uri: text(url),
  args: text(query),
  scheme: either(scheme),
  http_host: text(host),
  x: jsonValue,
});
const targetLine = objectOf({
  uri: text(fc.oneof(url, mostly('/a', '-', ''))),
  request: text(asked),
  request_uri: text(fc.oneof(url, mostly('/a?b', '-', ''))),
  args: text(query),
  method: text(mostly('GET', 'POST', '')),
  host: text(host),
});
const prefix = mostly(
  '2026-03-02T06:00:00.689Z stdout F ',
  '2026-03-02T06:00:00Z stderr F ',
  '2026-03-02T06:00:00Z stdout P ',
  '2026-03-02T06:00:00Z ',
  '<190>Mar  2 06:00:00 web1 nginx[1]: ',
  'web-1  | ',
  '\x1b[36mweb-1 | \x1b[0m',
  '[pod/a/b] ',
  '2026-03-02T06:00:00Z stdout F',
  '',
  'x ',
);
const behind = (line: fc.Arbitrary<string>) => fc.tuple(prefix, line).map((parts) => parts.join(''));
const cdxjLine = fc
  .tuple(
    mostly('de,a)/ ', '!', '@x ', ' ', '', 'a  ', 'a{b ', 'a\t'),
    mostly('20240512100000 ', '2024', 'x ', '-5 ', '20240512100000', '20240512100000  ', '1234567890123456 '),
    objectOf({ url: text(url), mime: jsonValue, status: either(status), digest: text(mostly('ABC', '-', '')) }),
  )
  .map((parts) => parts.join(''));

const w3cFields = 'date sc-bytes cs-method cs(Host) cs-uri-stem sc-status cs-uri-query x-host-header cs-protocol x-y';
const w3cLine = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(
        mostly('2024-05-12', '#a', '"', '', ' '),
        size,
        mostly('GET', 'HEAD', 'POST', '-', '1', '"GET"'),
        host,
        fc.oneof(url, mostly('/a', '/a%2520b', '"/a"', '/%25', '-', 'a.de/b')),
        status,
        fc.oneof(query, mostly('a=%2520', '"q"', '-')),
        host,
        scheme,
        mostly('-', '"', 'x', '-\t-', ' '),
      )
      .map((cells) => cells.join('\t')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '#Fields: date sc-bytes cs-method cs(Host) cs-uri-stem sc-status cs-uri-query x-host-header cs-protocol x-y',
      '#Fields: date sc-bytes cs-method cs(Host) cs-uri sc-status x x-host-header cs-protocol x-edge-location',
      '#Fields: a\tb\tc-status\td\tcs-uri\te\tf\tg\th\ti',
      '#Fields: cs-uri-stem',
      '#Fields: a b',
      '#Date: 2024-05-12 10:00:00',
      '/a',
      '#\t#',
    ),
  },
);

const options = fc.record({
  scheme: fc.constantFrom('http' as const, 'http' as const, 'https' as const),
  base: fc.constantFrom(null, null, 'http://base.de', 'http://base.de:81', 'https://Base.de/'),
  normalize: fc.constantFrom('safe', 'safe', 'none'),
  maxUrlLength: fc.constantFrom(2048, 30),
  visitors: fc.boolean(),
});

function logOf(line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const lines = fc
    .array(fc.tuple(line, ending), { minLength: 1, maxLength: 60, size: 'max' })
    .map((all) => all.flat().join(''));
  // The last line may lack a newline.
  return fc.tuple(lines, fc.boolean()).map(([text, isCut]) => (isCut ? text.slice(0, -1) : text));
}

const tables = fc.constantFrom(...headers).chain((header) => logOf(rowOf(header)).map((text) => `${header}\n${text}`));

test('the kernel reads lines of which visitors are asked', () => {
  const line = (agent: string) =>
    `1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] "GET /a HTTP/1.1" 200 5 "-" "${agent}" 0.120\r\n`;
  const text = `${line('Googlebot/2.1')}${line('-')}`;
  const formats = [createNcsa('combined', { time: true, agent: true, duration: true }), createUrlList()];
  expect(formats.map((format) => format.readMore !== undefined)).toEqual([true, false]);
  const file = join(folder.path, 'visitors.log');
  writeFileSync(file, text);
  const [part] = readFrom(file, 'combined', 'heap', { visitors: true });
  expect(part!.rows.slice(2)).toEqual([
    [VISITOR.bot + 1, 15380, 120],
    [VISITOR.unknown, 15380, 120],
  ]);
});

test.each([
  { format: 'tsv' as const, log: tables },
  { format: 'combined' as const, log: logOf(ncsaLine) },
  { format: 'urls' as const, log: logOf(listLine) },
  { format: 'alb' as const, log: logOf(balancerLine('https ')) },
  { format: 'elb' as const, log: logOf(balancerLine('')) },
  { format: 'caddy' as const, log: logOf(caddyLine) },
  { format: 'jsonl' as const, log: logOf(fc.oneof(jsonLine, piecesLine, targetLine)) },
  { format: 'jsonl' as const, log: logOf(behind(targetLine)) },
  { format: 'combined' as const, log: logOf(behind(ncsaLine)) },
  { format: 'elb' as const, log: logOf(behind(balancerLine(''))) },
  { format: 'cdxj' as const, log: logOf(cdxjLine) },
  { format: 'w3c' as const, log: logOf(w3cLine).map((text) => `#Fields: ${w3cFields}\n#\t\n${text}`) },
])('the kernel reads a $format log as JavaScript does', ({ format, log }) => {
  fc.assert(
    fc.property(log, options, (text, chosen) => {
      const file = fileOf(Buffer.from(text, 'latin1'), format);
      fc.pre(utf16Of(Buffer.from(text, 'latin1')) === null); // such a log is read as a stream
      expect(readFrom(file, format, 'heap', chosen)).toEqual(readFrom(file, format, 'own', chosen));
    }),
    { numRuns: amount(250, 5) },
  );
});

/** URLs of lines that are read by the kernel alone; fails if one is left to JavaScript. */
function readByKernel(format: LineFormat, text: string, chosen: Partial<Options> = {}): string[] {
  const bytes = Buffer.from(`${text}\n`);
  const memory = u8At(alloc(bytes.length + 16), bytes.length);
  memory.set(bytes);
  const forms = { absolute: 0, path: 0 };
  const composing = { ...plainOptions, ...chosen };
  const builder = new HeapBatchBuilder();
  const plain = PlainReader.of(composing, builder, forms);
  const left: LineFormat = {
    name: format.name,
    ...(format.plain !== undefined && { plain: format.plain }),
    parse: (_, start, end) => {
      throw new Error(`left to JavaScript: ${bytes.toString('utf8', start, end)}`);
    },
  };
  const output = {
    builder,
    composer: new Composer(composing, forms),
    filter: null,
    own: new OwnTargets(composing),
    plain,
  };
  const urls: string[] = [];
  const reader = new LineReader({ format: left, targets: 'any' }, output);
  const takeRows = () => urls.push(...rowsOf(builder).map((row) => row.url));
  for (const _ of reader.readText(Buffer.from(memory.buffer, memory.byteOffset, memory.length))) takeRows();
  takeRows();
  expect(reader.counts).toEqual({ lines: urls.length, records: urls.length, dropped: {}, rejected: {} });
  expect(forms.absolute + forms.path).toBe(urls.length);
  builder.close();
  plain!.close();
  giveBack(memory);
  return urls;
}

function tsvOf(header: string): LineFormat {
  const table = createTable('tsv');
  const line = Buffer.from(header);
  table.parse(line, 0, line.length, undefined as never);
  return table;
}

test('all plain lines are read by the kernel', () => {
  const paths = [
    '/',
    '/a',
    '/a?b=c&d=%2F%C3',
    '/a?x=/./y',
    '//a',
    '/Ä/b.c/-',
    '/a-long-segment-of-more-than-sixteen-bytes',
  ];
  const urls = [...paths, ...paths.flatMap((path) => [`http://a.de${path}`, `https://b-1.c.org${path}`])];
  const rows = urls.map((url, k) => `${url}\t${200 + (k % 3)}\t${k}\tsketch`).join('\r\n');
  expect(readByKernel(tsvOf('url\tstatus\tbytes\tsketch'), rows)).toEqual(urls);
  const lines = urls.map(
    (url, k) => `1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] "GET ${url} HTTP/1.1" 304 ${k || '-'} "-" "x"`,
  );
  expect(readByKernel(createUrlList(), urls.join(' \r\n'))).toEqual(urls);
  expect(readByKernel(createNcsa('combined'), lines.join('\n'))).toEqual(urls);
  expect(readByKernel(createNcsa('common'), lines.join('\n'), { base: 'http://base.de/' })).toEqual(
    urls.map((url) => (url.startsWith('/') ? `http://base.de${url}` : url)),
  );
  const unsafe = ['/a/../b', '/%41', '/%', 'http://a.de/%zz/./'];
  expect(readByKernel(tsvOf('url\tx'), unsafe.join('\n'), { normalize: 'none' })).toEqual(unsafe);
});

/** The lines of a sample that become records by themselves. */
function goodLinesOf(text: string, format: LineFormat): string[] {
  return text.split('\n').filter((line) => {
    const bytes = Buffer.from(line);
    const fields = createFields();
    if (format.parse(bytes, 0, bytes.length, fields) !== null || fields.url.end === 0) return false;
    return refusalOf(fields.method, fields.status) === null && fields.method !== METHOD.head;
  });
}

test.each(['alb', 'elb', 'caddy', 'traefik', 'logpush', 'cdxj', 'jsonl'] as const)(
  'the kernel reads the usual lines of %s',
  async (name) => {
    for (const sample of SAMPLES.filter(({ format }) => format === name)) {
      const format = createFormat(name);
      const lines = goodLinesOf(sample.text, format).filter((line) => !/[%\\]/.test(line));
      const { rows } = await readText(lines.join('\n'), { format: name, normalize: 'safe' });
      expect(rows.length).toBeGreaterThan(3);
      expect(readByKernel(format, lines.join('\n'), { normalize: 'safe' })).toEqual(rows.map((row) => row.url));
    }
  },
);

test('the kernel reads the usual lines of CloudFront', async () => {
  const { text } = SAMPLES.find(({ name }) => name === 'cloudfront.log')!;
  const head = text.split('\n', 2)[1]!;
  const format = createFormat('w3c');
  format.parse(Buffer.from(head), 0, head.length, createFields());
  const lines = goodLinesOf(text, format).filter((line) => !/%25/.test(line));
  const { rows } = await readText([head, ...lines].join('\n'), { format: 'w3c', normalize: 'safe' });
  expect(rows.length).toBeGreaterThan(3);
  const plain = format.plain!;
  const kernelOnly: LineFormat = { name: format.name, plain, parse: () => null };
  const urls = rows.map((row) => row.url).filter((url) => !url.includes('%'));
  const plainLines = lines.filter((_, k) => !rows[k]!.url.includes('%'));
  expect(readByKernel(kernelOnly, plainLines.join('\n'), { normalize: 'safe' })).toEqual(urls);
});

test('a log with one field only has no tab to be cut at', () => {
  const file = join(folder.path, 'one.log');
  writeFileSync(file, '#Fields: a\tcs-uri-stem\n-\t/0\n#Fields: cs-uri-stem\n/a \n /b\n"/c d"\n/e\n');
  const read = readFrom(file, 'w3c', 'heap', {});
  expect(read).toEqual(readFrom(file, 'w3c', 'own', {}));
  expect(JSON.stringify(read)).toContain('"/a"');
});

test.each(['caddy', 'traefik', 'logpush', 'cdxj', 'jsonl'] as const)(
  'after usual lines of %s, the kernel reads those with changed bytes as JavaScript does',
  (name) => {
    const texts = SAMPLES.filter(({ format }) => format === name).map(({ text }) => text);
    const byte = fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '0', '-', '1.5', 'e', 't', '\n', '\r\n');
    const change = fc.record({ at: fc.nat(4000), without: fc.nat(2), byte: fc.oneof(byte, fc.constant('')) });
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 5 }), (text, changes) => {
        const changed = changes.reduce((all, one) => {
          const at = one.at % all.length;
          return all.slice(0, at) + one.byte + all.slice(at + one.without);
        }, text);
        const file = fileOf(text + changed, name);
        expect(readFrom(file, name, 'heap', {})).toEqual(readFrom(file, name, 'own', {}));
      }),
      { numRuns: amount(300, 5) },
    );
  },
);

test('a host that is a number is the same host in all lines', () => {
  const lineOf = (host: string, uri: string) =>
    `{"request":{"method":"GET","host":${host},"uri":"${uri}","tls":{"version":772}},"size":1,"status":200}\n`;
  const hosts = ['"a.de"', '"a.de"', '"a.de"', '8080', '8080'];
  const file = join(folder.path, 'number.jsonl');
  writeFileSync(file, hosts.map((host, k) => lineOf(host, k % 2 === 0 ? '/a' : '\\/b')).join(''));
  for (const memory of ['heap', 'own'] as const) {
    const urls = readFrom(file, 'caddy', memory, {}).flatMap(({ rows }) =>
      rows.flatMap((row) => ('url' in row ? [row.url] : [])),
    );
    expect(urls.slice(-2)).toEqual(['https://8080/b', 'https://8080/a']);
  }
});

test('names that never end are left to JavaScript', () => {
  const lines = Array.from({ length: 3000 }, (_, k) => `{"url":"/${k}","x${k}":{"y":1}}`).join('\n');
  const file = join(folder.path, 'names.jsonl');
  writeFileSync(file, lines);
  expect(readFrom(file, 'jsonl', 'heap', {})).toEqual(readFrom(file, 'jsonl', 'own', {}));
});

test('more separators of JSON values than are kept, and values of all kinds behind the same name', () => {
  const values = [
    '1',
    '"1"',
    '{}',
    '[]',
    '{"k1":2}',
    '["a","b"]',
    '[1,"b"]',
    '[["a"],{"url":"/x"}]',
    'null',
    '"\\"a\\""',
  ];
  const lines = Array.from({ length: 6000 }, (_, k) => {
    const members = Array.from({ length: 4 }, (_, m) => {
      const turn = (k * 7 + m * 5 + ((k * m) >> 3)) % 97;
      return `"k${turn % 9}":${' '.repeat(turn % 3)}${values[(k + turn) % values.length]}`;
    });
    members.splice(k % 5, 0, `"url":"/${k}"`);
    return `{${members.join(k % 2 === 0 ? ',' : ', ')}}`;
  });
  const urls = lines.map((_, k) => `/${k}`);
  expect(readByKernel(createFormat('jsonl'), lines.join('\n'))).toEqual(urls);
  const file = join(folder.path, 'separators.jsonl');
  writeFileSync(file, lines.join('\n'));
  expect(readFrom(file, 'jsonl', 'heap', {})).toEqual(readFrom(file, 'jsonl', 'own', {}));
});

test('more lines than fit into a batch are read batch by batch', () => {
  const urls = Array.from({ length: 40_000 }, (_, k) => `/${k}/${'x'.repeat(k % 97)}`);
  expect(readByKernel(tsvOf('url\tx'), urls.join('\n'))).toEqual(urls);
});
