// On which share of the hosts does a statement hold, and on this host?
import { describe, expect, test } from 'vitest';
import { posterior, Shares, type HostFindings } from '../../../src/mine/hosts/share.js';
import { LEVELS } from '../../../src/table/nearness.js';

const levels = (counts: Readonly<Record<number, number>>) =>
  Array.from({ length: LEVELS }, (_, level) => counts[level] ?? 0);
const APART = levels({ 5: 3, 6: 20 });

/** Hosts of a group that say this about statement 0. */
function hosts(count: number, pairs: Readonly<Record<number, number>>, group = 0, chance = APART): HostFindings[] {
  return Array.from({ length: count }, () => ({ group, chance, found: [{ statement: 0, pairs: levels(pairs) }] }));
}

const learned = (...all: HostFindings[][]) => Shares.learn([0.5], all.flat());

describe('the share of hosts', () => {
  test.each([
    [95, 5],
    [50, 50],
    [5, 95],
  ])('is about that of %d where it holds and %d where it fails', (holds, fails) => {
    const shares = learned(hosts(holds, { 0: 3 }), hosts(fails, { 6: 3 }));
    expect(Math.abs(shares.shareOn(0, 0) - holds / 100)).toBeLessThan(0.05);
    expect(shares.witnesses(0).of).toBe(100);
    expect(shares.leastShare(0)).toBeLessThan(holds / 100);
  });

  test('is the same with a giant host: it is one witness', () => {
    const giant = learned(hosts(90, { 0: 2 }), hosts(1, { 6: 100_000 }));
    const other = learned(hosts(90, { 0: 2 }), hosts(1, { 6: 2 }));
    expect(giant.witnesses(0).of - other.witnesses(0).of).toBeLessThanOrEqual(1);
    expect(giant.shareOn(0, 0)).toBeCloseTo(other.shareOn(0, 0), 1);
  });

  test('is not taught by hosts whose pages all have one size', () => {
    const farm = hosts(4000, { 0: 3 }, 0, levels({ 0: 24 }));
    const shares = learned(hosts(30, { 6: 2 }), farm);
    expect(shares.witnesses(0)).toEqual({ holds: 0, of: 30 });
    expect(shares.leastShare(0)).toBeLessThan(0.05);
  });

  test('is that of the software where software decides, and of all hosts where a group is small', () => {
    const shares = learned(hosts(60, { 0: 3 }, 1), hosts(60, { 6: 3 }, 2), hosts(1, { 0: 3 }, 3));
    expect(shares.shareOn(0, 1)).toBeGreaterThan(0.95);
    expect(shares.shareOn(0, 2)).toBeLessThan(0.05);
    expect(shares.shareOn(0, 9)).toBeCloseTo(0.5, 1);
    expect(shares.differBySoftware(0)).toBe(true);
    expect(learned(hosts(60, { 0: 3 }, 1), hosts(60, { 0: 3 }, 2)).differBySoftware(0)).toBe(false);
  });
});

describe('a host', () => {
  const shares = learned(hosts(95, { 0: 3 }), hosts(5, { 6: 3 }));
  const holdsOn = (pairs: Readonly<Record<number, number>>, chance = APART) =>
    shares.verdicts({ group: 0, chance, found: [{ statement: 0, pairs: levels(pairs) }] })[0]!;

  test('that says something decides against the others', () => {
    expect(holdsOn({ 6: 3 }).holds).toBeLessThan(0.6);
    expect(holdsOn({ 6: 3 }).ratio).toBeLessThan(1 / 3);
    expect(holdsOn({ 0: 3 }).holds).toBeGreaterThan(0.95);
    expect(holdsOn({ 0: 2, 6: 2 }).holds).toBeLessThan(0.95);
  });

  test('that says nothing has the share of the others', () => {
    expect(holdsOn({}).ratio).toBeCloseTo(1, 9);
    expect(holdsOn({}).holds).toBeCloseTo(shares.shareOn(0, 0), 6);
  });

  test('on which all pages are alike says little', () => {
    expect(holdsOn({ 0: 1 }, levels({ 0: 24 })).ratio).toBeLessThan(2);
  });
});

test('a posterior is Bayes rule', () => {
  expect(posterior(0.5, 1)).toBe(0.5);
  expect(posterior(0.9, 9)).toBeCloseTo(0.9878, 4);
  expect(posterior(0, 1e9)).toBe(0);
});
