import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { turnsDuring } from '../turns.js';
import { ClosedPipe, createSink, removeUnfinished, writeFileWhole } from '../../src/base/output.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'output-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const effects = () => ({ cwd: folder, stdout: new PassThrough() });

describe('a file is written whole', () => {
  it('with all chunks, text and bytes, and no other file is left', async () => {
    await writeFileWhole('out', ['a\udc80', Buffer.from('b'), 'x'.repeat(200_000)], effects());
    expect(readFileSync(join(folder, 'out'), 'latin1')).toBe(`a\x80b${'x'.repeat(200_000)}`);
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('while others are written in the same folder, again and again', async () => {
    const writer = async (name: string) => {
      for (let k = 0; k < 25; k++) {
        await writeFileWhole(name, [`${name} ${k} `, 'x'.repeat((k * 7919) % 5000)], effects());
        expect(readFileSync(join(folder, name), 'utf8')).toContain(`${name} ${k} `);
      }
    };
    const names = Array.from({ length: 8 }, (_, k) => `out${k}`);
    await Promise.all(names.map(writer));
    expect(readdirSync(folder)).toEqual(names);
  });

  it('even if it has no chunk', async () => {
    await writeFileWhole('out', [], effects());
    expect(readFileSync(join(folder, 'out'))).toHaveLength(0);
  });

  it('or not at all: an error in the chunks leaves the old file as it was', async () => {
    writeFileSync(join(folder, 'out'), 'old');
    const chunks = (function* () {
      yield 'x'.repeat(100_000);
      throw new RangeError('broken source');
    })();
    await expect(writeFileWhole('out', chunks, effects())).rejects.toThrow(new RangeError('broken source'));
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['out']);
  });

  it('or not at all: an interrupted file is removed', async () => {
    const names: string[][] = [];
    const chunks = (async function* () {
      yield 'x'.repeat(100_000);
      names.push(readdirSync(folder));
      removeUnfinished();
      names.push(readdirSync(folder));
      await Promise.resolve();
      throw new Error('interrupted');
    })();
    await expect(writeFileWhole('out', chunks, effects())).rejects.toThrow('interrupted');
    expect(names).toEqual([[expect.stringMatching(/^\.dustbuster-.*\.part$/)], []]);
  });

  it('over an existing one, whose mode it keeps', async () => {
    writeFileSync(join(folder, 'out'), 'old');
    chmodSync(join(folder, 'out'), 0o640);
    await writeFileWhole('out', ['new'], effects());
    expect(statSync(join(folder, 'out')).mode & 0o777).toBe(0o640);
  });

  it.runIf(process.getuid?.() === 0)('over one of another user, who stays its owner, whatever the umask', async () => {
    writeFileSync(join(folder, 'out'), 'old');
    chmodSync(join(folder, 'out'), 0o666);
    chownSync(join(folder, 'out'), 1234, 5678);
    await writeFileWhole('out', ['new'], effects());
    const { mode, uid, gid } = statSync(join(folder, 'out'));
    expect([mode & 0o777, uid, gid]).toEqual([0o666, 1234, 5678]);
  });

  it('at the target of a link, which stays a link', async () => {
    mkdirSync(join(folder, 'far'));
    writeFileSync(join(folder, 'far', 'real'), 'old');
    symlinkSync(join('far', 'real'), join(folder, 'out'));
    await writeFileWhole('out', ['new'], effects());
    expect(readFileSync(join(folder, 'far', 'real'), 'utf8')).toBe('new');
    expect(readdirSync(join(folder, 'far'))).toEqual(['real']);
  });

  it('but a pipe is written to directly', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const reader = spawn('cat', [join(folder, 'pipe')]);
    let got = '';
    reader.stdout.on('data', (chunk) => (got += String(chunk)));
    const closed = new Promise((done) => reader.on('close', done));
    await writeFileWhole('pipe', ['through'], effects());
    await closed;
    expect(got).toBe('through');
    expect(statSync(join(folder, 'pipe')).isFIFO()).toBe(true);
  });

  it('and so is /dev/stdout, which may have no path at all', () => {
    const script = `import { writeFileWhole } from ${JSON.stringify(new URL('../../dist/src/base/output.js', import.meta.url).href)};
      await writeFileWhole('/dev/stdout', ['through'], { cwd: '/', stdout: process.stdout });`;
    const got = execFileSync('bash', [
      '--norc',
      '-c',
      `"$0" --input-type=module -e "$1" | cat`,
      process.execPath,
      script,
    ]);
    expect(String(got)).toBe('through');
    expect(lstatSync('/dev/stdout').isSymbolicLink()).toBe(true);
  });

  it('and `-` is standard output', async () => {
    const world = effects();
    await writeFileWhole('-', ['a', 'b'], world);
    expect(String(world.stdout.read())).toBe('ab');
    expect(existsSync(join(folder, '-'))).toBe(false);
  });

  it.each([
    ['a folder', '.', /cannot write \.: it is a folder, a file was expected\. Name a file in it \(EISDIR\)/],
    ['a missing folder', 'no/out', /cannot write no\/out: its folder does not exist.* \(ENOENT\)/],
    ['a file for a folder', 'file/out', /cannot write file\/out: a part of its path is no folder.* \(ENOTDIR\)/],
    ['a full disk', '/dev/full', /cannot write \/dev\/full: no space is left on the device.* \(ENOSPC\)/],
  ])('with a helpful message for %s', async (_, path, message) => {
    writeFileSync(join(folder, 'file'), '');
    const failure = await writeFileWhole(path, ['x'], effects()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UserError);
    expect((failure as Error).message).toMatch(message);
    expect(readdirSync(folder)).toEqual(['file']);
  });
});

/** A slow stream that keeps what is written to it, or fails with a code. */
function slowStream(fail?: string) {
  const taken: string[] = [];
  let open = 0;
  let mostOpen = 0;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      open++;
      mostOpen = Math.max(mostOpen, open);
      setTimeout(() => {
        open--;
        taken.push(String(chunk));
        done(fail === undefined ? null : Object.assign(new Error(fail), { code: fail }));
      }, 1);
    },
  });
  return { stream, taken, mostOpen: () => mostOpen };
}

it('a signal is heard while a long file is written', async () => {
  const lines = Array.from({ length: 20_000 }, (_, k) => `${k}\n`);
  const turns = await turnsDuring(() => writeFileWhole('long', lines, { cwd: folder, stdout: new PassThrough() }));
  expect(turns).toBeGreaterThan(10);
});

describe('a sink', () => {
  it('writes blocks of 64 KiB, one at a time, and the last one at the end', async () => {
    const slow = slowStream();
    const sink = createSink(slow.stream);
    for (let k = 0; k < 50; k++) await sink.write('x'.repeat(9_999));
    await sink.end();
    expect(slow.taken.join('')).toHaveLength(499_950);
    expect(slow.taken.length).toBe(9);
    expect(slow.mostOpen()).toBe(1);
    expect(slow.stream.writableLength).toBe(0);
  });

  it('writes a chunk larger than a block after the buffered text', async () => {
    const slow = slowStream();
    const sink = createSink(slow.stream);
    await sink.write('a');
    await sink.write('b'.repeat(100_000));
    await sink.write('c');
    await sink.end();
    expect(slow.taken.join('')).toBe(`a${'b'.repeat(100_000)}c`);
  });

  it('allows a chunk to be reused', async () => {
    const slow = slowStream();
    const sink = createSink(slow.stream);
    const chunk = Buffer.from('a');
    await sink.write(chunk);
    chunk[0] = 0x62;
    await sink.write(chunk);
    await sink.end();
    expect(slow.taken).toEqual(['ab']);
  });

  it('writes all that came before a pause at once in line-buffered mode', async () => {
    const slow = slowStream();
    const sink = createSink(slow.stream, { lineBuffered: true });
    for (const chunk of ['a', 'b\n', 'c\n']) await sink.write(chunk);
    expect(slow.taken).toEqual([]);
    await sink.write('');
    await sink.write('');
    expect(slow.taken).toEqual(['ab\nc\n']);
  });

  it('reports each time that the reader has closed the pipe', async () => {
    const sink = createSink(slowStream('EPIPE').stream, { lineBuffered: true });
    for (const _ of [1, 2]) {
      await sink.write('a\n');
      await expect(sink.write('')).rejects.toBeInstanceOf(ClosedPipe);
    }
  });

  it('explains that the disk is full', async () => {
    const sink = createSink(slowStream('ENOSPC').stream);
    await sink.write('a\n');
    await expect(sink.end()).rejects.toThrow(/cannot write standard output: no space is left on the device/);
  });

  it('leaves a bug a bug', async () => {
    const sink = createSink(slowStream('ERR_STRANGE').stream);
    await sink.write('a\n');
    await expect(sink.end()).rejects.toMatchObject({ code: 'ERR_STRANGE' });
  });
});
