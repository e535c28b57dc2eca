// The progress of a long run: on a terminal, after a second, in one line that is erased at the end.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock, type LineState, progressLine, ShownProgress, StatusLine } from '../../../src/cli/terminal/progress.js';
import { rows } from '../../amount.js';
import { FIXTURES, run } from '../process.js';
import { drawnOn, HAS_TERMINALS, leftOn, onTerminal, type TerminalOptions } from './pty.js';

const log = join(FIXTURES, 'access.log');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'progress-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const none: LineState = {
  name: 'reading',
  unit: 'lines',
  units: 0,
  share: 0,
  total: 0,
  ms: 0,
  spilled: 0,
  note: '',
};

describe('the line of a progress', () => {
  it.each<[string, Partial<LineState>]>([
    ['reading  0:00', {}],
    ['reading  1,000 lines  0:00', { units: 1000, share: 1000, ms: 400 }],
    ['reading  1,000 lines  500 a second  0:02', { units: 1000, share: 1000, ms: 2000 }],
    [
      'reading  1,234,567 lines  25%  620,000 a second  0:06 left',
      { units: 1_234_567, share: 50, total: 200, ms: 2000 },
    ],
    ['reading  10 lines  100%  10 a second  0:00 left', { units: 10, share: 7, total: 7, ms: 1000 }],
    // A total that was an estimate, or of an input that was read twice, is not reliable.
    ['reading  10 lines  10 a second  0:01', { units: 10, share: 8, total: 7, ms: 1000 }],
    ['reading  1.5 KiB  512 B a second  0:03', { unit: 'bytes', units: 1536, share: 1536, ms: 3000 }],
    [
      'reading  3 lines  10%  3 a second  0:09 left  7 of 100',
      { units: 3, share: 3, total: 30, note: '7 of 100', ms: 1000 },
    ],
    ['reading  0:00  2.0 MiB on disk', { spilled: 2 << 20 }],
  ])('%s', (line, state) => {
    expect(progressLine({ ...none, ...state }, 200)).toBe(line);
  });

  it('is shorter than the terminal is wide', () => {
    const numbers = fc.record({ units: fc.nat(), share: fc.nat(), total: fc.nat(), ms: fc.nat(), spilled: fc.nat() });
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 120 }), (state, columns) => {
        expect(progressLine({ ...none, ...state }, columns).length).toBeLessThan(columns);
      }),
    );
  });

  it.each([
    [0, '0:00'],
    [59_999, '0:59'],
    [60_000, '1:00'],
    [3_599_000, '59:59'],
    [3_600_000, '1:00:00'],
    [36_061_000, '10:01:01'],
  ])('%d ms are %s', (ms, text) => expect(clock(ms)).toBe(text));
});

/** A progress on its own terminal, with a clock that stands still until it is set. */
function shown() {
  const writes: string[] = [];
  const time = { now: 0 };
  const terminal = { isTTY: true, columns: 80, write: (text: string) => writes.push(text), on: () => undefined };
  const line = new StatusLine(terminal);
  const progress = new ShownProgress(line, () => time.now);
  return { progress, line, time, writes };
}

describe('a progress that is shown', () => {
  it('is not shown in the first second', async () => {
    const { progress, time, writes } = shown();
    progress.begin({ name: 'reading', unit: 'lines' });
    for (; time.now < 1000; time.now += 50) progress.add(10);
    expect(writes).toEqual([]);
    progress.add(1);
    expect(writes.join('')).toContain('reading  201 lines');
    await progress.finish();
  });

  it('is drawn ten times a second at most, and gone at the end', async () => {
    const { progress, time, writes } = shown();
    progress.begin({ name: 'reading', unit: 'lines' });
    for (; time.now < 3000; time.now++) progress.add(1);
    expect(writes.length).toBe(20);
    await progress.finish();
    expect(writes.length).toBe(21);
    expect(leftOn(writes.join(''))).toBe('');
  });

  it('waits until a line of other output is complete', async () => {
    const { progress, line, time, writes } = shown();
    progress.begin({ name: 'reading' });
    line.giveWay('half a line');
    time.now = 2000;
    progress.tick();
    expect(writes).toEqual([]);
    line.giveWay('and its end\n');
    time.now = 2100;
    progress.tick();
    expect(writes.length).toBe(1);
    line.giveWay(Buffer.from('another\n'));
    expect(leftOn(writes.join(''))).toBe('');
    await progress.finish();
  });

  it('adds up the times and units of a repeated phase', async () => {
    const { progress, time } = shown();
    for (const units of [3, 4]) {
      progress.begin({ name: 'counting', unit: 'instances' });
      time.now += 250;
      progress.add(units);
      progress.begin({ name: 'eliminating' });
      time.now += 1000;
    }
    await progress.finish();
    expect(progress.report()).toBe('counting         0.50 s  7 instances\neliminating      2.00 s\n');
  });

  it('leaves no handler for Ctrl-C', async () => {
    const before = process.listenerCount('SIGINT');
    const { progress, time } = shown();
    progress.begin({ name: 'reading' });
    time.now = 2000;
    progress.tick();
    expect(process.listenerCount('SIGINT')).toBe(before + 1);
    await progress.finish();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });
});

/** The first lines of the log; once a newline is typed, the rest if `then` is to read it. */
const inTwo = (lines: number, then = ':') => `stty -echo; { head -n ${lines} '${log}'; read _; ${then}; }`;

/** Types a newline when a text was drawn so often. */
function typesAfter(text: string, times: number): NonNullable<TerminalOptions['onScreen']> {
  let typed = false;
  return (screen, type) => {
    if (typed || drawnOn(screen).filter((line) => line.startsWith(text)).length < times) return;
    typed = true;
    type('\n');
  };
}

/** The log in two pieces, more than a second apart. */
const slowly = `{ head -n 1000 '${log}'; sleep 1.6; tail -n +1001 '${log}'; }`;

describe.skipIf(!HAS_TERMINALS)('on a terminal', { timeout: 60_000 }, () => {
  it('a longer run shows how far it is, within the width, and leaves only its final output', async () => {
    const command = `${inTwo(1000, `tail -n +1001 '${log}'`)} | dustbuster mine -o long.json --top 0`;
    const onScreen = typesAfter('reading  1,000 lines', 3);
    const { code, screen } = await onTerminal(command, { cwd: folder, columns: 24, onScreen });
    expect(code).toBe(0);
    const drawn = drawnOn(screen);
    expect(Math.max(...drawn.map((text) => text.length))).toBe(23);
    const { stderr } = await run(['mine', '-o', 'long.json', '--top', '0'], { cwd: folder, input: readFileSync(log) });
    expect(leftOn(screen)).toBe(`223 likely rules and 24 candidates\nWritten to long.json\n${stderr}`);
  });

  const silencers: [words: string, env: Readonly<Record<string, string>>][] = [
    ['--no-progress', {}],
    ['-q', {}],
    ['2> messages.txt', {}],
    ['', { TERM: 'dumb' }],
  ];
  it.each(rows(silencers, 3))('%s %j: none', async (words, env) => {
    const { screen } = await onTerminal(`${slowly} | dustbuster mine -o none.json ${words}`, { cwd: folder, env });
    expect(screen).not.toMatch(/reading|\[\?7l/);
  });

  it('the line is erased before an error', async () => {
    const broken = `${inTwo(100)} | dustbuster mine -o /nowhere/rules.json`;
    const { code, screen } = await onTerminal(broken, { cwd: folder, onScreen: typesAfter('reading', 1) });
    expect(code).toBe(2);
    expect(leftOn(screen)).toMatch(/^dustbuster: cannot write \/nowhere\/rules\.json: .*\n$/);
  });

  it('Ctrl-C erases the line, and ends the process as usual', async () => {
    let typed = false;
    const { code, screen } = await onTerminal(`{ head -n 1000 '${log}'; sleep 20; } | dustbuster mine -o cut.json`, {
      cwd: folder,
      onScreen(text, type) {
        if (typed || !text.includes('reading')) return;
        typed = true;
        type('\u0003');
      },
    });
    expect(code).toBe(130);
    expect(leftOn(screen).replace('^C', '').trim()).toBe('');
  });
});

describe('elsewhere', { timeout: 30_000 }, () => {
  it('progress is shown only on request, as a line for each phase', async () => {
    const silent = await run(['mine', log, '-o', 'a.json', '--top', '0'], { cwd: folder });
    expect(silent.stderr).not.toContain('reading');
    const asked = await run(['mine', log, '-o', 'a.json', '--top', '0', '--progress'], { cwd: folder });
    expect(asked.stderr).toMatch(/^reading +\d+\.\d\d s {2}3,388 lines$/m);
    expect(asked.stderr).toMatch(/^ranking +\d+\.\d\d s {2}247 rules$/m);
    expect(asked.stderr).not.toContain('\u001b');
  });
});
