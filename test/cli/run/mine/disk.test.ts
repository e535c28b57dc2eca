// `mine` and the disk: what is reported about it, and what happens when it is full. Limits are those of the system
// itself.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import { BIN, FIXTURES, run, scratchFolder } from '../../process.js';
import { rows } from '../../../amount.js';

const log = join(FIXTURES, 'access.log');
let folder: ReturnType<typeof scratchFolder>;
let scratch: string;
let cwd: string;
let runs = 0;

beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());
beforeEach(() => {
  [scratch, cwd] = [join(folder.path, `scratch-${++runs}`), join(folder.path, `cwd-${runs}`)];
  for (const path of [scratch, cwd]) mkdirSync(path);
});

/** Runs `mine` in a shell after `limit`, with scratch files in `scratch`. */
function mineLimited(limit: string, ...args: readonly string[]) {
  const command = `${limit} && exec "$@"`;
  const argv = [process.execPath, BIN, 'mine', '--tmpdir', scratch, ...args];
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', command, 'bash', ...argv], { cwd, encoding: 'utf8' });
  return { code: status, stderr };
}

/** True if we may mount something, in a name space of our own. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe('when the disk is full', { timeout: 30_000 }, () => {
  test.runIf(canMount)('a full file system ends the run with 2, and no file is left', () => {
    const argv = [process.execPath, BIN, 'mine', log, '--tmpdir', scratch, '--memory', '64k'];
    const command = `mount -t tmpfs -o size=256k none ${scratch} && "$@"; code=$?; ls -A ${scratch}; exit $code`;
    const options = { cwd, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['-rm', 'bash', '--norc', '-c', command, 'bash', ...argv],
      options,
    );
    expect(stderr).toMatch(/no space is left \(ENOSPC\); .* more were needed, besides .* KiB that are there\./);
    expect([status, stdout, readdirSync(cwd)]).toEqual([2, '', []]);
  });

  test('a scratch file over the limit ends the run with 2, and no file is left', () => {
    const { code, stderr } = mineLimited('ulimit -f 100', log, '--memory', '64k');
    expect(stderr).toMatch(/^dustbuster: cannot use a scratch file in .*\(EFBIG\); .* more were needed/m);
    expect(stderr).toMatch(/--tmpdir, or raise --memory\.$/m);
    expect([code, readdirSync(scratch), readdirSync(cwd)]).toEqual([2, [], []]);
  });

  test('a result over the limit is not written, and the old one stays', () => {
    writeFileSync(join(cwd, 'rules.json'), 'old');
    const { code, stderr } = mineLimited('ulimit -f 8', log, '-o', 'rules.json');
    expect(stderr).toMatch(/^dustbuster: cannot write rules\.json: .*\(EFBIG\)/m);
    expect([code, readdirSync(cwd), readFileSync(join(cwd, 'rules.json'), 'utf8')]).toEqual([2, ['rules.json'], 'old']);
  });

  test('a full device ends the run with 2', async () => {
    const { code, stderr } = await run(['mine', log, '-o', '/dev/full'], { cwd });
    expect(stderr).toMatch(/cannot write \/dev\/full: no space is left/);
    expect(code).toBe(2);
  });

  test('too few open files end the run with 2 or leave its result as it is', async () => {
    const large = join(folder.path, 'large.log');
    writeFileSync(large, readFileSync(log, 'utf8').repeat(18));
    await run(['mine', large, '-q', '-o', 'all.json'], { cwd });
    const all = readFileSync(join(cwd, 'all.json'), 'utf8');
    const codes = new Set<number | null>();
    // Below this node itself cannot start; some of these are too few for threads.
    for (const files of rows([80, 160, 320], 2)) {
      const { code, stderr } = mineLimited(`ulimit -n ${files}`, large, '-q', '-o', 'few.json', '--threads', '16');
      codes.add(code);
      if (code === 2) expect(stderr).toMatch(/^dustbuster: .*ulimit -n.*--threads 1$/m);
      else expect(readFileSync(join(cwd, 'few.json'), 'utf8').length).toBe(all.length);
    }
    expect(codes.has(0)).toBe(true);
  });

  test('too little address space ends the run with 2, and with advice', () => {
    const { code, stderr } = mineLimited('ulimit -v 8000000', log, '-o', 'rules.json');
    expect([code, readdirSync(cwd)]).toEqual([2, []]);
    expect(stderr).toMatch(/^dustbuster: .*ulimit -v.*--disable-wasm-trap-handler/m);
    const command = 'export NODE_OPTIONS=--disable-wasm-trap-handler; ulimit -v 8000000';
    expect(mineLimited(command, log, '-q', '-o', 'rules.json').code).toBe(0);
  });
});

describe('a named folder for scratch files', () => {
  test.each([
    ['is not there', '/no/such/folder', /no such folder \(ENOENT\)\. .* Make it, or name another with --tmpdir\./],
    ['is a file', log, /this is no folder \(ENOTDIR\)\..* Name one with --tmpdir\./],
    ['cannot be written to', '/sys', /\(E(ACCES|PERM|ROFS|NOENT)\)/],
  ])('but %s is refused before anything is read', async (_, path, message) => {
    const { code, stderr } = await run(['mine', log, '--tmpdir', path], { cwd });
    expect(stderr).toMatch(message);
    expect([code, readdirSync(cwd)]).toEqual([2, []]);
  });
});

describe('what spills to disk', { timeout: 30_000 }, () => {
  const many = () => {
    const path = join(folder.path, 'many.log');
    const agent = 'x'.repeat(350);
    const line = (k: number) =>
      `10.0.0.1 - - [10/Feb/2012:16:42:07 -0500] "GET /dir/${k % 9}/page-${k % 17_000} HTTP/1.1" 200 5 "-" "${agent}"\n`;
    writeFileSync(path, Array.from({ length: 20_000 }, (__, k) => line(k)).join(''));
    return path;
  };
  const bytesIn = (text: string) => {
    const [, number, unit] = /([\d.]+) ([KMG]i)?B/.exec(text)!;
    return Number(number) * 1024 ** ['Ki', 'Mi', 'Gi'].indexOf(unit ?? '') * 1024;
  };

  test('is predicted, and reported at the end, about the same', async () => {
    const path = many();
    const { code, stderr } = await run(['mine', path, '--memory', '1m', '--tmpdir', scratch], { cwd });
    expect(code).toBe(0);
    const [, urls, needed] = /up to about ([\d,]+) URLs are expected\. .* then about (.*?B) in .* are free/.exec(
      stderr,
    )!;
    const [, written, peak] = /^(.*?B) of scratch files in .*, at most (.*?B) at a time$/m.exec(stderr)!;
    const file = readRules(readFileSync(join(cwd, 'dustbuster-rules.json')), 'rules');
    const share = Number(urls!.replaceAll(',', '')) / file.urls;
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(1.6);
    expect(bytesIn(needed!)).toBeGreaterThan(0.7 * bytesIn(peak!));
    expect(bytesIn(needed!)).toBeLessThan(2.5 * bytesIn(peak!));
    expect(bytesIn(written!)).toBeGreaterThanOrEqual(bytesIn(peak!));
  });

  test('is not mentioned if everything fits into memory, or with -q', async () => {
    const path = many();
    const ample = await run(['mine', path, '--memory', '512m'], { cwd });
    expect(ample.stderr).not.toMatch(/to come|scratch/);
    const quiet = await run(['mine', path, '--memory', '1m', '-q'], { cwd });
    expect([quiet.code, quiet.stderr]).toEqual([0, '']);
  });
});

const signals = process.platform === 'linux' ? (['SIGINT', 'SIGTERM'] as const) : [];

test.each(signals)('%s while runs are on disk leaves no file', async (signal) => {
  const child = spawn(process.execPath, [BIN, 'mine', '-', '--memory', '64k', '--tmpdir', scratch], { cwd });
  child.stdin.on('error', () => undefined);
  const copies = [1, 2, 3].map((k) => readFileSync(log, 'utf8').replaceAll(' /', ` /copy${k}/`));
  child.stdin.write(copies.join(''));
  const openFiles = () => readdirSync(`/proc/${child.pid}/fd`).map((fd) => linkOf(`/proc/${child.pid}/fd/${fd}`));
  while (!openFiles().some((path) => path.startsWith(scratch))) await new Promise((wake) => setTimeout(wake, 10));
  child.kill(signal);
  const [, ended] = await new Promise<[number | null, string | null]>((done) =>
    child.on('close', (code, by) => done([code, by])),
  );
  expect([ended, readdirSync(scratch), readdirSync(cwd)]).toEqual([signal, [], []]);
});

/** Empty for a file that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
