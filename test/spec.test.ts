// Does every reference to the specification in the sources find its section? `SPEC 2.6` is a heading of
// src/docs/spec.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const FOLDERS = ['src', 'test', 'fixtures', 'bin', '.ci', '.github'];

interface Reference {
  readonly at: string;
  readonly section: string;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|md|sh|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Each number of `SPEC 2.5, 2.6`, `SPEC 3 to 5`, `SPEC 9, 10` and `SPEC 3, 4 or 5`. */
function referencesIn(text: string): string[] {
  return Array.from(
    text.matchAll(/\bSPEC (\d+(?:\.\d+)?(?:(?:, | or | and | to )\d+(?:\.\d+)?)*)/g),
    ([, list]) => list!,
  ).flatMap((list) => list.match(/\d+(?:\.\d+)?/g)!);
}

const files = [...FOLDERS.map((folder) => join(root, folder)).flatMap(filesOf), join(root, 'README.md')];
const spec = readFileSync(join(root, 'src/docs/spec.md'), 'utf8');
const sections = new Set(Array.from(spec.matchAll(/^###? (\d+(?:\.\d+)?)\.? /gm), ([, number]) => number!));

test('every reference to the specification finds its section', () => {
  const references = files.flatMap((file): Reference[] =>
    referencesIn(readFileSync(file, 'utf8')).map((section) => ({ at: relative(root, file), section })),
  );
  expect(references.filter(({ section }) => !sections.has(section))).toEqual([]);
  expect(references.length).toBeGreaterThan(80);
});

test('sections are numbered in order, and each has a title', () => {
  const numbers = [...sections].map((number) => number.split('.').map(Number));
  const sorted = [...numbers].sort(([a, b = 0], [c, d = 0]) => a! - c! || b - d);
  expect(numbers).toEqual(sorted);
  expect(sections.size).toBeGreaterThan(20);
});

test('no source refers to a document that is not in the project', () => {
  const strangers = files.flatMap((file) =>
    (readFileSync(file, 'utf8').match(/\b[A-Z]{4,}\.md\b/g) ?? [])
      .filter((name) => !/^(?:README|CONTRIBUTING|SECURITY)\b/.test(name))
      .map((name) => `${relative(root, file)}: ${name}`),
  );
  expect(strangers).toEqual([]);
});

test('references are found in all their spellings', () => {
  expect(referencesIn('(SPEC 2.5, 2.6) SPEC 3 to 5 say; SPEC 9. SPEC 3, 4 or 5')).toEqual([
    '2.5',
    '2.6',
    '3',
    '5',
    '9',
    '3',
    '4',
    '5',
  ]);
});
