// The house: a folder imports from itself and from lower rows only, never from its neighbours in the row.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROWS: readonly (readonly string[])[] = [
  ['kernel'],
  ['base'],
  ['url'],
  ['log'],
  ['sketch', 'rule'],
  ['table'],
  ['mine', 'canonize', 'state'],
  ['validate'],
  ['report', 'export'],
  ['cli'],
  ['library'],
  ['index.ts', 'canonizer.ts'],
];

/** Who may touch the file system. */
const FILE_SYSTEM = ['base/', 'log/', 'cli/'];

const src = new URL('../src/', import.meta.url).pathname;

interface Import {
  readonly file: string;
  readonly from: string;
}

function sources(folder = src): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(path: string): Import[] {
  const text = readFileSync(path, 'utf8');
  const matches = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return Array.from(matches, (match) => ({ file: relative(src, path), from: match[1]! }));
}

const imports = sources().flatMap(importsOf);

function rowOf(folder: string): number {
  return ROWS.findIndex((row) => row.includes(folder));
}

test('every folder of src stands in a row of the house', () => {
  const folders = new Set(sources().map((path) => relative(src, path).split('/')[0]!));
  expect([...folders].filter((folder) => rowOf(folder) < 0)).toEqual([]);
});

test('imports go down the house only', () => {
  const wrong = imports.filter(({ file, from }) => {
    if (!from.startsWith('.')) return false;
    const folder = file.split('/')[0]!;
    const target = relative(src, join(src, file, '..', from)).split('/')[0]!;
    return target !== folder && rowOf(target) >= rowOf(folder);
  });
  expect(wrong).toEqual([]);
  expect(imports.length).toBeGreaterThan(50);
});

test('only base, log and cli touch the file system', () => {
  const touching = imports.filter(({ from }) => from.startsWith('node:fs'));
  expect(touching.filter(({ file }) => !FILE_SYSTEM.some((folder) => file.startsWith(folder)))).toEqual([]);
  expect(touching.length).toBeGreaterThan(2);
});

test('only validate/live opens network connections', () => {
  const opening = imports.filter(({ from }) => /^(node:(net|http|https|http2|tls|dgram|dns)|undici)/.test(from));
  expect(opening.filter(({ file }) => !file.startsWith('validate/live/'))).toEqual([]);
  expect(opening.length).toBeGreaterThan(2);
});
