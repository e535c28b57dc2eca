// A user and a password in --base are refused, and appear nowhere: not in a message, not in a file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mine, UserError } from '../../../src/index.js';
import { writeRules } from '../../../src/rule/file.js';
import { sampleFile, sampleRule } from '../../rule/sample.js';
import { run, scratchFolder } from '../process.js';

const folder = scratchFolder();
beforeAll(() => {
  const file = sampleFile([sampleRule('/index.html', '/')]);
  writeFileSync(join(folder.path, 'rules.json'), [...writeRules(file)].join(''));
  const options = { ...file.options, base: 'http://user:secret@h.test' };
  writeFileSync(join(folder.path, 'secret.json'), [...writeRules({ ...file, options })].join(''));
  writeFileSync(join(folder.path, 'urls.txt'), '/a/index.html\n');
  writeFileSync(join(folder.path, 'secret.toml'), 'base = "https://user:secret@h.test"\n');
});
afterAll(() => folder.remove());

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  mine: ['urls.txt', '-o', 'out.json'],
  validate: ['rules.json', '--test', 'urls.txt', '--dry-run'],
  rehearse: ['rules.json', '--to', 'nginx', '--urls', 'urls.txt', '-o', 'out.conf'],
  report: ['rules.json', 'urls.txt', '-o', 'out.html'],
  eval: ['-r', 'rules.json', '--urls', 'urls.txt'],
};
const ADDRESSES = [
  'http://user:secret@h.test',
  'https://secret@h.test/',
  'user:secret@h.test',
  'http://user:se@cret@h.test:8080/path',
];

async function refused(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await run(args, { cwd: folder.path, env });
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('got an address with a user or a password in it, expected a scheme and a host');
  expect(stderr).not.toMatch(/secret@|user:|se@cret/);
}

describe('an address with a user and a password', { timeout: 30_000 }, () => {
  const commands = Object.keys(COMMANDS);

  it.each(commands)('is refused as the base of %s, and not repeated', async (command) => {
    const args = [command, ...COMMANDS[command]!];
    for (const address of ADDRESSES) await refused([...args, '--base', address]);
    await refused([...args, `--base=${ADDRESSES[0]}`]);
    await refused(args, { DUSTBUSTER_BASE: ADDRESSES[0]! });
    await refused(args, { [`DUSTBUSTER_${command.toUpperCase()}_BASE`]: ADDRESSES[0]! });
    await refused([...args, '--config', 'secret.toml']);
  });

  it('is not shown with the configuration', async () => {
    await refused(['config', 'show', 'mine'], { DUSTBUSTER_BASE: ADDRESSES[0]! });
    await refused(['config', 'show', '--config', 'secret.toml']);
  });

  it('is refused in a rules file, whoever reads it', async () => {
    for (const args of [
      ['canonize', '-r', 'secret.json', '/a'],
      ['export', 'secret.json', '--to', 'csv'],
      ['diff', 'secret.json', 'rules.json'],
    ])
      await refused(args);
  });

  it('is refused as a host that is preferred', async () => {
    const { code, stderr } = await run(['mine', 'urls.txt', '--prefer-host', 'user:secret@h.test'], {
      cwd: folder.path,
    });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--prefer-host: got an address'),
    });
    expect(stderr).not.toContain('secret');
  });

  it('is refused when a program sets it', async () => {
    const mined = mine({ urls: ['/a'] }, { base: ADDRESSES[0]! });
    await expect(mined).rejects.toThrow(UserError);
    await expect(mined).rejects.not.toThrow('secret');
  });

  it('without them is a base, and recorded', async () => {
    const { code } = await run(['mine', 'urls.txt', '-o', 'out.json', '--base', 'http://h.test:8080/'], {
      cwd: folder.path,
    });
    expect(code).toBe(0);
    expect(readFileSync(join(folder.path, 'out.json'), 'utf8')).toContain('"base":"http://h.test:8080/"');
  });
});
