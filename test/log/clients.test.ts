// Each format finds the address of the client; with `clients`, batches say which requests came from one.
import { expect, it } from 'vitest';
import { hashBytes } from '../../src/base/hash.js';
import { createReadReport, readRecords, type ReadOptions } from '../../src/log/read.js';
import { memoryInput, plainOptions } from './reading.js';

const ADDRESS = Buffer.from('192.0.2.7');
const KNOWN = hashBytes(ADDRESS, 0, ADDRESS.length) | 1;

const LINES: readonly [format: string, text: string, options?: Partial<ReadOptions>][] = [
  ['common', '192.0.2.7 - - [01/Mar/2026:23:59:59 +0000] "GET /a HTTP/1.1" 200 5'],
  ['combined', '192.0.2.7 - ann [01/Mar/2026:23:59:59 +0000] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0"'],
  ['vhost', 'h.test:80 192.0.2.7 - - [01/Mar/2026:23:59:59 +0000] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0"'],
  ['lighttpd', '192.0.2.7 h.test - [01/Mar/2026:23:59:59 +0000] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0"'],
  ['jsonl', '{"remote_addr":"192.0.2.7","url":"/a","status":200,"user_agent":"Mozilla/5.0"}'],
  ['csv', 'url,client_ip,status\n/a,192.0.2.7,200'],
  ['tsv', 'url\tclient_ip\tstatus\n/a\t192.0.2.7\t200'],
  ['w3c', '#Fields: date time c-ip cs-method cs-uri-stem sc-status\n2026-03-01 00:00:13 192.0.2.7 GET /a 200'],
  [
    'alb',
    'https 2026-03-01T00:00:00.1Z lb 192.0.2.7:46532 10.0.0.1:80 0.0 0.0 0.0 200 200 0 57 "GET https://h.test:443/a HTTP/1.1" "curl/8" - -',
  ],
  [
    's3',
    'owner bucket [01/Mar/2026:00:00:38 +0000] 192.0.2.7 requester 3E57 REST.GET.OBJECT a "GET /a HTTP/1.1" 200 - 2662 2662 70 10 "-" "curl/8" - id SigV4 cipher auth h.test TLSv1.2',
  ],
  [
    'caddy',
    '{"logger":"http.log.access","ts":1703373474.8,"request":{"remote_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"h.test","uri":"/a"},"size":9,"status":200}',
  ],
  [
    'traefik',
    '{"ClientHost":"192.0.2.7","DownstreamContentSize":15,"DownstreamStatus":200,"RequestHost":"h.test","RequestMethod":"GET","RequestPath":"/a","RequestScheme":"https","time":"2026-08-11T11:39:21Z"}',
  ],
  [
    'logpush',
    '{"ClientIP":"192.0.2.7","ClientRequestHost":"h.test","ClientRequestMethod":"GET","ClientRequestURI":"/a","EdgeResponseStatus":200,"EdgeResponseBytes":41}',
  ],
  ['squid', '1286536308.779 180 192.0.2.7 TCP_MISS/200 411 GET http://h.test/a - DIRECT/10.0.0.1 text/html'],
  [
    'envoy',
    '[2026-03-01T20:37:02.221Z] "GET /a HTTP/1.1" 200 - 0 512 3 2 "192.0.2.7" "curl/8" "id" "h.test" "10.0.0.1:80"',
  ],
  ['custom', '192.0.2.7|/a|200', { logFormat: '$remote_addr|$request_uri|$status' }],
  ['custom', '/a 200 192.0.2.7', { logFormat: '%U %>s %a' }],
];

async function clientsOf(text: string, options: Partial<ReadOptions>) {
  const clients: number[] = [];
  const agents: number[] = [];
  const reading = { ...plainOptions, ...options, visitors: true, clients: true };
  for await (const batch of readRecords([memoryInput(Buffer.from(`${text}\n`))], reading, createReadReport())) {
    clients.push(...batch.client!.subarray(0, batch.rows));
    agents.push(...batch.agent!.subarray(0, batch.rows));
  }
  return { clients, agents };
}

it.each(LINES.map(([format, text, options]) => ({ format, text, options })))(
  '$format: $text',
  async ({ format, text, options }) => {
    const named = options ?? { format: format as NonNullable<ReadOptions['format']> };
    const { clients, agents } = await clientsOf(text, named);
    expect(clients).toEqual([KNOWN >>> 0]);
    expect(agents.map((agent) => agent !== 0)).toEqual([/Mozilla|curl/.test(text)]);
  },
);

it('a list of URLs has no clients', async () => {
  expect(await clientsOf('http://h.test/a\nhttp://h.test/b', { format: 'urls' })).toEqual({
    clients: [0, 0],
    agents: [0, 0],
  });
});
