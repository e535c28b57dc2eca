// The manual: pages that man and mandoc accept, the same on every machine, with everything that help says.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePage } from '../../../src/cli/help/markdown.js';
import { writeRoff } from '../../../src/cli/help/roff.js';
import { run, scratchFolder } from '../process.js';

const BUILD = new URL('../../../dist/src/cli/man-build.js', import.meta.url).pathname;
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

const script = spawnSync('sh', ['-c', 'command -v script'], { encoding: 'utf8' }).stdout.trim();

const folder = scratchFolder();
const pages = join(folder.path, 'man');
let files: string[];

beforeAll(() => {
  mkdirSync(pages);
  writeFileSync(join(pages, 'dustbuster-gone.1'), 'a page of a command that is no more');
  const { status, stderr } = build(pages, {});
  expect(stderr).toBe('');
  expect(status).toBe(0);
  files = readdirSync(pages);
}, 60_000);
afterAll(() => folder.remove());

function build(into: string, env: Readonly<Record<string, string>>) {
  return spawnSync(process.execPath, [BUILD, into], { encoding: 'utf8', env: { ...process.env, ...env } });
}

/** Bold is a letter, a backspace, and the letter again. */
function plain(rendered: string): string {
  const parts = rendered.split('\b');
  return parts.map((part, at) => (at < parts.length - 1 ? part.slice(0, -1) : part)).join('');
}

const page = (file: string) => readFileSync(join(pages, file), 'utf8');

describe('the manual', { timeout: 60_000 }, () => {
  it('has a page for the program, for each command, for files and for ways to use it', async () => {
    const help = (await run(['help'])).stdout.toString();
    const commands = Array.from(
      /\nCommands:\n([^]*?)\n\n/.exec(help)![1]!.matchAll(/^ {2}(\S+)/gm),
      ([, name]) => name!,
    );
    expect(commands.length).toBeGreaterThan(5);
    expect(files).toEqual(
      [
        'dustbuster.1',
        ...commands.map((name) => `dustbuster-${name}.${name === 'rules' ? 5 : 1}`),
        ...['local'].map((name) => `dustbuster-${name}.5`),
        ...[
          'site-owners',
          'reports',
          'cron',
          'crawlers',
          'researchers',
          'library',
          'spark',
          'privacy',
          'changes',
          'spec',
        ].map((name) => `dustbuster-${name}.7`),
      ].sort(),
    );
  });

  it.runIf(has('mandoc') || spawnSync('mandoc').error === undefined)('is what mandoc calls clean', () => {
    const { stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', ...files], { cwd: pages, encoding: 'utf8' });
    expect(stdout + stderr).toBe('');
    writeFileSync(join(folder.path, 'bad.1'), '.TH BAD\n.SH NAME\nbad\n.XX\n');
    expect(spawnSync('mandoc', ['-T', 'lint', join(folder.path, 'bad.1')], { encoding: 'utf8' }).stdout).not.toBe('');
  });

  it.runIf(has('man'))('is rendered by man without a word of complaint', () => {
    const env = { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8' };
    const { stdout, stderr, status } = spawnSync('man', ['--warnings', './dustbuster-mine.1'], {
      cwd: pages,
      encoding: 'utf8',
      env,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const text = plain(stdout);
    expect(text.replace(/\s+/g, ' ')).toMatch(/dustbuster-mine . learn rewrite rules/u);
    expect(text).toMatch(/^ {7}dustbuster mine \[options\] \[INPUT\.\.\.\]$/m);
    expect(text).toContain('dustbuster mine --log-format \'%v %h %l %u %t "%r" %>s %b\' custom.log');
    expect(text).toMatch(/;O=D at the end be/);
    expect(text).toMatch(/^ {7}-o, --output <file>$/m);
  });

  it('has every option that the help has', async () => {
    for (const name of ['mine', 'validate', 'canonize', 'eval']) {
      const help = (await run(['help', name])).stdout.toString();
      const options = Array.from(help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, long]) => long!);
      const roff = page(`dustbuster-${name}.1`);
      const missing = options.filter(
        (option) => option !== '--help' && !roff.includes(`\\fB${option.replaceAll('-', '\\-')}\\fR`),
      );
      expect(missing).toEqual([]);
      expect(options.length).toBeGreaterThan(10);
    }
  });

  it('is the same on every machine, and dated by the build', () => {
    const other = join(folder.path, 'other');
    build(other, { TMPDIR: folder.path, COLUMNS: '40', SOURCE_DATE_EPOCH: '0' });
    for (const file of files) {
      const [head, ...rest] = page(file).split('\n');
      const [otherHead, ...otherRest] = readFileSync(join(other, file), 'utf8').split('\n');
      expect(otherRest).toEqual(rest);
      expect(otherHead).toBe(head!.replace(/\d{4}-\d\d-\d\d/, '1970-01-01'));
    }
  });

  it('is in the package, with all of its pages', () => {
    const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const { man } = JSON.parse(text) as { readonly man?: readonly string[] };
    if (man !== undefined) expect([...man].sort()).toEqual(files.map((file) => `./dist/man/${file}`));
  });

  it('has no marks that a page cannot show: emphasis is with underscores', () => {
    const docs = new URL('../../../src/docs/', import.meta.url);
    for (const file of readdirSync(docs)) {
      const prose = readFileSync(new URL(file, docs), 'utf8').replaceAll(/^```[^]*?^```|`[^`]*`|\*\*[^*]+\*\*/gm, '');
      expect(/\*[^\s*|][^*\n]*\*/.exec(prose)?.[0], file).toBe(undefined);
    }
  });

  it('names no missing page', () => {
    const known = new Set(files.map((file) => file.replace(/^(.*)\.(\d)$/, '$1($2)')));
    for (const file of files) {
      const named = page(file)
        .replaceAll(/\\f.|\\(?=-)/g, '')
        .matchAll(/\b(dustbuster[\w-]*\(\d\))/g);
      for (const [, name] of named) {
        // Their pages come with their commands.
        if (name === 'dustbuster-export(1)' || name === 'dustbuster-report(1)') continue;
        expect(known, file).toContain(name);
      }
    }
  });
});

describe('dustbuster man', { timeout: 30_000 }, () => {
  it('writes the page itself with --roff', async () => {
    const { stdout, code } = await run(['man', 'mine', '--roff']);
    expect(code).toBe(0);
    expect(stdout.toString()).toBe(page('dustbuster-mine.1'));
    expect((await run(['man', '--roff'])).stdout.toString()).toBe(page('dustbuster.1'));
  });

  it('writes text into a pipe, as for less', async () => {
    const { stdout, code } = await run(['man', 'cron']);
    expect([code, stdout.toString()]).toEqual([0, expect.stringMatching(/^Name:\n {2}dustbuster-cron — /)]);
    expect(stdout.toString()).not.toMatch(/^\.[A-Z]|\\f/m);
  });

  it('lists the pages', async () => {
    expect(await run(['man', 'crwn'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Did you mean cron\?\n$/) as string,
    });
  });

  it.runIf(script !== '')('shows it by man on a terminal, as text if there is no man', () => {
    const bin = new URL('../../../bin/dustbuster.js', import.meta.url).pathname;
    const shown = (path: string) =>
      plain(
        spawnSync(script, ['-qec', `exec "${process.execPath}" "${bin}" man cron`, '/dev/null'], {
          encoding: 'utf8',
          env: { ...process.env, PATH: path, MANPAGER: 'cat', MANROFFOPT: '-c', SHELL: '/bin/sh', TERM: 'dumb' },
        }).stdout,
      );
    expect(shown(process.env['PATH']!)).toMatch(/DUSTBUSTER-CRON\(7\)/);
    const empty = join(folder.path, 'empty');
    mkdirSync(empty, { recursive: true });
    expect(shown(empty)).toMatch(/^Name:\r?\n +dustbuster-cron/m);
  });
});

describe('a page as roff', () => {
  const head = { name: 'x', section: 1, date: '2026-01-01', version: '1' };
  const lines = (markdown: string) => writeRoff(head, parsePage(markdown)).split('\n').slice(1, -1);

  it.each([
    ['.so /etc/passwd', ['\\&.so /etc/passwd']],
    ["'tis", ['\\(aqtis']],
    ['a `b\\c` -d', ['a \\fBb\\ec\\fR -d']],
    ['`--no-local`', ['\\fB\\-\\-no\\-local\\fR']],
    ['_a\\_b_ T_low **c**', ['\\fIa_b\\fR T_low \\fBc\\fR']],
    ['⟨ α', ['\\[u27E8] \\[u03B1]']],
    ['- a\n- b\n  c', ['.IP \\(bu 2', 'a', '.IP \\(bu 2', 'b c']],
    ['1. a\n   b\n2. c', ['.IP 1. 3', 'a b', '.IP 2. 3', 'c']],
    ['| x | y |\n| - | - |\n| `a` | b |', ['.TP', '\\fBa\\fR', 'b']],
    ['```sh\n.x -y\n\nz\n```', ['.RS 4', '.EX', '\\&.x \\-y', '', 'z', '.EE', '.RE']],
  ])('%j', (markdown, roff) => {
    expect(lines(markdown).filter((line) => line !== '.sp')).toEqual(roff);
  });
});
