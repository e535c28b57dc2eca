import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCustom } from '../../../../src/log/format/custom/custom.js';
import type { Misfit } from '../../../../src/log/record.js';
import { run, scratchFolder } from '../../../cli/process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());
const NGINX = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_user_agent"';
const APACHE = '%h %l %u %t "%r" %>s %b "%{User-agent}i"';
const good = '10.0.0.1 - - [21/Nov/2026:03:50:46 +0000] "GET / HTTP/1.1" 200 192 "x"';

function misfitOf(format: string, line: string): Omit<Misfit, 'line'> {
  const bytes = Buffer.from(`"}\n${line}\n"} 200 "x" 1`);
  return createCustom(format, { time: true, agent: true, duration: false }).misfitOf!(
    bytes,
    3,
    3 + Buffer.byteLength(line),
  );
}

/** A bad line, and where each format stops: column, word, got, expected. */
const cases: readonly (readonly [string, string, readonly [number, string, string, string]])[] = [
  [NGINX, good.replace('[21', '21'), [14, '$time_local', '21/Nov/2026:03:50:46 +0000] "GET / HTTP/…', '"["']],
  [APACHE, good.replace('[21', '21'), [14, '%t', '21/Nov/2026:03:50:46 +0000] "GET / HTTP/…', '"["']],
  [NGINX, good.replace('200', 'OK'), [60, '$status', 'OK 192 "x"', 'a number']],
  [APACHE, good.replace('200', 'OK'), [60, '%>s', 'OK 192 "x"', 'a number']],
  [NGINX, '10.0.0.1', [1, '$remote_addr', '10.0.0.1', '" - "']],
  [APACHE, good.replace(' "x"', ''), [67, '%b', '', '" ""']],
  [APACHE, good.slice(0, -1), [69, '%{User-agent}i', 'x', '"""']],
  [NGINX, `${good} 7`, [71, '', ' 7', 'the end of the line']],
  [`"$remote_addr" $request`, good, [1, '$remote_addr', '10.0.0.1 - - [21/Nov/2026:03:50:46 +0000…', '"""']],
];

describe('a line that does not fit --log-format', () => {
  it.each(cases)('%s: %s', (format, line, [column, word, got, expected]) => {
    expect(misfitOf(format, line)).toMatchObject({ column, word, got, expected });
  });

  it('says in which known format it would be', () => {
    expect(
      misfitOf('$time_local|$request', '1.1.1.1 - - [21/Nov/2026:03:50:46 +0000] "GET / HTTP/1.1" 200 1').format,
    ).toBe('common');
    expect(misfitOf('$time_local|$request', 'odd').format).toBeNull();
  });

  it('is said in the singular if it is the only one', async () => {
    const log = join(folder.path, 'one.log');
    writeFileSync(log, `${Array.from({ length: 9 }, () => good).join('\n')}\nodd\n`);
    const args = [log, '-o', join(folder.path, 'r.json'), '--log-format', NGINX, '--top', '0'];
    const { stderr } = await run(['mine', ...args], { cwd: folder.path });
    expect(stderr).toContain(`1 of 10 lines of ${log} does not fit --log-format: line 10, `);
  });

  it('is shown once for each log with how many there are, whatever the threads, and without control characters', async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => (n % 1000 === 777 ? `10.0.0.${n} - \u001b[31m` : good));
    const log = join(folder.path, 'some.log');
    writeFileSync(log, `${lines.join('\n')}\n`);
    const said = async (threads: string) => {
      const args = [log, '-o', join(folder.path, 'r.json'), '--log-format', NGINX, '--threads', threads, '--top', '0'];
      const { code, stderr } = await run(['mine', ...args], { cwd: folder.path });
      expect(code).toBe(0);
      return stderr.split('\n').filter((line) => line.includes('--log-format'));
    };
    const expected =
      `dustbuster: 30 of 30000 lines of ${log} do not fit --log-format: line 778, at column 14, ` +
      'field $remote_user: got "\\x1b[31m", expected " ["';
    expect(await said('1')).toEqual([expected]);
    expect(await said('2')).toEqual([expected]);
  });
});
