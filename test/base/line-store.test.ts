import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { draftName } from '../../src/base/draft.js';
import { UserError } from '../../src/base/error.js';
import { LineStore, type LinePlace } from '../../src/base/line-store.js';
import { scratchFolder } from '../cli/process.js';

const MODULE = new URL('../../dist/src/base/line-store.js', import.meta.url).href;

let folder: ReturnType<typeof scratchFolder>;
let path: string;
const open: LineStore[] = [];

beforeEach(() => {
  folder = scratchFolder();
  path = join(folder.path, 'a/b/lines');
});

afterEach(() => {
  for (const store of open.splice(0)) store.close();
  folder.remove();
});

function store(maxLineBytes = 4 << 20): LineStore {
  const made = new LineStore(path, maxLineBytes);
  open.push(made);
  return made;
}

function linesOf(of: LineStore): string[] {
  const lines: string[] = [];
  of.eachLine((line) => lines.push(line));
  return lines;
}

describe('a line store', () => {
  it('returns the appended lines in this run and in a later one', () => {
    const first = store();
    expect(linesOf(first)).toEqual([]);
    for (const line of ['one', 'zwei ü', 'x'.repeat(3_000_000)]) first.append(line);
    const expected = ['one', 'zwei ü', 'x'.repeat(3_000_000)];
    expect(linesOf(first)).toEqual(expected);
    expect(linesOf(store())).toEqual(expected);
  });

  it('ignores an empty line', () => {
    const written = store();
    for (const line of ['', 'one', '', '', 'two', '']) written.append(line);
    expect(linesOf(written)).toEqual(['one', 'two']);
  });

  it('reads a line where it was found', () => {
    const lines = Array.from({ length: 5000 }, (_, k) => `${k} ${'é'.repeat(k % 700)}`);
    const written = store();
    for (const line of lines) written.append(line);
    const places: LinePlace[] = [];
    written.eachLine((_line, place) => places.push(place));
    expect(places.map((place) => written.read(place))).toEqual(lines);
  });

  it('keeps a truncated line separate from those appended later', () => {
    const written = store();
    for (const line of ['one', 'two two']) written.append(line);
    truncateSync(path, readFileSync(path).length - 4);
    expect(linesOf(store())).toEqual(['one', 'two ']);
    store().append('three');
    expect(linesOf(store())).toEqual(['one', 'two ', 'three']);
  });

  it('skips lines that are too long, anywhere, and counts them', () => {
    mkdirSync(join(folder.path, 'a/b'), { recursive: true });
    const texts = [5 << 20, 1001].flatMap((length) => {
      const long = 'x'.repeat(length);
      return [`one\n${long}\ntwo\n`, `${long}\none\ntwo`, `one\ntwo\n${long}`, `one\ntwo\n${long}\n`];
    });
    for (const text of texts) {
      writeFileSync(path, text);
      const lines: string[] = [];
      const places: LinePlace[] = [];
      const read = store(1000);
      const tooLong = read.eachLine((line, place) => {
        lines.push(line);
        places.push(place);
      });
      expect([lines, tooLong]).toEqual([['one', 'two'], 1]);
      expect(places.map((place) => read.read(place))).toEqual(['one', 'two']);
    }
  });

  it('keeps only some lines, in the requested order, and accepts more', () => {
    const written = store();
    for (const line of ['a', 'b', 'c', 'd']) written.append(line);
    const places: LinePlace[] = [];
    written.eachLine((_line, place) => places.push(place));
    written.rewrite([places[3]!, places[1]!]);
    written.append('e');
    expect(readFileSync(path, 'utf8')).toBe('d\nb\ne\n');
    expect(readdirSync(join(folder.path, 'a/b'))).toEqual(['lines']);
  });

  describe.skipIf(process.platform === 'win32')('is for its owner only', () => {
    const modeOf = (name: string) => statSync(join(folder.path, name)).mode & 0o777;
    const rewritten = () => {
      const written = store();
      written.append('a');
      const places: LinePlace[] = [];
      written.eachLine((_line, place) => places.push(place));
      written.rewrite(places);
    };

    it.each([0o000, 0o022, 0o077])('with a umask of %i', (mask) => {
      const before = process.umask(mask);
      try {
        store();
        expect(['a', 'a/b', 'a/b/lines'].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
        rewritten();
        expect(modeOf('a/b/lines')).toBe(0o600);
      } finally {
        process.umask(before);
      }
    });

    it('where others could read it before; the folder of a user stays as it is', () => {
      mkdirSync(join(folder.path, 'a/b'), { recursive: true });
      writeFileSync(path, 'a\n');
      for (const name of ['a', 'a/b']) chmodSync(join(folder.path, name), 0o755);
      chmodSync(path, 0o644);
      store();
      expect(['a', 'a/b', 'a/b/lines'].map(modeOf)).toEqual([0o755, 0o755, 0o600]);
    });
  });

  it('removes the draft of a process that was killed', () => {
    store();
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    const draft = draftName(0).replace(/\d+-\d+/, `${dead}-0`);
    writeFileSync(join(folder.path, 'a/b', draft), 'half a li');
    const next = `const { LineStore } = await import(${JSON.stringify(MODULE)}); new LineStore(process.argv[1], 1000);`;
    spawnSync(process.execPath, ['--input-type=module', '-e', next, path], { stdio: 'inherit' });
    expect(readdirSync(join(folder.path, 'a/b'))).toEqual(['lines']);
  });

  it('continues in the new file after another process has replaced it', () => {
    const [one, two] = [store(), store()];
    one.append('old');
    two.append('old');
    one.rewrite([]);
    two.append('two');
    one.append('one');
    expect(readFileSync(path, 'utf8')).toBe('two\none\n');
  });

  it('says what to do if the file cannot be created', () => {
    mkdirSync(path, { recursive: true });
    expect(() => store()).toThrow(UserError);
    writeFileSync(join(folder.path, 'file'), '');
    expect(() => new LineStore(join(folder.path, 'file/lines'), 10)).toThrow('folder that you may write to');
  });

  it('keeps the lines of processes that append at the same time separate', async () => {
    store();
    const script = `
      const { LineStore } = await import(${JSON.stringify(MODULE)});
      const store = new LineStore(process.argv[1], 1e6);
      for (let k = 0; k < 300; k++) store.append(process.argv[2].repeat(1 + (k * 7919) % 20000));
      store.close();`;
    const names = ['a', 'b', 'c'];
    const codes = names.map((name) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, path, name], { stdio: 'inherit' });
      return new Promise((resolve) => child.on('close', resolve));
    });
    for (let k = 0; k < 50; k++) appendFileSync(path, `${'d'.repeat(k)}d\n`);
    expect(await Promise.all(codes)).toEqual([0, 0, 0]);
    const lines = linesOf(store());
    expect(lines).toHaveLength(950);
    expect(lines.every((line) => /^(a+|b+|c+|d+)$/.test(line))).toBe(true);
  });
});
