// Pages from the records of `sketch` keep the contract of every source, and say the same as the archive they are of.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { findInputs } from '../../src/log/inputs.js';
import { arePageRecords, openPageList } from '../../src/log/page-list.js';
import { isRedirect, locationOf } from '../../src/pages/headers.js';
import { formatPageRecord, type PageRecord } from '../../src/pages/record.js';
import { createContentMaker } from '../../src/pages/sketching.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { createRecordSource } from '../../src/validate/records.js';
import { scratchFolder } from '../cli/process.js';
import { describeSource, type ContractPage } from './source-contract.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());

const ORIGIN = 'http://www.site.example';
const SITE = 'site.example';
const siteOf = createSiteOf('domain');

function isInside(url: string, site: string): boolean {
  const bytes = encodeText(url);
  return siteOf(bytes, 0, bytes.length) === site;
}

let files = 0;
async function inputsOf(content: string | Buffer) {
  const name = `pages-${files++}.jsonl`;
  writeFileSync(join(scratch.path, name), content);
  return findInputs([name], { cwd: scratch.path, stdin: process.stdin });
}

async function sourceOver(content: string | Buffer) {
  return createRecordSource({ list: await openPageList(await inputsOf(content), scratch.path), isInside });
}

const contentOf = createContentMaker({ words: 4, minima: 128 });
const html = (body: string) =>
  contentOf({ url: ORIGIN, body: Buffer.from(body), contentType: 'text/html; charset=utf-8', link: undefined });

function recorded({ path, status, location, body }: ContractPage): string {
  const url = ORIGIN + path;
  const redirect = location !== undefined && isRedirect(status) ? locationOf(location, url) : undefined;
  const record: PageRecord = { url, time: 1, status, ...(redirect !== undefined && { redirect }) };
  return formatPageRecord(status === 200 ? { ...record, page: html(body ?? '') } : record);
}

for (const packing of ['plain', 'gzip']) {
  describeSource(`page records (${packing})`, async (pages) => {
    const text = pages.map(recorded).join('');
    const source = await sourceOver(packing === 'gzip' ? gzipSync(text) : text);
    return { source, site: SITE, url: (path) => ORIGIN + path, close: () => source.close() };
  });
}

describe('a list of pages', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  test.each<[string, object, object]>([
    ['with a digest alone', { status: 200, digest }, { kind: 'page', document: { kind: 'bytes', digest } }],
    ['with a digest of another making', { digest: 'x' }, { kind: 'page', document: { digest: 'log:x' } }],
    ['with a sketch of other shingles', { digest, sketch: 'db1-8-4-0-' }, { document: { kind: 'bytes', digest } }],
    ['with a broken sketch', { digest, sketch: 'db1-4-128-7-AA' }, { kind: 'unavailable', reason: 'damaged-sketch' }],
    ['with a media type', { digest, type: 'text/csv' }, { kind: 'page', type: 'text/csv' }],
    ['with neither', { status: 200 }, { kind: 'unavailable', reason: 'not-archived' }],
    ['of a 404', { status: 404 }, { kind: 'missing', reason: 'status' }],
    ['of a 503', { status: 503, digest }, { kind: 'unavailable', reason: 'status' }],
    ['of a redirect to nowhere', { status: 301 }, { kind: 'unavailable', reason: 'status' }],
    ['of a canonical URL that is none', { digest, canonical: 'javascript:x' }, { kind: 'page' }],
  ])('%s', async (_, fields, expected) => {
    const source = await sourceOver(`${JSON.stringify({ url: `${ORIGIN}/`, ...fields })}\n`);
    const result = await source.fetch(`${ORIGIN}/`, SITE);
    expect(result).toMatchObject(expected);
    expect(result).not.toHaveProperty('canonical');
    await source.close();
  });

  test('counts what is no record, and uses the latest good one of a URL', async () => {
    const of = (fields: object) => JSON.stringify({ url: `${ORIGIN}/a`, ...fields });
    const list = await openPageList(
      await inputsOf(
        [
          of({ time: '2026-01-02T00:00:00Z', status: 200, digest: 'second' }),
          of({ time: '2026-01-03T00:00:00Z', status: 404 }),
          of({ time: '2026-01-01T00:00:00Z', status: 200, digest: 'first' }),
          '{"url":',
          '[]',
          'null',
          '{"url":"javascript:x"}',
          `{"url":"${'x'.repeat(2 << 20)}"}`,
          '{"url":{"toString":1},"status":"200"}',
        ].join('\n'),
      ),
      scratch.path,
    );
    expect(list).toMatchObject({ lines: 9, bad: 6, damages: [] });
    expect(await list.find(`${ORIGIN}/%61#b`)).toMatchObject({ digest: 'second' });
    await list.close();
  });

  test('is told from other files by its first byte', async () => {
    expect(await arePageRecords(await inputsOf('{"url":"http://h.example/"}'))).toBe(true);
    expect(await arePageRecords(await inputsOf('WARC/1.0\r\n'))).toBe(false);
    const both = [...(await inputsOf('{}')), ...(await inputsOf('WARC/1.0'))];
    await expect(arePageRecords(both)).rejects.toThrow('expected one kind');
    await expect(openPageList(await inputsOf('{}'), scratch.path)).rejects.toThrow('no page record in 1 line;');
  });
});
