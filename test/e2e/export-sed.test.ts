// End to end: a log is mined, its rules are exported, and sed and Python make the same forms as `dustbuster canonize`.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { readRules } from '../../src/rule/file.js';
import { FIXTURES, run, scratchFolder } from '../cli/process.js';
import { manyUrls } from './export-urls.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const rules = join(scratch.path, 'rules.json');
const list = join(scratch.path, 'urls.txt');
let forms = '';

const latin1 = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('latin1');
const hasPython = spawnSync('python3', ['--version']).status === 0;

async function exported(target: string, file: string): Promise<string> {
  const path = join(scratch.path, file);
  const { code, stderr } = await run(['export', rules, '--to', target, '--accept', 'likely', '-o', path]);
  expect(stderr).toContain('247 of 247 rules');
  expect(code).toBe(0);
  return path;
}

describe('the rules of the fixture log', () => {
  beforeAll(async () => {
    expect((await run(['mine', join(FIXTURES, 'access.log'), '-o', rules])).code).toBe(0);
    const log = decodeText(readFileSync(join(FIXTURES, 'access.log')));
    const logged = Array.from(log.matchAll(/^(\S+?):80 .*?"GET (\S+)/gm), ([, host, path]) => `http://${host}${path}`);
    const urls = manyUrls([...new Set(logged)], readRules(readFileSync(rules), rules).rules, 2200).slice(-500);
    writeFileSync(list, encodeText([...urls, 'no URL', ''].join('\n')));
    forms = latin1((await run(['canonize', '-r', rules, '--accept', 'likely', '-i', list])).stdout);
    expect(forms).not.toBe(latin1(readFileSync(list)));
  }, 60_000);

  it('are the same in sed', { timeout: 60_000 }, async () => {
    const script = await exported('sed', 'rules.sed');
    const { stdout } = spawnSync('sed', ['-E', '-f', script, list], {
      env: { ...process.env, LC_ALL: 'C' },
      maxBuffer: 1 << 26,
    });
    expect(latin1(stdout)).toBe(forms);
  });

  it.skipIf(!hasPython)('are the same in Python', { timeout: 60_000 }, async () => {
    await exported('scrapy', 'canonical_urls.py');
    const code = `import sys
from canonical_urls import canonize
sys.stdout.buffer.write(b"\\n".join(map(canonize, sys.stdin.buffer.read().split(b"\\n"))))`;
    const env = { ...process.env, PYTHONPATH: scratch.path };
    const { stdout } = spawnSync('python3', ['-c', code], { input: readFileSync(list), env, maxBuffer: 1 << 26 });
    expect(latin1(stdout)).toBe(forms);
  });
});
