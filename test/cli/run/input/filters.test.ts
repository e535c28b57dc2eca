// Filters and format strings through the program: what is in the rules file, and errors for wrong ones.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Effects } from '../../../../src/base/effects.js';
import { filterOptions, parseWhen, recordedFilters } from '../../../../src/cli/run/input/filters.js';
import { readRules } from '../../../../src/rule/file.js';
import { FIXTURES, run, scratchFolder } from '../../process.js';

const log = join(FIXTURES, 'access.log');
let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

// Each starts the program, on a machine that may be busy.
const patience = { timeout: 30_000 };

const at = (name: string) => join(folder.path, name);

test('a rules file says which records it was mined from', patience, async () => {
  const filters = ['--since', '2012-01-01', '--host', '*example.test', '--exclude', '*.gif', '--only-documents'];
  const { code, stderr } = await run(['mine', log, '-o', at('rules.json'), '--bots', 'only', ...filters]);
  expect(code, stderr).toBe(0);
  const file = readRules(readFileSync(at('rules.json')), 'rules.json');
  expect(file.options.filters).toEqual({
    since: '2012-01-01T00:00:00.000Z',
    hosts: ['*example.test'],
    exclude: ['*.gif'],
    onlyDocuments: true,
    bots: 'only',
  });
  const [input] = file.inputs;
  const dropped = Object.values(input!.dropped).reduce((sum, count) => sum + count, 0);
  expect(input!.dropped).toHaveProperty('not-a-document');
  expect(input!.records + dropped).toBe(input!.lines);
  expect(input!.records).toBeGreaterThan(1000);
});

test('a log is read the same by the format string of the server as by the name of its format', patience, async () => {
  const string = String.raw`LogFormat "%V:%p %h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\"" vhost_body`;
  const likely = async (...flags: string[]) =>
    (await run(['mine', log, '--stage', 'likely', '--tsv', ...flags])).stdout;
  const [named, described, nicknamed] = await Promise.all([
    likely('--format', 'vhost'),
    likely('--log-format', string),
    likely('--log-format', 'vhost_combined'),
  ]);
  expect(named!.length).toBeGreaterThan(1000);
  expect(described!.equals(named!)).toBe(true);
  expect(nicknamed!.equals(named!)).toBe(true);
});

test.each([
  [['--log-format', '%h %{Host'], /the brace has no end; expected }, at character 5:/],
  [['--log-format', '%h %b'], /no word of "%h %b" gives the URL/],
  [['--log-format', '%U', '--format', 'urls'], /got --log-format and --format; expected one of them/],
  [['--since', 'soon'], /--since: got "soon", expected a day or a time/],
  [['--bots', 'some'], /--bots: got "some", expected all, only, none/],
  [['--include', '/[b-a]'], /got the glob "\/\[b-a\]"/],
  [['--columns', 'url=1,host=h'], /--columns: got host=h beside numbers/],
])('wrong usage is told: %j', patience, async (flags, message) => {
  const { code, stderr } = await run(['mine', log, '-o', at('none.json'), ...flags]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('--bots on a log without user agents says so, and what to do', patience, async () => {
  const common = join(FIXTURES, 'small', 'common.log');
  const { stderr } = await run(['mine', common, '-o', at('bots.json'), '--bots', 'none']);
  expect(stderr).toMatch(/common\.log: \d+ of \d+ records \(common\) have no user agent for --bots; leave --bots out/);
  const combined = join(FIXTURES, 'small', 'combined.log');
  expect((await run(['mine', combined, '-o', at('bots.json'), '--bots', 'none'])).stderr).not.toContain(
    'no user agent',
  );
});

const now = new Date('2026-11-21T12:00:00Z');
const effects = { now: () => now } as Effects;

test.each([
  ['2026-11-01', '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2026-11-01T12:00', '2026-11-01T12:00:00.000Z', '2026-11-01T12:00:00.000Z'],
  ['2026-11-01 12:00:30', '2026-11-01T12:00:30.000Z', '2026-11-01T12:00:30.000Z'],
  ['2026-11-01T12:00+01:00', '2026-11-01T11:00:00.000Z', '2026-11-01T11:00:00.000Z'],
  ['7d', '2026-11-14T12:00:00.000Z', '2026-11-14T12:00:00.000Z'],
  ['24h', '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000Z'],
  ['90m', '2026-11-21T10:30:00.000Z', '2026-11-21T10:30:00.000Z'],
  ['2w', '2026-11-07T12:00:00.000Z', '2026-11-07T12:00:00.000Z'],
])('--since %s is %s, --until %s', (text, since, until) => {
  expect(new Date(parseWhen('--since', text, now)).toISOString()).toBe(since);
  expect(new Date(parseWhen('--until', text, now)).toISOString()).toBe(until);
});

test.each([
  '',
  'yesterday',
  '7',
  '7 d',
  '2026',
  '2026-13',
  '2026-11-31',
  '10/Oct/2000',
  '1699999999',
  '2026-11-01T25:00',
])('%j is not a time', (text) => {
  expect(() => parseWhen('--since', text, now)).toThrow(/--since: got ".*", expected a day or a time as in 2026-11-01/);
});

test('flags become the filter of a run, which the rules file records', () => {
  const { filters } = filterOptions({ since: '7d', until: '2026-11-20', host: ['*.h.de'], bots: 'none' }, effects);
  expect(filters).toEqual({
    since: Date.parse('2026-11-14T12:00:00Z'),
    until: Date.parse('2026-11-21T00:00:00Z'),
    hosts: ['*.h.de'],
    bots: 'none',
  });
  expect(recordedFilters(filters)).toEqual({
    filters: {
      since: '2026-11-14T12:00:00.000Z',
      until: '2026-11-21T00:00:00.000Z',
      hosts: ['*.h.de'],
      bots: 'none',
    },
  });
  expect(filterOptions({ bots: 'all' }, effects)).toEqual({});
  expect(recordedFilters(undefined)).toEqual({});
});

test('an empty time window and an invalid glob are reported', () => {
  expect(() => filterOptions({ since: '2026-11-02', until: '2026-11-01' }, effects)).toThrow(/nothing is left/);
  expect(() => filterOptions({ include: ['/[b-a]'] }, effects)).toThrow(/got the glob/);
  expect(filterOptions({ since: '2026-11-01', until: '2026-11-01' }, effects).filters).toBeDefined();
});
