// Formats of words and quoted requests: load balancers, S3, HAProxy, Squid.
import { describe, expect, test } from 'vitest';
import { createElb } from '../../../src/log/format/elb.js';
import { createEnvoy } from '../../../src/log/format/envoy.js';
import { createHaproxy } from '../../../src/log/format/haproxy.js';
import { createS3 } from '../../../src/log/format/s3.js';
import { createFramework } from '../../../src/log/format/framework.js';
import { createLogfmt } from '../../../src/log/format/logfmt.js';
import { createSquid } from '../../../src/log/format/squid.js';
import { outcome } from '../reading.js';
import { fieldsOf } from './fields.js';

describe('load balancers of AWS', () => {
  const head = '2025-03-04T09:00:01.123456Z lb 192.0.2.1:2817 10.0.0.1:80 0.1 0.2 0.3';
  const elb = (rest: string) => fieldsOf(createElb('elb'), `${head} ${rest}`);

  test.each([
    [
      '200 200 0 57 "GET http://h.de:80/a?b HTTP/1.1" "x 1.0" - -',
      { method: 'get', url: 'http://h.de:80/a?b', status: 200, size: 57, agent: 'x 1.0' },
    ],
    ['304 304 0 0 "HEAD http://h.de:80/ HTTP/1.1"', { method: 'head', url: 'http://h.de:80/', status: 304, size: 0 }],
    [
      '200 - 0 57 "GET http://h.de:80/a "b" HTTP/1.1" "x "y" z" - -',
      { method: 'get', url: 'http://h.de:80/a "b"', status: 200, size: 57, agent: 'x "y' },
    ],
    [
      String.raw`200 200 0 5 "GET http://h.de:80/\x22 HTTP/1.1" "x"`,
      { method: 'get', url: 'http://h.de:80/"', status: 200, size: 5, agent: 'x' },
    ],
    ['- - 82 305 "- - - " "-" - -', { method: 'missing', size: 305, agent: '-' }],
    ['400 - 0 272 "- http://h.de:80- -" "-" - -', { method: 'missing', status: 400, size: 272, agent: '-' }],
  ])('%s', (rest, fields) => {
    expect(elb(rest)).toEqual({ time: '2025-03-04T09:00:01.123456Z', ...fields });
    if (!('agent' in fields)) return; // which only classic lines of the first years lack
    const alb = fieldsOf(createElb('alb'), `https ${head} ${rest} arn:x "Root=1" "h.de"`);
    expect(alb).toEqual({ time: '2025-03-04T09:00:01.123456Z', ...fields });
  });

  test.each([
    '200 200 0 57 "GET http://h.de',
    '200 200 0 57',
    'abc 200 0 57 "GET / HTTP/1.1"',
    '',
    '200 200 0 57 GET "/',
  ])('%j is not a line of it', (rest) => {
    expect(elb(rest)).toBe('not-in-format');
    expect(fieldsOf(createElb('alb'), `https ${head} ${rest}`)).toBe('not-in-format');
  });

  test('a line of one is not a line of the other', () => {
    const line = `${head} 200 200 0 57 "GET http://h.de:80/ HTTP/1.1" "x" - -`;
    expect(fieldsOf(createElb('alb'), line)).toBe('not-in-format');
    expect(fieldsOf(createElb('elb'), `http ${line}`)).toBe('not-in-format');
  });
});

describe('S3', () => {
  const line = (operation: string, key: string, request: string, rest: string, host = '-', bucket = 'pics') =>
    `79a5 ${bucket} [04/Mar/2025:09:00:01 +0000] 192.0.2.1 - 3E57 ${operation} ${key} "${request}" ${rest} 12 9 "-" ` +
    `"a "quoted" agent" - id= SigV4 cipher - ${host} TLSv1.2 - -`;
  const s3 = (...parts: Parameters<typeof line>) => fieldsOf(createS3(), line(...parts));
  const rest = { agent: 'a "quoted" agent', time: '04/Mar/2025:09:00:01 +0000' };

  test.each([
    [
      'the host of the request',
      'GET /a%20b?x=1 HTTP/1.1',
      'a%2520b',
      'pics.s3.amazonaws.com',
      '/a%20b?x=1',
      'pics.s3.amazonaws.com',
    ],
    ['the bucket, where the line has no host', 'GET /a HTTP/1.1', 'a', '-', '/a', 'pics'],
    ['the bucket, which the path repeats', 'GET /pics/a HTTP/1.1', 'a', '-', '/a', 'pics'],
    ['the bucket, which the key begins with', 'GET /pics/a HTTP/1.1', 'pics/a', '-', '/pics/a', 'pics'],
    ['the bucket itself', 'GET /pics HTTP/1.1', '-', '-', '/pics', 'pics'],
    ['a quote in the request', 'GET /a"b HTTP/1.1', 'a%2522b', 'h.de', '/a"b', 'h.de'],
  ])('a page has %s', (_, request, key, host, url, expected) => {
    expect(s3('REST.GET.OBJECT', key, request, '200 - 90 100', host)).toEqual({
      ...rest,
      method: 'get',
      status: 200,
      size: 100,
      url,
      host: expected,
    });
  });

  test('bytes sent are the size if the object has none', () => {
    expect(s3('WEBSITE.GET.OBJECT', 'a', 'GET /a HTTP/1.1', '200 - 90 -', 'h.de')).toMatchObject({ size: 90 });
    expect(s3('REST.HEAD.OBJECT', 'a', 'HEAD /a HTTP/1.1', '200 - - -', 'h.de')).not.toHaveProperty('size');
  });

  test.each([
    ['REST.GET.OBJECT', 'http://h.de/a'],
    ['WEBSITE.GET.OBJECT', 'http://h.de/a'],
    ['REST.HEAD.OBJECT', 'http://h.de/a'],
    ['REST.GET.BUCKET', 'method'],
    ['REST.GET.ACL', 'method'],
    ['REST.PUT.OBJECT', 'method'],
    ['REST.COPY.OBJECT_GET', 'method'],
    ['BATCH.DELETE.OBJECT', 'method'],
  ])('%s becomes %s', async (operation, expected) => {
    const found = await outcome(line(operation, 'a', 'GET /a HTTP/1.1', '200 - 90 100', 'h.de'), { format: 's3' });
    expect(found).toBe(expected);
  });

  test.each([
    '',
    'x y',
    line('REST.GET.OBJECT', 'a', 'GET /a', '').slice(0, 90),
    line('REST.GET.OBJECT', 'a b', 'GET /a', '200 - 1 1'),
  ])('%j is not a line of it', (text) => expect(fieldsOf(createS3(), text)).toBe('not-in-format'));
});

describe('HAProxy', () => {
  const head = '192.0.2.1:33317 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109';
  const line = (rest: string, status = '200 2750') => `${head} ${status} - - ---- 1/1/1/1/0 0/0 ${rest}`;
  const haproxy = (text: string) => fieldsOf(createHaproxy(), text);
  const plain = { time: '06/Feb/2009:12:14:14.655', method: 'get', status: 200, size: 2750, url: '/a' };

  test.each([
    ['', {}],
    ['{h.de} ', { host: 'h.de' }],
    ['{H-1.de:8080|Mozilla/5.0 (X11; U)|x} {nginx|} ', { host: 'H-1.de:8080', agent: 'Mozilla/5.0 (X11; U)' }],
    ['{|} {h.de} ', {}],
    ['{192.0.2.1|text/html|http://h.de/} ', {}],
    ['{curl/8.1|www.h.de} ', { host: 'www.h.de', agent: 'curl/8.1' }],
  ])('captured headers %j', (captured, fields) => {
    expect(haproxy(line(`${captured}"GET /a HTTP/1.1"`))).toEqual({ ...plain, ...fields });
  });

  test.each([
    'Feb  6 12:14:14 localhost haproxy[14389]: ',
    '<134>Feb  6 12:14:14 haproxy[14389]: ',
    '<134>1 2009-02-06T12:14:14.655Z lb haproxy 14389 - - ',
    '2009-02-06T12:14:14+01:00 lb haproxy[14389]: ',
  ])('after %j', (prefix) => {
    const whole = `${prefix}${line('"GET /a HTTP/1.1"')}`;
    expect(haproxy(whole)).toEqual(plain);
  });

  test.each([
    ['a quote in the request', line('"GET /a"b HTTP/1.1"'), { url: '/a"b' }],
    ['what httpslog adds', line('"GET /a HTTP/1.1" 0/0000000000000000/0/0/0 h.de/TLSv1.3/AES'), { url: '/a' }],
    ['a size that is not the last word', line('"GET /a HTTP/1.1"', '200 +2750'), { size: 2750 }],
    ['no answer', line('"GET /a HTTP/1.1"', '-1 0'), { status: 0 }],
    ['no request', line('"<BADREQ>"', '400 187'), { method: 'missing' }],
  ])('%s', (_, text, fields) => expect(haproxy(text)).toMatchObject(fields));

  test.each([
    line('"GET /cut-by-sysl'),
    line('{h.de|x'),
    line(''),
    `${head} 200`,
    '192.0.2.1:3 [06/Feb/2009:12:14:14.655] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0',
    line('"GET /a HTTP/1.1"').replace('10/0/30/69/109', '10/0/30'),
    line('"GET /a HTTP/1.1"').replace('1/1/1/1/0', '1/1'),
    line('"GET /a HTTP/1.1"').replace('14:14.655]', '14:14]'),
    'haproxy[1]: Server x is DOWN',
    '',
  ])('%j is not a line of it', (text) => expect(haproxy(text)).toBe('not-in-format'));
});

describe('Squid', () => {
  const squid = (text: string) => fieldsOf(createSquid(), text);

  test.each([
    [
      '1286536309.586    921 192.0.2.1 TCP_MISS/200 507 GET http://h.de/a?b - DIRECT/198.51.100.1 text/html',
      { method: 'get', status: 200, size: 507, url: 'http://h.de/a?b' },
    ],
    [
      '1286536309.586 0 2001:db8::1 TCP_MISS_ABORTED/000 0 GET http://h.de/ joe HIER_NONE/- -',
      { method: 'get', status: 0, size: 0, url: 'http://h.de/' },
    ],
    [
      '1286536309.586 -1 - NONE/400 0 - error:invalid-request - NONE/- -',
      { status: 400, size: 0, url: 'error:invalid-request' },
    ],
    [
      '1286536309.586 9 192.0.2.1 TCP_TUNNEL/200 9 CONNECT h.de:443 - DIRECT/198.51.100.1 - [Host: x\\r\\n]',
      { method: 'other', status: 200, size: 9, url: 'h.de:443' },
    ],
  ])('%s', (line, fields) => expect(squid(line)).toEqual({ time: '1286536309.586', ...fields }));

  test.each([
    '1286536309.586    921 192.0.2.1 TCP_MISS/200 507 GET http://h.de/ -',
    '1286536309     921 192.0.2.1 TCP_MISS/200 507 GET http://h.de/ - DIRECT/- -',
    '1286536309.586 921 192.0.2.1 TCP_MISS 507 GET http://h.de/ - DIRECT/- -',
    '1286536309.586 921 192.0.2.1 TCP_MISS/200 x GET http://h.de/ - DIRECT/- -',
    '',
  ])('%j is not a line of it', (line) => expect(squid(line)).toBe('not-in-format'));
});

describe('web frameworks', () => {
  const framework = (text: string) => fieldsOf(createFramework(), text);

  test.each([
    ['morgan, tiny', 'GET /a?b=1 200 2 - 0.455 ms', { method: 'get', status: 200, size: 2, url: '/a?b=1' }],
    ['morgan, dev', 'GET /a 304 0.455 ms - -', { method: 'get', status: 304, url: '/a' }],
    ['morgan, short', '::1 - HEAD /a HTTP/1.1 200 - - 0.4 ms', { method: 'head', status: 200, url: '/a' }],
    [
      'Gin',
      '[GIN] 2026/11/28 - 10:12:28 | 404 |      18.418µs |       192.0.2.1 | POST     "/a b"',
      { method: 'other', status: 404, url: '/a b' },
    ],
    [
      'chi',
      '2026/11/28 10:12:29 "GET http://h.de/a HTTP/1.1" from 192.0.2.1:36452 - 200 512B in 21.602µs',
      { method: 'get', status: 200, size: 512, url: 'http://h.de/a' },
    ],
    [
      'chi, without a time',
      '"GET /a HTTP/2.0" from [::1]:3 - 200 0B in 1ms',
      { method: 'get', status: 200, size: 0, url: '/a' },
    ],
    ['Uvicorn', 'INFO:     192.0.2.1:41800 - "GET /a?b HTTP/1.1" 200 OK', { method: 'get', status: 200, url: '/a?b' }],
    ['Uvicorn, without a level', '192.0.2.1:4 - "GET /a HTTP/1.1" 500', { method: 'get', status: 500, url: '/a' }],
  ])('%s', (_, line, fields) => expect(framework(line)).toEqual(fields));

  test.each([
    'GET /a 200',
    'GET /a HTTP/1.1',
    'GET /a 0.455 ms - 2',
    'GET a 200 2 - 0.455 ms',
    'x y z GET /a 200 2 - 0.455 ms',
    '192.0.2.1 - - [04/Mar/2026:09:00:01 +0000] "GET /a HTTP/1.1" 200 5120',
    '2026-03-04 09:00:01 GET /a 200 25',
    'word | 200 | 1ms | 192.0.2.1 | GET "/a"',
    '[GIN] 2026/11/28 - 10:12:28 | 200 | 1ms | 192.0.2.1 | GET "/a',
    'access.log:2026/11/28 10:12:29 "GET /a HTTP/1.1" from 192.0.2.1:3 - 200 5B in 2ms',
    'I said "GET /a" and got 200',
    '',
  ])('%j is not a line of it', (line) => expect(framework(line)).toBe('not-in-format'));
});

describe('logfmt', () => {
  const logfmt = (text: string) => fieldsOf(createLogfmt(), text);

  test.each([
    [
      'Heroku',
      'at=info method=GET path="/a?b=1" host=h.de request_id=8601b555-6a83 fwd="192.0.2.1" dyno=web.1 status=200 bytes=13',
      { method: 'get', status: 200, size: 13, url: '/a?b=1', host: 'h.de' },
    ],
    [
      'lograge',
      'method=GET path=/a format=html controller=A action=show status=200 duration=1.25 view=0.3',
      { method: 'get', status: 200, url: '/a' },
    ],
    [
      "Go's slog",
      'time=2026-11-28T10:12:30.329Z level=INFO msg=request method=GET host=h.de url="/a?b=\\"1\\"" status=200 bytes=2',
      { method: 'get', status: 200, size: 2, url: '/a?b="1"', host: 'h.de', time: '2026-11-28T10:12:30.329Z' },
    ],
    ['a number with a zero before it', 'path=/a id=007 status=200', { status: 200, url: '/a' }],
    ['an empty value, and a word', 'path=/a user= word status=200', { status: 200, url: '/a' }],
    ['a backslash', String.raw`path=/a\b status=200`, { status: 200, url: '/a\\b' }],
  ])('%s', (_, line, fields) => expect(logfmt(line)).toEqual(fields));

  test.each([
    ['path=/a', 'not-in-format'],
    ['path="/a status=200', 'not-in-format'],
    ['word path=/a status=200', 'not-in-format'],
    ['=/a =200', 'not-in-format'],
    ['', 'not-in-format'],
    ['path=/a status=ok', 'bad-status'],
  ])('%j is refused', (line, cause) => expect(logfmt(line)).toBe(cause));
});

describe('Envoy', () => {
  const envoy = (rest: string) => fieldsOf(createEnvoy(), `[2025-03-04T09:00:01.584Z] ${rest}`);
  const page = { method: 'get', status: 200, size: 512, url: '/a?b', time: '2025-03-04T09:00:01.584Z' };

  test.each([
    ['its default', '"GET /a?b HTTP/2" 200 - 7 512 3 2 "192.0.2.1" "x 1.0" "cc21" "h.de:8080" "10.0.2.1:80"'],
    ['without an upstream', '"GET /a?b HTTP/2" 200 NR 7 512 3 - "-" "x 1.0" "cc21" "h.de:8080" "-"'],
    [
      'with fields of Istio',
      '"GET /a?b HTTP/1.1" 200 - via_upstream - "-" 7 512 3 2 "-" "x 1.0" "cc21" "h.de:8080" "10.0.2.1:80" inbound|80|| - default',
    ],
  ])('%s', (_, rest) => expect(envoy(rest)).toEqual({ ...page, agent: 'x 1.0', host: 'h.de:8080' }));

  test('quotes inside of fields do not end them', () => {
    const rest = String.raw`"GET /a?b HTTP/2" 200 - 7 512 3 2 "-" "x \"y\" z"z" "cc21" "h.de" "-"`;
    expect(envoy(rest)).toMatchObject({ agent: String.raw`x \"y\" z"z`, host: 'h.de' });
  });

  test.each([
    '',
    '"GET /a?b HTTP/2"',
    '"GET /a?b HTTP/2" 200 - 7',
    '"GET /a?b HTTP/2" 200 - 7 512 3 2 "-" "x" "cc21"',
    '"GET /a?b HTTP/2" - - 7 512 3 2 "-" "x" "cc21" "h.de" "-"',
    '"GET /a?b HTTP/2" 200 - a b c d e f "-" "x" "cc21" "h.de" "-"',
    'GET /a?b HTTP/2 200 - 7 512 3 2 "-" "x" "cc21" "h.de" "-"',
  ])('%j is not a line of it', (rest) => expect(envoy(rest)).toBe('not-in-format'));
});
