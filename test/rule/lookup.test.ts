import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFew } from '../amount.js';
import { encodeText } from '../../src/base/bytes.js';
import { createLookup } from '../../src/rule/lookup.js';
import { compileSubstring, findMatch } from '../../src/rule/apply.js';
import { anchors } from '../rule/sample.js';

const sites = ['*', 'h', 'i', ''];

function find(
  rules: readonly { site: string; from: string }[],
  url: string,
  site: string,
  least = 0,
  start = 0,
): number[] {
  const lookup = createLookup(rules.map((rule) => ({ site: rule.site, text: encodeText(rule.from) })));
  const count = lookup.find(encodeText(url), start, lookup.groupOf(site), least);
  return [...lookup.found.subarray(0, count)];
}

describe('the lookup', () => {
  const rules = [
    { site: 'a', from: '/index.html' },
    { site: 'a', from: 'story.html' },
    { site: 'a', from: '//' },
    { site: 'a', from: '' },
    { site: 'b', from: 'story' },
    { site: '*', from: 'story' },
  ];

  it('returns the rules that share their token with the URL, including those of every site', () => {
    expect(find(rules, 'http://a/x/story.html', 'a')).toEqual([1, 2, 3, 5]);
    expect(find(rules, 'http://b/x/story.html', 'b')).toEqual([4, 5]);
    expect(find(rules, 'http://c/x/story.html', 'c')).toEqual([5]);
    expect(find(rules, '/x/', 'c')).toEqual([]);
  });

  it('checks the text around the token, as far as the URL is known', () => {
    expect(find(rules, 'http://a/x/story/html', 'a')).toEqual([2, 3, 5]);
    expect(find(rules, 'http://a/x/story', 'a')).toEqual([1, 2, 3, 5]);
  });

  it('returns no rule before the given one', () => expect(find(rules, '//story.html', 'a', 2)).toEqual([2, 3, 5]));

  it('does not look before the given start', () => expect(find(rules, 'story.html', 'a', 0, 5)).toEqual([3]));

  it('files a rule under its rarest token, not under one that all rules or all URLs of the site have', () => {
    const alike = [1, 2, 3].map((n) => ({ site: 'www.example.com', from: `http://www.example.com/a${n}.html` }));
    expect(find(alike, 'http://www.example.com/a2.html', 'www.example.com')).toEqual([1]);
  });

  it('returns any number of rules in ascending order, whatever the order of the tokens', () => {
    const rule = fc.record({ site: fc.constantFrom('*', 'h'), from: fc.constantFrom('', 'a', 'b', 'c') });
    let many = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 300, size: 'max' }),
        fc.shuffledSubarray(['a', 'b', 'c']),
        (some, tokens) => {
          const list = [{ site: 'h', from: '' }, ...some];
          const having = (...texts: readonly string[]) =>
            [...list.keys()].filter((at) => texts.includes(list[at]!.from));
          const found = find(list, tokens.join('/'), 'h');
          expect(found).toEqual(having('', ...tokens));
          if (found.length > 100) many++;
        },
      ),
      { numRuns: 300, seed: 2 },
    );
    expect(many).toBeGreaterThan(50);
  });

  it.skipIf(isFew)(
    'agrees with trying every rule: it misses none that matches, and returns none of another site',
    () => {
      const unit = fc.constantFrom('a', 'b', '/', '-', '?', '\udce9');
      const rule = fc.record({
        site: fc.constantFrom(...sites),
        from: fc.string({ unit, maxLength: 3 }),
        to: fc.constant('x'),
        anchor: fc.constantFrom(...anchors),
      });
      let matches = 0;
      let spared = 0;
      fc.assert(
        fc.property(
          fc.array(rule, { maxLength: 12 }),
          fc.string({ unit, maxLength: 10 }),
          fc.constantFrom(...sites, 'k'),
          fc.nat(3),
          (list, url, site, least) => {
            const found = find(list, url, site, least);
            expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
            for (const [index, one] of list.entries()) {
              const mayApply = index >= least && (one.site === '*' || one.site === site);
              if (found.includes(index)) expect(mayApply).toBe(true);
              else if (mayApply) spared++;
              if (!mayApply || findMatch(compileSubstring(one), encodeText(url)) < 0) continue;
              matches++;
              expect(found).toContain(index);
            }
          },
        ),
        { numRuns: 5000, seed: 4 },
      );
      expect(matches).toBeGreaterThan(1000);
      expect(spared).toBeGreaterThan(1000);
    },
  );
});
