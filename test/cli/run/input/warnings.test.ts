// Is it said when most lines of an input fell out because of a field that was misread?
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run, scratchFolder } from '../../process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());

const head = '1.2.3.4 - - [10/Feb/2026:16:42:07 +0000]';

async function mine(logs: Readonly<Record<string, readonly string[]>>, ...flags: readonly string[]) {
  const names = Object.entries(logs).map(([name, lines]) => {
    writeFileSync(join(folder.path, name), lines.join('\n'));
    return join(folder.path, name);
  });
  const { code, stderr } = await run(['mine', ...names, ...flags, '-o', join(folder.path, 'r.json')]);
  return { code, said: stderr.split('\n').filter((line) => line.startsWith('dustbuster: ') && /FILE/.test(line)) };
}

const times = (count: number, line: string) => Array.from({ length: count }, () => line);

describe('most lines of an input fall out for one reason that a misread field explains', () => {
  it.each([
    ['no-request', 'request', `${head} "pool-7" "GET /a HTTP/1.1" 200 5`],
    ['bad-host', 'host', `pool/7 1.2.3.4 - - [10/Feb/2026:16:42:07 +0000] "GET /a HTTP/1.1" 200 5`],
    ['no-url', 'URL', '{"path":"a b c","status":200}'],
    ['bad-status', 'status', '{"path":"/a","status":"OK"}'],
  ])('%s: the message has the field, the line, and the way out', async (cause, field, line) => {
    const { code, said } = await mine({
      'a.log': ['{"path":"/a"}', ...times(20, line)].slice(line.startsWith('{') ? 0 : 1),
    });
    expect(code).toBe(3);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`(${cause}, field ${field}; line `);
    expect(said[0]).toContain(line.slice(0, 60));
    expect(said[0]).toMatch(/--(?:log-format|columns)/);
    expect(said[0]).toContain('dustbuster formats FILE');
  });

  it('the line has no secrets and no escapes for terminals', async () => {
    const { said } = await mine({
      'a.log': times(9, `${head} "pool-7\x1b[31m" "GET /a?sid=a7f3c2e9b1 HTTP/1.1" 200 5`),
    });
    expect(said[0]).toContain('\\x1b[31m" "GET /a?sid=… HTTP/1.1');
  });

  it('lines without any request are no sign of that', async () => {
    const lines = ['"-" 408 -', '"" 400 0', '"\\x16\\x03\\x01" 400 226', '"- - - " 400 0'].map(
      (rest) => `${head} ${rest}`,
    );
    expect(await mine({ 'a.log': [...lines, `${head} "GET /a HTTP/1.1" 200 5`] })).toEqual({ code: 0, said: [] });
  });
});

it('many inputs with one complaint get one line, unless --verbose wants all', async () => {
  const bad = times(5, `${head} "pool-7" "GET /a HTTP/1.1" 200 5`);
  const logs = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at}.log`, bad]));
  const { code, said } = await mine(logs);
  expect(code).toBe(3);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('(and so for 11 other inputs; --verbose has them all)');
  expect((await mine(logs, '--verbose')).said).toHaveLength(12);
});
