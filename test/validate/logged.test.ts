// Pages from the log itself keep those parts of the contract that a log can keep.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Document } from '../../src/sketch/document.js';
import { createLogSource } from '../../src/validate/logged.js';
import { describeSource } from './source-contract.js';

const ORIGIN = 'http://www.site.example';

/** A sketch as a digest of the page, or a damaged one: how it is decoded does not matter here. */
function documentOfSketch(text: string): Document | undefined {
  return text === 'damaged' ? undefined : { kind: 'bytes', digest: text };
}

describeSource(
  'log',
  async (pages) => {
    const sketches = new Map<string, string>();
    for (const { path, body } of pages) {
      if (body !== undefined) sketches.set(ORIGIN + path, createHash('sha1').update(body).digest('hex'));
    }
    const source = createLogSource((url) => sketches.get(url), documentOfSketch);
    return { source, site: 'site.example', url: (path) => ORIGIN + path, close: () => source.close() };
  },
  {
    redirects: 'a log does not say where a redirect led',
    missing: 'what a log has no sketch of is unknown',
    outside: 'a log is of its own site; other URLs are not in it',
    'not http': 'a log may have URLs of path form',
  },
);

test('the log makes no request, and refuses URLs without a sketch', async () => {
  const source = createLogSource((url) => (url === '/known' ? 'sha1:x' : undefined), documentOfSketch);
  expect(await source.fetch('/known', '')).toMatchObject({
    kind: 'page',
    finalUrl: '/known',
    document: { digest: 'sha1:x' },
  });
  expect(await source.fetch('/unknown', '')).toEqual({ kind: 'unavailable', reason: 'not-archived' });
  expect([source.refusal('/known', ''), source.refusal('/unknown', '')]).toEqual([undefined, 'not-archived']);
  expect(source.requests).toBe(0);
});

test('a page with a damaged sketch is unknown', async () => {
  const source = createLogSource(() => 'damaged', documentOfSketch);
  expect(await source.fetch('/known', '')).toEqual({ kind: 'unavailable', reason: 'damaged-sketch' });
});
