import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesInUse, diffRules, EFFECTIVE, isAnyInUse, type ChangeKind } from '../../src/rule/diff.js';
import { diffJson, diffTable, unusedLine } from '../../src/report/render-diff.js';
import { subjectKey } from '../../src/rule/identity.js';
import type { Rule } from '../../src/rule/rule.js';
import { sampleFile, sampleParameter, sampleRule, sampleStep } from './sample.js';

const rule = (more: Partial<Rule> = {}): Rule => ({ ...sampleRule('a', 'b', { site: 's.test' }), ...more }) as Rule;
const parameter = (more: Parameters<typeof sampleParameter>[1] = {}) =>
  sampleParameter('p', { site: 's.test', ...more });
const onHosts = (names: string, more: Parameters<typeof sampleParameter>[1] = {}) =>
  sampleParameter('p', {
    status: 'likely',
    hosts: { holds: 9, of: 10, least: 0.8 },
    ...(names !== '' && { only: names.split('').map((is) => ({ part: 'host', is })) }),
    ...more,
  });
const history = { firstSeen: '2026-01-01', lastSupported: '2026-01-01', visits: 1, changes: 1, days: 3 };
const retired = {
  night: '2026-01-04',
  pair: ['/a', '/b', 'status 404'] as const,
  failures: 1,
  retryFrom: '2026-01-11',
};
const kinds = (before: readonly Rule[], after: readonly Rule[]) =>
  diffRules(sampleFile(before), sampleFile(after)).map(({ kind }) => kind);

describe('between two nights', () => {
  it.each<[string, readonly Rule[], readonly Rule[], readonly ChangeKind[]]>([
    ['nothing', [rule()], [rule()], []],
    ['rank, examples, against', [rule()], [rule({ rank: 7, examples: [['/a', '/b']], against: 3 })], []],
    ['a rule more', [], [rule()], ['new']],
    ['a rule less', [rule()], [], ['gone']],
    ['a rule of another site', [rule()], [rule({ site: 't.test' })], ['new', 'gone']],
    ['another anchor', [rule()], [rule({ anchor: 'end' })], ['new', 'gone']],
    ['the other direction', [rule()], [rule({ from: 'b', to: 'a' })], ['turned']],
    ['the other action', [parameter()], [parameter({ action: 'set', value: '1' })], ['turned']],
    ['a slash that comes, not goes', [sampleStep('drop-end-slash')], [sampleStep('add-end-slash')], ['turned']],
    ['another place', [rule()], [rule({ not: [{ part: 'depth', is: 1 }] })], ['new', 'gone']],
    ['a value that is only kept', [parameter()], [parameter({ value: '1' })], []],
    ['a verdict that is lost', [rule()], [rule({ status: 'likely' })], ['verdict']],
    ['a rule that was never valid', [rule({ status: 'likely' })], [rule({ status: 'invalid' })], ['verdict']],
    ['a rule that failed', [rule()], [rule({ status: 'invalid', history: { ...history, retired } })], ['retired']],
    ['exceptions', [rule({ except: ['/x'] })], [rule({ except: ['/y'] })], ['exceptions']],
    ['a veto', [rule()], [rule({ veto: 'local' })], ['marked']],
    ['a pin withdrawn', [rule({ pin: true })], [rule({ pin: false })], ['marked']],
    ['less support', [rule()], [rule({ support: { low: 9, high: 15 } })], ['weakened']],
    ['a little less support', [rule()], [rule({ support: { low: 10, high: 15 } })], []],
    ['less confidence', [rule()], [rule({ confidence: 0.5 })], ['weakened']],
    [
      'more of both',
      [rule()],
      [rule({ confidence: 0.9, support: { low: 40, high: 40 } })],
      ['strengthened', 'strengthened'],
    ],
    ['a class on the same hosts', [onHosts('ab')], [onHosts('ba')], []],
    ['a class on other hosts', [onHosts('ab')], [onHosts('bc')], ['hosts']],
    [
      'a class on as many hosts as are named',
      [onHosts('ab')],
      [{ ...onHosts(''), not: onHosts('ab').only! }],
      ['hosts'],
    ],
    ['a class proved on some', [onHosts('ab')], [onHosts('a', { status: 'valid' }), onHosts('b')], ['new', 'hosts']],
    ['another class', [onHosts('ab')], [onHosts('ab', { name: 'q' })], ['new', 'gone']],
    [
      'both directions, before and after',
      [rule(), rule({ from: 'b', to: 'a', rank: 2 })],
      [rule(), rule({ from: 'b', to: 'a', rank: 2 })],
      [],
    ],
  ])('%s', (_, before, after, expected) => expect(kinds(before, after)).toEqual(expected));

  it('a file does not differ from itself, and what is new one way is gone the other', () => {
    const some = fc
      .uniqueArray(
        fc.record({ from: fc.constantFrom('a', 'b', 'c'), to: fc.constantFrom('x', 'y'), isTurned: fc.boolean() }),
        { maxLength: 6 },
      )
      .map((list) => {
        const rules = list.map(({ from, to, isTurned }) => sampleRule(isTurned ? to : from, isTurned ? from : to));
        return [...new Map(rules.map((one) => [subjectKey(one), one])).values()];
      });
    fc.assert(
      fc.property(some, some, (before, after) => {
        expect(kinds(before, before)).toEqual([]);
        const count = (list: readonly ChangeKind[], kind: ChangeKind) => list.filter((one) => one === kind).length;
        const [there, back] = [kinds(before, after), kinds(after, before)];
        expect(count(there, 'new')).toBe(count(back, 'gone'));
        expect(count(there, 'turned')).toBe(count(back, 'turned'));
      }),
    );
  });

  it('exceptions have changed if their number has, or one is not among those of now', () => {
    const list = fc.array(fc.constantFrom('/x', '/y', '/z'), { maxLength: 4 });
    let [changed, kept] = [0, 0];
    fc.assert(
      fc.property(list, list, (was, is) => {
        const isChange = was.length !== is.length || was.some((url) => !is.includes(url));
        expect(kinds([rule({ except: was })], [rule({ except: is })])).toEqual(isChange ? ['exceptions'] : []);
        if (isChange) changed++;
        else if (was.length > 1) kept++;
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(Math.min(changed, kept)).toBeGreaterThan(10);
  });

  it('figures alone are not a change of the rules', () => {
    expect([EFFECTIVE.has('weakened'), EFFECTIVE.has('strengthened'), EFFECTIVE.has('retired')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('is shown without control characters of the log, and with the reason why a rule was retired', () => {
    const evil = rule({ from: '\u001b[31m', site: 's\u202e', status: 'invalid', history: { ...history, retired } });
    const changes = diffRules(sampleFile([rule({ from: '\u001b[31m', site: 's\u202e' })]), sampleFile([evil]));
    const table = diffTable(changes, { limit: 10 });
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    expect(table).not.toMatch(/[\u0000-\u0009\u001b\u202e]/);
    expect(table).toMatch(/ valid ⇒ invalid .*\n +\(\/a ⇸ \/b ⇸ status 404\)\n/);
    expect(table).toMatch(/\n1 retired\n$/);
    expect(diffTable(changes, { limit: 0 })).toBe('… and 1 more\n1 retired\n');
    expect(diffTable([], { limit: 10 })).toBe('No rule has changed.\n');
  });

  it.each<[string, Partial<Rule>, Partial<Rule>]>([
    ['vetoed', {}, { veto: 'local' }],
    ['pinned', {}, { pin: true }],
    ['only a key', {}, { use: 'key' }],
    ['no longer pinned', { pin: true }, {}],
    ['no longer vetoed', { veto: true }, {}],
  ])('calls a mark by its name: %s', (name, was, is) => {
    const changes = diffRules(sampleFile([rule(was)]), sampleFile([rule(is)]));
    expect(diffTable(changes, { limit: 10 })).toMatch(new RegExp(`\\n${name} (.*\\n)+1 ${name}\\n$`));
    expect(unusedLine(changes)).toContain(`Likely rules: 1 ${name} (`);
  });

  it('has a column of sites where rules have some', () => {
    const headOf = (site: string) =>
      diffTable(diffRules(sampleFile([]), sampleFile([rule({ site })])), { limit: 10 }).split('\n')[0];
    expect(headOf('')).toMatch(/^change +id +what +rule$/);
    expect(headOf('a.test')).toMatch(/^change +id +site +what +rule$/);
  });

  it('is about rules that URLs are canonized by, before or after, where there are any', () => {
    const likely = (from: string) => rule({ from, status: 'likely' });
    const before = sampleFile([rule(), likely('c')]);
    const after = sampleFile([rule({ status: 'invalid' }), likely('d'), rule({ from: 'e' }), likely('f')]);
    const used = changesInUse(diffRules(before, after), before, after);
    expect(used.map(({ kind, after: now }) => [kind, now?.status])).toEqual([
      ['verdict', 'invalid'],
      ['new', 'valid'],
    ]);
    expect(diffTable(used, { limit: 0 })).toBe('… and 2 more\n1 invalid, 1 new\n');
    const [old, now] = [sampleFile([likely('c')]), sampleFile([likely('d')])];
    expect(changesInUse(diffRules(old, now), old, now)).toHaveLength(2);
    expect([isAnyInUse(before, after), isAnyInUse(old, after), isAnyInUse(old, now)]).toEqual([true, true, false]);
    expect(unusedLine(diffRules(old, now))).toBe(
      'No rule is valid yet, so no URL is canonized. Likely rules: 1 new, 1 gone (diff --all lists them)\n',
    );
  });

  it('is JSON for programs', () => {
    const json = (list: Parameters<typeof diffJson>[1]) =>
      JSON.parse([...diffJson(['x', 'y'], list)].join('')) as object;
    expect(json([])).toEqual({ format: 'dustbuster-diff', version: 1, old: 'x', new: 'y', counts: {}, changes: [] });
    const told = json(diffRules(sampleFile([rule()]), sampleFile([rule({ status: 'likely' }), parameter()])));
    expect(told).toMatchObject({
      counts: { verdict: 1, new: 1 },
      changes: [{ kind: 'verdict', from: 'valid', to: 'likely', before: { status: 'valid' } }, { kind: 'new' }],
    });
  });
});
