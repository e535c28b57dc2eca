// Files whose names are not UTF-8, as every command meets them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeText } from '../../../../src/base/bytes.js';
import { systemName } from '../../../../src/base/file-name.js';
import { BIN, run, scratchFolder } from '../../process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());

const [LOG, PACKED] = ['caf\udce9.log', 'caf\udce9.gz'];
/** Known to `printf`. */
const octal = (name: string) =>
  name.replace(/[\udc80-\udcff]/g, (char) => `\\${(char.charCodeAt(0) - 0xdc00).toString(8)}`);

/** Each page under two names. */
function log(): string {
  const visit = (path: string, size: number) =>
    `1.2.3.4 - - [10/Oct/2025:13:55:36 +0000] "GET ${path} HTTP/1.1" 200 ${size}\n`;
  const pages = Array.from({ length: 60 }, (_, at) => [`/s${at % 7}/p${at}`, 1000 + 37 * at] as const);
  return pages.map(([path, size]) => visit(`${path}/`, size) + visit(`${path}/index.html`, size)).join('');
}

/** Words in quotes are for `printf`. */
function dustbuster(command: string) {
  const line = command.replace(/"([^"]*)"/g, (_, name: string) => `"$(printf '${octal(name)}')"`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `exec "$0" "$1" ${line}`, process.execPath, BIN], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const inputsOf = (rules: string) =>
  (
    JSON.parse(readFileSync(systemName(join(folder.path, rules)), 'utf8')) as {
      inputs: { name: string; lines: number }[];
    }
  ).inputs.map(({ name, lines }) => [name, lines]);

describe.skipIf(process.platform !== 'linux')('a file whose name is not UTF-8', { timeout: 60_000 }, () => {
  beforeAll(() => {
    for (const name of ['', 'logs', 'logs/\udce8']) mkdirSync(systemName(join(folder.path, name)), { recursive: true });
    for (const name of [LOG, `logs/${LOG}`, `logs/\udce8/${LOG}`])
      writeFileSync(systemName(join(folder.path, name)), log());
    writeFileSync(systemName(join(folder.path, PACKED)), gzipSync(log()));
    writeFileSync(join(folder.path, 'list'), Buffer.from(`${octal(LOG)}\n`.replace('\\351', '\xe9'), 'latin1'));
  });

  it.each([
    [LOG, [LOG]],
    [PACKED, [PACKED]],
    [`logs/{\udce8/,}caf?.log`, [`logs/${LOG}`, `logs/\udce8/${LOG}`]],
  ])('is read when %j in its bytes names it', (names, expected) => {
    const { status, stderr } = dustbuster(`mine "${names}" -o rules.json`);
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('caf\\xe9.') });
    expect(inputsOf('rules.json')).toEqual(expected.map((name) => [name, 120]));
  });

  // Arguments that are text, which need no process that gets their bytes.
  it.each([
    ['c*.log', [LOG]],
    ['c??[!x].log', [LOG]],
    ['logs', [`logs/${LOG}`, `logs/\udce8/${LOG}`]],
    ['logs/**/*.log', [`logs/${LOG}`, `logs/\udce8/${LOG}`]],
    ['@list', [LOG]],
  ])('is read when %j name it', async (names, expected) => {
    const { code, stderr } = await run(['mine', names, '-o', 'rules.json'], { cwd: folder.path });
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('caf\\xe9.') });
    expect(inputsOf('rules.json')).toEqual(expected.map((name) => [name, 120]));
  });

  it('is found again by the name in the rules, also when it was compressed or numbered', () => {
    dustbuster(`mine "${LOG}" -o rules.json`);
    const asked = () => dustbuster('validate rules.json --dry-run --json --base http://h.test');
    expect(asked()).toMatchObject({ status: 0, stdout: expect.stringContaining('http://h.test/s') });
    const now = (name: string) => systemName(join(folder.path, name));
    renameSync(now(LOG), now(`${LOG}.1`));
    const { status, stderr } = asked();
    renameSync(now(`${LOG}.1`), now(LOG));
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('caf\\xe9.log.1') });
  });

  it('is read by threads, and written whole', () => {
    writeFileSync(systemName(join(folder.path, 'large\udcff')), log().repeat(800));
    const { status, stderr } = dustbuster(`mine --threads 3 "large\udcff" -o "rules\udcff.json"`);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(inputsOf('rules\udcff.json')).toEqual([['large\udcff', 96_000]]);
    writeFileSync(systemName(join(folder.path, 'urls\udcff')), 'http://h.test/a/index.html\n');
    const rules = `-r "rules\udcff.json" --accept likely`;
    expect(dustbuster(`canonize ${rules} -i "urls\udcff" -o "forms\udcff"`)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(systemName(join(folder.path, 'forms\udcff')), 'utf8')).toBe('http://h.test/a/\n');
    const names = readdirSync(folder.path, 'buffer').map((name) => decodeText(name));
    expect(names.filter((name) => /\ufffd|\.part$/.test(name))).toEqual([]);
  });

  it('may be the folder of a state, which knows the log again', () => {
    const night = () => dustbuster(`mine --state "state\udcff" "${LOG}" -o rules.json`);
    expect(night()).toMatchObject({ status: 0, stderr: expect.stringContaining('1 night in 1 sorted run') });
    expect(night()).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('caf\\xe9.log: known since the night'),
    });
    const names = readdirSync(folder.path, 'buffer').map((name) => decodeText(name));
    expect(names.filter((name) => name.startsWith('state'))).toEqual(['state\udcff']);
  });

  it('is not overwritten by what is made of it', () => {
    const { status, stderr } = dustbuster(`mine "${LOG}" -o "./${LOG}"`);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('caf\\xe9.log is an input'),
    });
    expect(readFileSync(systemName(join(folder.path, LOG)), 'utf8')).toBe(log());
  });

  it('is named in messages with the bytes that are not text', () => {
    expect(dustbuster(`mine "none\udce9.log"`)).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'dustbuster: no file matches "none\\xe9.log"; expected a file, a folder, a glob, or - for standard input\n',
    });
  });

  it('may be in a folder that is not UTF-8 and in which the program runs', () => {
    const script = `cd "$(printf 'logs/\\350')" && exec "$0" "$1" mine "$(printf 'caf\\351.log')" -o here.json`;
    const { status } = spawnSync('sh', ['-c', script, process.execPath, BIN], { cwd: folder.path });
    expect(status).toBe(0);
    expect(inputsOf('logs/\udce8/here.json')).toEqual([[LOG, 120]]);
  });
});
