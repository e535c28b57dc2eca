import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import type { Fields, Span } from '../../src/log/format/format.js';
import { createReadReport, type ReadOptions, readRecords } from '../../src/log/read.js';
import { memoryInput, plainOptions } from './reading.js';

type Seen = readonly [url: string, status: number, time: string, agent: string, referrer: string];

async function requestsOf(log: string, options: Partial<ReadOptions> = {}) {
  const seen: Seen[] = [];
  const text = ({ bytes, start, end }: Span) => decodeText(bytes, start, end);
  const onRequest = ({ status, time, agent, referrer }: Fields, bytes: Uint8Array, start: number, end: number) =>
    void seen.push([decodeText(bytes, start, end), status, text(time), text(agent), text(referrer)]);
  const report = createReadReport();
  const reading = { ...plainOptions, ...options, requests: true, onRequest };
  const urls: string[] = [];
  for await (const batch of readRecords([memoryInput(Buffer.from(log))], reading, report))
    for (let row = 0; row < batch.rows; row++)
      urls.push(decodeText(batch.bytes, batch.urlStart[row], batch.urlEnd[row]));
  return { seen, urls, report };
}

const [time, agent, referrer] = ['10/Oct/2026:13:55:36 +0000', 'Bot/1 (x)', 'https://www.google.com/'];

it.each([
  ['combined', `1.2.3.4 - - [${time}] "GET /a HTTP/1.1" 404 5 "${referrer}" "${agent}"`, {}],
  ['vhost', `h.de:80 1.2.3.4 - - [${time}] "GET /a HTTP/1.1" 404 5 "${referrer}" "${agent}"`, {}],
  [
    'JSON',
    `{"time_local":"${time}","uri":"/a","status":404,"http_referer":"${referrer}","http_user_agent":"${agent}"}`,
    {},
  ],
  ['CSV', `url,status,time,user_agent,referer\n/a,404,${time},${agent},${referrer}`, {}],
  [
    'a format of the user',
    `/a 404 [${time}] "${agent}" "${referrer}"`,
    { logFormat: '%U %>s %t "%{User-Agent}i" "%{Referer}i"' },
  ],
])('a request that was refused is shown whole: %s', async (_name, lines, options) => {
  const { seen, urls, report } = await requestsOf(`${lines}\n`, options);
  expect(seen).toEqual([[expect.stringMatching(/\/a$/), 404, expect.stringContaining(time), agent, referrer]]);
  expect(urls).toEqual([]);
  expect(report.inputs[0]).toMatchObject({ lines: 1, records: 0, dropped: { 'client-error': 1 } });
  expect(report.forms).toEqual({ absolute: 0, path: 0 });
});

it('a request in W3C form has its referrer', async () => {
  const fields = '#Fields: date time cs-method cs-uri-stem sc-status cs(User-Agent) cs(Referer)';
  const { seen } = await requestsOf(`${fields}\n2026-10-10 13:55:36 GET /a 200 Bot/1 ${referrer}\n`);
  expect(seen).toEqual([['/a', 200, '2026-10-10 13:55:36', 'Bot/1', referrer]]);
});

it('requests that are records are shown once, in order, other methods not at all', async () => {
  const line = (method: string, path: string, status: number) =>
    `1.2.3.4 - - [${time}] "${method} ${path} HTTP/1.1" ${status} 5 "-" "${agent}"\n`;
  const log = line('GET', '/a', 200) + line('POST', '/b', 200) + line('GET', '/c', 302) + line('GET', '/d', 301);
  const { seen, urls } = await requestsOf(log);
  expect(seen.map(([url, status]) => [url, status])).toEqual([
    ['/a', 200],
    ['/c', 302],
    ['/d', 301],
  ]);
  expect(urls).toEqual(['/a', '/d']);
});
