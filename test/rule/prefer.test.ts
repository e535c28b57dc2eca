import { describe, expect, it } from 'vitest';
import { preferring, seenIn } from '../../src/rule/prefer.js';
import type { Preference, Rule, SubstringRule } from '../../src/rule/rule.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';

const start = (from: string, to: string, more: Partial<SubstringRule> = {}) =>
  sampleRule(from, to, { anchor: 'start', examples: [[`${from}a`, `${to}a`]], ...more });
const bare = start('http://www.h.test/', 'http://h.test/');
const say = ({ from, to, not }: SubstringRule) =>
  `${from} > ${to}${not === undefined ? '' : ` not ${not.map(({ is }) => is).join()}`}`;
const prefer = (preference: Preference, ...rules: Rule[]) => preferring({ rules }, preference);
const saidBy = (preference: Preference, ...rules: Rule[]) =>
  prefer(preference, ...rules).file.rules.flatMap((rule) => (rule.kind === 'substring' ? [say(rule)] : [rule.kind]));

describe('a preferred host', () => {
  it('turns the rules that lead away from it, with evidence and status, and no others', () => {
    const verdict = { source: 'live', positive: 9, negative: 0, unjudged: {}, negatives: [] } as const;
    const proven = { status: 'valid', verdict: { ...verdict, positives: [['u', 'v']] } } as const;
    const rules = [{ ...bare, ...proven }, sampleParameter('sid'), start('http://m.h.test/', 'http://www.h.test/')];
    const { file, changed, agreeing } = prefer({ host: 'www.h.test' }, ...rules);
    expect(file.rules[0]).toMatchObject({
      from: 'http://h.test/',
      to: 'http://www.h.test/',
      status: 'valid',
      examples: [['http://h.test/a', 'http://www.h.test/a']],
      verdict: { positives: [['v', 'u']] },
    });
    expect(file.rules.slice(1)).toEqual(rules.slice(1).map((rule, at) => ({ ...rule, rank: at + 2 })));
    expect([changed, agreeing]).toEqual([[file.rules[0]], [rules[2]]]);
  });

  it('tells the turned rules with their ranks, and those of them that the site itself contradicts', () => {
    const away = (page: number, more: Partial<SubstringRule> = {}) =>
      start(`http://www.h.test/${page}/`, `http://h.test/${page}/`, more);
    const redirected = { word: 'redirect' } as const;
    const rules = [sampleParameter('sid'), away(1), away(2, redirected), away(1), start('/a/', '/b/'), away(3)];
    const { file, changed, contradicted } = prefer({ host: 'www.h.test' }, ...rules);
    expect(changed.map(({ rank }) => rank)).toEqual([2, 3, 5]);
    expect(changed).toEqual(changed.map(({ rank }) => file.rules[rank - 1]));
    expect(contradicted).toEqual([file.rules[2]]);
  });

  it('changes nothing the second time', () => {
    const partial = sampleRule('http://www.', 'http://', {
      anchor: 'start',
      examples: [
        ['http://www.h.test/a', 'http://h.test/a'],
        ['http://www.i.h.test/a', 'http://i.h.test/a'],
      ],
    });
    const rules = [bare, partial, start('https://h.test/', 'http://h.test/')];
    for (const preference of [
      { host: 'www.h.test' },
      { host: 'h.test' },
      { host: 'h.test', scheme: 'https' },
    ] as const) {
      const once = prefer(preference, ...rules);
      const twice = preferring(once.file, preference);
      expect(twice.file).toEqual(once.file);
      expect(twice.changed).toEqual([]);
    }
  });

  it('is excepted from rules for several hosts, and gets rules of its own', () => {
    const examples = [
      ['http://www.h.test/a', 'http://h.test/a'],
      ['http://www.i.test/a', 'http://i.test/a'],
    ] as const;
    const partial = sampleRule('http://www.', 'http://', { anchor: 'start', examples });
    expect(saidBy({ host: 'www.h.test' }, partial)).toEqual([
      'http://h.test/ > http://www.h.test/',
      'http://www. > http:// not www.h.test',
    ]);
    expect(saidBy({ host: 'www.h.test' }, { ...partial, examples: examples.slice(0, 1) })).toEqual([
      'http://h.test/ > http://www.h.test/',
    ]);
  });

  it('takes the conditions and the exceptions of a rule along', () => {
    const rule = start('http://git.test:81/', 'http://c.test/', {
      only: [{ part: 'host', is: 'git.test:81' }],
      not: [{ part: 'first', is: 'cgit' }],
      except: ['http://git.test:81/x'],
    });
    expect(prefer({ host: 'git.test:81' }, rule).file.rules[0]).toMatchObject({
      from: 'http://c.test/',
      only: [{ part: 'host', is: 'c.test' }],
      not: [{ part: 'first', is: 'cgit' }],
      except: ['http://c.test/x'],
    });
  });

  it('stays where a rule changes more, if another makes the two hosts one', () => {
    const more = start('http://www.h.test/a?', 'http://h.test/b?');
    expect(saidBy({ host: 'www.h.test' }, more, bare)).toEqual([
      'http://www.h.test/a? > http://www.h.test/b?',
      'http://h.test/ > http://www.h.test/',
    ]);
  });

  it('leaves rules that change more, and those that a user has pinned, and names them', () => {
    const more = start('http://www.h.test/a?', 'http://h.test/b?');
    const pinned = { ...bare, pin: true } as const;
    const { file, left, changed } = prefer({ host: 'www.h.test' }, more, pinned);
    expect(file.rules.map((rule) => ({ ...rule, rank: 1 }))).toEqual([more, pinned]);
    expect([left, changed]).toEqual([[more, pinned], []]);
  });

  it('turns a rule once if two say the same then, and tells where the site itself decided otherwise', () => {
    const redirected = { ...bare, word: 'redirect' } as const;
    const { file, contradicted } = prefer(
      { host: 'www.h.test' },
      start('http://h.test/', 'http://www.h.test/'),
      redirected,
    );
    expect(file.rules.map((rule) => rule.kind === 'substring' && say(rule))).toEqual([
      'http://h.test/ > http://www.h.test/',
    ]);
    expect(contradicted).toEqual([]);
    expect(prefer({ host: 'www.h.test' }, redirected).contradicted).toMatchObject([{ from: 'http://h.test/' }]);
  });
});

describe('a preferred scheme', () => {
  it('turns rules of schemes alone, and of hosts with their schemes', () => {
    const both = start('https://h.test/', 'http://h.test/');
    const every = start('https://', 'http://', { examples: [['https://h.test/a', 'http://h.test/a']] });
    expect(saidBy({ scheme: 'https' }, both, every, bare)).toEqual([
      'http://h.test/ > https://h.test/',
      'http:// > https://',
      'http://www.h.test/ > http://h.test/',
    ]);
  });
});

it('hosts and schemes that were seen are those of the examples', () => {
  const { hosts, schemes } = seenIn({ rules: [bare, start('https://H.test:8080/', '/'), sampleParameter('a')] });
  expect([...hosts]).toEqual(expect.arrayContaining(['www.h.test', 'h.test', 'h.test:8080']));
  expect([...schemes].sort()).toEqual(['http', 'https']);
});
