// Which field of a structured log has the URL of the request, under which names; and objects that say nothing.
import { describe, expect, test } from 'vitest';
import { outcome, read } from '../reading.js';

const request = 'GET /a?b HTTP/1.1';
const names: Readonly<Record<string, readonly [fields: Readonly<Record<string, unknown>>, url: string]>> = {
  'the request over a path': [{ request, uri: '/a' }, '/a?b'],
  'the request over a path that the server rewrote': [{ uri: '/index.php', request, url: '/index.php' }, '/a?b'],
  'the method of the request': [{ request: 'POST /a HTTP/1.1', uri: '/a' }, 'method'],
  'a method of its own': [{ request, uri: '/a', method: 'PUT' }, 'method'],
  'the field that has the query': [{ request: 'GET /a HTTP/1.1', uri: '/a?b' }, '/a?b'],
  'request_uri over a path': [{ path: '/x', url: '/x', request_uri: '/a?b' }, '/a?b'],
  'request_uri over the request': [{ request: 'GET /a?c HTTP/1.1', request_uri: '/a?b' }, '/a?b'],
  'a full URL over a path': [{ url: 'https://h.de/a?b', request_uri: '/x?y', request }, 'https://h.de/a?b'],
  'a full URL, and the query from elsewhere': [{ url: 'https://h.de/a', request }, 'https://h.de/a?b'],
  'a full URL, and a field of the query': [{ url: 'https://h.de/a', query: 'b', request }, 'https://h.de/a?b'],
  'what is no request': [{ request: 'c0ffee', uri: '/a?b' }, '/a?b'],
  'a missing path': [{ uri: '-', request }, '/a?b'],
  'a request alone': [{ request: 'HEAD /a?b HTTP/1.1' }, '/a?b'],
  'a path and a query': [{ path: '/a', query: '?b' }, '/a?b'],
  'an empty query': [{ path: '/a', query: '' }, '/a'],
  pino: [
    { req: { method: 'GET', url: '/a?b', headers: { host: 'h.de' } }, res: { statusCode: 200 } },
    'http://h.de/a?b',
  ],
  'pino, not found': [{ req: { method: 'GET', url: '/a?b' }, res: { statusCode: 404 } }, 'client-error'],
  ECS: [
    {
      url: { original: '/a?b', path: '/a', query: 'b', domain: 'h.de', scheme: 'https' },
      'http.request.method': 'GET',
    },
    'https://h.de/a?b',
  ],
  'ECS without the original': [{ url: { path: '/a', query: 'b', domain: 'h.de' } }, 'http://h.de/a?b'],
  'ECS, the full URL': [{ url: { full: 'https://h.de/a?b', path: '/a' } }, 'https://h.de/a?b'],
  'ECS, the status': [{ url: { original: '/a' }, http: { response: { status_code: 500 } } }, 'server-error'],
  OpenTelemetry: [
    { attributes: { 'http.target': '/a?b', 'http.host': 'h.de', 'http.method': 'GET' } },
    'http://h.de/a?b',
  ],
  'OpenTelemetry, new names': [
    { attributes: { 'url.path': '/a', 'url.query': 'b', 'server.address': 'h.de', 'url.scheme': 'https' } },
    'https://h.de/a?b',
  ],
  Fastly: [{ url: '/a?b', host: 'h.de', response_status: 200, resp_body_size: 5 }, 'http://h.de/a?b'],
  'the host of the request over that of the machine': [
    { host: '10.0.0.1', http_host: 'h.de', uri: '/a' },
    'http://h.de/a',
  ],
  'an object around the request': [{ level: 'info', access: { uri: '/a', query: 'b' } }, '/a?b'],
  'a name of its own over one inside of another object': [{ context: { url: '/x' }, url: '/a' }, '/a'],
};

describe('in JSON and in a table', () => {
  test.each(Object.entries(names))('%s', async (_, [fields, url]) => {
    expect(await outcome(JSON.stringify(fields))).toBe(url);
    if (Object.values(fields).some((value) => typeof value === 'object')) return;
    for (const between of ['\t', ',']) {
      const table = [Object.keys(fields), Object.values(fields)].map((row) => row.join(between)).join('\n');
      expect(await outcome(`${table}\n`, { format: between === ',' ? 'csv' : 'tsv' })).toBe(url);
    }
  });

  test.each(
    'query args qs params query_string request_query url_query uri_query request_params queryString request_args'.split(
      ' ',
    ),
  )('the query may be called %s', async (name) => {
    expect(await outcome(JSON.stringify({ path: '/a', [name]: 'b=1' }))).toBe('/a?b=1');
  });

  test.each('size bytes resp_body_size body_bytes_sent bytes_sent response_body_size bytes_out'.split(' '))(
    'the size may be called %s',
    async (name) => {
      expect((await read(JSON.stringify({ url: '/a', [name]: 5 }))).rows).toEqual([{ url: '/a', size: 5, sketch: '' }]);
    },
  );
});

describe('objects that say nothing are counted, by a reason of their own', () => {
  test.each([
    ['{"url":"/a","url":"/b"}', 'repeated-field'],
    ['{"url":"/a","status":200,"status":404}', 'repeated-field'],
    ['{"host":"a.de","url":"/a","host":"b.de"}', 'repeated-field'],
    ['{"url":"/a","url":"/a","level":"info","level":"warn"}', '/a'],
    [`{"url":"/a","x":${'['.repeat(99)}1${']'.repeat(99)}}`, '/a'],
    [`{"url":"/a","x":${'['.repeat(120)}1${']'.repeat(120)}}`, 'nested-too-deep'],
    [`{"url":"/a","x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 'nested-too-deep'],
    ['{"url":"/a\\ud83d"}', 'lone-surrogate'],
    ['{"url":"/a\\ude00b"}', 'lone-surrogate'],
    ['{"url":"/a\\ud83d\\ude00"}', '/a😀'],
    ['{"url":"/a","user_agent":"\\ud83d"}', '/a'],
    ['{"url":"/a\\\\ud83d"}', '/a\\ud83d'],
    ['{"url":"/a\\u00e4\\\\ud83d"}', '/aä\\ud83d'],
  ])('%.60s', async (line, expected) => {
    expect(await outcome(line, { format: 'jsonl' })).toBe(expected);
  });
});
