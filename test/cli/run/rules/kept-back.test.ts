// Who writes the file of a run, and what becomes of an older file?
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RulesOutput } from '../../../../src/cli/run/rules/kept-back.js';
import { readRules, writeRules } from '../../../../src/rule/file.js';
import type { RulesFile } from '../../../../src/rule/rule.js';
import { sampleFile } from '../../../rule/sample.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kept-back-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (options: Parameters<typeof RulesOutput.open>[1] = {}) =>
  RulesOutput.open('rules.json', options, { cwd: folder, stdout: new PassThrough() } as never);
const textOf = (file: RulesFile) => [...writeRules(file)].join('');
const there = (name = 'rules.json') => readRules(readFileSync(join(folder, name)), name);
const judged = (k: number): RulesFile => ({ ...sampleFile([]), partial: `${k} of 8` });
const put = (file: RulesFile) => writeFileSync(join(folder, 'rules.json'), textOf(file));

it('of eight saves at once, the first and the newest are written, one after another', async () => {
  const output = await open();
  const made: number[] = [];
  const save = (k: number) =>
    output.save(() => {
      made.push(k);
      return judged(k);
    });
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(save));
  expect(made).toEqual([1, 8]);
  expect(there().partial).toBe('8 of 8');
  expect(readdirSync(folder)).toEqual(['rules.json']);
});

it('a save that waits is dropped for the whole result', async () => {
  const output = await open();
  const saves = [1, 2].map((k) => output.save(() => judged(k)));
  await output.finish(sampleFile([]));
  await Promise.all(saves);
  expect(there().partial).toBeUndefined();
  output.refuseBeside();
  expect(readdirSync(folder)).toEqual(['rules.json']);
});

it('a part never replaces the whole file of another run', async () => {
  put({ ...sampleFile([]), urls: 77 });
  const output = await open();
  await output.save(() => judged(3));
  expect(there().urls).toBe(77);
  expect(there('rules.json.partial').partial).toBe('3 of 8');
  await output.finish(sampleFile([]));
  expect(there().urls).toBe(sampleFile([]).urls);
  expect(readdirSync(folder)).toEqual(['rules.json']);
});

it('a part is known as one, however another program has arranged its fields', async () => {
  const file = judged(3);
  const input = { format: 'urls', lines: 1, records: 1, dropped: {}, rejected: {}, truncated: false };
  const inputs = Array.from({ length: 2000 }, (_, k) => ({ ...input, name: `part-${k}` }));
  const sorted = Object.entries({ ...file, inputs }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(join(folder, 'rules.json'), JSON.stringify(Object.fromEntries(sorted)));
  const output = await open();
  await output.save(() => judged(4));
  expect(there().partial).toBe('4 of 8');
  expect(readdirSync(folder)).toEqual(['rules.json']);
});

it.each([
  ['a part of another run', judged(3), {}],
  ['the rules that are validated', sampleFile([]), { source: './rules.json' }],
])('a part replaces %s', async (_, before, options) => {
  put(before);
  const output = await open(options);
  await output.save(() => judged(4));
  expect(there().partial).toBe('4 of 8');
  expect(readdirSync(folder)).toEqual(['rules.json']);
});
