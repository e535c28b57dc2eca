import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../../src/base/bytes.js';
import { createCustom } from '../../../../src/log/format/custom/custom.js';
import { formatOfNickname } from '../../../../src/log/format/custom/text.js';
import { clearFields, createFields, type Span } from '../../../../src/log/format/format.js';
import { METHOD } from '../../../../src/log/record.js';
import { readTime } from '../../../../src/log/time.js';
import { outcome, read, total } from '../../reading.js';

const ALL = { time: true, agent: true, duration: true };

function parse(format: string, line: string | Uint8Array) {
  const fields = createFields();
  clearFields(fields);
  const bytes = Buffer.from(line as string);
  const cause = createCustom(format, ALL).parse(bytes, 0, bytes.length, fields);
  const text = ({ bytes: of, start, end }: Span) => decodeText(of, start, end);
  const { method, status, size, url, host, time, agent, sketch } = fields;
  const texts = { url: text(url), host: text(host), time: text(time), agent: text(agent), sketch: text(sketch) };
  return { cause, method, status, size, ...texts };
}

const head = '1.2.3.4 - - [10/Oct/2000:13:55:36 -0700]';
const tail = '"http://r/" "agent \\"7\\""';

test.each([
  ['%h %l %u %t "%r" %>s %b', `${head} "GET /a?b HTTP/1.1" 200 5`, '/a?b'],
  ['%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"', `${head} "GET /a HTTP/1.1" 200 5 ${tail}`, '/a'],
  [String.raw`%h %l %u %t \"%r\" %>s %b`, `${head} "GET /a HTTP/1.1" 200 -`, '/a'],
  ['%v:%p %h %t "%r" %>s %O', 'h.de:443 1 [x] "GET /a HTTP/1.1" 200 5', 'https://h.de/a'],
  ['%V %p "%r"', 'h.de 8080 "GET /a HTTP/1.1"', 'http://h.de:8080/a'],
  ['%{Host}i %p "%r"', 'h.de 8080 "GET /a HTTP/1.1"', 'http://h.de/a'],
  ['%{Host}i %p "%r"', 'h.de 443 "GET /a HTTP/1.1"', 'https://h.de/a'],
  ['%{Host}i %v "%r"', '- h.de "GET /a HTTP/1.1"', 'http://h.de/a'],
  ['%v %{host}i "%r"', 'v.de h.de:81 "GET /a HTTP/1.1"', 'http://h.de:81/a'],
  ['%{X-Forwarded-Host}i|%v %{X-Forwarded-Proto}i "%r"', 'a.de, b.de|c.de https "GET /a X"', 'https://a.de/a X'],
  ['%m %U%q %H', 'GET /a?b HTTP/1.1', '/a?b'],
  ['%m %U%q %H', 'GET /a HTTP/1.1', '/a'],
  ['%m,"%U","%q"', 'GET,"/a","?b=\\"1"', '/a?b="1'],
  ['%m,"%U","%q"', 'GET,"/a",""', '/a'],
  ['"%U"', '"/a b\\"%20\\xc3\\xa4%zz\\t"', '/a%20b%22%20%C3%A4%25zz%09'],
  ['"%U"', '"/a ab%2"', '/a%20ab%252'],
  ['%s %U', '200 /a', '/a'],
  ['%{X}o%%|%U', 'x%|/a', '/a'],
  ['%!200,304{Referer}i %400,501{User-agent}i %U', '- - /a', '/a'],
  ['%{c}a %^FB %{Content-Type}^ti %U', '1 2 3 /a', '/a'],
  [String.raw`%h\t%U`, '1\t/a', '/a'],
  ['%{%d/%b/%Y:%T}t %{%z}t %U', '10/Oct/2000:13:55:36 -0700 /a', '/a'],
  ['LogFormat "%h \\"%r\\" %>s" nick', '1 "GET /a HTTP/1.1" 200', '/a'],
  ['LogFormat "%h \\\n  \\"%r\\"" nick', '1    "GET /a HTTP/1.1"', '/a'],
  ['CustomLog logs/access.log \'%h "%r"\' env=!x', '1 "GET /a HTTP/1.1"', '/a'],
  ['"%h \\"%r\\""', '1 "GET /a HTTP/1.1"', '/a'],
  ['$remote_addr [$time_local] "$request" $status', '1 [x] "GET /a HTTP/1.1" 200', '/a'],
  ['$request_method $scheme://$host$request_uri', 'GET https://h.de/a?b', 'https://h.de/a?b'],
  ['$scheme://$host:$server_port$request_uri', 'http://h.de:80/a', 'http://h.de/a'],
  ['$scheme $host $server_port $request_uri', 'https h.de 8443 /a', 'https://h.de:8443/a'],
  ['${scheme}_$http_host $request_uri', 'https_h.de /a', 'https://h.de/a'],
  ['$server_name $request_uri', '_ /a', '/a'],
  ['$uri$is_args$args $status', '/a b?c 200', '/a%20b?c'],
  ['$uri$is_args$args $status', '/a- 200', '/a'],
  ['$uri?$args', '/a?-', '/a'],
  ['$uri?$args', '/a?b', '/a?b'],
  ['$uri "$is_args$args"', '/a "-"', '/a'],
  ["log_format main '$remote_addr ' \"'$request'\"\n  '$status';", "1 'GET /a HTTP/1.1'200", '/a'],
  [`log_format j escape=json '{"u":"$request_uri",' '"s":$status}';`, '{"u":"/a\\"\\u0020\\/","s":200}', '/a" /'],
  [`log_format n escape=none '"$request_uri" $status';`, '"/a\\" 200', '/a\\'],
])('by %j the line %j has the URL %s', async (logFormat, line, url) => {
  expect(await outcome(line, { logFormat })).toBe(url);
});

test.each([
  ['%h "%r" %>s', '1 "GET /a HTTP/1.1" 404', 'client-error'],
  ['%m %U', 'POST /a', 'method'],
  ['%m %U', '- -', 'no-request'],
  ['"%r" %s', '"-" 408', 'no-request'],
  ['$request_uri $status', ' 400', 'no-request'],
  ['%h "%r"', '1 GET /a', 'not-in-format'],
  ['%h "%r"', '', 'empty'],
  ['%U "%{Referer}i"', '/a "x', 'not-in-format'],
  ['%U "%{Referer}i"', '/a "', 'not-in-format'],
  ['%U %s', '/a x', 'not-in-format'],
  ['%U %s', '/a 200 5', 'not-in-format'],
  ['%U %s', '/a 20', 'other-status'],
  ['%v %U', 'a/b /a', 'bad-host'],
])('by %j the line %j is not a record: %s', async (logFormat, line, cause) => {
  expect(await outcome(`${line}\n`, { logFormat })).toBe(cause);
});

test('unescaped quotes, and a backslash before the last one, are read as other servers write them', () => {
  const format = '"%r" %>s %b "%{Referer}i" "%{User-Agent}i"';
  expect(parse(format, '"GET /a" b HTTP/1.1" 200 5 "-" "x"').url).toBe('/a" b');
  expect(parse(format, '"GET /a\\" 200 5 "-" "x"').url).toBe('/a\\');
});

test('a line is not affected by the lines before', async () => {
  const { rows } = await read('/cccccccc -\n/b%2 x\n- y', { logFormat: '%U %{Content-MD5}o' });
  expect(rows.map(({ url, sketch }) => `${url} ${sketch}`)).toEqual(['/cccccccc ', '/b%252 x']);
});

test('of several directives for one field the most specific counts, unless it is empty', () => {
  expect(parse('%s %>s %U', '302 200 /a').status).toBe(200);
  expect(parse('%O %b %U', '700 500 /a').size).toBe(500);
  expect(parse('%O %b %U', '700 - /a').size).toBe(700);
  expect(parse('%U "%r"', '/index "GET /a?b HTTP/1.0"')).toMatchObject({ url: '/a?b', method: METHOD.get });
  expect(parse('%m %U %{Content-MD5}o', 'HEAD /a x==')).toMatchObject({ method: METHOD.head, sketch: 'x==' });
  expect(parse('$request_uri $sent_http_content_md5', '/a -').sketch).toBe('');
});

test.each([
  ['%t %U', '[10/Oct/2000:13:55:36 -0700] /a', '2000-10-10T20:55:36.000Z'],
  ['%{%Y-%m-%d}t %U', '2026-11-21 /a', '2026-11-21T00:00:00.000Z'],
  ['%{%F}t %{%T}t %U', '2026-11-21 10:00:01 /a', '2026-11-21T10:00:01.000Z'],
  ['%{begin:%FT%T%z}t %U', '2026-11-21T10:00:01+0100 /a', '2026-11-21T09:00:01.000Z'],
  ['%{%Y%m%d%H%M%S}t%{msec_frac}t %U', '20261121100001250 /a', '2026-11-21T10:00:01.250Z'],
  ['[%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t] %U', '[10/Oct/2000 13:55:36.125 -0700] /a', '2000-10-10T20:55:36.125Z'],
  ['%{sec}t.%{usec_frac}t %U', '1699999999.123456 /a', '2023-11-14T22:13:19.123Z'],
  ['%{begin:sec}t %{end:usec}t %U', '1699999999 1700000000000000 /a', '2023-11-14T22:13:19.000Z'],
  ['%{%H:%M}t %{%F}t %{%F}t %U', '11:12 2026-11-21 2026-11-22 /a', 'none'],
  ['%D %{ms}T %U', '1 2 /a', 'none'],
  ['$time_iso8601 $request_uri', '2026-11-21T10:00:00+00:00 /a', '2026-11-21T10:00:00.000Z'],
  ['$msec $request_uri', '1699999999.123 /a', '2023-11-14T22:13:19.123Z'],
])('by %j the line %j is of %s', (format, line, iso) => {
  const { cause, time } = parse(format, line);
  expect(cause).toBeNull();
  const ms = readTime(Buffer.from(time), 0, Buffer.byteLength(time));
  expect(Number.isNaN(ms) ? 'none' : new Date(ms).toISOString()).toBe(iso);
});

test('time and user agent are parsed only if they are needed', () => {
  const format = '%t "%{User-Agent}i" %U';
  expect(parse(format, '[x] "a b" /a')).toMatchObject({ time: 'x', agent: 'a b' });
  const fields = createFields();
  const line = Buffer.from('[x] "a b" /a');
  createCustom(format).parse(line, 0, line.length, fields);
  expect(fields.time.end - fields.time.start + fields.agent.end - fields.agent.start).toBe(0);
});

describe('a string that cannot be read', () => {
  test.each([
    ['no words', /has neither words of Apache's LogFormat.*single quotes/],
    ['%h %u %b', /no word of "%h %u %b" gives the URL; expected %r .*%U/],
    ['$host $status', /gives the URL; expected \$request, \$request_uri, or \$uri/],
    ['%h %{Host i %U', /the brace has no end; expected }, at character 5:\n {2}%h %{Host i %U\n {6}\^$/],
    ['%h %', /a letter is missing here.*at character 5:\n {2}%h %\n {6}\^$/],
    ['%h %;U', /a letter is missing here.*at character 5/],
    ['$host $ $request', /no name follows the \$.*at character 7:\n {2}\$host \$ \$request\n {8}\^$/],
    ['%h%U', /nothing stands between %h and %U.*at character 3:/],
    ['$request$status', /nothing stands between \$request and \$status/],
    ['%h\\n%U', /the format has a line end/],
    ["log_format x escape=yaml '$uri';", /got escape=yaml, expected default, json or none/],
    ["log_format x '$uri", /the string that begins here has no end/],
    ['LogFormat "%h', /has no end/],
  ])('%j is refused with the place', (logFormat, message) => {
    expect(() => createCustom(logFormat)).toThrow(message);
  });

  test('and one together with another description is refused before anything is opened', async () => {
    await expect(read('x', { logFormat: '%U', format: 'csv' })).rejects.toThrow(
      /--log-format and --format; expected one/,
    );
    await expect(read('x', { logFormat: '%U', columns: { url: 'x' } })).rejects.toThrow(/--log-format and --columns/);
    await expect(read('x', { logFormat: '%h' })).rejects.toThrow(/gives the URL/);
  });
});

test.each([
  ['combined', 'combined'],
  [' vhost_combined ', 'vhost'],
  ['LogFormat combinedio', 'combined'],
  ['CustomLog /var/log/access.log common', 'common'],
  ['%U', null],
  ['constructor', null],
])('the nickname %j is %s', (given, name) => {
  expect(formatOfNickname(given)).toBe(name);
});

// What a server would write: words, and how it escapes.

interface Sample {
  readonly url: string;
  readonly status: number;
  readonly size: number;
  readonly host: string;
  readonly agent: string;
}

const tricky = fc.string({
  unit: fc.constantFrom(...'abcXYZ019/-._~%&=+;,:"\'\\ []{}|<>äß\u007f'.split('')),
  maxLength: 12,
});
const clean = (text: string) => text.replace(/[#]/g, '');
const sample = fc.record<Sample>({
  url: fc
    .tuple(tricky, fc.option(tricky, { nil: null }))
    .map(
      ([path, query]) =>
        `/${clean(path).replaceAll(' ', '%20').replaceAll('?', '')}${query === null ? '' : `?${query.replaceAll(' ', '+')}`}`,
    )
    .filter((url) => !url.endsWith('-') && !url.endsWith('?')),
  status: fc.constantFrom(200, 204, 304),
  size: fc.integer({ min: 0, max: 1e9 }),
  host: fc.constantFrom('h.de', 'www.example.com:8080', '[::1]:81'),
  agent: tricky.filter((text) => text !== '' && text !== '-'),
});

const hex = (byte: number, upper: boolean) => {
  const digits = byte.toString(16).padStart(2, '0');
  return `\\x${upper ? digits.toUpperCase() : digits}`;
};

/** As ap_escape_logitem, and nginx's escape=default and escape=json. */
const escapes: Record<string, (text: string) => string> = {
  apache: (text) =>
    Array.from(Buffer.from(text), (byte) => {
      const char = String.fromCharCode(byte);
      return char === '"' || char === '\\' ? `\\${char}` : byte < 0x20 || byte >= 0x7f ? hex(byte, false) : char;
    }).join(''),
  nginx: (text) =>
    Array.from(Buffer.from(text), (byte) => {
      const char = String.fromCharCode(byte);
      return char === '"' || char === '\\' || byte < 0x20 || byte > 0x7e ? hex(byte, true) : char;
    }).join(''),
  json: (text) => JSON.stringify(text).slice(1, -1),
};

type Writer = (sample: Sample, escape: (text: string) => string) => string;

const words: Record<string, Record<string, Writer>> = {
  apache: {
    '"%r"': ({ url }, escape) => `"${escape(`GET ${url} HTTP/1.1`)}"`,
    '%>s': ({ status }) => String(status),
    '%B': ({ size }) => String(size),
    '%{Host}i': ({ host }) => host,
    '"%{User-Agent}i"': ({ agent }, escape) => `"${escape(agent)}"`,
    '%h': () => '10.0.0.1',
    '"%{Referer}i"': ({ agent }, escape) => `"${escape(`http://r/ ${agent}`)}"`,
    '%t': () => '[10/Oct/2000:13:55:36 -0700]',
    '%D': () => '1234',
    '%%': () => '%',
  },
  nginx: {
    '"$request_uri"': ({ url }, escape) => `"${escape(url)}"`,
    $status: ({ status }) => String(status),
    $body_bytes_sent: ({ size }) => String(size),
    $http_host: ({ host }) => host,
    '"$http_user_agent"': ({ agent }, escape) => `"${escape(agent)}"`,
    $request_method: () => 'GET',
    '[$time_local]': () => '10/Oct/2000:13:55:36 -0700'.replace(/^|$/g, (_, at: number) => (at === 0 ? '[' : ']')),
    '"$http_x"': ({ agent }, escape) => `"${escape(agent)}"`,
    $request_time: () => '0.012',
  },
};

function needed(server: 'apache' | 'nginx'): string[] {
  return Object.keys(words[server]!).slice(0, 5);
}

const anyFormat = fc
  .tuple(
    fc.constantFrom('apache', 'nginx', 'json'),
    fc.constantFrom(' ', ',', ' | ', '\t', ' "-" '),
    fc.infiniteStream(fc.nat()),
  )
  .chain(([escape, separator]) => {
    const server = escape === 'apache' ? 'apache' : 'nginx';
    const others = fc.subarray(Object.keys(words[server]!).slice(5));
    return others
      .chain((more) => fc.shuffledSubarray([...needed(server), ...more], { minLength: 5 + more.length }))
      .map((order) => ({ escape, server, separator, order }) as const);
  });

test('a line that a server writes in a format is read back as the same fields', () => {
  let quoted = 0;
  fc.assert(
    fc.property(anyFormat, fc.array(sample, { minLength: 1, maxLength: 4 }), (format, samples) => {
      const { escape, server, separator, order } = format;
      const string = order.join(separator);
      const given = escape === 'json' ? `log_format x escape=json '${string}';` : string;
      for (const one of samples) {
        const line = order.map((word) => words[server]![word]!(one, escapes[escape]!)).join(separator);
        if (line.includes('\\')) quoted++;
        const { url, status, size, host, agent } = parse(given, line);
        const { url: target, status: code, size: bytes, host: name } = one;
        expect({ url, status, size, host }).toEqual({ url: target, status: code, size: bytes, host: name });
        expect(agent).toBe(escapes[escape]!(one.agent));
      }
    }),
    { numRuns: 400 },
  );
  expect(quoted).toBeGreaterThan(100);
});

test('no line makes it throw, and cut off anywhere the counts add up', async () => {
  const format = '%v %t "%r" %>s %b "%{User-Agent}i" %U%q';
  const line = 'h.de [10/Oct/2000:13:55:36 -0700] "GET /a\\"b HTTP/1.1" 200 5 "x \\" y" /a?b';
  const bytes = Buffer.from(`${line}\n${line.replace('200', '-')}\nforeign\n\n${line}\r`);
  const whole = await read(bytes, { logFormat: format });
  expect(whole.rows.length).toBe(3);
  expect(whole.summary).toMatchObject({ format: 'custom', lines: 5, rejected: { 'not-in-format': 1, empty: 1 } });
  for (const piece of [1, 2, 7]) expect(await read(bytes, { logFormat: format }, piece)).toEqual(whole);
  for (let length = 0; length < bytes.length; length++) {
    const { rows, summary } = await read(bytes.subarray(0, length), { logFormat: format });
    expect(rows.length + total(summary.dropped) + total(summary.rejected)).toBe(summary.lines);
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(line.length), (junk, at) => {
      const broken = Buffer.concat([Buffer.from(line.slice(0, at)), junk, Buffer.from(line.slice(at))]);
      expect(() => parse(format, broken)).not.toThrow();
    }),
  );
});
