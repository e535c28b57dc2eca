import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, sameBytes } from '../../src/base/bytes.js';
import { createCanonizer, type CanonizerOptions, type Ending } from '../../src/canonize/canonizer.js';
import { compareForms } from '../../src/url/form.js';
import type { Rule, SubstringRule } from '../../src/rule/rule.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { anyRules, someOptions, someUrl } from './arbitrary.js';
import { naiveCanonize } from './twin.js';
import { amount } from '../amount.js';

const defaults: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'host',
};

function rules(
  ...list: readonly (readonly [from: string, to: string, more?: Partial<SubstringRule>])[]
): SubstringRule[] {
  return list.map(([from, to, more], at) => sampleRule(from, to, { rank: at + 1, ...more }));
}

function canonize(url: string, list: readonly Rule[], options: Partial<CanonizerOptions> = {}): string {
  return decodeText(createCanonizer(list, { ...defaults, ...options }).canonize(encodeText(url)));
}

function endingOf(url: string, list: readonly Rule[], options: Partial<CanonizerOptions> = {}): Ending {
  return createCanonizer(list, { ...defaults, ...options }).explain(encodeText(url)).ending;
}

describe('canonical form', () => {
  it('is the URL itself, the same object, if nothing changes', () => {
    const url = encodeText('http://h/a');
    expect(createCanonizer([], defaults).canonize(url)).toBe(url);
  });

  it('is reached in as many rounds as it takes', () => {
    expect(canonize('http://h/a', rules(['c', 'd'], ['b', 'c'], ['a', 'b']))).toBe('http://h/d');
  });

  it('has every occurrence of a substring replaced, one per round', () => {
    expect(canonize('/x////a', rules(['//', '/']))).toBe('/x/a');
  });

  it('has a rule applied whose text became complete by the last change, away from the token that it is filed under', () => {
    // `beta` is the rarest token of the first rule, and was there before; only the end of its text is new.
    expect(canonize('http://h/beta/x/2', rules(['/beta/x/1', '/done'], ['2', '1']))).toBe('http://h/done');
    expect(canonize('http://h/0/x/beta', rules(['1/x/beta', 'done'], ['0', '1']))).toBe('http://h/done');
  });

  it('goes by rank, not by the order in the file', () => {
    const list = [sampleRule('a', 'b', { rank: 2 }), sampleRule('a', 'c', { rank: 1 })];
    expect(canonize('http://h/a', list)).toBe('http://h/c');
  });

  // One round leads from `b` to `c`, the next from `c` over `a` to `b`: three rules in the wrong order.
  const circle = (a: string, b: string, c: string) => rules([c, a], [b, c], [a, b]);

  it.each([
    ['of fewest tokens', circle('/q', '/x/y', '/long'), '/long'],
    ['of fewest code points among as many tokens', circle('/q', '/aa', '/é'), '/é'],
    ['first in code-point order among as many code points', circle('/q', '/z', '/b'), '/b'],
  ])('of a cycle is the form %s', (_, list, least) => {
    for (const { from } of list) {
      expect(endingOf(from, list, { normalize: 'none' })).toBe('cycle');
      expect(canonize(from, list, { normalize: 'none' })).toBe(least);
    }
  });

  it('of a URL that leads into a cycle is the least of the cycle, not of the way to it', () => {
    expect(canonize('/a', [...circle('/q', '/x/y', '/long'), sampleRule('/a', '/q', { rank: 9 })])).toBe('/long');
  });

  it('does not exist if forms grow without end: the URL stays as it came in, and is counted', () => {
    const canonizer = createCanonizer(rules(['c', 'b'], ['b', 'c/c']), defaults);
    expect(decodeText(canonizer.canonize(encodeText('/%7e/b#f')))).toBe('/%7e/b#f');
    expect(canonizer.unsettled).toBe(1);
    canonizer.explain(encodeText('/b'));
    canonizer.canonize(encodeText('/d'));
    expect(canonizer.unsettled).toBe(1);
  });

  it('does not exist if the rounds do not suffice', () => {
    const chain = rules(['d', 'e'], ['c', 'd'], ['b', 'c'], ['a', 'b']);
    expect(canonize('/a', chain, { maxIterations: 4 })).toBe('/a');
    expect(canonize('/a', chain, { maxIterations: 5 })).toBe('/e');
  });

  it('has at most 4,096 bytes', () => {
    const long = `/${'a/'.repeat(2047)}`;
    expect(endingOf(`${long}a`, rules(['a', 'bb']))).toBe('unsettled');
    expect(canonize(`${long}#a`, rules())).toBe(long);
    expect(canonize(`${long}/%7e#a`, rules())).toBe(`${long}/%7e#a`);
  });

  it('is normalized between the rounds as well', () => {
    expect(canonize('/a', rules(['a', '%7eb']))).toBe('/~b');
    expect(canonize('http://h/a', rules(['a', '%7eb']), { normalize: 'none' })).toBe('http://h/%7eb');
  });

  it.each([
    ['/a/%2F', '%2F', '%7E', '/a/~'],
    ['/a/%2F', '%2F', '%2D', '/a/-'],
    ['/a/%2F', '%2F', '%2f', '/a/%2F'],
    ['/a/%2F', '2F', '7E', '/a/%2F'],
    ['/a/%-7E', '-', '', '/a/~'],
    ['/a/%2F', '%2F', '.', '/a/'],
    ['/a/-./b', '-', '', '/a/b'],
  ])('of %s is normalized if a rule has changed it: %s → %s', (url, from, to, form) => {
    expect(canonize(url, rules([from, to]))).toBe(form);
  });

  it('has rules tried again that match only after normalization', () => {
    expect(canonize('/a', rules(['a', '%62'], ['b', 'c']))).toBe('/c');
  });

  it('has no fragment, whatever the normalization', () => {
    expect(canonize('/a#b', [], { normalize: 'none' })).toBe('/a');
    expect(canonize('/a', rules(['a', 'b#c']), { normalize: 'none' })).toBe('/b');
    expect(canonize('http://h#a/b', [], { normalize: 'none' })).toBe('http://h');
  });

  it('is a URL: a rule that would leave anything else does not match', () => {
    expect(canonize('/a', rules(['/', '']), { urlForm: 'path' })).toBe('/a');
    expect(canonize('/a', rules(['a', 'a b']), { urlForm: 'path' })).toBe('/a');
  });

  it.each([
    '',
    'a',
    'ftp://h/a',
    'http:/h',
    '/a\tb',
    '/a\u007f',
    'http://h\u007f/a',
    'http://h h/a',
    'see http://h/a',
    'HTTPX://h/',
    '//h\u0000',
  ])('of what is not a URL is the input: %j', (line) =>
    expect(canonize(line, rules(['a', 'b'], ['h', 'i']))).toBe(line),
  );

  it.each(['/a', 'http://h/a', 'HTTPS://h/a', 'hTTp://h/a', '//a'])('exists for %j', (url) => {
    expect(canonize(url, rules(['a', 'b']), { normalize: 'none' })).toBe(url.replace('a', 'b'));
  });
});

describe('the rules that apply', () => {
  const three = [
    sampleRule('a', 'valid', { rank: 3, status: 'valid' }),
    sampleRule('a', 'likely', { rank: 2, status: 'likely' }),
    sampleRule('a', 'invalid', { rank: 1, status: 'invalid' }),
  ];
  it('are the valid ones', () => expect(canonize('/a', three)).toBe('/valid'));
  it('are the likely ones too on request, the invalid ones never', () => {
    expect(canonize('/a', three, { accept: 'likely' })).toBe('/likely');
  });

  it('are those of the site of the URL and those of every site', () => {
    const list = rules(['a', 'b', { site: 'h' }], ['c', 'd', { site: '*' }], ['e', 'f', { site: '' }]);
    expect(canonize('http://h/a/c/e', list)).toBe('http://h/b/d/e');
    expect(canonize('http://i/a/c/e', list)).toBe('http://i/a/d/e');
    expect(canonize('/a/c/e', list)).toBe('/a/d/f');
  });

  it('are those of the new site after a rule has changed the host, from its rank on', () => {
    const list = rules(['a', 'early', { site: 'i' }], ['h', 'i', { site: 'h' }], ['b', 'late', { site: 'i' }]);
    const steps = createCanonizer(list, defaults).explain(encodeText('http://h/a/b')).steps;
    expect(steps.map(({ round, rule }) => [round, rule?.rank])).toEqual([
      [1, 2],
      [1, 3],
      [2, 1],
    ]);
  });

  it('are those of the new site even if the host has only lost the slash after it', () => {
    const list = rules(['h/-', 'h', { site: 'h' }], ['i', 'j', { site: 'hi' }], ['a', 'b', { site: 'h' }]);
    expect(canonize('http://h/-i/a', list)).toBe('http://hi/a');
    expect(canonize('http://h/-i/i/a', list)).toBe('http://hi/j/a');
  });

  it('of path form work on path and query of absolute URLs, where START is the start of the path', () => {
    const list = rules(['/a', '/b', { site: '', anchor: 'start' }], ['h', 'i', { site: '' }]);
    expect(canonize('http://h/a?h', list, { urlForm: 'path' })).toBe('http://h/b?i');
    expect(canonize('http://h/a?h', list, { urlForm: 'mixed' })).toBe('http://h/a?h');
    expect(canonize('/a?h', list, { urlForm: 'mixed' })).toBe('/b?i');
  });

  it('of path form never match in the host name', () => {
    const list = rules(['/', '', { site: '', anchor: 'start' }], ['?', '', { site: '', anchor: 'start' }]);
    expect(canonize('http://h/a', list, { urlForm: 'path' })).toBe('http://h/a');
    expect(canonize('http://h?a', list, { urlForm: 'path', normalize: 'none' })).toBe('http://h?a');
  });
});

describe('a parameter rule', () => {
  it('is applied in rank order with the others', () => {
    const list = [
      sampleParameter('sid', { rank: 2 }),
      sampleRule('session', 'sid', { rank: 1 }),
      sampleRule('/index.php', '/', { rank: 3, anchor: 'end' }),
    ];
    expect(canonize('http://h/index.php?session=7', list)).toBe('http://h/');
  });

  it('holds in its scope only', () => {
    const list = [sampleParameter('ref', { scope: 'prefix', path: '//h/product/' })];
    expect(canonize('http://h/product/1?ref=2', list)).toBe('http://h/product/1');
    expect(canonize('http://h/compare/1?ref=2', list)).toBe('http://h/compare/1?ref=2');
  });

  it.each(['x&y', 'x;p=1', '1&p=2'])('that sets several fields at once, %s, is applied to its own output', (value) => {
    const list = [sampleParameter('p', { action: 'set', value })];
    for (const url of ['http://h/a?p=7', 'http://h/a?p=1&p=2', `http://h/a?p=${value}`]) {
      const once = canonize(url, list);
      expect(once).toBe(naiveCanonize(url, list, defaults));
      expect(canonize(once, list)).toBe(once);
    }
  });

  it('of a log without hosts holds for absolute URLs', () => {
    const list = [sampleParameter('ref', { site: '', scope: 'path', path: '/a' })];
    expect(canonize('http://h/a?ref=2&x=1', list, { urlForm: 'path' })).toBe('http://h/a?x=1');
  });
});

describe('canonize(canonize(u)) = canonize(u), and canonize agrees with the naive twin', () => {
  it(
    'for every URL and every rule set: shortening, lengthening, cyclic, anchored, across sites',
    { timeout: 180_000 },
    () => {
      const seen: Record<string, number> = {};
      const count = (what: string) => (seen[what] = (seen[what] ?? 0) + 1);
      fc.assert(
        fc.property(anyRules, someUrl, someOptions, (list, text, chosen) => {
          const canonizer = createCanonizer(list, chosen);
          const bytes = encodeText(text);
          const { canonical, ending, steps } = canonizer.explain(bytes);
          const once = canonizer.canonize(bytes);
          expect(sameBytes(once, canonical)).toBe(true);
          expect(decodeText(once)).toBe(naiveCanonize(text, list, chosen));
          expect(decodeText(canonizer.canonize(once))).toBe(decodeText(once));
          const hosts = new Set(steps.map(({ form }) => /^https?:..([^/]*)/.exec(decodeText(form))?.[1]));
          count(ending);
          if (ending === 'cycle' && hosts.size > 1) count('cycle across hosts');
          const edits = steps.filter((step) => step.rule?.kind === 'parameter').length;
          if (edits > 0 && edits < steps.length) count('fields and substrings');
          if (ending === 'settled' && steps.length > 1 && once !== bytes) count('settled after change');
        }),
        { numRuns: amount(6000, 6), seed: 8 },
      );
      expect(seen['cycle']).toBeGreaterThan(amount(25, 30));
      expect(seen['cycle across hosts']).toBeGreaterThan(amount(5, 60));
      expect(seen['unsettled']).toBeGreaterThan(amount(50, 30));
      expect(seen['settled after change']).toBeGreaterThan(amount(250, 30));
      expect(seen['fields and substrings'] ?? 0).toBeGreaterThan(amount(20, 30));
    },
  );
});

describe('the lesser of two forms', () => {
  it.each([
    ['/abcdef', '/a/b'],
    ['/a', '/bb'],
    ['/é', '/aa'],
    ['/a', '/b'],
    ['/\u{ffff}', '/\u{10000}'],
    ['/\udce9', '/\ue000'],
    ['/\ud7ff', '/\udce9'],
  ])('%j comes before %j', (a, b) => {
    expect(compareForms(encodeText(a), encodeText(b))).toBeLessThan(0);
    expect(compareForms(encodeText(b), encodeText(a))).toBeGreaterThan(0);
  });
});
