// `canonize` in several threads, as a process: the same bytes as in one, whatever happens.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockBytes } from '../../../../src/canonize/blocks.js';
import { keepAll } from '../../../../src/canonize/lines.js';
import { CanonizingThreads } from '../../../../src/cli/run/canonize/threads.js';
import { writeRules } from '../../../../src/rule/file.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { BIN, run, scratchFolder } from '../../process.js';
import { rows } from '../../../amount.js';

const folder = scratchFolder();
const megabyte = 1 << 20;

/** All kinds of lines: some change, some are not URLs, one is too long, some never settle, many are repeated. */
function lines(): string {
  const parts: string[] = [];
  for (let at = 0, bytes = 0; bytes < 9 * megabyte; at++) {
    const n = (at * 7919) % 120_000;
    const line = at % 1000 === 0 ? `/c/${n}\n` : kinds[at % kinds.length]!(n);
    parts.push(line);
    bytes += line.length;
    if (at === 70_001) parts.push(`/${'x'.repeat(2 * megabyte)}/index.html\n`);
  }
  return `${parts.join('')}/last/index.html`;
}

const kinds: readonly ((n: number) => string)[] = [
  (n) => `/${n}/index.html\n`,
  (n) => `/${n}/a/somewhat/longer/path/than/the/others?page=${n}\n`,
  (n) => `http://www.example.com/${n % 5000}/\r\n`,
  (n) => `no url ${n % 100}\n`,
];

beforeAll(() => {
  const index = sampleRule('/index.html', '/', { anchor: 'end', site: '*' });
  const endless = [sampleRule('c', 'b', { rank: 2 }), sampleRule('b', 'c/c', { rank: 3 })];
  write('dustbuster-rules.json', [...writeRules(sampleFile([index, ...endless]))].join(''));
  write('large.txt', lines());
  write('small.txt', '/a/index.html\n');
  write('thread.cjs', `require('fs').writeFileSync('thread-' + require('worker_threads').threadId, '');`);
});
afterAll(() => folder.remove());

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder.path, name), content);
}

async function canonize(...args: readonly string[]) {
  const { code, stdout, stderr } = await run(['canonize', ...args], { cwd: folder.path });
  return { code, stdout: stdout.toString('latin1'), stderr };
}

function shell(command: string, environment: NodeJS.ProcessEnv = {}) {
  const line = command.replaceAll('dustbuster', `"${process.execPath}" "${BIN}"`);
  const options = { cwd: folder.path, env: { ...process.env, ...environment } };
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], options);
  return { status, stdout: stdout.toString('latin1'), stderr: stderr.toString() };
}

describe('dustbuster canonize in several threads', { timeout: 60_000 }, () => {
  it.each(rows([[], ['--unique'], ['--pairs', '--unique', '--changed']], 2))(
    'writes and says the same as in one: %s %s %s',
    async (...flags) => {
      const inputs = ['-i', 'large.txt', '-i', 'small.txt', ...flags];
      const [one, ...others] = await Promise.all(['1', '2', '5'].map((n) => canonize(...inputs, '--threads', n)));
      expect(one!.code).toBe(0);
      expect(one!.stderr).toMatch(/\d{3} URLs are left as given/);
      expect(one!.stdout).toContain('/last/');
      for (const several of others) {
        expect(several.stdout === one!.stdout).toBe(true);
        expect(several).toMatchObject({ code: 0, stderr: one!.stderr });
      }
    },
  );

  it.each([
    [4, 'dustbuster canonize --threads 3 -i large.txt'],
    [4, 'dustbuster canonize --threads 3 < large.txt'],
    [1, 'dustbuster canonize --threads 1 -i large.txt'],
    [1, 'dustbuster canonize -i large.txt'],
    [1, 'dustbuster canonize --threads 3 -i small.txt'],
    [1, 'dustbuster canonize --threads 3 --line-buffered -i large.txt'],
    [1, 'cat large.txt | dustbuster canonize --threads 3'],
  ])('starts them for large files only, not for a pipe or a waiting reader: %i in total for %s', (count, command) => {
    const started = () => readdirSync(folder.path).filter((name) => name.startsWith('thread-'));
    for (const name of started()) rmSync(join(folder.path, name));
    shell(`${command} > /dev/null`, { NODE_OPTIONS: '--require=./thread.cjs' });
    expect(started()).toHaveLength(count);
  });

  it('passes a line of any length through, in the same few buffers', async () => {
    const chunk = new Uint8Array(blockBytes);
    const chunks = 512;
    const rules = [sampleRule('/index.html', '/')];
    const how = {
      normalize: 'safe',
      accept: 'valid',
      maxIterations: 10,
      urlForm: 'path',
      sitePolicy: 'domain',
    } as const;
    const way = new CanonizingThreads(2, { rules, options: how }, {}, keepAll);
    const heldBefore = process.memoryUsage().arrayBuffers;
    let [bytes, held] = [0, 0];
    async function* line(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < chunks; at++) yield chunk;
    }
    try {
      for await (const piece of way.map(line())) {
        bytes += piece.length;
        held = Math.max(held, process.memoryUsage().arrayBuffers - heldBefore);
      }
    } finally {
      await way.stop();
    }
    expect(bytes).toBe(chunks * blockBytes);
    expect(way.counts.lines).toBe(1);
    expect(held).toBeLessThan((chunks * blockBytes) / 4);
  });

  it('keeps the contents of a truncated gzip, says so, and ends with 3', async () => {
    const noise = Array.from({ length: 700_000 }, (_, at) => `/${Math.imul(at, 0x9e3779b1)}/index.html\n`).join('');
    write('cut.gz', gzipSync(noise, { level: 0 }).subarray(0, 9 * megabyte));
    const inputs = ['-i', 'cut.gz', '-i', 'small.txt'];
    const [one, several] = await Promise.all(['1', '3'].map((n) => canonize(...inputs, '--threads', n)));
    expect(one).toMatchObject({ code: 3, stderr: expect.stringMatching(/cut\.gz: the gzip data ends too early/) });
    expect(several!.stdout === one!.stdout).toBe(true);
    expect(several).toMatchObject({ code: 3, stderr: one!.stderr });
  });

  it('ends quietly with 0 when its reader closes the pipe, with 2 on a full disk', () => {
    expect(shell('dustbuster canonize --threads 3 -i large.txt | head -1; echo "${PIPESTATUS[0]}"')).toEqual({
      status: 0,
      stdout: '/c/0\n0\n',
      stderr: '',
    });
    const full = shell('dustbuster canonize --threads 3 -i large.txt > /dev/full');
    expect(full.status).toBe(2);
    expect(full.stderr).toMatch(/cannot write standard output: no space is left/);
  });

  it('leaves no half-written file on a signal', async () => {
    const args = [BIN, 'canonize', '--threads', '3', '-i', 'large.txt', '-i', '-', '-o', 'never.txt'];
    const child = spawn(process.execPath, args, { cwd: folder.path });
    const unfinished = () => readdirSync(folder.path).filter((name) => name.endsWith('.part'));
    while (unfinished().length === 0) await new Promise((done) => setTimeout(done, 10));
    child.kill('SIGINT');
    const ended = await new Promise((done) => child.on('close', (code, by) => done(by ?? code)));
    expect(['SIGINT', 130]).toContain(ended);
    expect(unfinished()).toEqual([]);
    expect(readdirSync(folder.path)).not.toContain('never.txt');
  });
});
