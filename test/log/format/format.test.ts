// How long a request took, in milliseconds, from a line of each format that has it.
import { describe, expect, it, test } from 'vitest';
import { type FormatOptions, openFormat } from '../../../src/log/format/choose.js';
import { shapeOf } from '../../../src/log/format/shape.js';
import {
  type AnyFormat,
  clearFields,
  createFields,
  NO_WANTS,
  readDuration,
  UNIT,
  type Wants,
} from '../../../src/log/format/format.js';

const WANTS: Wants = { time: true, agent: true, duration: true };

function duration(name: AnyFormat, lines: string, options: FormatOptions = {}, wants = WANTS): number {
  const format = openFormat(shapeOf(name), options, wants);
  const fields = createFields();
  for (const line of lines.split('\n')) {
    // With digits around it, as bytes of other lines may be.
    const bytes = Buffer.from(`7${line}7`);
    clearFields(fields);
    const cause = format.parse(bytes, 1, bytes.length - 1, fields);
    expect([null, 'header']).toContain(cause);
  }
  return fields.duration;
}

const HEAD = '192.0.2.1 - - [04/Mar/2025:09:00:01 +0000] "GET /a HTTP/1.1" 200 512';
const INGRESS = '333 0.025 [default-web-80] [] 10.0.0.7:8080 512 0.024 200 5f1a';
const ELB = '192.0.2.1:4 10.0.0.1:80 0.001 0.020 0.000 200 200 0 512 "GET http://h.de:80/a HTTP/1.1" "x" - -';
const NO_TARGET = '192.0.2.1:4 - -1 -1 -1 503 - 0 512 "GET http://h.de:80/a HTTP/1.1" "x" - -';
const ENVOY = '[2025-03-04T09:00:01.000Z] "GET /a HTTP/1.1" 200 - 0 512 25 24 "-" "x" "id" "h.de" "10.0.0.1:80"';
const S3 =
  'owner b [04/Mar/2025:09:00:01 +0000] 192.0.2.1 r 1 REST.GET.OBJECT a "GET /b/a HTTP/1.1" 200 - 512 512 25 24 "-" "x" -';
const HAPROXY = '192.0.2.1:4 [04/Mar/2025:09:00:01.655] in web/one 10/0/3/6/25 200 512 - - ---- 1/1/1/1/0 0/0';
const SQUID = '1741078801.123 25 192.0.2.1 TCP_MISS/200 512 GET http://h.de/a - HIER_DIRECT/10.0.0.1 text/html';
const W3C = '#Fields: date time cs-method cs-uri-stem sc-status time-taken';
const CLOUDFRONT =
  '2025-03-04 09:00:01 AMS1 512 192.0.2.1 GET d1.cloudfront.net /a 200 - x - - Hit id= h.de https 99 0.025 -';

describe('a record has milliseconds', () => {
  test.each<[string, AnyFormat, string, number]>([
    ['nginx with $request_time behind combined', 'combined', `${HEAD} "-" "x" 0.025`, 25],
    ['behind a quoted field too', 'combined', `${HEAD} "-" "x" "192.0.2.9, 10.0.0.1" 0.025`, 25],
    ['ingress-nginx', 'combined', `${HEAD} "-" "x" ${INGRESS}`, 25],
    ['Traefik in common format', 'combined', `${HEAD} "-" "x" 9 "web@file" "http://10.0.0.7" 25ms`, 25],
    ['a host and combined', 'vhost', `h.de:80 ${HEAD} "-" "x" 1.025`, 1025],
    ['combined alone', 'combined', `${HEAD} "-" "x"`, -1],
    ['a number that may be anything', 'combined', `${HEAD} "-" "x" 25`, -1],
    ['a time that is not', 'combined', `${HEAD} "-" "x" - 0.025`, -1],
    ['common', 'common', HEAD, -1],
    ['ALB', 'alb', `http 2025-03-04T09:00:01.1Z lb ${ELB}`, 21],
    ['ELB', 'elb', `2025-03-04T09:00:01.1Z lb ${ELB}`, 21],
    ['ALB without an answer', 'alb', `http 2025-03-04T09:00:01.1Z lb ${NO_TARGET}`, -1],
    ['Envoy', 'envoy', ENVOY, 25],
    ['S3', 's3', S3, 25],
    ['HAProxy', 'haproxy', `${HAPROXY} "GET /a HTTP/1.1"`, 25],
    ['HAProxy before the end', 'haproxy', `${HAPROXY.replace('/25', '/+25')} "GET /a HTTP/1.1"`, 25],
    ['Squid', 'squid', SQUID, 25],
    ['IIS', 'w3c', `${W3C}\n2025-03-04 09:00:01 GET /a 200 25`, 25],
    ['W3C, with decimals', 'w3c', `${W3C}\n2025-03-04 09:00:01 GET /a 200 0.025`, 25],
    ['W3C without', 'w3c', `${W3C}\n2025-03-04 09:00:01 GET /a 200 -`, -1],
    ['CloudFront', 'w3c', CLOUDFRONT.replaceAll(' ', '\t'), 25],
    ['Caddy', 'caddy', '{"request":{"uri":"/a","host":"h.de"},"status":200,"duration":0.025}', 25],
    ['Traefik', 'traefik', '{"RequestPath":"/a","DownstreamStatus":200,"Duration":25000000}', 25],
    ['Logpush', 'logpush', '{"ClientRequestURI":"/a","OriginResponseDurationMs":25}', 25],
    ['JSON of nginx', 'jsonl', '{"uri":"/a","status":"200","request_time":"0.025"}', 25],
    ['JSON of Google Cloud', 'jsonl', '{"httpRequest":{"requestUrl":"http://h.de/a","latency":"0.025s"}}', 25],
    ['a table', 'tsv', 'url\trequest_time\n/a\t0.025', 25],
  ])('%s', (_, name, line, ms) => {
    expect(duration(name, line)).toBeCloseTo(ms, 6);
  });

  test.each([
    ['$remote_addr "$request" $status $request_time', '192.0.2.1 "GET /a HTTP/1.1" 200 0.025'],
    ['"$request" $upstream_response_time $request_time', '"GET /a HTTP/1.1" 0.024 0.025'],
    ['"$request" $upstream_response_time', '"GET /a HTTP/1.1" 0.025'],
    ['%h "%r" %>s %D', '192.0.2.1 "GET /a HTTP/1.1" 200 25000'],
    ['"%r" %{ms}T', '"GET /a HTTP/1.1" 25'],
    ['"%r" %T %{us}T', '"GET /a HTTP/1.1" 0 25000'],
  ])('--log-format %s', (logFormat, line) => {
    expect(duration('custom', line, { logFormat })).toBeCloseTo(25, 6);
    expect(duration('custom', line, { logFormat }, NO_WANTS)).toBe(-1);
  });

  it('whole seconds of Apache', () => {
    expect(duration('custom', '"GET /a HTTP/1.1" 2', { logFormat: '"%r" %T' })).toBe(2000);
  });
});

test.each(['', '-', '-1', 's', 'ms', '.', '1.2.3', '1e3', '0x1', '1 ', '1'.repeat(16), '1m', '1.s.'])(
  '%j is no duration',
  (text) => {
    expect(readDuration(Buffer.from(text), 0, text.length, UNIT.ms)).toBe(-1);
  },
);
