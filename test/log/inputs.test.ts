import { Buffer } from 'node:buffer';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { findInputs } from '../../src/log/inputs.js';
import { readInput } from './reading.js';

let cwd = '';

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'inputs-'));
  for (const path of ['b.log', 'a.log', 'a[1].log', 'a1.log', 'dir/z.log', 'dir/sub/y.log', 'dir/.hidden', 'x y.txt']) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), `/${path}\n`);
  }
  mkdirSync(join(cwd, 'empty'));
  symlinkSync(join(cwd, 'a.log'), join(cwd, 'link'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function names(...args: string[]): Promise<string[]> {
  return (await findInputs(args, { cwd, stdin: Readable.from([]) })).map((input) => input.name);
}

test.each([
  [
    ['b.log', 'a.log'],
    ['b.log', 'a.log'],
  ],
  [['?.log'], ['a.log', 'b.log']],
  [['a[1].log'], ['a[1].log']],
  [['a[0-9].log'], ['a1.log']],
  [['dir'], ['dir/sub/y.log', 'dir/z.log']],
  [['dir/**/*.log'], ['dir/sub/y.log', 'dir/z.log']],
  [
    ['a.log', './a.log', 'link', '*.log'],
    ['a.log', 'a1.log', 'a[1].log', 'b.log'],
  ],
  [
    ['-', 'a.log', '-'],
    ['-', 'a.log'],
  ],
  [['x y.txt'], ['x y.txt']],
])('%j matches %j', async (args, expected) => {
  expect(await names(...args)).toEqual(expected);
});

test('braces stand for several names, each also below a folder that another one begins in', async () => {
  expect(await names('{b,a,c}.log')).toEqual(['a.log', 'b.log']);
  expect(await names('{dir,dir/sub}/{z,y}.log')).toEqual(['dir/sub/y.log', 'dir/z.log']);
  expect(await names('{dir/*/none,dir/sub/*}')).toEqual(['dir/sub/y.log']);
  expect(await names('{dir/**/z.*,dir/sub/**/*}')).toEqual(['dir/sub/y.log', 'dir/z.log']);
  expect(await names('{,a.log}')).toEqual(['a.log']);
  const absolute = ['dir/sub/y.log', 'dir/z.log'].map((name) => join(cwd, name));
  expect(await names(`${cwd}/dir/**/{y,z}.log`)).toEqual(absolute);
  expect(await names(`${cwd}//dir/{sub/,}[yz].log`)).toEqual(absolute);
});

test('braces for too many names are an error for the user, unless a file has this very name', async () => {
  const [wide, many] = ['{1..99999999}', '{a,b}'.repeat(18)];
  for (const name of [wide, many]) await expect(names(name)).rejects.toThrow('stand for more than 10000 names');
  await expect(names('*'.repeat(4097))).rejects.toThrow('got a name or glob of 4097 characters');
  for (const name of [wide, many]) {
    writeFileSync(join(cwd, name), '/a\n');
    expect(await names(name)).toEqual([name]);
    rmSync(join(cwd, name));
  }
});

test.each(['nothing.log', '*.nothing', 'empty', 'a.log/b', '', '{'])(
  '%j matches nothing, which is an error for the user',
  async (name) => {
    await expect(names(name)).rejects.toThrow(UserError);
    await expect(names(name)).rejects.toThrow(`"${name}"`);
  },
);

test('@FILE stands for the names in a file, unless there is a file of this name', async () => {
  writeFileSync(join(cwd, 'list'), '# of last week\nb.log\r\n\ndir\n');
  expect(await names('a.log', '@list', 'b.log')).toEqual(['a.log', 'b.log', 'dir/sub/y.log', 'dir/z.log']);
  writeFileSync(join(cwd, '@b.log'), '/own\n');
  expect(await names('@b.log')).toEqual(['@b.log']);
  rmSync(join(cwd, '@b.log'));
  writeFileSync(join(cwd, 'nothing-in-it'), '# none\n');
  await expect(names('@nothing-in-it')).rejects.toThrow('names no input');
  await expect(names('@nowhere')).rejects.toThrow('cannot read the list "nowhere" (ENOENT)');
  rmSync(join(cwd, 'list'));
  rmSync(join(cwd, 'nothing-in-it'));
});

test('a folder is visited once, even if links lead to it', async () => {
  const folder = join(cwd, 'linked');
  mkdirSync(join(folder, 'x/deep'), { recursive: true });
  mkdirSync(join(folder, 'y'));
  writeFileSync(join(folder, 'x/deep/1.log'), '/1\n');
  writeFileSync(join(folder, 'x/2.log'), '/2\n');
  symlinkSync('.', join(folder, 'loop'));
  symlinkSync('.', join(folder, 'other'));
  symlinkSync('../x', join(folder, 'y/sub'));
  expect(await names('linked')).toEqual(['linked/x/2.log', 'linked/x/deep/1.log']);
  expect(await names('linked/**/*.log')).toEqual(['linked/x/2.log', 'linked/x/deep/1.log']);
  // Under another name that is requested, it is found again.
  expect(await names('linked/**/sub/*.log')).toEqual(['linked/y/sub/2.log']);
  expect(await names('linked/*/sub/*.log')).toEqual(['linked/y/sub/2.log']);
}, 20_000);

test('standard input is unpacked like a file', async () => {
  const packed = gzipSync('/a\n/b\n');
  const stdin = Readable.from([...packed].map((byte) => Buffer.of(byte)));
  const [input] = await findInputs(['-'], { cwd, stdin });
  expect((await readInput(input!)).rows.map((row) => row.url)).toEqual(['/a', '/b']);
});

test('a file that is gone when it is to be read is an unreadable input, with the reason', async () => {
  writeFileSync(join(cwd, 'gone'), '/a');
  const [input] = await findInputs(['gone'], { cwd, stdin: Readable.from([]) });
  rmSync(join(cwd, 'gone'));
  expect((await readInput(input!)).summary).toMatchObject({ lines: 0, reason: 'cannot be read (ENOENT)' });
});
