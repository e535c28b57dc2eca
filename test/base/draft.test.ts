// The draft of a killed run is removed by the next run; a draft that is being written stays.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { draftName, removeLeftDrafts } from '../../src/base/draft.js';
import { writeRules } from '../../src/rule/file.js';
import { BIN } from '../cli/process.js';
import { sampleFile, sampleRule } from '../rule/sample.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'draft-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const drafts = () => readdirSync(folder).filter((name) => name.endsWith('.part'));

/** A run that has begun its draft and waits for more input. */
async function waiting(output: string): Promise<ChildProcess> {
  const before = drafts().length;
  const args = [BIN, 'canonize', '-r', join(folder, 'rules.json'), '-o', join(folder, output)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin!.write('http://h/a\n');
  while (drafts().length === before && child.exitCode === null) await new Promise((done) => setTimeout(done, 10));
  return child;
}

const ended = (child: ChildProcess) => new Promise((done) => child.once('exit', done));

test('the next run removes the draft of a killed run, but not that of a running one', async () => {
  const rules = sampleFile([sampleRule('/a', '/b', { status: 'valid' })]);
  writeFileSync(join(folder, 'rules.json'), [...writeRules(rules)].join(''));
  const [killed, running] = [await waiting('killed.txt'), await waiting('running.txt')];
  const end = ended(killed);
  killed.kill('SIGKILL');
  await end;
  expect(drafts()).toHaveLength(2);
  const args = ['canonize', '-r', join(folder, 'rules.json'), '-o', join(folder, 'next.txt'), 'http://h/a'];
  const next = spawn(process.execPath, [BIN, ...args], { stdio: 'ignore' });
  expect(await ended(next)).toBe(0);
  expect(drafts()).toHaveLength(1);
  expect(drafts()[0]).toContain(`-${running.pid}-`);
  running.stdin!.end();
  expect(await ended(running)).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['next.txt', 'rules.json', 'running.txt']);
});

test('if it is unknown whether the process runs, only an old draft is removed; nothing else in the folder is', () => {
  const [old, fresh] = ['.dustbuster-1-5-00000000-0.part', '.dustbuster-1-6-00000000-0.part'];
  const others = ['.dustbuster-x.part', 'dustbuster-1-5-00000000-0.part', draftName(0)];
  for (const name of [old, fresh, ...others]) writeFileSync(join(folder, name), '');
  symlinkSync(fresh, join(folder, '.dustbuster-1-7-00000000-0.part'));
  const week = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  for (const name of [old, ...others]) utimesSync(join(folder, name), week, week);
  removeLeftDrafts(folder);
  expect(readdirSync(folder).sort()).toEqual([fresh, '.dustbuster-1-7-00000000-0.part', ...others].sort());
});
