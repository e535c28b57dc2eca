import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { suggestionFor } from '../../../src/log/format/suggest.js';

const of = (...lines: readonly string[]) => suggestionFor(lines.map((line) => Buffer.from(line, 'latin1')));

test.each([
  [
    ['06:01|10.0.0.7|GET|/a?b=1|200|512|x', '06:02|10.0.0.8|GET|/c|404|12|y z'],
    '--log-format',
    '$x1|$remote_addr|$request_method|$request_uri|$status|$rest',
  ],
  [
    ['app1 [10/Feb/2026:16:42:07 +0000] "pool 7" "GET /a HTTP/1.1" 200 5 "-" "curl/8"'],
    '--log-format',
    '$x1 [$time_local] "$x3" "$request" $status $body_bytes_sent "$x7" "$http_user_agent"',
  ],
  [
    [
      'at=info method=GET path=/a?b=1 host=h.example.com status=200 bytes=5 x=1',
      'at=info method=GET path=/b host=h.example.com status=200 bytes=6 x=1',
    ],
    '--log-format',
    'at=$x1 method=$request_method path=$request_uri host=$http_host status=$status bytes=$body_bytes_sent $rest',
  ],
  [['$5 it\'s "x /a 200'], '--log-format', '$x1 $x2 "$x3 $request_uri $status'],
  [['x;https://ref.example/;/a;200', 'y;-;/b;200'], '--log-format', '$x1;$x2;$request_uri;$status'],
  [['06:01,10.0.0.7,/a?b=1,200', '06:01,10.0.0.7,/b,200'], '--columns', 'url=3,status=4,client=2'],
  [['x\tGET /a HTTP/1.1\th.example.com', 'x\tGET /b HTTP/1.1\th.example.com'], '--columns', 'request=2,host=3'],
  [['{"t":{"target_uri":"/a?b"},"referer":"/x"}', '{"t":{"target_uri":"/b"}}'], '--columns', 'url=t.target_uri'],
])('%j is read by %s %s', (lines, option, value) => {
  expect(of(...lines)).toEqual({ option, value, read: lines.length });
});

test('a suggestion is the one that reads most of the lines, and says how many', () => {
  expect(of('a|/b|200', 'x y', 'b|/c|404', '1 /d')).toMatchObject({ value: '$x1|$request_uri|$status', read: 2 });
});

test('lines without a URL get none', () => {
  expect(of()).toBeNull();
  expect(of('hello world', '1 2 3', '')).toBeNull();
  expect(of('{"a":{"b":1}}')).toBeNull();
  expect(of('\xff\0'.repeat(5000))).toBeNull();
});
