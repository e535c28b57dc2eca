// Night after night with --state, compared with one run over all of it.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { realEffects } from '../../../../src/base/effects.js';
import type { MineFlags } from '../../../../src/cli/flags/mine.js';
import { openNightly, type ReadInputs } from '../../../../src/cli/run/mine/state.js';
import { fileInput } from '../../../../src/log/inputs.js';
import { createReadReport, readRecords } from '../../../../src/log/read.js';
import { readRules } from '../../../../src/rule/file.js';
import { sayingKey } from '../../../../src/rule/identity.js';
import type { MineOptions } from '../../../../src/rule/rule.js';
import { plainOptions } from '../../../log/reading.js';
import { fixtureLines, night, rulesText } from './nights.js';
import { scratchFolder } from '../../process.js';
import { amount, isAll } from '../../../amount.js';

let scratch: ReturnType<typeof scratchFolder>;
beforeAll(() => (scratch = scratchFolder()));
afterAll(() => scratch.remove());

let folders = 0;
function newFolder(): string {
  const path = join(scratch.path, String(folders++));
  mkdirSync(path);
  return path;
}

const lines = fixtureLines(400);
const log = lines.join('');

/** The rules file of one run over all of `text`. */
async function rulesOfOne(text: string, ...args: string[]): Promise<string> {
  const cwd = newFolder();
  writeFileSync(join(cwd, 'all.log'), text, 'latin1');
  expect((await night(cwd, ['all.log', '-q', ...args])).code).toBe(0);
  return rulesText(join(cwd, 'dustbuster-rules.json'));
}

/** One more night; the rules after it. */
async function fold(cwd: string, name: string, text: string | Buffer, day: number, ...args: string[]) {
  writeFileSync(join(cwd, name), typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  const { code, stderr } = await night(cwd, ['--state', 'S', name, ...args], day);
  // 3: a truncated line is unreadable.
  if (code !== 3) expect([code, stderr]).toEqual([0, stderr]);
  return { rules: rulesText(join(cwd, 'dustbuster-rules.json')), stderr };
}

const inputsIn = (cwd: string) =>
  readRules(readFileSync(join(cwd, 'dustbuster-rules.json')), 'rules').inputs.map(({ name, lines: n }) => [name, n]);

const runsIn = (cwd: string) => readdirSync(join(cwd, 'S/runs')).sort();

describe('nights are one log', () => {
  test('whatever the nights, their compression, and however little memory there is', async () => {
    const whole = await rulesOfOne(log);
    expect(whole).toContain('"support"');
    const cuts = fc.array(fc.integer({ min: 1, max: lines.length - 1 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.constantFrom('64k', '64m'), async (at, memory) => {
        const cwd = newFolder();
        const ends = [...new Set(at)].sort((a, b) => a - b).concat(lines.length);
        let rules = '';
        for (const [k, end] of ends.entries()) {
          const text = lines.slice(ends[k - 1] ?? 0, end).join('');
          const bytes = k % 2 === 0 ? text : gzipSync(Buffer.from(text, 'latin1'));
          ({ rules } = await fold(cwd, `${k}.log`, bytes, k, '--memory', memory));
        }
        expect(rules).toBe(whole);
      }),
      { numRuns: amount(5, 2) },
    );
  });

  test('of ten nights and more, some runs are merged', async () => {
    const cwd = newFolder();
    for (let k = 0; k < 10; k++) await fold(cwd, 'x.log', lines.slice(40 * k, 40 * k + 40).join(''), k);
    expect(runsIn(cwd)).toEqual(['10.run', '11.run', '9.run']);
    expect(rulesText(join(cwd, 'dustbuster-rules.json'))).toBe(await rulesOfOne(log));
  });

  test('a log that grows is continued, wherever it was cut, and whatever its name the next night', async () => {
    const whole = await rulesOfOne(log);
    const cuts = fc.array(fc.integer({ min: 0, max: log.length }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const cwd = newFolder();
        const ends = at.sort((a, b) => a - b).concat(log.length);
        let rules = '';
        for (const [k, end] of ends.entries()) {
          if (end === 0) continue;
          const text = Buffer.from(log.slice(0, end), 'latin1');
          ({ rules } = await fold(cwd, `${k % 3}.log`, k % 3 === 2 ? gzipSync(text) : text, k));
        }
        expect(rules).toBe(whole);
        const counted = inputsIn(cwd).reduce((sum, [, count]) => sum + Number(count), 0);
        expect(counted).toBe(lines.length);
      }),
      { numRuns: amount(8, 2) },
    );
  });

  test('a growing table is read with the header at its start', async () => {
    const rows = Array.from({ length: 90 }, (_, k) => `${k}\thttp://h.de/${k % 30}${['', '.html', '/'][k % 3]}\n`);
    const table = `size\turl\n${rows.join('')}`;
    const whole = await rulesOfOne(table);
    const cwd = newFolder();
    for (const [k, end] of [200, 900, 907, table.length].entries()) await fold(cwd, 't', table.slice(0, end), k);
    expect(rulesText(join(cwd, 'dustbuster-rules.json'))).toBe(whole);
  });

  test('a sitemap is not a log: it is recognized only as a whole', async () => {
    const locs = Array.from({ length: 20 }, (_, k) => `<url><loc>http://h.de/${k}</loc></url>`).join('');
    const map = `<urlset>${locs}<url><loc>http://h.de/x</loc></url></urlset>`;
    const more = map.replace('</urlset>', '<url>\n<loc>http://h.de/0.html</loc></url></urlset>');
    const cwd = newFolder();
    await fold(cwd, 'a.xml', map, 0);
    expect(inputsIn(cwd)).toEqual([['a.xml', 21]]);
    const { stderr } = await fold(cwd, 'b.xml', map, 1);
    expect(stderr).toContain('b.xml: known since the night of 2026-01-01');
    const { rules } = await fold(cwd, 'a.xml', more, 2);
    expect(inputsIn(cwd)).toEqual([
      ['a.xml', 21],
      ['a.xml', 22],
    ]);
    expect(rules).toBe(await rulesOfOne(more));
  });

  test('a last line without a newline counts, until it is continued', async () => {
    const cwd = newFolder();
    const urls = Array.from({ length: 30 }, (_, k) => `http://h.de/${k}\n`).join('');
    await fold(cwd, 'u', `${urls}http://h.de/unfinish`, 0);
    expect(inputsIn(cwd)).toEqual([['u', 31]]);
    expect(readRules(readFileSync(join(cwd, 'dustbuster-rules.json')), '').urls).toBe(31);
    await fold(cwd, 'v', `${urls}http://h.de/unfinished/still`, 1);
    expect(readRules(readFileSync(join(cwd, 'dustbuster-rules.json')), '').urls).toBe(31);
    const { rules } = await fold(cwd, 'w', `${urls}http://h.de/unfinished/still/not\nhttp://h.de/x`, 2);
    expect(rules).toBe(await rulesOfOne(`${urls}http://h.de/unfinished/still/not\nhttp://h.de/x`));
    expect(inputsIn(cwd)).toEqual([
      ['u', 30],
      ['v', 0],
      ['w', 2],
    ]);
  });
});

describe('rules of nights', () => {
  test('have a history: first seen one night, supported in the next, gone with the log', async () => {
    const cwd = newFolder();
    const rulesIn = () => readRules(readFileSync(join(cwd, 'dustbuster-rules.json')), 'rules');
    await fold(cwd, 'a.log', log, 0);
    const first = rulesIn();
    expect(first.night).toBe('2026-01-01');
    expect(first.rules.length).toBeGreaterThan(0);
    await fold(cwd, 'b.log', log.replaceAll(' /', ' /copy/'), 2);
    const said = new Map(rulesIn().rules.map((rule) => [sayingKey(rule), rule.history]));
    for (const rule of first.rules) {
      expect(rule.history).toMatchObject({ firstSeen: '2026-01-01', lastSupported: '2026-01-01' });
      const later = said.get(sayingKey(rule));
      if (later !== undefined) expect(later).toMatchObject({ firstSeen: '2026-01-01', lastSupported: '2026-01-03' });
    }
    expect(first.rules.some((rule) => said.has(sayingKey(rule)))).toBe(true);
    expect([...said.values()].some((history) => history?.firstSeen === '2026-01-03')).toBe(true);
  });

  test('--now sets the night of both the state and the histories', async () => {
    const cwd = newFolder();
    await fold(cwd, 'a.log', log, 0, '--now', '2026-03-05');
    expect(readRules(readFileSync(join(cwd, 'dustbuster-rules.json')), 'rules').night).toBe('2026-03-05');
    const { stderr } = await fold(cwd, 'a.log', log, 0, '--now', '2026-03-06');
    expect(stderr).toContain('known since the night of 2026-03-05');
  });
});

describe('the same log again', () => {
  test('under any name, packed or from a pipe, changes nothing and is reported as known', async () => {
    const cwd = newFolder();
    await fold(cwd, 'a.log', log, 0);
    const path = join(cwd, 'dustbuster-rules.json');
    const before = readFileSync(path);
    const state = readFileSync(join(cwd, 'S/state.json'));
    // In the same night the same bytes, later the same except for the date.
    expect((await night(cwd, ['--state', 'S', 'a.log'])).code).toBe(0);
    expect(readFileSync(path)).toEqual(before);
    const mined = rulesText(path);
    const again = await fold(cwd, 'b.log.gz', gzipSync(Buffer.from(log, 'latin1')), 3);
    expect(again.stderr).toContain('dustbuster: b.log.gz: known since the night of 2026-01-01, not read again\n');
    for (const args of [['-'], []]) {
      rmSync(path);
      const { code, stderr } = await night(cwd, ['--state', 'S', ...args], 4, Buffer.from(log, 'latin1'));
      expect(code).toBe(args.length === 0 ? 0 : 3);
      expect(stderr.includes('-: known since the night of 2026-01-01')).toBe(args.length > 0);
      expect(rulesText(path)).toBe(mined);
    }
    expect(readFileSync(join(cwd, 'S/state.json'))).toEqual(state);
    expect(sealedRules(cwd)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });

  test('named twice in one run, is read once', async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'copy.log'), log, 'latin1');
    const { stderr } = await fold(cwd, 'a.log', log, 0, 'copy.log');
    expect(stderr).toContain('copy.log: known since the night of 2026-01-01');
    expect(inputsIn(cwd)).toEqual([['a.log', 400]]);
  });

  test('with a longer copy of it in the same run, reads no line twice', async () => {
    const cwd = newFolder();
    const cut = log.length - 40;
    writeFileSync(join(cwd, 'a.log'), log.slice(0, cut), 'latin1');
    const { rules } = await fold(cwd, 'b.log', log, 0, 'a.log');
    expect(rules).not.toBe(''); // in this order the shorter one is not recognized as a part of the longer one
    const other = newFolder();
    writeFileSync(join(other, 'a.log'), log.slice(0, cut), 'latin1');
    writeFileSync(join(other, 'b.log'), log, 'latin1');
    await night(other, ['--state', 'S', 'a.log', 'b.log']);
    expect(inputsIn(other).reduce((sum, [, count]) => sum + Number(count), 0)).toBe(400);
    expect(rulesText(join(other, 'dustbuster-rules.json'))).toBe(await rulesOfOne(log));
  });

  test('that was cut off says so again, and continues where it was intact', async () => {
    const cwd = newFolder();
    const packed = gzipSync(Buffer.from(log, 'latin1'));
    writeFileSync(join(cwd, 'a.gz'), packed.subarray(0, packed.length / 2));
    for (const day of [0, 1]) {
      const { code, stderr } = await night(cwd, ['--state', 'S', 'a.gz'], day);
      expect(code).toBe(3);
      expect(stderr).toContain('a.gz: the gzip data ends too early; what could be read was kept');
    }
    const { rules, stderr } = await fold(cwd, 'a.gz', packed, 2);
    expect(stderr).toContain('a.gz: begins with what was read in the night of 2026-01-01');
    expect(rules).toBe(await rulesOfOne(log));
  });
});

describe('--keep', () => {
  test('drops older nights, and the table is that of the remaining ones', async () => {
    const cwd = newFolder();
    const part = (k: number) => lines.slice(60 * k, 60 * k + 60).join('');
    for (let k = 0; k < 6; k++) await fold(cwd, `${k}.log`, part(k), 7 * k, '--keep', '2w');
    expect(inputsIn(cwd).map(([name]) => name)).toEqual(['3.log', '4.log', '5.log']);
    expect(rulesText(join(cwd, 'dustbuster-rules.json'))).toBe(await rulesOfOne([3, 4, 5].map(part).join('')));
    expect(runsIn(cwd)).toHaveLength(3);
    // What was dropped is forgotten too: it is new when it comes again.
    const { stderr } = await fold(cwd, '0.log', part(0), 36, '--keep', '2w');
    expect(stderr).not.toContain('known since');
    // Nights are dropped even if there is no input.
    const { code } = await night(cwd, ['--state', 'S', '--keep', '1d'], 60);
    expect(code).toBe(0);
    expect(inputsIn(cwd)).toEqual([]);
    expect(runsIn(cwd)).toEqual([]);
  });

  test('a night without a new line is said with code 3, and drops nothing; not a second run in one night', async () => {
    const cwd = newFolder();
    await fold(cwd, 'a.log', lines.slice(0, 200).join(''), 0, '--keep', '30d');
    const before = readFileSync(join(cwd, 'dustbuster-rules.json'), 'utf8');
    const args = ['--state', 'S', 'a.log', '--keep', '30d', '-q'];
    expect(await night(cwd, args, 0)).toMatchObject({ code: 0, stderr: '' });
    for (const [day, ago] of [
      [1, '1 day ago'],
      [45, '45 days ago'],
    ] as const) {
      const { code, stderr } = await night(cwd, args, day);
      expect([code, stderr]).toEqual([
        3,
        expect.stringContaining(`no new line since the night of 2026-01-01, ${ago}; expected some every night`),
      ]);
      expect(inputsIn(cwd).map(([name]) => name)).toEqual(['a.log']);
      expect(rulesText(join(cwd, 'dustbuster-rules.json')).length).toBeGreaterThan(1000);
    }
    expect(before.length).toBeGreaterThan(1000);
    writeFileSync(join(cwd, 'a.log'), lines.join(''));
    expect(await night(cwd, args, 46)).toMatchObject({ code: 0, stderr: '' });
  });

  test('a clock that was set back is reported, and drops nothing', async () => {
    const cwd = newFolder();
    await fold(cwd, 'a.log', lines.slice(0, 200).join(''), 200, '--keep', '30d');
    const { stderr, rules } = await fold(cwd, 'b.log', lines.slice(200).join(''), 100, '--keep', '30d');
    expect(stderr).toContain(
      'S/state.json: the clock says 2026-04-11, but the state already has the night of 2026-07-20: new records count as of',
    );
    expect(rules).toBe(await rulesOfOne(log));
  });

  test.each([
    ['(2026-01-01): --keep would drop all nights of ', ['--keep', '30d']],
    ['(2026-01-01); expected a night within a year of it', []],
  ])('a night from the future is refused, and drops nothing: %s', async (harm, keep) => {
    const cwd = newFolder();
    await fold(cwd, 'a.log', lines.slice(0, 200).join(''), 0, ...keep);
    const before = readFileSync(join(cwd, 'S/state.json'));
    const args = ['--state', 'S', 'a.log', ...keep];
    const { code, stderr } = await night(cwd, args, 26_700);
    expect([code, stderr]).toEqual([2, expect.stringContaining(harm)]);
    expect(stderr).toMatch(
      /got the night of 2099-\d\d-\d\d, 26700 days after the last one \(2026-01-01\).* say --now 2099/,
    );
    expect(readFileSync(join(cwd, 'S/state.json')).equals(before)).toBe(true);
    writeFileSync(join(cwd, 'a.log'), log, 'latin1');
    expect((await night(cwd, [...args, '--now', '2099-02-06'], 26_700)).code).toBe(0);
  });

  test.each([
    [['--keep', '30'], '--keep 30: got no state to keep nights in, expected --state FOLDER with it'],
    [['--state', 'S', '--keep', '30'], '--keep: got "30", expected a number of days or weeks such as 30d or 4w'],
  ])('%j is refused', async (args, message) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'a.log'), log, 'latin1');
    const { code, stderr } = await night(cwd, [...args, 'a.log']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(join(cwd, 'S'))).toBe(false);
  });
});

/** What the state in `cwd` keeps of the rules file. */
function sealedRules(cwd: string): unknown {
  return (JSON.parse(readFileSync(join(cwd, 'S/rules.json'), 'utf8')) as { content: unknown }).content;
}

describe('refused', () => {
  let made: string;
  beforeAll(async () => {
    made = newFolder();
    await fold(made, 'a.log', lines.slice(0, 300).join(''), 0);
    await fold(made, 'b.log', lines.slice(300).join(''), 1);
  });

  /** A copy of the state, changed, and a run on it. */
  async function changed(change: (state: string) => void, ...args: string[]) {
    const cwd = newFolder();
    cpSync(join(made, 'S'), join(cwd, 'S'), { recursive: true });
    writeFileSync(join(cwd, 'c.log'), 'http://h.de/\n');
    change(join(cwd, 'S'));
    const { code, stderr } = await night(cwd, ['--state', 'S', 'c.log', ...args], 2);
    return { cwd, code, stderr };
  }

  test.each([
    ['--base', 'http://x.de', /S was made with --base none: got --base http:\/\/x\.de, expected the same/],
    ['--scheme', 'https', /made with --scheme http: got --scheme https/],
    ['--normalize', 'none', /made with --normalize safe: got --normalize none/],
    ['--site', 'host', /made with --site domain: got --site host/],
    ['--max-url-length', '99', /made with --max-url-length 2048: got --max-url-length 99/],
  ])('are changed options: %s %s', async (name, value, message) => {
    const { code, stderr } = await changed(() => {}, name, value);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test('rules that an earlier version kept without a seal are read, and sealed', async () => {
    const { cwd, code } = await changed((state) => {
      const path = join(state, 'rules.json');
      writeFileSync(path, JSON.stringify(sealedRules(dirname(state))));
    });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, 'S/rules.json'), 'utf8')).toMatch(
      /^\{"format":"dustbuster-state-rules","version":1,"sha256":"[0-9a-f]{64}","content":/,
    );
  });

  test('but not options that do not concern mining: they may differ from night to night', async () => {
    const { code } = await changed(() => {}, '--MS', '9', '--no-parameters');
    expect(code).toBe(0);
  });

  test.each<[string, (state: string) => void, RegExp]>([
    ['a run that is missing', (state) => rmSync(join(state, 'runs/1.run')), /runs\/1\.run: it is missing/],
    ['no state.json', (state) => rmSync(join(state, 'state.json')), /has no state\.json but rules\.json/],
    [
      'runs alone',
      (state) => ['state.json', 'rules.json'].forEach((name) => rmSync(join(state, name))),
      /state\.json is missing while its runs are there/,
    ],
    [
      'a half state.json',
      (state) => writeFileSync(join(state, 'state.json'), '{"format"'),
      /is damaged or something else/,
    ],
    [
      'another version',
      (state) => {
        const path = join(state, 'state.json');
        writeFileSync(path, readFileSync(path, 'utf8').replace('"version":3', '"version":4'));
      },
      /got version 4, expected 3/,
    ],
    [
      'one letter of rules.json changed',
      (state) => {
        const path = join(state, 'rules.json');
        writeFileSync(path, readFileSync(path, 'utf8').replace('"rank":1', '"rank":7'));
      },
      /rules\.json is damaged: its content does not match its checksum/,
    ],
  ])('is a state with %s, which is left as it is', async (_, change, message) => {
    const { cwd, code, stderr } = await changed(change);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(join(cwd, 'dustbuster-rules.json'))).toBe(false);
    expect(readdirSync(join(cwd, 'S')).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  test('is a folder of other files, and a file', async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, 'photos'));
    writeFileSync(join(cwd, 'photos/cat.jpg'), 'cat');
    writeFileSync(join(cwd, 'a.log'), log, 'latin1');
    const folder = await night(cwd, ['--state', 'photos', 'a.log']);
    expect([folder.code, folder.stderr]).toEqual([
      2,
      expect.stringContaining('has no state.json but cat.jpg; expected the folder'),
    ]);
    const file = await night(cwd, ['--state', 'a.log', 'a.log']);
    expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('a part of its path is no folder (ENOTDIR)')]);
    expect(readdirSync(join(cwd, 'photos'))).toEqual(['cat.jpg']);
  });

  test('is a night without readable input: the state is as before', async () => {
    const before = readFileSync(join(made, 'S/state.json'));
    writeFileSync(join(made, 'empty.log'), '');
    mkdirSync(join(made, 'more'), { recursive: true });
    const { code, stderr } = await night(made, ['--state', 'S', 'no-such.log'], 5);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no file matches "no-such.log"')]);
    expect(readFileSync(join(made, 'S/state.json'))).toEqual(before);
    expect((await night(made, ['--state', 'S', 'empty.log'], 5)).code).toBe(3);
    expect(readFileSync(join(made, 'S/state.json'))).toEqual(before);
  });

  test.each([['-o'], ['--rejects']])('is a result inside the state: %s', async (option) => {
    const before = readFileSync(join(made, 'S/state.json'));
    const { code, stderr } = await night(made, ['--state', 'S', option, 'S/state.json', 'a.log'], 5);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('S/state.json is in the folder of the state; expected'),
    ]);
    expect(readFileSync(join(made, 'S/state.json'))).toEqual(before);
  });

  test('is a log that was rotated while it was read, but not one that grew', async () => {
    const cwd = newFolder();
    const path = join(cwd, 'a.log');
    const readWhile = async (change: () => void) => {
      writeFileSync(path, log, 'latin1');
      const flags = { state: 'S', normalize: 'safe' } as MineFlags;
      const options = { base: null, scheme: 'http', site: 'domain', maxUrlLength: 2048 } as MineOptions;
      const stderr = new PassThrough().resume();
      const effects = { ...realEffects(), stdin: process.stdin, stdout: process.stdout, stderr, cwd };
      const nightly = (await openNightly(['a.log'], flags, options, effects))!;
      const limits = { memoryBytes: 1 << 20, tmpdir: cwd };
      const read: ReadInputs = async (inputs, add) => {
        change();
        const report = createReadReport();
        for await (const batch of readRecords(inputs, { ...plainOptions, normalize: 'safe' }, report)) {
          add(batch, report.inputs.length);
        }
        return report;
      };
      const work = { read, format: {}, limits, stats: { runs: 0, bytes: 0 }, isQuiet: true };
      return nightly.add([fileInput('a.log', path)], work).finally(() => nightly.close());
    };
    const rotate = () => {
      renameSync(path, join(cwd, 'a.log.1'));
      writeFileSync(path, log.slice(1000), 'latin1');
    };
    await expect(readWhile(rotate)).rejects.toThrow(/a\.log was replaced or cut off while it was read.*run again/);
    await expect(readWhile(() => truncateSync(path, 5000))).rejects.toThrow(/Nothing of tonight was kept/);
    expect(runsIn(cwd)).toEqual([]);
    const { tonight } = await readWhile(() => appendFileSync(path, log));
    expect(tonight.inputs.map(({ lines: n }) => n)).toEqual([lines.length]);
  });

  test('is an empty state without a log: standard input is read only if it is named', async () => {
    const cwd = newFolder();
    const { code, stderr } = await night(cwd, ['--state', 'S']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('got no input and an empty state; expected a log, or -'),
    ]);
    expect((await night(cwd, ['--state', 'S', '-'], 0, log)).code).toBe(0);
  });

  test('or the right result: every file of a state cut at every byte, and with any byte changed', async () => {
    const cwd = newFolder();
    const urls = Array.from({ length: 9 }, (_, k) => `http://h.de/${k}\nhttp://h.de/${k}.html\n`);
    await fold(cwd, 'a', urls.slice(0, 4).join(''), 0, '--min-site-urls', '0');
    const { rules: right } = await fold(cwd, 'b', urls.slice(4).join('').slice(0, -1), 1, '--min-site-urls', '0');
    expect(right).toContain('"from":".html"');
    const outcomes = { right: 0, refused: 0 };
    for (const name of ['state.json', 'runs/1.run', 'runs/2.run']) {
      const path = join(cwd, 'S', name);
      const whole = readFileSync(path);
      const check = async (bytes: Buffer) => {
        writeFileSync(path, bytes);
        rmSync(join(cwd, 'dustbuster-rules.json'), { force: true });
        const { code } = await night(cwd, ['--state', 'S', '-q', '--min-site-urls', '0'], 1);
        outcomes[code === 0 ? 'right' : 'refused']++;
        if (code === 0) expect(rulesText(join(cwd, 'dustbuster-rules.json'))).toBe(right);
        else expect(code).toBe(2);
        if (code === 2) expect(existsSync(join(cwd, 'dustbuster-rules.json'))).toBe(false);
      };
      const step = (name === 'state.json' ? 37 : 11) * (isAll ? 1 : 5);
      for (let k = 0; k < whole.length; k += step) {
        await check(whole.subarray(0, k));
        const other = Buffer.from(whole);
        other[k]! ^= 1 << (k % 7);
        await check(other);
      }
      writeFileSync(path, whole);
    }
    expect(outcomes.refused).toBeGreaterThan(amount(100, 5));
  }, 60_000);
});

test('files of a run that was killed are removed by the next', async () => {
  const cwd = newFolder();
  await fold(cwd, 'a.log', log, 0);
  for (const name of ['runs/2.run', 'runs/3.run.part', 'state.json.part', 'sites.run.part'])
    writeFileSync(join(cwd, 'S', name), 'x');
  writeFileSync(join(cwd, 'S/runs/notes.txt'), 'mine');
  appendFileSync(join(cwd, 'a.log'), lines[0]!, 'latin1');
  expect((await night(cwd, ['--state', 'S', 'a.log'], 1)).code).toBe(0);
  expect(runsIn(cwd)).toEqual(['1.run', '2.run', 'notes.txt']);
  expect(readdirSync(join(cwd, 'S')).sort()).toEqual(['rules.json', 'runs', 'sites.run', 'state.json', 'values.json']);
});
