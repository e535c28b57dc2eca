// -v and -q in every command: what ran and what it took; only errors.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFew } from '../../amount.js';
import { FIXTURES, run, runProcess, scratchFolder } from '../process.js';

const log = join(FIXTURES, 'access.log');
let folder: ReturnType<typeof scratchFolder>;

beforeAll(async () => {
  folder = scratchFolder();
  const rows = Array.from(
    { length: 40 },
    (_, n) => `http://a.test/${n}/index.html,9,s${n}\nhttp://a.test/${n}/,9,s${n}`,
  );
  writeFileSync(join(folder.path, 'sketches.csv'), `url,size,sketch\n${rows.join('\n')}\n`);
  writeFileSync(join(folder.path, 'urls.txt'), rows.join('\n').replace(/,.*/g, ''));
  await run(['mine', 'sketches.csv', '-o', 'sketched.json', '-q'], { cwd: folder.path });
  const mined = await run(['mine', log, '-o', 'rules.json', '-q'], { cwd: folder.path });
  expect(mined).toMatchObject({ code: 0, stderr: '' });
}, 30_000);
afterAll(() => folder.remove());

const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['mine', [log, '-o', 'again.json']],
  ['validate', ['sketched.json', '--by-sketch', '-o', 'verdicts.json']],
  ['canonize', ['--accept', 'likely', '-r', 'rules.json', '-i', 'urls.txt', '-o', 'forms.txt']],
  ['explain', ['--accept', 'likely', '-r', 'rules.json', 'http://www.example.test/']],
  ['eval', ['--accept', 'likely', '-r', 'rules.json', '--urls', log]],
  ['diff', ['rules.json', 'rules.json']],
];

describe.each(commands)('%s', { timeout: 30_000 }, (name, args) => {
  it.skipIf(isFew)('-v reports versions, phases, time, memory and disk, on standard error only', async () => {
    const plain = await run([name, ...args], { cwd: folder.path });
    const { code, stdout, stderr } = await run([name, ...args, '-v'], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toEqual(plain.stdout);
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^dustbuster \d+\.\d+\.\d+, node \d+\.\d+\.\d+, \w+ \w+/);
    expect(lines.at(-1)).toMatch(
      /^in all \d+\.\d\d s, \d+\.\d\d s of CPU, at most [\d.]+ MiB of memory, no scratch files$/,
    );
    const phases = lines
      .filter((line) => /^[a-z][a-z ]+ {2,}\d+\.\d\d s/.test(line))
      .map((line) => line.split('  ')[0]);
    expect(phases).toEqual(PHASES[name]);
  });

  it('-q prints nothing', async () => {
    const { code, stderr } = await run([name, ...args, '-q'], { cwd: folder.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('-q prints errors', async () => {
    const { code, stderr } = await run([name, 'no such', 'file', '-q', '--urls', 'no', '-r', 'no', '-i', 'no'], {
      cwd: folder.path,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^(dustbuster|error): /);
  });

  it('-q -v are refused together', async () => {
    const { code, stderr } = await run([name, ...args, '-qv'], { cwd: folder.path });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'dustbuster: got --quiet and --verbose; expected one of them\n',
    });
  });
});

const PHASES: Readonly<Record<string, readonly string[]>> = {
  mine: ['reading', 'sorting', 'going through sites', 'ranking'],
  validate: ['reading', 'drawing samples', 'validating'],
  canonize: ['canonizing'],
  explain: [],
  eval: ['reading', 'measuring'],
  diff: [],
};

it('flags win over variables', { timeout: 30_000 }, async () => {
  const env = { DUSTBUSTER_QUIET: 'true' };
  const { code, stderr } = await run(['diff', 'rules.json', 'rules.json', '-v'], { cwd: folder.path, env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^dustbuster \d.*\nin all /);
});

describe('--version -v', () => {
  it.each([[['--version', '-v']], [['-v', '-V']], [['--verbose', '--version']]])(
    '%j: a line with node and system',
    async (args) => {
      const { code, stdout } = await runProcess(args);
      expect(code).toBe(0);
      expect(stdout.toString()).toBe(
        `dustbuster ${process.env['npm_package_version'] ?? '0.1.0'}, node ${process.versions.node}, ${process.platform} ${process.arch}\n`,
      );
    },
  );
});
