// The JSON scanner compared with JSON.parse; and the names that servers give their fields.
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../../src/base/bytes.js';
import { createColumnReader } from '../../../src/log/format/column.js';
import { JsonScanner, NONE } from '../../../src/log/format/json-scan.js';
import { CADDY, LOGPUSH, TRAEFIK } from '../../../src/log/format/json-servers.js';
import { createFormat } from '../../../src/log/format/detect.js';
import { createDocker, createDockerText } from '../../../src/log/format/wrapped.js';
import { createJsonLines } from '../../../src/log/format/jsonl.js';
import { outcome } from '../reading.js';
import { fieldsOf } from './fields.js';

/** What JSON.parse accepts as an object. */
function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const meaningOf = createColumnReader({ url: 'a', host: 'b.a', agent: 'b.a.b', size: 'ä"', time: 'b.b' });
const scanner = new JsonScanner(meaningOf);

/** The values of the columns by the scanner: raw text and kind. */
function scan(text: string): Record<string, string> | null {
  const bytes = Buffer.from(`"}${text}"}`);
  const end = bytes.length - 2;
  if (!scanner.scan(bytes, 2, end)) return null;
  const found = Object.entries(scanner.found).filter(([, { rank }]) => rank < NONE);
  return Object.fromEntries(
    found.map(([column, { start, end: to, kind }]) => {
      const raw = decodeText(bytes, start, to);
      return [column, kind === 'number' ? String(Number(raw)) : (JSON.parse(`"${raw}"`) as string)];
    }),
  );
}

/** The same by JSON.parse. */
function parse(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (object: object, prefix: string) => {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      const first: unknown = Array.isArray(value) && prefix !== '' ? value[0] : value;
      const meaning = meaningOf(prefix + key);
      if (meaning !== null && (typeof first === 'string' || (typeof first === 'number' && first === value))) {
        found[meaning.column] ??= String(first);
      } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) walk(value, `${prefix}${key}.`);
    }
  };
  walk(JSON.parse(text) as object, '');
  return found;
}

const key = fc.constantFrom('a', 'b', 'ä"', 'c', '');
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.constantFrom('"\\/\b\f\n\r\t', '\u0001\u007f\u2028', '\ud800', 0, -0, -1.5, 1e30, 2e-7, true, false, null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { object } = fc.letrec<{ object: unknown; value: unknown }>((tie) => ({
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), fc.array(tie('value'), { maxLength: 3 })),
}));
/** JSON with blanks wherever they are allowed. */
const text = fc
  .tuple(object, fc.constantFrom('', ' ', '\t', '  '))
  .map(([value, indent]) => JSON.stringify(value, null, indent).replaceAll('\n', '\r\n'));

test('finds in any object the values that JSON.parse finds', () => {
  let found = 0;
  fc.assert(
    fc.property(text, (line) => {
      const values = scan(line);
      expect(values).toEqual(parse(line));
      found += Object.keys(values!).length;
    }),
    { numRuns: 3000 },
  );
  expect(found).toBeGreaterThan(400);
});

test('accepts as an object what JSON.parse does, however it is damaged', () => {
  const counts = { good: 0, bad: 0 };
  const scrap = fc.constantFrom(
    ...'{}[]",:\\ \t01-.eE+tfnu\u0001a'.split(''),
    'true',
    'null',
    '\\u00e4',
    '\\ud83',
    '""',
    '-0',
    '01',
  );
  const damaged = fc
    .tuple(text, fc.nat(200), fc.nat(3), fc.array(scrap, { maxLength: 2 }))
    .map(([line, at, cut, more]) => {
      const place = at % (line.length + 1);
      return line.slice(0, place) + more.join('') + line.slice(place + cut);
    });
  fc.assert(
    fc.property(
      fc.oneof(
        damaged,
        fc.array(scrap, { maxLength: 8 }).map((parts) => `{${parts.join('')}}`),
      ),
      (line) => {
        const expected = isObject(line);
        expect([line, scan(line) !== null]).toEqual([line, expected]);
        counts[expected ? 'good' : 'bad']++;
      },
    ),
    { numRuns: 4000 },
  );
  expect(Math.min(counts.good, counts.bad)).toBeGreaterThan(200);
});

test('objects with very many names, in any order, are read correctly', () => {
  for (let k = 0; k < 20_000; k++) {
    const names = [`x${k}`, 'a', `y${k % 7}`].map((name) => `"${name}":"${name}"`);
    if (k % 2 === 0) names.reverse();
    expect(scan(`{${names.join(',')}}`)).toEqual({ url: 'a' });
  }
});

test('objects that are nested too deep are not records', () => {
  const deep = (depth: number) => `${'{"c":'.repeat(depth)}1${'}'.repeat(depth)}`;
  expect(scan(deep(90))).toEqual({});
  expect(scan(deep(200_000))).toBeNull();
  expect(scan(`{"c":${'['.repeat(200_000)}`)).toBeNull();
});

describe('names', () => {
  test('Caddy: a nested request, headers as lists, https by its tls', () => {
    const caddy = (request: object, rest: object = { size: 3, status: 200 }) =>
      fieldsOf(createJsonLines({}, CADDY), JSON.stringify({ ts: 1741078800.5, uri: '/no', request, ...rest }));
    const request = { method: 'GET', host: 'h.de', uri: '/a?b=1&c', headers: { 'User-Agent': ['x "1"', 'y'] } };
    const fields = {
      method: 'get',
      url: '/a?b=1&c',
      host: 'h.de',
      agent: 'x "1"',
      time: '1741078800.5',
      size: 3,
      status: 200,
    };
    expect(caddy(request)).toEqual(fields);
    expect(caddy({ ...request, tls: { resumed: false, version: 772 } })).toEqual({ ...fields, host: 'h.de:443' });
    expect(caddy({ ...request, tls: { version: 772 }, host: 'h.de:8443' })).toMatchObject({
      url: 'https://h.de:8443/a?b=1&c',
    });
    expect(caddy({}, { status: 'OK' })).toBe('bad-status');
  });

  test('Traefik: numbers also as text, & escaped', () => {
    const line =
      '{"DownstreamStatus":"200","OriginStatus":504,"DownstreamContentSize":15,"RequestHost":"h.de","RequestMethod":"HEAD",' +
      '"RequestPath":"/a?b=1\\u0026c=\\u00e4","RequestScheme":"https","ServiceURL":{"Path":"/no"},"StartUTC":"2023-08-11T11:39:21Z"}';
    expect(fieldsOf(createJsonLines({}, TRAEFIK), line)).toEqual({
      method: 'head',
      status: 200,
      size: 15,
      url: '/a?b=1&c=ä',
      host: 'h.de:443',
      time: '2023-08-11T11:39:21Z',
    });
  });

  test.each(['"2024-05-12T10:00:00Z"', '1715508000', '1715508000000000000'])('Logpush: time %s', (time) => {
    const line = `{"ClientRequestURI":"/a?b","ClientRequestPath":"/a","ClientRequestHost":"h.de","ClientRequestMethod":"GET",
      "EdgeResponseStatus":200,"EdgeResponseBytes":4131,"EdgeStartTimestamp":${time},"ClientRequestUserAgent":"x"}`;
    expect(fieldsOf(createJsonLines({}, LOGPUSH), line.replaceAll('\n', ''))).toEqual({
      method: 'get',
      status: 200,
      size: 4131,
      url: '/a?b',
      host: 'h.de',
      time: time.replaceAll('"', ''),
      agent: 'x',
    });
  });

  test('Logpush: the size of the body is preferred, whichever comes first', () => {
    const line = (fields: string) => fieldsOf(createJsonLines({}, LOGPUSH), `{"ClientRequestURI":"/a",${fields}}`);
    expect(line('"EdgeResponseBytes":9,"EdgeResponseBodyBytes":5')).toMatchObject({ size: 5 });
    expect(line('"EdgeResponseBodyBytes":5,"EdgeResponseBytes":9')).toMatchObject({ size: 5 });
  });

  test.each([
    ['{"request_uri":"/a?b","uri":"/a","args":"b","status":"200"}', '/a?b'],
    ['{"uri":"/a","args":"b=1","status":200,"body_bytes_sent":"5"}', '/a?b=1'],
    ['{"uri":"/a","args":"","server_name":"h.de","scheme":"https"}', 'https://h.de/a'],
    ['{"uri":"/a","args":"-","http_host":"h.de:8443","scheme":"https"}', 'https://h.de:8443/a'],
    ['{"request":"GET /a?b HTTP/1.1","host":"h.de","scheme":"http","status":200}', 'http://h.de/a?b'],
    ['{"request":"GET \\/a\\u0022 HTTP/1.1","status":200}', '/a"'],
    ['{"path":"/a","code":"404"}', 'client-error'],
    ['{"path":"/a","code":2e2,"bytes":1.0}', '/a'],
    ['{"path":"/a","code":200.5}', 'bad-status'],
    ['{"path":"/a","bytes":"x"}', 'bad-size'],
    ['{"nothing":"/a"}', 'no-url'],
  ])('nginx without a map: %s', async (line, expected) => {
    expect(await outcome(line, { format: 'jsonl' })).toBe(expected);
  });

  test.each([
    ['"reqPath":"a/b.html","queryStr":"c=d","reqHost":"h.de","proto":"HTTPS"', '/a/b.html?c=d', 'h.de:443'],
    ['"reqPath":"a/b.html","queryStr":"-","reqHost":"h.de","reqPort":"443"', '/a/b.html', 'h.de:443'],
    ['"reqPath":"/a","reqHost":"h.de","proto":"HTTP"', '/a', 'h.de'],
    ['"reqPath":"","queryStr":"c","reqHost":"h.de"', '/?c', 'h.de'],
    ['"reqPath":"\\u00e4\\/b","reqHost":"h.de"', '/ä/b', 'h.de'],
  ])('Akamai, whose paths have no slash: %s', (members, url, host) => {
    expect(fieldsOf(createFormat('akamai'), `{"cliIP":"192.0.2.1",${members}}`)).toEqual({ url, host });
    expect(fieldsOf(createFormat('akamai'), '{"reqHost":"h.de"}')).toEqual({ host: 'h.de' });
  });

  test('fields named by the user win, also in the formats of servers', () => {
    const line = '{"RequestPath":"/no","status":200,"real":{"path":"/yes"},"RequestHost":"h.de"}';
    expect(fieldsOf(createJsonLines({ url: 'real.path' }, TRAEFIK), line)).toEqual({ url: '/yes', host: 'h.de' });
  });

  const get = { method: 'get', status: 200, size: 512, agent: 'x' };
  const google = {
    insertId: '1',
    httpRequest: {
      requestMethod: 'GET',
      requestUrl: 'https://h.de/a?b',
      requestSize: '77',
      status: 200,
      responseSize: '512',
      userAgent: 'x',
    },
    resource: { type: 'http_load_balancer', labels: { url_map_name: 'web' } },
    timestamp: '2025-03-04T09:00:01Z',
  };
  const proxy = {
    timestamp: 1741078800500,
    method: 'GET',
    scheme: 'https',
    host: 'h.de',
    path: '/a?b',
    userAgent: ['x'],
    statusCode: 200,
    responseByteSize: 512,
  };
  test.each<[string, object, object]>([
    ["Google's load balancer", google, { ...get, url: 'https://h.de/a?b', time: '2025-03-04T09:00:01Z' }],
    [
      'Vercel, whose lines have the function and the deployment outside of `proxy`',
      { path: '/[slug]', host: 'web-1x2y.vercel.app', statusCode: 500, source: 'lambda', proxy, timestamp: 1 },
      { ...get, url: '/a?b', host: 'h.de:443', time: '1' },
    ],
    [
      'Azure Front Door',
      {
        time: '2025-03-04T09:00:01Z',
        category: 'FrontDoorAccessLog',
        properties: {
          httpMethod: 'GET',
          requestUri: 'https://h.de:443/a?b',
          httpStatusCode: '200',
          responseBytes: '512',
          userAgent: 'x',
        },
      },
      { ...get, url: 'https://h.de:443/a?b', time: '2025-03-04T09:00:01Z' },
    ],
    [
      'Fastly',
      {
        timestamp: '2025-03-04T09:00:01Z',
        client_ip: '192.0.2.1',
        host: 'h.de',
        url: '/a?b',
        request_method: 'GET',
        request_protocol: 'HTTP/2',
        request_referer: '/r?s',
        request_user_agent: 'x',
        response_state: 'HIT',
        response_status: 200,
        response_body_size: 512,
        fastly_server: 'cache-fra1',
      },
      { ...get, url: '/a?b', host: 'h.de', time: '2025-03-04T09:00:01Z' },
    ],
    [
      'Netlify, in its traffic logs',
      {
        log_type: 'traffic',
        timestamp: '2025-03-04T09:00:01Z',
        url: 'https://h.de/a?b',
        method: 'GET',
        status_code: 200,
        response_size: 512,
        user_agent: 'x',
        client_ip: '192.0.2.1',
        referrer: 'https://r.de/',
        request_id: '1',
      },
      { ...get, url: 'https://h.de/a?b', time: '2025-03-04T09:00:01Z' },
    ],
    [
      'Azure Application Gateway',
      {
        timeStamp: '2025-03-04T09:00:01Z',
        properties: {
          httpMethod: 'GET',
          requestUri: '/a',
          requestQuery: 'b',
          httpStatus: 200,
          sentBytes: 512,
          userAgent: 'x',
          host: '10.0.0.4',
          originalHost: 'h.de',
        },
      },
      { ...get, url: '/a?b', host: 'h.de', time: '2025-03-04T09:00:01Z' },
    ],
    [
      'Azure App Service',
      {
        time: '2025-03-04T09:00:01Z',
        properties: {
          CsMethod: 'GET',
          CsUriStem: '/a',
          CsUriQuery: 'b',
          ScStatus: 200,
          ScBytes: 512,
          CsHost: 'h.de',
          UserAgent: 'x',
        },
      },
      { ...get, url: '/a?b', host: 'h.de', time: '2025-03-04T09:00:01Z' },
    ],
    [
      'Istio as JSON',
      {
        authority: 'h.de',
        method: 'GET',
        path: '/a?b',
        response_code: 200,
        bytes_received: 0,
        bytes_sent: 512,
        user_agent: 'x',
        start_time: '2025-03-04T09:00:01.123Z',
      },
      { ...get, url: '/a?b', host: 'h.de', time: '2025-03-04T09:00:01.123Z' },
    ],
  ])('%s', (_, line, fields) => {
    expect(fieldsOf(createJsonLines(), JSON.stringify(line))).toEqual(fields);
  });

  test('Docker: what is inside is a log in common or combined format, or JSON', () => {
    const docker = (log: string) => JSON.stringify({ log, stream: 'stdout', time: '2025-03-04T09:00:01.5Z' });
    const wants = { time: true, agent: true, duration: true };
    const time = '04/Mar/2025:09:00:01 +0000';
    const line = `192.0.2.1 - - [${time}] "GET /ä?q=\\"x\\" HTTP/1.1" 200 512 "-" "x"`;
    const fields = { ...get, url: '/ä?q="x"', time };
    for (const end of ['\n', '\r\n', ''])
      expect(fieldsOf(createDocker(createDockerText(wants), wants), docker(line + end))).toEqual(fields);
    const inside = JSON.stringify({ uri: '/a', status: 200, bytes: 512, time: '1', user_agent: 'x', method: 'GET' });
    expect(fieldsOf(createDocker(createDockerText(wants), wants), docker(`${inside}\n`))).toEqual({
      ...get,
      url: '/a',
      time: '1',
    });
    for (const other of ['', '\n', 'ready to accept connections\n', '{"msg":'])
      expect(fieldsOf(createDocker(createDockerText(wants), wants), docker(other))).toBe('not-in-format');
    expect(fieldsOf(createDocker(createDockerText(wants), wants), '{"stream":"stdout"}')).toBe('not-in-format');
  });
});
