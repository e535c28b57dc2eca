import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryHistory, carryMarks } from '../../src/rule/history.js';
import { sayingKey, subjectKey } from '../../src/rule/identity.js';
import { readRules, writeRules } from '../../src/rule/file.js';
import type { Rule, RulesFile, Verdict } from '../../src/rule/rule.js';
import { sampleFile, sampleParameter, sampleRule } from './sample.js';

const verdict: Verdict = {
  source: 'live',
  positive: 35,
  negative: 0,
  unjudged: {},
  positives: [['/a', '/b']],
  negatives: [],
};
const likely = (from: string, to: string, more: Partial<Rule> = {}) =>
  sampleRule(from, to, { status: 'likely', site: 's.test', ...(more as object) });
const ranked = (...rules: Rule[]) => sampleFile(rules.map((rule, at) => ({ ...rule, rank: at + 1 })));
const said = (file: RulesFile) => file.rules.map(sayingKey);
const one = (file: RulesFile) => file.rules[0]!;

describe('the history of rules', () => {
  it('begins on the night when they are first mined', () => {
    const file = carryHistory(null, ranked(likely('a', 'b')), '2026-11-21');
    expect(file.night).toBe('2026-11-21');
    expect(one(file).history).toEqual({
      firstSeen: '2026-11-21',
      lastSupported: '2026-11-21',
      visits: 0,
      changes: 0,
      days: 0,
    });
  });

  it('keeps a rule a key that pages have not shown to write URLs, unless the clusters of tonight do', () => {
    const key = { use: 'key', status: 'valid', verdict: { ...verdict, source: 'clusters' } } as const;
    const before = carryHistory(null, ranked(likely('a', 'b', key)), '2026-11-20');
    const useAfter = (known: RulesFile, ...tonight: readonly Partial<Rule>[]) =>
      carryHistory(known, ranked(...tonight.map((more) => likely('a', 'b', more))), '2026-11-21').rules[0]!.use;
    expect([useAfter(before), useAfter(before, {}), useAfter(before, key)]).toEqual(['key', 'key', 'key']);
    expect(useAfter(before, { status: 'valid' })).toBeUndefined();
    const shown = carryHistory(
      null,
      ranked(likely('a', 'b', { use: 'write', status: 'valid', verdict })),
      '2026-11-20',
    );
    expect(useAfter(shown, key)).toBe('write');
  });

  it('keeps the verdict of a rule that is mined again, with the figures of tonight', () => {
    const before = carryHistory(
      null,
      ranked(likely('a', 'b', { status: 'valid', verdict, except: ['/x'] })),
      '2026-11-20',
    );
    const after = carryHistory(before, ranked(likely('a', 'b', { confidence: 0.9 })), '2026-11-21');
    expect(one(after)).toMatchObject({ status: 'valid', verdict, except: ['/x'], confidence: 0.9 });
    expect(one(after).history).toMatchObject({ firstSeen: '2026-11-20', lastSupported: '2026-11-21' });
  });

  it('recognizes a rule that validation has reversed, or for which it found the other action', () => {
    const turned = likely('b', 'a', { status: 'valid', verdict });
    const set = sampleParameter('p', { site: 's.test', action: 'set', value: '1', verdict });
    const mined = ranked(
      likely('a', 'b', { examples: [['/a', '/b']] }),
      sampleParameter('p', { site: 's.test', status: 'likely', value: '2' }),
    );
    const after = carryHistory(ranked(turned, set), mined, '2026-11-21');
    expect(after.rules).toHaveLength(2);
    expect(after.rules[0]).toMatchObject({ from: 'b', to: 'a', status: 'valid', examples: [['/b', '/a']] });
    expect(after.rules[1]).toMatchObject({ action: 'set', value: '1', status: 'valid' });
  });

  it('does not turn a rule around for which validation found conditions', () => {
    const not = [{ part: 'query', is: '.html' }] as const;
    const before = ranked(likely('.html', '', { anchor: 'end', status: 'valid', verdict, not }));
    const after = carryHistory(before, ranked(likely('.html', '', { anchor: 'end' })), '2026-11-21');
    expect(one(after)).toMatchObject({ from: '.html', to: '', status: 'valid', not });
  });

  const hosts = { holds: 9, of: 10, least: 0.8 };
  const on = (names: string, more: Partial<Rule> = {}) => {
    const only = names.split('').map((is) => ({ part: 'host', is }) as const);
    return sampleParameter('sid', { status: 'likely', hosts, ...(names !== '' && { only }), ...(more as object) });
  };
  const besides = (names: string) => on('', { not: on(names).only! });
  const valid = { status: 'valid', verdict } as const;
  const invalid = { status: 'invalid', verdict } as const;
  const standing = ({ status, only, not }: Rule) =>
    `${status} ${only === undefined ? 'not ' : ''}${(only ?? not ?? []).map(({ is }) => is).join('')}`;

  it.each<[string, readonly Rule[], readonly Rule[], readonly string[]]>([
    ['other hosts', [on('ab', valid), on('c', invalid), on('e')], [on('abcd')], ['valid ab', 'likely d', 'invalid c']],
    ['no new host', [on('ab', valid), on('c', invalid)], [on('bc')], ['valid ab', 'invalid c']],
    ['fewer hosts', [on('abc', valid)], [on('b')], ['valid abc']],
    [
      'all hosts but some',
      [on('ab', valid), on('c', invalid)],
      [besides('d')],
      ['valid ab', 'likely not cd', 'invalid c'],
    ],
    ['a refuted class', [on('abc', invalid)], [on('abd')], ['likely d', 'invalid abc']],
    ['one refuted on all hosts', [on('', invalid)], [on('abd')], ['invalid not ']],
    ['the other action', [on('ab', { ...valid, action: 'set', value: '' })], [on('bc')], ['valid ab', 'likely c']],
    [
      'another software',
      [on('ab', valid)],
      [on('bc', { hosts: { ...hosts, software: 'doku.php' } })],
      ['valid ab', 'likely c'],
    ],
    ['another statement', [on('ab', valid)], [on('bc', { name: 'via' })], ['valid ab', 'likely bc']],
    ['only new hosts', [on('ab', valid)], [on('cd')], ['valid ab', 'likely cd']],
  ])('keeps the verdicts of hosts, and proves no other host by them: %s', (_, before, mined, expected) => {
    const first = carryHistory(null, ranked(...before), '2026-11-20');
    const after = carryHistory(first, ranked(...mined), '2026-11-21');
    expect(after.rules.map(standing)).toEqual(expected);
    expect(carryHistory(first, after, '2026-11-21').rules).toEqual(after.rules);
    expect(carryHistory(after, after, '2026-11-22').rules.map(standing)).toEqual(expected);
    const isSame = mined[0]!.kind === 'parameter' && mined[0]!.name === 'sid';
    for (const { status, history } of after.rules)
      if (status !== 'likely') expect(history!.lastSupported).toBe(isSame ? '2026-11-21' : '2026-11-20');
  });

  it('keeps the marks of a class on the hosts of tonight', () => {
    const before = ranked(on('ab', { veto: true, note: 'sid is a page here' }));
    expect(carryMarks(before, ranked(on('bc'))).rules).toMatchObject([{ veto: true, only: on('bc').only }]);
    const first = carryHistory(null, before, '2026-11-20');
    expect(carryHistory(first, ranked(on('bc')), '2026-11-21').rules).toMatchObject([
      { veto: true, note: 'sid is a page here', only: on('bc').only, history: { firstSeen: '2026-11-20' } },
    ]);
  });

  it('keeps a proved rule that the log no longer supports, until it is forgotten', () => {
    const before = carryHistory(null, ranked(likely('a', 'b', { status: 'valid', verdict })), '2026-08-01');
    const nothing = ranked();
    expect(one(carryHistory(before, nothing, '2026-10-30', 90)).history!.lastSupported).toBe('2026-08-01');
    expect(carryHistory(before, nothing, '2026-10-31', 90).rules).toEqual([]);
    const pinned = { ...before, rules: before.rules.map((rule) => ({ ...rule, pin: true })) };
    expect(carryHistory(pinned, nothing, '2030-01-01', 90).rules).toHaveLength(1);
  });

  it('drops a rule that was only likely', () => {
    const before = carryHistory(null, ranked(likely('a', 'b')), '2026-11-20');
    expect(carryHistory(before, ranked(likely('c', 'd')), '2026-11-21').rules).toHaveLength(1);
  });

  it('has valid rules first, in the order in which they were validated', () => {
    const before = ranked(likely('x', 'y', { status: 'valid' }), likely('a', 'b', { status: 'valid' }));
    const mined = ranked(likely('n', 'm'), likely('a', 'b'), likely('x', 'y'));
    const after = carryHistory(before, mined, '2026-11-21');
    expect(after.rules.map((rule) => rule.kind === 'substring' && rule.from)).toEqual(['x', 'a', 'n']);
    expect(after.rules.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });

  it('never goes back in time, even if the clock does', () => {
    const before = carryHistory(null, ranked(likely('a', 'b')), '2026-11-21');
    const after = carryHistory(before, ranked(likely('a', 'b'), likely('c', 'd')), '2020-01-01');
    expect(after.night).toBe('2026-11-21');
    expect(after.rules.map(({ history }) => history!.lastSupported)).toEqual(['2026-11-21', '2026-11-21']);
  });

  const rule = fc
    .record({
      from: fc.constantFrom('a', 'b', 'c'),
      to: fc.constantFrom('x', 'y', 'a'),
      site: fc.constantFrom('s.test', 't.test', ''),
      status: fc.constantFrom('likely' as const, 'valid' as const, 'invalid' as const),
      isTurned: fc.boolean(),
      kind: fc.constantFrom('substring', 'parameter'),
      marks: fc.constantFrom<Pick<Rule, 'pin' | 'veto' | 'note'>>(
        {},
        {},
        {},
        { pin: true },
        { veto: true },
        { note: 'why' },
      ),
    })
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, site, status, isTurned, kind, marks }): Rule => {
      const verdicts = status === 'likely' ? {} : { verdict };
      if (kind === 'parameter')
        return sampleParameter(from, {
          site,
          status,
          ...verdicts,
          ...marks,
          action: isTurned ? 'set' : 'remove',
          value: to,
        });
      return sampleRule(isTurned ? to : from, isTurned ? from : to, { site, status, ...verdicts, ...marks });
    });
  const rules = fc.uniqueArray(rule, { selector: subjectKey, maxLength: 8 });
  const night = fc.integer({ min: 1, max: 28 }).map((day) => `2026-11-${String(day).padStart(2, '0')}`);
  const nights = fc.record({ before: rules, mined: rules, first: night, later: night });
  const carried = ({
    before,
    mined,
    first,
    later,
  }: {
    before: Rule[];
    mined: Rule[];
    first: string;
    later: string;
  }) => {
    const previous = carryHistory(null, ranked(...before), first);
    const next = ranked(...mined.map((one) => sampleLikely(one)));
    return { previous, next, after: carryHistory(previous, next, later) };
  };
  const sampleLikely = ({ verdict: _verdict, pin: _pin, veto: _veto, note: _note, ...bare }: Rule): Rule => ({
    ...bare,
    status: 'likely',
  });

  it('is the same when the same night is carried over twice', () => {
    fc.assert(
      fc.property(nights, (given) => {
        const { next, after } = carried(given);
        expect(carryHistory(after, next, given.later)).toEqual(after);
      }),
    );
  });

  it('loses nothing that was proved, written or mined, and invents nothing', () => {
    const met = { kept: 0, both: 0 };
    fc.assert(
      fc.property(nights, (given) => {
        const { previous, next, after } = carried(given);
        const subjects = new Set(after.rules.map(subjectKey));
        const mined = new Set(next.rules.map(subjectKey));
        for (const rule of next.rules) expect(subjects).toContain(subjectKey(rule));
        for (const rule of previous.rules) {
          const isWorth = rule.status !== 'likely' || rule.pin === true || rule.veto === true;
          const now = after.rules.find((candidate) => subjectKey(candidate) === subjectKey(rule));
          if (isWorth || mined.has(subjectKey(rule))) {
            const { status, pin, veto, verdict: said } = now!;
            expect([status, pin, veto, said]).toEqual([rule.status, rule.pin, rule.veto, rule.verdict]);
            if (isWorth) expect(sayingKey(now!)).toBe(sayingKey(rule));
            met[mined.has(subjectKey(rule)) ? 'both' : 'kept']++;
          } else expect(now).toBeUndefined();
        }
        expect(after.rules.length).toBe(subjects.size);
        expect(after.rules.map(({ rank }) => rank)).toEqual(after.rules.map((_, at) => at + 1));
        expect(readRules(Buffer.from([...writeRules(after)].join('')), 'x')).toEqual(JSON.parse(JSON.stringify(after)));
      }),
    );
    expect(met.kept).toBeGreaterThan(20);
    expect(met.both).toBeGreaterThan(20);
  });
});

describe('what people wrote into a rules file', () => {
  it('survives mining without history: pins, vetoes, notes, and the rules that have one', () => {
    const old = ranked(
      likely('a', 'b', { pin: true }),
      likely('c', 'd', { veto: true, note: 'the shop breaks' }),
      likely('e', 'f', { status: 'valid', verdict }),
      likely('g', 'h', { note: 'looks fine' }),
    );
    const after = carryMarks(old, ranked(likely('g', 'h'), likely('d', 'c')));
    expect(said(after)).toEqual([likely('g', 'h'), likely('c', 'd'), likely('a', 'b')].map(sayingKey));
    expect(after.rules).toMatchObject([{ note: 'looks fine' }, { veto: true, note: 'the shop breaks' }, { pin: true }]);
  });

  it('is all that is carried over, so that the same log gives the same rules', () => {
    const old = ranked(
      likely('a', 'b', { status: 'valid', verdict, pin: true }),
      likely('c', 'd', { status: 'valid' }),
    );
    const mined = ranked(likely('c', 'd'));
    expect(carryMarks(old, mined).rules).toMatchObject([{ status: 'likely' }, { status: 'likely', pin: true }]);
    expect(carryMarks(old, mined).rules[1]!.verdict).toBeUndefined();
    const unmarked = ranked(likely('c', 'd', { status: 'valid' }));
    expect(carryMarks(unmarked, mined)).toBe(mined);
  });
});
