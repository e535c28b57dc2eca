import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../src/log/format/format.js';
import { run as runProgram, type RunOptions, scratchFolder } from '../process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());

async function run(args: readonly string[], options: RunOptions = {}) {
  const { code, stdout } = await runProgram(args, options);
  return { code, stdout: stdout.toString() };
}

function write(name: string, ...lines: readonly string[]): string {
  writeFileSync(join(folder.path, name), lines.join('\n'));
  return join(folder.path, name);
}

const head = '192.0.2.1 - - [02/Mar/2026:06:00:00 +0000]';
const good = `${head} "GET /a?b=1 HTTP/1.1" 200 9000 "-" "curl/8"`;

describe('formats', () => {
  it('without a file lists every format', async () => {
    const { code, stdout } = await run(['formats']);
    expect(code).toBe(0);
    for (const name of FORMAT_NAMES) expect(stdout).toMatch(new RegExp(`^${name} +\\S`, 'm'));
  });

  it('takes names of products for the formats that they write', async () => {
    expect((await run(['formats'])).stdout).toContain('iis (w3c)');
    const own = write('iis.log', '#Fields: cs-method cs-uri-stem sc-status', 'GET /a 200');
    expect((await run(['formats', '--format', 'iis', own])).stdout).toContain('iis.log: w3c: reads 1 of 1 line\n');
  });

  it('shows lines field by field, and the first of each fate', async () => {
    const { code, stdout } = await run([
      'formats',
      write('a.log', good, good, good, `${head} "-" 408 0`, `${head} "GET /x HTTP/1.1" 404 9`, 'broken', good),
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('a.log: combined: reads 5 of the first 7 lines\n');
    const fates = Array.from(stdout.matchAll(/^ {2}line (\d+): (.*)$/gm), ([, line, fate]) => `${line} ${fate}`);
    expect(fates).toEqual([
      '1 a record',
      '2 a record',
      '4 not read (no-request, field request)',
      '5 read, and dropped (client-error)',
      '6 not read (not-in-format)',
    ]);
    for (const row of [
      'method    get',
      'url       /a?b=1',
      'client    192.0.2.1',
      'agent     curl/8',
      'size      9000',
    ])
      expect(stdout).toContain(`    ${row}\n`);
  });

  it('says what reads the lines that are not read, and that works', async () => {
    const file = write('own.log', ...Array.from({ length: 9 }, (_, n) => `06:01|10.0.0.7|GET|/a?b=${n}|200|512`));
    const { code, stdout } = await run(['formats', file]);
    expect(code).toBe(3);
    expect(stdout).toContain('own.log: in no known format: reads 0 of the first 9 lines\n');
    const [, option, value] = /^ {4}(--\S+) '(.*)'$/m.exec(stdout)!;
    const again = await run(['formats', option!, value!, file]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('own.log: custom: reads 9 of the first 9 lines\n');
    expect(again.stdout).toContain('→ /a?b=0\n');
  });

  it('names the other formats that would read lines', async () => {
    const { stdout } = await run(['formats', '--format', 'vhost', write('b.log', good, good)]);
    expect(stdout).toMatch(/^ {4}combined {2}2 lines look like it, it reads 2$/m);
  });

  it('shows no secrets and no control characters', async () => {
    const { stdout } = await run([
      'formats',
      write('c.log', `${head} "GET /a?sid=a7f3c2e9b1&x=\x1b[31m HTTP/1.1" 200 9 "-" "\x1b]0;x\x07"`, '\x1b[2J \u202e'),
    ]);
    expect(stdout.replaceAll('\n', '')).toMatch(/^\P{C}*$/u);
    expect(stdout).not.toContain('a7f3c2e9b1');
    expect(stdout).toContain('sid=…');
  });

  it('says of other inputs what they are, and goes on', async () => {
    const gone = join(folder.path, 'none.log');
    expect((await run(['formats', gone])).code).toBe(2);
    const { code, stdout } = await run([
      'formats',
      write('empty.log'),
      write('x.warc', 'WARC/1.0'),
      write('d.log', good),
    ]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/empty\.log: is empty\n[^]*x\.warc: is a WARC file[^]*d\.log: combined/);
  });

  it('reads standard input, UTF-16, sitemaps and tables with a title', async () => {
    const { stdout } = await run(['formats', '-'], { input: Buffer.from(`\ufeff${good}\n`, 'utf16le') });
    expect(stdout).toContain('-: combined: reads 1 of 1 line\n');
    const titled = write('t.csv', 'Internal - All', 'Address,Status Code', '/a,200');
    expect((await run(['formats', titled])).stdout).toContain('line 1: a title above the header, dropped (title)\n');
    const sitemap = write('s.xml', '<urlset><url><loc>http://h/</loc></url></urlset>');
    expect((await run(['formats', sitemap])).stdout).toContain('s.xml: sitemap\n');
  });
});
