import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/base/error.js';
import { decided, undecided } from '../../src/rule/decide.js';
import { readLocalRules, rulesMeant, type LocalEntry } from '../../src/rule/local.js';
import { localRulesSchema } from '../../src/rule/local-schema.js';
import { applyLocalRules } from '../../src/rule/marks.js';
import type { Rule } from '../../src/rule/rule.js';
import { accepts, isPending, isVetoed, standingOf } from '../../src/rule/standing.js';
import { anchors, sampleFile, sampleParameter, sampleRule, sampleStep } from './sample.js';

const fileOf = (...rules: readonly unknown[]) => JSON.stringify({ format: 'dustbuster-local', version: 1, rules });
const read = (text: string) => readLocalRules(Buffer.from(text), 'rules.local.json');
const local = (...rules: readonly LocalEntry[]) => read(fileOf(...rules));

function messageOf(text: string | Uint8Array): string {
  try {
    readLocalRules(typeof text === 'string' ? Buffer.from(text) : text, 'rules.local.json');
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error('was read without complaint');
}

const story = sampleRule('story?id=', 'story_', { site: 's.test', status: 'valid' });
const page = sampleParameter('page', { site: 's.test', status: 'likely' });
const utm = { pin: true, kind: 'parameter', name: 'utm_source', action: 'remove' } as const;

describe('local rules that are wrong', () => {
  it.each([
    ['', 'is empty'],
    ['{', 'rules.local.json:1:2: the JSON ends too soon'],
    ['hello', 'rules.local.json:1:1: not JSON, got "h"'],
    ['{"format":"dustbuster-local",\n// mine\n"version":1}', ':2:1: damaged JSON, got "/"'],
    ['{"format":"dustbuster-local",\n// mine\n"version":1}', 'write them as "note"'],
    ['[]', 'at the top level'],
    [
      '{"format":"dustbuster-rules","version":1,"rules":[]}',
      'at /format: got "dustbuster-rules", expected "dustbuster-local"',
    ],
    ['{"format":"dustbuster-local","version":2,"rules":[]}', 'at /version: got 2'],
    ['{"format":"dustbuster-local","version":1}', 'the field "rules" is missing'],
    [fileOf({ veto: true, sit: 's' }), 'at /rules/0: the field "sit" is unknown'],
    [fileOf(utm, { veto: 'yes', site: 's' }), 'at /rules/1/veto: got "yes", expected true'],
    [fileOf({ site: 's' }), 'at /rules/0: expected "pin": true or "veto": true'],
    [fileOf({ ...utm, veto: true }), 'got both "pin" and "veto"'],
    [fileOf({ veto: true, note: 'all' }), 'the veto names nothing'],
    [
      fileOf({ veto: true, from: 'a', name: 'b' }),
      '"from" is a field of substring rules, "name" one of parameter rules',
    ],
    [fileOf({ veto: true, from: 'a', kind: 'parameter' }), '"from" is a field of substring rules'],
    [fileOf({ veto: true, name: 'a', kind: 'substring' }), '"name" is a field of parameter rules'],
    [fileOf({ pin: true, site: 's' }), 'the pin has no "from"'],
    [fileOf({ pin: true, kind: 'parameter' }), 'the pin has no "name"'],
    [fileOf({ pin: true, from: 'a' }), 'the pin has no "to"'],
    [fileOf({ pin: true, name: 'a' }), 'the pin has no "action"'],
    [fileOf({ pin: true, name: 'a', action: 'set' }), 'has no "value"'],
    [fileOf({ pin: true, name: 'a', action: 'remove', path: '/x' }), '"path" without a "scope"'],
    [fileOf({ pin: true, name: 'a', action: 'remove', scope: 'path', path: 'x' }), 'has to begin with /'],
    [fileOf({ pin: true, from: 'a', to: 'a' }), 'so it changes nothing'],
    [fileOf({ pin: true, from: '', to: 'a' }), 'so it stands nowhere'],
    [fileOf({ pin: true, name: 'a&b', action: 'remove' }), 'no parameter name has any of'],
  ])('%s are refused: %s', (text, message) => expect(messageOf(text)).toContain(message));

  it('are refused if they are not text', () => {
    expect(messageOf(Buffer.of(0xff, 0xfe, 0x7b))).toContain('is not UTF-8 text');
  });

  it('are refused wherever the file is cut off', () => {
    const text = fileOf(utm, { veto: true, site: 's', note: 'x' });
    for (let end = 0; end < text.length; end++) expect(() => messageOf(text.slice(0, end))).not.toThrow();
  });

  it('are described by a valid schema', () => {
    expect(new Ajv2020().validateSchema(localRulesSchema)).toBe(true);
  });
});

describe('a veto', () => {
  const after = (entry: LocalEntry, ...rules: Rule[]) =>
    applyLocalRules(sampleFile(rules), local({ veto: true, ...entry }));

  it.each<[string, LocalEntry, boolean]>([
    ['both sides', { from: 'story?id=', to: 'story_' }, true],
    ['both sides the other way round', { from: 'story_', to: 'story?id=' }, true],
    ['one side', { from: 'story?id=' }, true],
    ['one side and the site', { to: 'story_', site: 's.test' }, true],
    ['the site', { site: 's.test' }, true],
    ['the kind', { kind: 'substring' }, true],
    ['another site', { site: 't.test' }, false],
    ['a part of a side', { from: 'story' }, false],
    ['another anchor', { from: 'story?id=', anchor: 'start' }, false],
    ['another kind', { kind: 'parameter' }, false],
    ['a parameter of that name', { name: 'story' }, false],
  ])('by %s', (_, entry, isMeant) => {
    const { file, idleVetoes } = after(entry, story);
    expect(isVetoed(file.rules[0]!)).toBe(isMeant);
    // One of another site may be about another rules file of the folder.
    expect(idleVetoes).toHaveLength(isMeant || entry.site === 't.test' ? 0 : 1);
  });

  it('prevents that a rule is applied, or pages fetched for it, whatever its status', () => {
    for (const status of ['valid', 'likely', 'invalid'] as const) {
      const rule = after({ site: 's.test' }, { ...story, status }).file.rules[0]!;
      expect([accepts(rule, 'valid'), isPending(rule), standingOf(rule)]).toEqual([false, false, 'vetoed']);
    }
  });

  it('with conditions matches rules with the same conditions, in whatever order', () => {
    const [a, b] = [{ part: 'first', is: 'a' } as const, { part: 'depth', is: 2 } as const];
    const veto = local({ veto: true, step: 'trim-end', not: [a, b] });
    const rules = [sampleStep('trim-end', '', { not: [b, a] }), sampleStep('trim-end', '', { rank: 2, not: [a] })];
    expect(applyLocalRules(sampleFile(rules), veto).file.rules.map(isVetoed)).toEqual([true, false]);
  });

  it('that matches no rule is reported, as it may be a typo', () => {
    expect(after({ from: 'stroy?id=' }, story).idleVetoes).toEqual(['{"from":"stroy?id="}']);
    // Messages cut it.
    const [idle] = after({ kind: 'parameter', site: 's.test', name: 'lnag' }, story).idleVetoes;
    expect(idle).toMatch(/^\{"name":"lnag",/);
  });

  it('goes when it is deleted in the local file, but not if it was written on the rule', () => {
    const { file } = after({ site: 's.test' }, story, { ...page, rank: 2, veto: true });
    const gone = applyLocalRules(file, null).file.rules;
    expect(gone.map((rule) => rule.veto)).toEqual([undefined, true]);
  });

  it('wins over a pin, which is reported', () => {
    const { file, conflicts } = applyLocalRules(sampleFile([]), local(utm, { veto: true, name: 'utm_source' }));
    expect(conflicts).toHaveLength(1);
    expect(accepts(file.rules[0]!, 'valid')).toBe(false);
  });

  const sites = fc.constantFrom('s.test', 't.test', 'www.s.test', '', '*');
  const rule = fc.oneof(
    fc
      .record({
        site: sites,
        from: fc.constantFrom('a', 'b'),
        to: fc.constantFrom('c', 'd'),
        anchor: fc.constantFrom(...anchors),
      })
      .map(({ from, to, ...more }): Rule => sampleRule(from, to, more)),
    fc
      .record({
        site: sites,
        name: fc.constantFrom('a', 'p'),
        action: fc.constantFrom('remove' as const, 'set' as const),
      })
      .map(({ name, ...more }): Rule => sampleParameter(name, { ...more, value: '1' })),
  );
  const entry = fc
    .oneof(
      fc.record(
        { from: fc.constantFrom('a', 'c'), to: fc.constantFrom('c', 'b'), anchor: fc.constantFrom(...anchors) },
        { requiredKeys: [] },
      ),
      fc.record(
        { name: fc.constantFrom('a', 'p'), action: fc.constantFrom('remove' as const, 'set' as const) },
        { requiredKeys: [] },
      ),
    )
    .chain((fields) => sites.map((site): LocalEntry => ({ ...fields, site, veto: true })));

  it('never applies to another site, and changes nothing but its mark', () => {
    let meant = 0;
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), entry, (rules, veto) => {
        const numbered = rules.map((one, at) => ({ ...one, rank: at + 1 }));
        const { file } = applyLocalRules(sampleFile(numbered), local(veto));
        for (const [at, one] of file.rules.entries()) {
          const { veto: mark, ...rest } = one;
          expect(rest).toEqual(numbered[at]);
          if (one.site !== veto.site) expect(mark).toBeUndefined();
          else if (mark !== undefined) meant++;
        }
      }),
      { numRuns: 1000 },
    );
    expect(meant).toBeGreaterThan(30);
  });

  it('beside others matches what it would match alone', () => {
    const conditions = fc.array(
      fc.constantFrom({ part: 'first', is: 'a' } as const, { part: 'depth', is: 2 } as const),
      { minLength: 1, maxLength: 2 },
    );
    const placed = fc.oneof(
      rule,
      fc.tuple(rule, conditions).map(([one, not]): Rule => ({ ...one, not })),
    );
    const placedEntry = fc.oneof(
      entry,
      fc.tuple(entry, conditions).map(([one, not]): LocalEntry => ({ ...one, not })),
    );
    let [matched, idle] = [0, 0];
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 8 }), fc.array(placedEntry, { maxLength: 8 }), (rules, entries) => {
        const { vetoes } = local(...entries);
        const meant = rulesMeant(vetoes, rules);
        expect([...meant.keys()]).toEqual(vetoes);
        for (const [veto, found] of meant) {
          expect(found).toEqual(rules.filter((one) => isMeant(veto, one)));
          if (found.length > 0) matched++;
          else idle++;
        }
      }),
      { numRuns: 1000, seed: 3 },
    );
    expect(Math.min(matched, idle)).toBeGreaterThan(100);
  });
});

/** One veto and one rule. */
function isMeant({ veto: _veto, ...fields }: LocalEntry, rule: Rule): boolean {
  const says = (one: object) =>
    Object.entries(fields).every(([name, value]) => {
      const own: unknown = Object.entries(one).find(([key]) => key === name)?.[1];
      return own === value || (Array.isArray(own) && Array.isArray(value) && sameSet(own, value));
    });
  return says(rule) || (rule.kind === 'substring' && says({ ...rule, from: rule.to, to: rule.from }));
}

function sameSet(some: readonly unknown[], others: readonly unknown[]): boolean {
  const textsOf = (list: readonly unknown[]) => new Set(list.map((one) => JSON.stringify(one)));
  return isDeepStrictEqual(textsOf(some), textsOf(others));
}

describe('a pin', () => {
  it('is a rule of every site if it names none, is there even if it was never mined, and comes first', () => {
    const { file } = applyLocalRules(sampleFile([story]), local(utm));
    expect(file.rules).toMatchObject([
      { rank: 1, site: '*', name: 'utm_source', action: 'remove', scope: 'site', pin: 'local', status: 'likely' },
      { rank: 2, site: 's.test' },
    ]);
    expect(accepts(file.rules[0]!, 'valid')).toBe(true);
  });

  it('may be a step, and have conditions', () => {
    const not = [{ part: 'first', is: 'feed' }] as const;
    const pins = local({ pin: true, step: 'drop-end-slash', not }, { pin: true, step: 'lower-case', text: 'q' });
    const { rules } = applyLocalRules(sampleFile([]), pins).file;
    expect(rules).toMatchObject([
      { kind: 'step', step: 'drop-end-slash', text: '', site: '*', not, pin: 'local' },
      { kind: 'step', step: 'lower-case', text: 'q' },
    ]);
    const again = { ...sampleStep('drop-end-slash', '', { not }), status: 'likely' } as const;
    expect(applyLocalRules(sampleFile([again]), pins).file.rules[1]).toMatchObject({ status: 'likely', pin: 'local' });
    expect(messageOf(fileOf({ pin: true, step: 'drop-segment' }))).toContain('"text" is ""');
    expect(messageOf(fileOf({ pin: true, step: 'fold-slashes', from: 'a' }))).toContain('expected one kind');
    expect(messageOf(fileOf({ pin: true, kind: 'step' }))).toContain('the pin has no "step"');
  });

  it('marks the equal rule, and keeps its verdict', () => {
    const refuted: Rule = { ...story, status: 'invalid' };
    const pin = { pin: true, site: 's.test', from: 'story?id=', to: 'story_' } as const;
    const { file } = applyLocalRules(sampleFile([refuted]), local(pin));
    expect(file.rules).toMatchObject([{ status: 'invalid', pin: 'local' }]);
    expect(standingOf(file.rules[0]!)).toBe('pinned, refuted');
    expect(accepts(file.rules[0]!, 'valid')).toBe(true);
  });

  it('of a class of hosts is a veto on whatever hosts it is mined for', () => {
    const on = (...names: string[]) =>
      sampleParameter('sid', {
        hosts: { holds: 9, of: 10, least: 0.8 },
        only: names.map((is) => ({ part: 'host', is })),
      });
    const veto = local(...decided([], on('a.example', 'b.example'), 'veto'));
    const other = { ...on('c.example'), name: 'page', rank: 2 };
    const { rules } = applyLocalRules(sampleFile([on('b.example', 'c.example'), other]), veto).file;
    expect(rules.map(isVetoed)).toEqual([true, false]);
    expect(undecided(decided([], on('a.example'), 'veto'), on('b.example'))).toEqual([]);
  });

  it('makes a key write URLs', () => {
    const key = sampleParameter('utm_source', { use: 'key' });
    const { rules } = applyLocalRules(sampleFile([key]), local(utm)).file;
    expect([accepts(key, 'valid'), rules.map((rule) => accepts(rule, 'valid'))]).toEqual([false, [true]]);
  });

  it('reverses the opposite rule, which then has no verdict', () => {
    const pin = { pin: true, site: 's.test', from: 'story_', to: 'story?id=' } as const;
    const { file } = applyLocalRules(sampleFile([story]), local(pin));
    expect(file.rules).toMatchObject([{ from: 'story_', to: 'story?id=', status: 'likely', pin: 'local' }]);
  });

  it('that is deleted removes a rule that was never mined, and keeps one that was', () => {
    const pins = local(utm, { pin: true, site: 's.test', from: 'story?id=', to: 'story_' });
    const { file } = applyLocalRules(sampleFile([story]), pins);
    expect(file.rules).toHaveLength(2);
    expect(applyLocalRules(file, null).file.rules).toEqual([story]);
  });

  it('applied again changes nothing', () => {
    const pins = local(utm, { veto: true, name: 'page' });
    const { file } = applyLocalRules(sampleFile([story, { ...page, rank: 2 }]), pins);
    expect(applyLocalRules(file, pins).file).toEqual(file);
  });
});
