// The pages show what the program does: each example is run as it is, on real inputs.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSandbox, shownCode, type Sandbox } from './sandbox.js';
import { run } from '../process.js';
import { rows } from '../../amount.js';

const code = shownCode();
const ofKind = (...kinds: readonly string[]) => code.filter(({ kind }) => kinds.includes(kind));
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** Needs another shell, a network, or a command of its own beside the others. */
const RUN_APART = ['sh finding', 'sh night', 'sh network', 'sh rehearsal', 'sh zsh'];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await makeSandbox();
}, 60_000);
afterAll(() => sandbox.remove());

describe('the pages', { timeout: 60_000 }, () => {
  const local = ofKind('sh', 'sh bash');

  it('show examples for every command, and no untested shell code', () => {
    expect(local.length).toBeGreaterThan(30);
    const known = new Set(['sh', 'sh bash', ...RUN_APART]);
    expect(code.filter(({ kind }) => kind.startsWith('sh') && !known.has(kind))).toEqual([]);
  });

  it('export for a server or a crawler only what pages have confirmed, as they advise', () => {
    const lines = local.flatMap((shown) => shown.code.split('\n'));
    const exports = lines.filter((line) => /^dustbuster export .*--to /.test(line));
    expect(exports.length).toBeGreaterThan(2);
    expect(exports.filter((line) => line.includes('--accept') && !/--to (?:csv|parquet)/.test(line))).toEqual([]);
  });

  it.concurrent.each(rows(local, 5).map((shown) => [shown.page, shown.code.trim(), shown] as const))(
    '%s: %s',
    async (...shown) => {
      const { stderr, code: exitCode } = await sandbox.shell(shown[2].code);
      expect(exitCode, stderr).toBe(0);
    },
  );

  it.concurrent.each(rows(ofKind('sh network'), 5).map((shown) => [shown.page, shown.code.trim(), shown] as const))(
    '%s: %s, with --dry-run or a list in place of the site',
    async (...shown) => {
      const lines = shown[2].code
        .replaceAll('https://www.example.com', 'http://www.example.test')
        .replace('docs.example.com mirror.example.org', 'www.example.test example.test');
      const dry = lines
        .replace(/^dustbuster (mine|validate)(?!.*--dry-run).*$/gm, '$& --dry-run')
        .replaceAll('crawl.log', 'captures.cdx');
      const { stderr, code: exitCode } = await sandbox.shell(
        dry.replaceAll('--urls captures.cdx', '--accept likely --urls captures.cdx'),
      );
      expect([0, 1], stderr).toContain(exitCode);
    },
  );

  it.each(ofKind('sh finding').map((shown) => shown.code.trim()))('%s, which exits with 1', async (line) => {
    expect((await sandbox.shell(line)).code).toBe(1);
  });

  it('compare no file with itself', () => {
    const compared = code.flatMap((shown) => shown.code.match(/^dustbuster diff .*$/gm) ?? []);
    expect(compared.length).toBeGreaterThan(3);
    expect(compared.filter((line) => /(\S+\.json) \1/.test(line))).toEqual([]);
  });

  it.each(ofKind('sh rehearsal').map((shown) => shown.code.trim()))(
    '%s, as far as the rules, which are not validated here (test/e2e/rehearse does the rest)',
    async (line) => {
      const likely = line.replace(/rehearse --/, 'rehearse rules.json --').replaceAll('rules.json', 'old.json');
      const { stderr, code: exitCode } = await sandbox.shell(likely);
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/no valid rule in old\.json|is not installed/)]);
    },
  );

  it.runIf(has('zsh'))('show a line for zsh that zsh takes', async () => {
    const [shown] = ofKind('sh zsh');
    const { code: exitCode, stderr } = await sandbox.shell(
      `autoload -U compinit; compinit -D -u\n${shown!.code}`,
      'zsh',
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('show a night that is silent when nothing changed, and says with a code what did', async () => {
    const [night] = ofKind('sh night');
    const change = `grep -v '^www' access.log > /var/log/nginx/access.log-20261121
cp /var/log/nginx/access.log-20261121 /var/log/nginx/access.log-20261120
rm -r /var/lib/dustbuster/www`;
    const nights = `${asFunction(night!.code)}
night; echo first; night; echo second
(${change})
night || echo third $?; night; echo fourth
gzip -c access.log | head -c 2000 > /var/log/nginx/access.log-20261122.gz; night || echo fifth $?
echo '{' > /var/lib/dustbuster/told.json; night || echo sixth $?`;
    const { code: exitCode, stdout, stderr } = await sandbox.shell(nights);
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toMatch(
      /^first\nsecond\nNo rule is valid yet[^\n]* gone \(diff --all lists them\)\nthird 1\nfourth\n[^]*fifth 3\nsixth [23]\n$/,
    );
    expect(stderr).toMatch(/^dustbuster: \S*access.log-20261122.gz: [^\n]*\n[^]*told\.json/);
  });

  it('show the same line for cron in the README and on the page', () => {
    const lineOf = (text: string) => /^0 4 \* \* \*.*$/m.exec(text)?.[0];
    const [readme, page] = ['README.md', 'src/docs/cron.md'].map((name) =>
      readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'),
    );
    expect(lineOf(readme!)).toBe(lineOf(page!));
    expect(lineOf(page!)).toContain('dustbuster mine');
  });

  it('show a night that fails without a log, and keeps its rules', async () => {
    const [night] = ofKind('sh night');
    const script = `${asFunction(night!.code)}\nnight; cp /var/lib/dustbuster/rules.json kept\nrm /var/log/nginx/*; night || echo code $?
cmp kept /var/lib/dustbuster/rules.json && echo same`;
    const { stdout, stderr } = await sandbox.shell(script);
    expect(stdout.toString()).toBe('code 2\nsame\n');
    expect(stderr).toMatch(/^dustbuster: .*access\.log/);
  });

  it('show a valid configuration', async () => {
    const [toml] = ofKind('toml');
    const { folder } = await sandbox.shell(':');
    writeFileSync(join(folder, 'shown.toml'), toml!.code);
    const { code: exitCode, stdout } = await run(['config', 'show', '--config', 'shown.toml'], { cwd: folder });
    expect(exitCode).toBe(0);
    expect(stdout.toString()).toMatch(/^mine --parameters +false +shown\.toml:\d+$/m);
  });

  it.each(ofKind('json rules.local.json').map((shown) => [shown.page, shown.code] as const))(
    '%s: local rules that are taken',
    async (_, json) => {
      const { folder } = await sandbox.shell(':');
      writeFileSync(join(folder, 'rules.local.json'), json);
      const { code: exitCode, stdout } = await run(['canonize', '/a?utm_source=x', '/b'], { cwd: folder });
      expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 0, stdout: '/a\n/b\n' });
    },
  );

  it.runIf(has('python3'))(
    'show a coprocess for Python that answers line by line, and in blocks of any size',
    async () => {
      const [python, block] = [ofKind('python')[0], ofKind('python block')[0]];
      const pin = { pin: true, name: 'utm_source', action: 'remove' };
      const { folder } = await sandbox.shell(':');
      writeFileSync(
        join(folder, 'rules.local.json'),
        JSON.stringify({ format: 'dustbuster-local', version: 1, rules: [pin] }),
      );
      writeFileSync(
        join(folder, 'ask.py'),
        `${python!.code}${block!.code}
print(canonical("/b"))
print(canonical("/a?utm_source=1"))
urls = [f"/{at}?utm_source=1" for at in range(50_000)]
print(canonical_all(urls) == [f"/{at}" for at in range(50_000)], canonical_all([]))
`,
      );
      const { stdout, stderr } = await sandbox.shell(`cd ${folder} && python3 ask.py`);
      expect({ stdout: stdout.toString(), stderr }).toEqual({ stdout: '/b\n/a\nTrue []\n', stderr: '' });
    },
  );

  it.runIf(has('systemd-analyze'))('show units that systemd takes', async () => {
    const units = code.filter(({ kind }) => kind.startsWith('ini '));
    expect(units).toHaveLength(3);
    const { folder } = await sandbox.shell(':');
    const paths = units.map(({ kind, code: unit }) => {
      const path = join(folder, kind.slice('ini '.length));
      writeFileSync(
        path,
        unit.replace('/usr/local/sbin/dustbuster-night', '/bin/true').replace(/^Documentation=.*\n/m, ''),
      );
      return path;
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' });
    const said = stderr.split('\n').filter((line) => line.includes('dustbuster'));
    expect({ status, said }).toEqual({ status: 0, said: [] });
  });

  it.runIf(has('logrotate'))('show a rotation that logrotate takes', async () => {
    const [rotation] = ofKind('text logrotate');
    const { folder } = await sandbox.shell(':');
    const path = join(folder, 'rotation');
    writeFileSync(path, rotation!.code.replaceAll('/var/', `${folder}/var/`), { mode: 0o644 });
    const { status, stderr } = spawnSync('logrotate', ['-d', '-s', join(folder, 'state'), path], { encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stderr).not.toMatch(/error/);
  });
});

/** `exit` would end the test as well. */
function asFunction(script: string): string {
  return `night() (\n${script.replace(/^#!.*\n/, '')})`;
}
