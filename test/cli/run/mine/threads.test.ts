// Mining in threads is a faster way to the same bytes.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeded } from '../../../bench/input/random.js';
import { urlsOf } from '../../../large-site.js';
import { BIN, run, scratchFolder } from '../../process.js';
import { rows } from '../../../amount.js';

const folder = scratchFolder();
const at = (name: string) => join(folder.path, name);
afterAll(() => folder.remove());

/** A site large enough for threads, with traps and a numbered directory in it, and small ones around it. */
function listed(): string {
  const random = seeded(11);
  const lines = ['url\tsize'];
  for (const { path, size } of urlsOf(60_000, 5)) {
    lines.push(`http://www.large.com${path}\t${size}`);
    const session = `${path.includes('?') ? '&' : '?'}sid=${Math.floor(random() * 1e9)}`;
    if (random() < 0.2) lines.push(`http://www.large.com${path}${session}\t${size}`);
  }
  for (let k = 0; k < 3000; k++) {
    lines.push(`http://www.large.com/${k % 7}/${'img/'.repeat(Math.floor(random() * 20))}${k % 5}\t${500 + (k % 3)}`);
    lines.push(`http://www.large.com/data/file${k}.html\t${Math.floor(random() * 9000)}`);
    for (const name of ['', 'index.html']) lines.push(`http://a${k % 9}.small${k % 9}.org/${k}/${name}\t${k}`);
  }
  return `${lines.join('\n')}\n`;
}

const list = at('list.tsv');
beforeAll(() => writeFileSync(list, listed()));

describe('mining in threads', { timeout: 60_000 }, () => {
  test('gives the same rules for any number of them and any memory', async () => {
    const outputs: string[] = [];
    for (const more of rows([['1'], ['2'], ['3'], ['4', '--memory', '24m']], 3)) {
      const { code, stderr } = await run(['mine', list, '-q', '-o', at('rules.json'), '--threads', ...more]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      outputs.push(readFileSync(at('rules.json'), 'utf8'));
    }
    expect(new Set(outputs).size).toBe(1);
    expect(outputs[0]!.match(/"from"/g)!.length).toBeGreaterThan(100);
    expect(outputs[0]).toMatch(/"kind": ?"parameter",\s*"name": ?"sid"/);
  });

  test('ends immediately on a signal, and leaves no file', async () => {
    const tmp = scratchFolder();
    const args = [
      'mine',
      list,
      '-q',
      '-o',
      at('never.json'),
      '--threads',
      '4',
      '--memory',
      '24m',
      '--tmpdir',
      tmp.path,
    ];
    for (const afterMs of [300, 700, 1100]) {
      const child = spawn(process.execPath, [BIN, ...args], { stdio: 'ignore' });
      const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
      setTimeout(() => child.kill('SIGTERM'), afterMs);
      expect(['SIGTERM', 0]).toContain(await ended);
      expect(readdirSync(tmp.path)).toEqual([]);
    }
    tmp.remove();
  });

  test('needs disk space for its sorted runs as one thread does, and says so', async () => {
    const { code, stderr } = await run([
      'mine',
      list,
      '-q',
      '-o',
      at('never.json'),
      '--memory',
      '2m',
      '--tmpdir',
      at('no-such-folder'),
      '--threads',
      '4',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no-such-folder.*--tmpdir/s);
  });
});
