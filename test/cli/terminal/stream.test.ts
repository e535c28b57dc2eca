// Colour: on a terminal, unless configured otherwise; never the only carrier of meaning.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLOURED, PLAIN } from '../../../src/base/paint.js';
import type { ColourChoice } from '../../../src/cli/flags/terminal.js';
import { paintFor } from '../../../src/cli/terminal/stream.js';
import { aligned } from '../../../src/report/text-table.js';
import { writeRules } from '../../../src/rule/file.js';
import { isFew } from '../../amount.js';
import { sampleFile, sampleRule } from '../../rule/sample.js';
import { run, scratchFolder } from '../process.js';
import { HAS_TERMINALS, onTerminal } from './pty.js';

const PAINT = '\u001b[';

describe('a stream has colour', () => {
  it.each<[boolean, Record<string, string>, ColourChoice, boolean]>([
    [true, {}, 'auto', true],
    [false, {}, 'auto', false],
    [true, { NO_COLOR: '1' }, 'auto', false],
    [true, { NO_COLOR: '' }, 'auto', true],
    [true, { NO_COLOR: '1' }, 'always', true],
    [true, { TERM: 'dumb' }, 'auto', false],
    [false, { FORCE_COLOR: '1' }, 'auto', true],
    [true, { FORCE_COLOR: '0' }, 'auto', false],
    [false, { CLICOLOR_FORCE: '1' }, 'auto', true],
    [false, { CLICOLOR_FORCE: '1', TERM: 'dumb' }, 'auto', true],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, 'auto', false],
    [false, {}, 'always', true],
    [true, { FORCE_COLOR: '1' }, 'never', false],
  ])('terminal %s, %j, --color %s: %s', (isTTY, env, choice, expected) => {
    expect(paintFor({ isTTY }, env, choice)).toBe(expected ? COLOURED : PLAIN);
  });
});

describe('a painted table', () => {
  const rows = [
    ['rank', 'from', 'status', 'site'],
    ['1', '⟨http://ä/', 'valid', 'a.test'],
    ['10', 'b', 'invalid', ''],
    ['100', 'c', 'retired', 'b.test'],
    ['7', 'd', 'likely', 'b.test'],
  ];

  it('is aligned like one without colours, with the same words', () => {
    const painted = aligned(rows, new Set([0]), COLOURED);
    // eslint-disable-next-line no-control-regex -- that is what paint is
    expect(painted.replaceAll(/\u001b\[\d+m/g, '').replaceAll(/ +$/gm, '')).toBe(aligned(rows, new Set([0])));
    expect(painted).toContain('\u001b[32mvalid\u001b[39m');
    expect(painted).toContain('\u001b[33mlikely\u001b[39m');
  });
});

describe('the output of a run', { timeout: 30_000 }, () => {
  let folder: ReturnType<typeof scratchFolder>;
  beforeAll(() => {
    folder = scratchFolder();
    const rules = [sampleRule('/index.html', '/'), sampleRule('b', 'a', { rank: 2, status: 'likely' })];
    writeFileSync(join(folder.path, 'new.json'), [...writeRules(sampleFile(rules))].join(''));
    writeFileSync(join(folder.path, 'old.json'), [...writeRules(sampleFile([]))].join(''));
  });
  afterAll(() => folder.remove());
  const diff = ['diff', 'old.json', 'new.json'];

  it('a pipe has no colour, unless it is requested; a file never has', async () => {
    const here = { cwd: folder.path, env: { FORCE_COLOR: '' } };
    expect((await run(diff, here)).stdout.toString()).not.toContain(PAINT);
    expect((await run([...diff, '--color', 'always'], here)).stdout.toString()).toContain(PAINT);
    const inFile = await run([...diff, '--color=always', '--json', '-o', '/dev/stdout'], here);
    expect(inFile.stdout.toString()).not.toContain(PAINT);
  });

  it('an error says that it is one, in colour or not', async () => {
    const plain = await run(['diff', 'old.json', 'no.json'], { cwd: folder.path });
    const painted = await run(['diff', 'old.json', 'no.json', '--color', 'always'], { cwd: folder.path });
    expect(plain.stderr).toMatch(/^dustbuster: cannot read no\.json/);
    expect(painted.stderr).toMatch(/^.\[1m.\[31mdustbuster:.\[39m.\[22m cannot read no\.json/);
  });

  it.skipIf(isFew || !HAS_TERMINALS)('each stream is decided by itself', async () => {
    const onlyErrors = await onTerminal('dustbuster diff old.json new.json > table.txt; cat table.txt', {
      cwd: folder.path,
    });
    expect(onlyErrors.screen).not.toContain(PAINT);
    const onlyTable = await onTerminal('dustbuster diff old.json new.json; dustbuster diff a b 2> e.txt; cat e.txt', {
      cwd: folder.path,
    });
    expect(onlyTable.screen).toContain('\u001b[1mchange\u001b[22m');
    expect(onlyTable.screen).toContain('\ndustbuster: cannot read a');
  });
});
