// What `mine --debug` says of the lines that it read, and that it changes nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run, scratchFolder } from '../../process.js';

const folder = scratchFolder();
const at = (name: string) => join(folder.path, name);
afterAll(() => folder.remove());

const line = (request: string, status = 200) =>
  `1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "${request} HTTP/1.1" ${status} 5\n`;
const log = [
  line('GET /a'),
  line('GET /%7Ea'),
  line('HEAD /a'),
  line('POST /a'),
  line('GET /b'),
  line('GET /gone', 404),
  'broken\n',
  line('GET /a\\"b'),
  line('GET /c'),
].join('');
writeFileSync(at('common.log'), log);

const debugged = async (args: readonly string[], input = '') => {
  const options = ['mine', '--base', 'http://s.test', '-o', at('rules.json'), '--debug'];
  const { stderr, code } = await run([...options, ...args], { input, cwd: folder.path });
  const debug = stderr.split('\n').filter((text) => text.startsWith('debug: '));
  return { code, stderr, debug, rules: readFileSync(at('rules.json'), 'utf8') };
};

describe('mine --debug', () => {
  test('says which lines JavaScript read, and why', async () => {
    const { debug, rules } = await debugged(['common.log']);
    expect(debug).toEqual([
      'debug: common.log:2: JavaScript; URL not in normal form',
      'debug: common.log:3: JavaScript; not a GET',
      'debug: common.log:4: JavaScript; dropped as method',
      'debug: common.log:6: JavaScript; dropped as client-error',
      'debug: common.log:7: JavaScript; rejected as not-in-format',
      'debug: common.log:8: JavaScript; unusual syntax',
      'debug: common.log: 3 lines by kernel; 6 lines by JavaScript: URL not in normal form 1, not a GET 1, ' +
        'dropped as method 1, dropped as client-error 1, rejected as not-in-format 1, unusual syntax 1',
    ]);
    await run(['mine', '--base', 'http://s.test', '-o', at('plain.json'), 'common.log'], { cwd: folder.path });
    expect(rules).toBe(readFileSync(at('plain.json'), 'utf8'));
  });

  test('says it of a pipe, which the kernel does not read, even if all else is quiet', async () => {
    const { debug, stderr } = await debugged(['-q'], log);
    expect(debug).toEqual(['debug: -: 0 lines by kernel; 9 lines by JavaScript: read as a stream 9']);
    expect(stderr).toBe(`${debug[0]}\n`);
  });

  test('shows 20 lines of all inputs', async () => {
    writeFileSync(at('odd.log'), line('HEAD /a').repeat(30));
    const { debug } = await debugged(['common.log', 'odd.log']);
    expect(debug.length).toBe(20 + 2);
    expect(debug.at(-1)).toBe('debug: odd.log: 0 lines by kernel; 30 lines by JavaScript: not a GET 30');
  });

  test('is refused with Spark, whose executors read the lines', async () => {
    const { code, stderr } = await run(['mine', at('common.log'), '--engine', 'spark', '--debug']);
    expect(code).toBe(2);
    expect(stderr).toContain('--engine spark: got --debug with it, expected it without');
  });
});
