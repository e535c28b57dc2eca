import { expect, test } from 'vitest';
import type { Effects } from '../../../../src/base/effects.js';
import { filterOptions, recordedFilters } from '../../../../src/cli/run/input/filters.js';
import { parseWhen } from '../../../../src/cli/run/input/when.js';

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
