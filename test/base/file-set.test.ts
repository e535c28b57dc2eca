// Files that are one result: what is in the folder while they are written, and after a failure.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFileSet, type NamedFile } from '../../src/base/file-set.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'file-set-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (files: Iterable<NamedFile>, into = folder) =>
  writeFileSet(into, { files, isOfSet: (name) => name.endsWith('.set'), isFirst: (name) => name.startsWith('1') }, {});
const files = (text: string, ...names: string[]) => names.map((name) => ({ name, chunks: [`${name} ${text}`] }));
const there = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

it('makes the folder, and replaces an earlier set but no other file', async () => {
  await write(files('old', '1.set', '2.set', '3.set'), join(folder, 'new'));
  expect(readdirSync(join(folder, 'new'))).toEqual(['1.set', '2.set', '3.set']);
  await write(files('old', '1.set', '2.set', '3.set'));
  writeFileSync(join(folder, 'notes'), 'notes');
  rmSync(join(folder, 'new'), { recursive: true });
  await write(files('new', '1.set', '2.set'));
  expect(there()).toEqual(['1.set new', '2.set new', 'notes']);
});

it('changes nothing before all files are complete', async () => {
  await write(files('old', '1.set', '2.set'));
  const seen: string[][] = [];
  const watched = function* (): Iterable<NamedFile> {
    for (const file of files('new', '1.set', '2.set', '3.set')) {
      yield file;
      seen.push(there().filter((text) => text.endsWith('old')));
    }
  };
  await write(watched());
  expect(seen).toEqual(Array.from({ length: 3 }, () => ['1.set old', '2.set old']));
  expect(there()).toEqual(['1.set new', '2.set new', '3.set new']);
});

it('leaves the earlier set, and nothing else, if a file fails', async () => {
  await write(files('old', '1.set', '2.set'));
  const failing = [
    ...files('new', '1.set'),
    {
      name: '2.set',
      chunks: (function* () {
        yield 'half';
        throw new Error('no more');
      })(),
    },
  ];
  await expect(write(failing)).rejects.toThrow('no more');
  expect(there()).toEqual(['1.set old', '2.set old']);
});
