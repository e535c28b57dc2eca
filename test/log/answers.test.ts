// Requests that no page answered come beside the records of a batch, in the order of the log.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeText } from '../../src/base/bytes.js';
import { readRecordsParallel } from '../../src/log/parallel.js';
import { createReadReport, readRecords } from '../../src/log/read.js';
import type { RecordBatch } from '../../src/log/record.js';
import { memoryInput, plainOptions } from './reading.js';

const reading = { ...plainOptions, visitors: true, clients: true, answers: true };
const STATUSES = [200, 301, 404, 200, 302, 304, 503, 403, 308, 200];
const LINES = Array.from({ length: 30_000 }, (_, k) => {
  const status = STATUSES[(k * 7) % 10]!;
  const referrer = k % 3 === 0 ? '-' : `http://h.test/from/${k % 11}`;
  const time = `${1 + (k % 28)}/Nov/2026:12:00:00 +0000`;
  return { k, status, referrer, text: `10.0.0.${k % 200} - - [${time}] "GET /p/${k % 501}?q=${k % 7} HTTP/1.1" ${status} 5 "${referrer}" "A/${k % 4}"` };
}); // prettier-ignore
const LOG = `${LINES.map(({ text }) => text).join('\n')}\n`;

/** Records and answers of batches in one list, each in the place where its line was. */
async function seen(batches: AsyncIterable<RecordBatch>): Promise<string[]> {
  const all: string[] = [];
  for await (const { rows, bytes, urlStart, urlEnd, answers } of batches) {
    let answer = 0;
    const addAnswers = (until: number) => {
      for (; answer < answers!.rows && answers!.row[answer]! <= until; answer++) {
        const [start, middle, end] = [
          answers!.urlStart[answer]!,
          answers!.urlEnd[answer]!,
          answers!.referrerEnd[answer]!,
        ];
        const text = (from: number, to: number) => decodeText(answers!.bytes.slice(from, to));
        all.push(`${answers!.status[answer]} ${text(start, middle)} ${text(middle, end)}`);
      }
    };
    for (let row = 0; row < rows; row++) {
      addAnswers(row);
      all.push(decodeText(bytes, urlStart[row], urlEnd[row]));
    }
    addAnswers(rows);
  }
  return all;
}

const EXPECTED = LINES.flatMap(({ k, status, referrer }) => {
  const url = `/p/${k % 501}?q=${k % 7}`;
  const isPage = status === 200 || status === 304;
  return [
    ...(isPage ? [] : [`${status} ${url} ${referrer === '-' ? '' : referrer}`]),
    ...(isPage || status === 301 || status === 308 ? [url] : []),
  ];
});

it('whatever reads the lines: JavaScript, the kernel, threads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'));
  try {
    const path = join(folder, 'access.log');
    writeFileSync(path, LOG);
    const input = { name: path, path, open: () => [Buffer.from(LOG)] };
    expect(await seen(readRecords([memoryInput(Buffer.from(LOG))], reading, createReadReport()))).toEqual(EXPECTED);
    for (const threads of [1, 3])
      expect(await seen(readRecordsParallel([input], reading, createReadReport(), threads))).toEqual(EXPECTED);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a log without a single page is no single batch', async () => {
  const text = LOG.replaceAll(/" \d{3} 5 /g, '" 404 5 ');
  let [batches, answers] = [0, 0];
  const report = createReadReport();
  for await (const batch of readRecords([memoryInput(Buffer.from(text))], reading, report)) {
    batches++;
    expect(batch.rows).toBe(0);
    answers += batch.answers!.rows;
  }
  expect([answers, batches > 2]).toEqual([LINES.length, true]);
  expect(report.inputs[0]).toMatchObject({ records: 0, dropped: { 'client-error': LINES.length } });
});

it('a referrer is cut, so that none is longer than what is shown', async () => {
  const line = `1.2.3.4 - - [x] "GET /a HTTP/1.1" 301 5 "http://h.test/${'x'.repeat(5000)}" "A"\n`;
  for await (const { answers } of readRecords([memoryInput(Buffer.from(line))], reading, createReadReport()))
    expect(answers!.referrerEnd[0]! - answers!.urlEnd[0]!).toBe(512);
});

it.each([
  [
    '$remote_addr "$request" $status "$http_referer" "$http_user_agent"',
    '1.2.3.4 "GET /a HTTP/1.1" 301 "http://h.test/b" "A"',
  ],
  ['%h "%r" %>s "%{User-agent}i" "%{Referer}i"', '1.2.3.4 "GET /a HTTP/1.1" 302 "A" "http://h.test/b"'],
])('a format that the user describes has referrers: %s', async (logFormat, line) => {
  const options = { ...reading, logFormat };
  expect(await seen(readRecords([memoryInput(Buffer.from(`${line}\n`))], options, createReadReport()))).toContain(
    `${line.includes('301') ? 301 : 302} /a http://h.test/b`,
  );
});
