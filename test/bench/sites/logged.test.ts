// The logs of these sites: hosts before the address, after it, or none.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scratchFolder } from '../../cli/process.js';
import { logged, shownIn } from './logged.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const path = join(scratch.path, 'log');
const rest = '[22/Nov/2026:20:07:31 +0000] "GET /p?a=1 HTTP/1.1" 200 26482 "-" "Firefox"';

test.each([
  [`mw.localhost:8111 127.0.0.1 - - ${rest}`, 'http://mw.localhost:8111/p?a=1'],
  [`127.0.0.1 git.localhost:8104 - ${rest}`, 'http://git.localhost:8104/p?a=1'],
  [`127.0.0.1 - - ${rest}`, 'http://x.localhost:1/p?a=1'],
])('%s', async (line, url) => {
  writeFileSync(path, `${line}\n`);
  expect(await logged(path, 'http://x.localhost:1')).toEqual([{ url, method: 'GET', status: 200 }]);
});

test('shown is what answered GET with 200, once', async () => {
  const lines = [
    rest,
    rest,
    rest.replace('200', '301').replace('/p', '/q'),
    rest.replace('GET /p', 'HEAD /h'),
    'nonsense',
  ];
  writeFileSync(path, lines.map((line) => `127.0.0.1 - - ${line}\n`).join(''));
  expect(await shownIn(path, 'http://x.localhost:1')).toEqual(['http://x.localhost:1/p?a=1']);
});
