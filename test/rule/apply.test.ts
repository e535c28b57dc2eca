import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { applyRule, compileSubstring } from '../../src/rule/apply.js';
import type { Anchor } from '../../src/rule/rule.js';
import { anchors, naiveTokens } from './sample.js';

function apply(url: string, from: string, to: string, anchor: Anchor = 'none', start = 0): string {
  return decodeText(applyRule(compileSubstring({ from, to, anchor }), encodeText(url), start));
}

interface Row {
  readonly says: string;
  readonly rule: readonly [from: string, to: string, anchor?: Anchor];
  readonly url: string;
  readonly image: string;
}

const rows: readonly Row[] = [
  { says: 'an empty URL has nothing to replace', rule: ['a', 'b'], url: '', image: '' },
  { says: 'an empty `from` stands nowhere without an anchor', rule: ['', 'x'], url: '/a', image: '/a' },
  { says: 'an empty `from` at START inserts in front', rule: ['', '/en', 'start'], url: '/a', image: '/en/a' },
  { says: 'an insertion in front is not repeated', rule: ['', '/en', 'start'], url: '/en/a', image: '/en/a' },
  {
    says: 'another word with the same beginning is no repetition',
    rule: ['', '/en', 'start'],
    url: '/english',
    image: '/en/english',
  },
  { says: 'an empty `from` at END appends', rule: ['', '/', 'end'], url: '/a', image: '/a/' },
  { says: 'an appendix is not repeated', rule: ['', '/', 'end'], url: '/a/', image: '/a/' },
  { says: 'an empty `from` at both ends is the empty URL', rule: ['', 'x', 'both'], url: '', image: 'x' },
  { says: 'an empty `from` at both ends is no other URL', rule: ['', 'x', 'both'], url: '/', image: '/' },
  { says: 'the index page is dropped', rule: ['/index.html', '/', 'end'], url: '/a/index.html', image: '/a/' },
  {
    says: 'what has to stand at END stands there',
    rule: ['/index.html', '/', 'end'],
    url: '/index.html?x',
    image: '/index.html?x',
  },
  { says: 'an END longer than the URL does not match', rule: ['/index.html', '/', 'end'], url: '/a', image: '/a' },
  { says: 'what has to stand at START stands there', rule: ['/a', '/b', 'start'], url: '/x/a', image: '/x/a' },
  { says: 'anchored at both ends is the whole URL', rule: ['/a', '/b', 'both'], url: '/a', image: '/b' },
  { says: 'anchored at both ends is not a part', rule: ['/a', '/b', 'both'], url: '/a/', image: '/a/' },
  { says: 'half a token is no match on the right', rule: ['/story', '/s'], url: '/storybook', image: '/storybook' },
  { says: 'half a token is no match on the left', rule: ['story', 's'], url: '/mystory', image: '/mystory' },
  { says: 'a digit goes on with a token', rule: ['/story', '/s'], url: '/story2', image: '/story2' },
  { says: 'an underscore is a token of its own', rule: ['story', 's'], url: '/story_2', image: '/s_2' },
  { says: 'half a token is passed over for a whole one', rule: ['a', 'b'], url: '/aa/a', image: '/aa/b' },
  { says: 'a letter beyond ASCII goes on with a token', rule: ['caf', 'x'], url: '/café', image: '/café' },
  { says: 'a byte that is no UTF-8 goes on with a token', rule: ['caf', 'x'], url: '/caf\udce9', image: '/caf\udce9' },
  { says: 'a byte that is no UTF-8 can be replaced', rule: ['\udce9', 'e'], url: '/\udce9/\udce9', image: '/e/\udce9' },
  { says: 'only the leftmost place is replaced', rule: ['a', 'b'], url: '/a/a/a', image: '/b/a/a' },
  { says: 'of overlapping places the leftmost is replaced', rule: ['//', '/'], url: '/a///b', image: '/a//b' },
  { says: 'a rule may delete', rule: ['&Close=', ''], url: '/p?a=1&Close=&b', image: '/p?a=1&b' },
  { says: 'a rule may delete everything', rule: ['/a', '', 'both'], url: '/a', image: '' },
  { says: 'a lengthening rule lengthens', rule: ['story', 'my-story'], url: '/story', image: '/my-story' },
  {
    says: 'a lengthening rule leaves its own result',
    rule: ['story', 'my-story'],
    url: '/my-story',
    image: '/my-story',
  },
  {
    says: 'it takes the first place that is none',
    rule: ['story', 'my-story'],
    url: '/my-story/story',
    image: '/my-story/my-story',
  },
  {
    says: 'half of `to` is not its own result',
    rule: ['story', 'my-story'],
    url: '/amy-story',
    image: '/amy-my-story',
  },
  { says: '`to` may hold `from` at its beginning', rule: ['/a', '/a/b'], url: '/a/b/a', image: '/a/b/a/b' },
  { says: '`to` may hold `from` twice', rule: ['/a', '/a/a'], url: '/a/a', image: '/a/a' },
  { says: 'a single one becomes two', rule: ['/a', '/a/a'], url: '/x/a', image: '/x/a/a' },
  { says: '`to` that holds only half of `from` does not count', rule: ['a', 'ab-'], url: '/ab-/a', image: '/ab-/ab-' },
  { says: 'an anchored own result is left', rule: ['/', '/en/', 'start'], url: '/en/a', image: '/en/a' },
  {
    says: 'an own result elsewhere is none for an anchored rule',
    rule: ['/', '/en/', 'start'],
    url: '/a/en/',
    image: '/en/a/en/',
  },
  { says: 'a `^` or `$` in a URL is an ordinary token', rule: ['^a$', 'b'], url: '/^a$/', image: '/b/' },
];

describe('a substring rule applied to a URL', () => {
  it.each(rows)('$says', ({ rule: [from, to, anchor], url, image }) => {
    expect(apply(url, from, to, anchor)).toBe(image);
  });

  it('returns the same object if nothing changes', () => {
    const url = encodeText('/a/b');
    expect(applyRule(compileSubstring({ from: 'c', to: 'd', anchor: 'none' }), url)).toBe(url);
  });

  it('takes the start of the path for START on request', () => {
    expect(apply('http://h/a', '/a', '/b', 'start', 8)).toBe('http://h/b');
    expect(apply('http://h/a', 'h', 'i', 'none', 8)).toBe('http://h/a');
  });

  // The words of SPEC 7 on lists of tokens, with START and END as tokens that no URL can contain.
  it('agrees with the same rule on lists of tokens', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-'), maxLength: 3 });
    const longer = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-'), maxLength: 12 });
    const seen = { changed: 0, own: 0 };
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.boolean(),
        fc.constantFrom(...anchors),
        longer,
        (from, before, after, grows, anchor, url) => {
          const to = grows ? before + from + after : after;
          fc.pre(from !== to);
          const expected = naiveApply(url, from, to, anchor, seen);
          expect(apply(url, from, to, anchor)).toBe(expected);
          if (expected !== url) seen.changed++;
        },
      ),
      { numRuns: 20_000, seed: 7 },
    );
    expect(seen.changed).toBeGreaterThan(1000);
    expect(seen.own).toBeGreaterThan(100);
  });
});

function naiveApply(url: string, from: string, to: string, anchor: Anchor, seen: { own: number }): string {
  const wrap = (text: string) => [
    ...(anchor === 'start' || anchor === 'both' ? ['START'] : []),
    ...naiveTokens(text),
    ...(anchor === 'end' || anchor === 'both' ? ['END'] : []),
  ];
  const whole = ['START', ...naiveTokens(url), 'END'];
  const [left, right] = [wrap(from), wrap(to)];
  if (left.length === 0) return url;
  const has = (list: string[], part: string[], at: number) =>
    at >= 0 && at + part.length <= list.length && part.every((token, k) => list[at + k] === token);
  for (let at = 0; at < whole.length; at++) {
    if (!has(whole, left, at)) continue;
    const own = right.some((_, k) => has(right, left, k) && has(whole, right, at - k));
    if (own) seen.own++;
    else
      return [...whole.slice(0, at), ...right, ...whole.slice(at + left.length)]
        .filter((token) => token !== 'START' && token !== 'END')
        .join('');
  }
  return url;
}
