import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { run, scratchFolder } from '../../cli/process.js';
import { amount } from '../../amount.js';
import { collate } from '../../../src/url/token.js';
import { searchSecrets, secretsIn } from './secrets.js';

test('no secret of a visitor stands in what is written of a log', { timeout: 180_000 }, async () => {
  const scratch = scratchFolder();
  const found = await searchSecrets({
    folder: scratch.path,
    lines: amount(20_000, 5),
    seed: 1,
    run: async (args) => {
      const { code, stdout, stderr } = await run(args);
      return { code, said: stdout.toString() + stderr };
    },
  });
  scratch.remove();
  expect(found).toMatchObject({ kinds: 10, found: 0 });
  expect(found.files).toBeGreaterThan(30);
  expect(found.rules).toBeGreaterThan(2);
});

test.each([
  ['as it is', Buffer.from('{"a":"/x?sid=q2v8ksd0f9a7"}')],
  ['escaped', Buffer.from('?next=%2Fx%3Fsid%3Dq2v8ksd0f9a7')],
  ['in base 64', Buffer.from(Buffer.from('sid=q2v8ksd0f9a7&x=1').toString('base64'))],
  ['in a page of a report', Buffer.from(`<script>${deflateSync('["sid=q2v8ksd0f9a7"]').toString('base64')}</script>`)],
  ['in a state', collate(Buffer.from('http://h/?sid=q2v8ksd0f9a7'))],
])('the search finds a secret %s', (_, bytes) => {
  expect([...secretsIn(bytes, new Set(['q2v8ksd0f9a7', 'another0000']))]).toEqual(['q2v8ksd0f9a7']);
});
