// What separates right from wrong: few conditions, each of which covers many URLs and means what `rule/condition` does.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import { compileConditions, holdsFor } from '../../../src/rule/condition.js';
import { failingOnly, holds, keptOf, promising, separate, unseenIn } from '../../../src/validate/ask/conditions.js';
import { conditionsOf } from '../../../src/validate/ask/parts.js';

const many = (count: number, url: (k: number) => string) => Array.from({ length: count }, (_, k) => url(k));

describe('conditions', () => {
  const posts = many(40, (k) => `http://h/${2010 + (k % 8)}/p${k}?ref=1`);
  const feeds = many(20, (k) => `http://h/${2010 + (k % 8)}/p${k}/feed?ref=1`);

  test('exclude what all failures have in common, and keep the rest', () => {
    const [first] = separate(posts.slice(0, 10), feeds.slice(0, 2), [...posts, ...feeds]);
    expect(first).toEqual({ only: [], not: [{ part: 'last', is: 'feed' }] });
    expect(keptOf([...posts, ...feeds], first!)).toBe(posts.length);
  });

  test('name the parts of which an archive has no images, if it lacks many there', () => {
    const all = [...posts, ...feeds];
    expect(unseenIn(posts.slice(0, 10), feeds, all)).toEqual([{ part: 'last', is: 'feed' }]);
    expect(unseenIn(posts.slice(0, 10), feeds.slice(0, 4), all)).toEqual([]);
    expect(unseenIn([...posts.slice(0, 10), feeds[0]!], feeds.slice(1), all)).toEqual([]);
    expect(unseenIn(posts.slice(0, 10), posts.slice(10), posts)).toEqual([]);
  });

  test('are about places rather than characters', () => {
    // All feeds have a tilde, which is what most of the failures have in common.
    const tilde = many(20, (k) => `http://h/${2010 + (k % 8)}/~p${k}/${k % 2 === 0 ? 'feed' : 'atom'}?ref=1`);
    const [first] = separate(posts.slice(0, 10), tilde.slice(0, 4), [
      ...posts,
      ...posts.map((url) => `${url}1`),
      ...tilde,
    ]);
    expect(first!.not.map(({ part }) => part)).toEqual(['last', 'last']);
    const spread = many(20, (k) => `http://h/${2010 + (k % 8)}/~p${k}?ref=1`);
    expect(separate(posts.slice(0, 10), spread.slice(0, 4), [...posts, ...spread])[0]).toEqual({
      only: [],
      not: [{ part: 'text', is: '~' }],
    });
  });

  test('say where a rule is right, if that is simpler than where it is wrong', () => {
    const [first] = separate(feeds.slice(0, 5), posts.slice(0, 9), [...posts, ...feeds]);
    expect(feeds.every((url) => holds(url, first!))).toBe(true);
    expect(posts.some((url) => holds(url, first!))).toBe(false);
  });

  test('are empty if nothing separates right and wrong, or only single pages do', () => {
    const urls = many(60, (k) => `http://h/p${k}?ref=1`);
    expect(separate(urls.slice(0, 10), urls.slice(10, 13), urls)).toEqual([]);
    expect(separate(urls.slice(0, 10), [], urls)).toEqual([]);
  });

  test('fail by themselves where the wrong ones satisfy no other', () => {
    const posts = many(60, (k) => `http://h/a/p${k}?x=${k}`);
    const lists = many(12, (k) => `http://h/b/p${k}?x=${k}`);
    const [a, b] = [
      { part: 'first', is: 'a' },
      { part: 'first', is: 'b' },
    ] as const;
    const both = { only: [a, b], not: [] };
    // Two of 72 are few exceptions, but they are two of the twelve that only the second condition lets pass.
    expect(failingOnly(both, [...posts, ...lists.slice(2)], lists.slice(0, 2))).toEqual([b]);
    expect(failingOnly(both, [...posts.slice(2), ...lists], posts.slice(0, 2))).toEqual([]);
    expect(failingOnly({ only: [b], not: [] }, lists.slice(2), lists.slice(0, 2))).toEqual([]);
  });

  test('are promising if one was right and none wrong, those of the most URLs first', () => {
    const urls = [
      ...many(40, (k) => `http://h/a/p${k}?x=${k}`),
      ...many(20, (k) => `http://h/b/p${k}?x=${k}`),
      ...many(20, (k) => `http://h/c/p${k}?x=${k}`),
    ];
    const [a, b, c] = [urls[0]!, urls[40]!, urls[60]!];
    expect(promising([b], [a, c], urls)).toEqual({ part: 'first', is: 'b' });
    expect(promising([a, b], [c], urls)).toEqual({ part: 'first', is: 'a' });
    expect(promising([], [a, b, c], urls)).toBeUndefined();
    expect(promising([b], [a, c, urls[41]!], urls)).toBeUndefined();
  });

  test('hold for every URL that they were derived from, by the function that rules use', () => {
    const word = fc.stringMatching(/^[a-z0-9.~-]{0,6}$/);
    const url = fc
      .tuple(
        fc.constantFrom('http://h', 'https://www.h:81', ''),
        fc.array(word, { maxLength: 4 }),
        fc.array(word, { maxLength: 3 }),
      )
      .map(
        ([host, path, fields]) =>
          `${host}/${path.join('/')}${fields.length === 0 ? '' : `?${fields.map((name) => `${name}=1`).join('&')}`}`,
      );
    let seen = 0;
    fc.assert(
      fc.property(url, url, (one, other) => {
        for (const condition of conditionsOf(one)) {
          seen++;
          const only = compileConditions({ only: [condition] })!;
          expect({ one, condition, holds: holdsFor(only, encodeText(one)) }).toEqual({ one, condition, holds: true });
          expect({ other, condition, holds: holdsFor(only, encodeText(other)) }).toEqual({
            other,
            condition,
            holds: holds(other, { only: [condition], not: [] }),
          });
        }
      }),
      { numRuns: 400 },
    );
    expect(seen).toBeGreaterThan(1000);
  });
});
