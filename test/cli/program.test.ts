// Start-up: only what the command line needs is loaded, and still help knows all commands.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFew } from '../amount.js';
import { BIN, run, runProcess, scratchFolder } from './process.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

describe('dustbuster', { timeout: 30_000 }, () => {
  it.each(['--version', '-V'])('%s prints the version', async (option) => {
    expect(await run([option])).toMatchObject({ code: 0, stdout: Buffer.from(`dustbuster ${version}\n`), stderr: '' });
  });

  it.each(['--help', 'help'])('%s knows all commands', async (word) => {
    const { stdout } = await run([word]);
    for (const name of ['mine', 'validate', 'canonize', 'explain', 'eval']) {
      expect(stdout.toString()).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
    }
  });

  it.each(['mine', 'validate', 'canonize', 'explain', 'eval'])('help %s is %s --help', async (name) => {
    const [help, same] = await Promise.all([run(['help', name]), run([name, '--help'])]);
    expect(help.stdout.toString()).toMatch(new RegExp(`^Usage: dustbuster ${name} `));
    expect(same.stdout.toString()).toBe(help.stdout.toString());
  });

  it('ends with 70 for a bug, as 1 is a requested finding', async () => {
    const bug = `data:text/javascript,${encodeURIComponent("JSON.parse = () => { throw new RangeError('a bug') }")}`;
    const { code, stderr } = await runProcess(['explain', '-r', '-', '/a'], {
      input: '{}',
      env: { NODE_OPTIONS: `--import ${bug}` },
    });
    expect([code, stderr]).toEqual([70, expect.stringContaining('RangeError: a bug\n    at ')]);
  });

  it('ends with 2 in a folder that is gone', () => {
    const folder = scratchFolder();
    const command = 'cd "$1"; rmdir "$1"; exec "$2" "$3" mine a.log';
    const { status, stderr } = spawnSync('sh', ['-c', command, 'sh', folder.path, process.execPath, BIN]);
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining('the working folder is gone')]);
  });

  it.skipIf(isFew)('says that too few files may be open, even if there are hardly enough for Node', () => {
    const withFiles = (files: number, ...args: readonly string[]) =>
      spawnSync('sh', ['-c', `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, ...args]);
    const folder = scratchFolder();
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder.path, 'empty.js'), '');
    let least = 16;
    while (least < 100 && withFiles(least, join(folder.path, 'empty.js')).status !== 0) least++;
    folder.remove();
    let refused = 0;
    for (const files of [least, least + 2, least + 5]) {
      const { status, stderr } = withFiles(files, BIN, 'help');
      if (status === 0) continue;
      expect([status, stderr.toString()]).toEqual([
        2,
        expect.stringMatching(/^dustbuster: too many files are open\. Raise the limit/),
      ]);
      refused++;
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('suggests a command for an unknown one', async () => {
    const { code, stderr } = await run(['canonise']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/unknown command 'canonise'\n\(Did you mean canonize\?\)/);
  });

  it.each(['constructor', '__proto__', ''])('rejects the command %j', async (name) => {
    expect((await run([name])).code).toBe(2);
  });

  it.skipIf(isFew)('loads no library for its version, and only the flags of a command for its help', () => {
    expect(librariesOf(['--version'])).toEqual([]);
    expect(librariesOf(['canonize', '--help'])).toEqual(['commander']);
    expect(librariesOf(['mine', '--help'])).toEqual(['commander']);
  });
});

/** The packages that a command line loads: a hook of the module loader says which. */
function librariesOf(args: readonly string[]): string[] {
  const hook = `export async function load(url, context, next) {
    const name = /node_modules\\/([^/]+)/.exec(url)?.[1];
    if (name !== undefined) process._rawDebug('library ' + name);
    return next(url, context);
  }`;
  const register = `import { register } from 'node:module'; register('data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}');`;
  const loader = `data:text/javascript,${encodeURIComponent(register)}`;
  const { stderr, status } = spawnSync(process.execPath, ['--import', loader, BIN, ...args]);
  expect(status).toBe(0);
  return [...new Set([...stderr.toString().matchAll(/^library (.*)$/gm)].map(([, name]) => name!))];
}
