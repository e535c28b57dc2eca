// The twin on cases counted by hand: each pins a sentence of SPEC 3, 4 or 5.
import { describe, expect, test } from 'vitest';
import { twinLikely, twinPairs, twinRank, wilson, type TwinPair, type TwinPairOptions, type TwinUrl } from './twin.js';

const PAPER: TwinPairOptions = { S: 35, T_low: 6, T_high: 11, MS: 3, similarity: true };

/** `anchor from → to` with its three counts. */
function lines(urls: readonly (string | TwinUrl)[], options: Partial<TwinPairOptions> = {}): string[] {
  const list = urls.map((url) => (typeof url === 'string' ? { url } : url));
  return twinPairs(list, { ...PAPER, MS: 1, ...options }).map(line);
}

function line({ anchor, from, to, low, high, against }: TwinPair): string {
  const [start, end] = [
    anchor === 'start' || anchor === 'both' ? '⟨' : '',
    anchor === 'end' || anchor === 'both' ? '⟩' : '',
  ];
  return `${start}${from}${end} → ${start}${to}${end} ${low}/${high}/${against}`;
}

describe('pairs', () => {
  test('two URLs that differ in one token give every substring around it, anchored if it reaches an end', () => {
    expect(lines(['/b', '/a'])).toEqual([
      '⟨/b → ⟨/a 1/1/0',
      '⟨/b⟩ → ⟨/a⟩ 1/1/0',
      '/b → /a 1/1/0',
      '/b⟩ → /a⟩ 1/1/0',
      'b → a 1/1/0',
      'b⟩ → a⟩ 1/1/0',
    ]);
  });

  test('a run of letters, digits and bytes from 0x80 up is one token, every other byte is one', () => {
    // No substring of `a1\xc3\xa9` alone: the pair `1 → 2` inside a run does not exist.
    expect(lines(['a1\xc3\xa9', 'a2\xc3\xa9'])).toContain('a2\xc3\xa9 → a1\xc3\xa9 1/1/0');
    expect(lines(['a1\xc3\xa9', 'a2\xc3\xa9'])).toHaveLength(4);
    expect(lines(['a_1', 'a_2'])).toContain('2 → 1 1/1/0');
    expect(lines(['a\xff', 'b\xff'])).toHaveLength(4);
  });

  test('a literal ^ or $ is an ordinary token', () => {
    expect(lines(['$a', '^a'])).toContain('⟨^ → ⟨$ 1/1/0');
    expect(lines(['$a', '^a'])).toContain('^ → $ 1/1/0');
  });

  test('buckets of 2 … 6 count low, of 7 … 11 high only, of 12 not at all', () => {
    const bucketOf = (size: number) => Array.from({ length: size }, (_, k) => String.fromCharCode(0x61 + k));
    const first = (size: number, MS: number) => lines(bucketOf(size), { MS }).filter((text) => text.startsWith('b →'));
    expect(first(6, 1)).toEqual(['b → a 1/1/0']);
    expect(first(7, 1)).toEqual([]);
    expect(first(7, 0)).toEqual(['b → a 0/1/0']);
    expect(first(11, 0)).toEqual(['b → a 0/1/0']);
    expect(first(12, 0)).toEqual([]);
    expect(lines(bucketOf(11), { MS: 0 })).toHaveLength(4 * 55);
  });

  test('low and high come from different buckets of one pair', () => {
    const many = (section: string, count: number) => Array.from({ length: count }, (_, k) => `/${section}/${k}`);
    // `0` and `1` are together in a bucket of 6 and in one of 7.
    expect(lines([...many('x', 6), ...many('y', 7)])).toContain('1 → 0 1/2/0');
  });

  test('a substring of S tokens is seen, one of S + 1 is not; START and END count', () => {
    // START a . b END against START c END: at least 3 and 1 tokens, 5 with both ends.
    const at = (S: number) => lines(['a.b', 'c'], { S });
    expect(at(2)).toEqual([]);
    expect(at(3)).toEqual(['a.b → c 1/1/0']);
    expect(at(4)).toEqual(['⟨a.b → ⟨c 1/1/0', 'a.b → c 1/1/0', 'a.b⟩ → c⟩ 1/1/0']);
    expect(at(5)).toHaveLength(4);
  });

  test('S keeps long substrings out of a bucket, so that it does not overflow', () => {
    const long = Array.from({ length: 10 }, (_, k) => `p/${k}.k`);
    expect(lines(['p/b', 'p/a', ...long], { S: 1 })).toContain('b → a 1/1/0');
    expect(lines(['p/b', 'p/a', ...long], { S: 35 })).not.toContain('b → a 1/1/0');
  });

  test('the empty substring has an envelope too', () => {
    expect(lines(['a/b/', 'a/b'])).toContain('/ →  1/1/0');
    expect(lines(['a/b/', 'a/b'])).toContain('/⟩ → ⟩ 1/1/0');
    expect(lines(['', 'a'])).toEqual(['⟨a → ⟨ 1/1/0', '⟨a⟩ → ⟨⟩ 1/1/0', 'a →  1/1/0', 'a⟩ → ⟩ 1/1/0']);
  });

  test('the empty substring is between tokens, never within one', () => {
    expect(lines(['a.b', 'ab'])).not.toContain('. →  1/1/0');
  });

  test('`a.` put into `a.a.` at any of its places is one instance', () => {
    // The envelopes (⟨, a.a.⟩), (⟨a., a.⟩), (⟨a.a., ⟩) all have the bucket { ε, a. }.
    expect(lines(['a.a.a.', 'a.a.'], { MS: 1 })).toContain('a. →  1/1/0');
    expect(lines(['a.a.a.', 'a.a.'], { MS: 2 })).toEqual([]);
    // The border `a` of `a.a`, with other URLs as second and third witness.
    expect(lines(['a.a.a', 'a.a', 'x/a.a', 'x/a', 'y/a.a', 'y/a'], { MS: 3 })).toContain('a.a → a 3/3/0');
    expect(lines(['a.a.a', 'a.a', 'x/a.a', 'x/a', 'y/a.a', 'y/a'], { MS: 4 })).toEqual([]);
  });

  test('one small bucket of several is enough for low, one of up to T_high for high', () => {
    // `a.a.` against `a.`: the envelope (⟨, a.⟩) is crowded, the envelope (⟨a., ⟩) is not.
    const crowd = (count: number) => Array.from({ length: count }, (_, k) => `${k}/a.`);
    expect(lines(['a.a.', 'a.', ...crowd(5)], { MS: 0 })).toContain('a. →  1/1/0');
    expect(lines(['a.a.', 'a.', ...crowd(12)], { MS: 0 })).toContain('a. →  1/1/0');
    // Now crowded on both sides of the inserted `a.`: only high, then nothing.
    const tails = (count: number) => Array.from({ length: count }, (_, k) => `a.${k}/`);
    expect(lines(['a.a.', 'a.', ...crowd(5), ...tails(5)], { MS: 0 })).toContain('a. →  0/1/0');
    expect(lines(['a.a.', 'a.', ...crowd(10), ...tails(10)], { MS: 0 }).join('\n')).not.toMatch(/^a\. {2}→ /m);
  });

  test('pairs with less than MS in low are not likely, whatever their high', () => {
    const urls = ['1', '2', '3'].flatMap((page) => [`/${page}?p=x`, `/${page}?p=y`]);
    expect(lines(urls, { MS: 3 })).toContain('y → x 3/3/0');
    expect(lines(urls, { MS: 4 })).toEqual([]);
  });

  test('a pair is written so that it shrinks in code points; if these are equal the later side comes first', () => {
    expect(lines(['bb', 'a'])).toContain('bb → a 1/1/0');
    // é is two bytes and one code point: as long as `z`, and later.
    expect(lines(['\xc3\xa9', 'z'])).toContain('\xc3\xa9 → z 1/1/0');
    expect(lines(['\xc3\xa9', 'zz'])).toContain('zz → \xc3\xa9 1/1/0');
    // 0xc3 without its second byte is a code point by itself, as is each byte of an overlong or a surrogate.
    expect(lines(['\xc3x', 'zz'])).toContain('\xc3x → zz 1/1/0');
    expect(lines(['\xc0\xaf', 'zz'])).toContain('\xc0\xaf → zz 1/1/0');
    expect(lines(['\xe0\x80\x80', 'zz'])).toContain('\xe0\x80\x80 → zz 1/1/0');
    expect(lines(['\xed\xa0\x80', 'zz'])).toContain('\xed\xa0\x80 → zz 1/1/0');
    expect(lines(['\xf0\x9f\x98\x80', 'zz'])).toContain('zz → \xf0\x9f\x98\x80 1/1/0');
  });

  test('a URL that is in the list twice is a bug of the caller', () => {
    expect(() => lines(['a', 'a'])).toThrow('twice');
  });
});

describe('similarity', () => {
  const verdict = (a: Omit<TwinUrl, 'url'>, b: Omit<TwinUrl, 'url'>, similarity = true) =>
    lines(
      [
        { url: 'b', ...b },
        { url: 'a', ...a },
      ],
      { MS: 0, similarity },
    )[3]!.slice('b⟩ → a⟩ '.length);

  test('is an overlap of the size ranges, ends included', () => {
    expect(verdict({ min: 10, max: 20 }, { min: 20, max: 30 })).toBe('1/1/0');
    expect(verdict({ min: 20, max: 30 }, { min: 10, max: 20 })).toBe('1/1/0');
    expect(verdict({ min: 10, max: 20 }, { min: 21, max: 30 })).toBe('0/0/1');
    expect(verdict({ min: 10, max: 40 }, { min: 20, max: 30 })).toBe('1/1/0');
    expect(verdict({ min: 0, max: 0 }, { min: 1, max: 1 })).toBe('0/0/1');
  });

  test('is true if one has no size', () => {
    expect(verdict({ min: 10, max: 20 }, {})).toBe('1/1/0');
    expect(verdict({}, {})).toBe('1/1/0');
  });

  test('compares sketches before sizes, if both have one', () => {
    expect(verdict({ sketch: 's', min: 1, max: 1 }, { sketch: 's', min: 2, max: 2 })).toBe('1/1/0');
    expect(verdict({ sketch: 's', min: 1, max: 1 }, { sketch: 't', min: 1, max: 1 })).toBe('0/0/1');
    expect(verdict({ sketch: 's', min: 1, max: 1 }, { min: 2, max: 2 })).toBe('0/0/1');
    expect(verdict({ sketch: 's' }, { min: 2, max: 2 })).toBe('1/1/0');
  });

  test('can be turned off', () => {
    expect(verdict({ sketch: 's' }, { sketch: 't' }, false)).toBe('1/1/0');
  });

  test('a dissimilar instance counts against the pair, in small buckets only', () => {
    const sized = (count: number) => Array.from({ length: count }, (_, k) => ({ url: `${k}`, min: k, max: k }));
    expect(lines(sized(6), { MS: 0 })).toContain('1 → 0 0/0/1');
    expect(lines(sized(7), { MS: 0 })).toEqual([]);
  });
});

describe('elimination', () => {
  const FIGURE_2 = { MRD: 0.05, MAD: 1, MW: 1100 };
  const pair = (from: string, to: string, high: number, anchor: TwinPair['anchor'] = 'none', low = high): TwinPair => ({
    anchor,
    from,
    to,
    low,
    high,
    against: 0,
  });
  const left = (pairs: readonly TwinPair[], options: Partial<typeof FIGURE_2> = {}) =>
    twinLikely(pairs, { ...FIGURE_2, ...options }).map(({ from }) => from);

  test('sorts by high, then by the longer pair, then by α and β', () => {
    const pairs = [
      pair('b', 'a', 5),
      pair('d', 'c', 5, 'start'),
      pair('xyz', 'k', 5),
      pair('z', '0', 9),
      pair('b', '1', 5),
    ];
    expect(twinLikely(pairs, FIGURE_2).map(line)).toEqual([
      'z → 0 9/9/0',
      '⟨d → ⟨c 5/5/0', // 4 code points with two STARTs, and START sorts first
      'xyz → k 5/5/0',
      'b → 1 5/5/0',
      'b → a 5/5/0',
    ]);
  });

  test('START is before END, and both before every other, also before a zero byte', () => {
    const pairs = [
      pair('\0', 'a', 5),
      pair('b', '', 5, 'end'),
      pair('b', '', 5, 'start'),
      pair('\0bb', 'c', 5),
      pair('', 'aaaa', 5),
    ];
    expect(twinLikely(pairs, FIGURE_2).map(line)).toEqual([
      ' → aaaa 5/5/0',
      '\0bb → c 5/5/0',
      '⟨b → ⟨ 5/5/0',
      'b⟩ → ⟩ 5/5/0',
      '\0 → a 5/5/0',
    ]);
    const ends = [pair('b\0', '\0a', 5), pair('\0bb', '\0', 5), pair('b', 'a', 5, 'end'), pair('b', 'a', 5, 'start')];
    expect(twinLikely(ends, FIGURE_2).map(line)).toEqual([
      '⟨b → ⟨a 5/5/0',
      '\0bb → \0 5/5/0',
      'b⟩ → a⟩ 5/5/0',
      'b\0 → \0a 5/5/0',
    ]);
  });

  test('a pair with more context removes the one without, if that is not much larger', () => {
    expect(left([pair('story?id=', 'story_', 20), pair('?id=', '_', 20)])).toEqual(['story?id=']);
    expect(left([pair('story?id=', 'story_', 20), pair('?id=', '_', 21)])).toEqual(['story?id=']);
    expect(left([pair('story?id=', 'story_', 20), pair('?id=', '_', 22)])).toEqual(['?id=', 'story?id=']);
  });

  test('the deficiency allowed is MAD or MRD of the upper, whichever is more, and both are inclusive', () => {
    const refined = (upper: number, lower: number, options = {}) =>
      left([pair('a?', 'a.', lower), pair('?', '.', upper)], options);
    expect(refined(40, 38)).toEqual(['a?']);
    expect(refined(40, 37)).toEqual(['?', 'a?']);
    expect(refined(39, 37)).toEqual(['?', 'a?']);
    expect(refined(3, 2)).toEqual(['a?']);
    expect(refined(3, 2, { MAD: 0 })).toEqual(['?', 'a?']);
    expect(refined(3, 0, { MRD: 1 })).toEqual(['a?']);
  });

  test('elimination compares high, not low', () => {
    expect(left([pair('a?', 'a.', 20, 'none', 3), pair('?', '.', 20, 'none', 18)])).toEqual(['a?']);
  });

  test('a refinement has α and β in one context, in either direction of the pair', () => {
    expect(left([pair('b/xx', 'a/xx', 5), pair('b', 'a', 5)])).toEqual(['b/xx']);
    expect(left([pair('?b', '.a', 5), pair('b', 'a', 5)])).toEqual(['?b', 'b']);
    expect(left([pair('a.z', 'z', 5), pair('a.', '', 5)])).toEqual(['a.z']);
    // Of two pairs that shrink only one direction can hold; this `c → d` is written against the rule.
    expect(left([pair('d..', 'c..', 5), pair('c', 'd', 5)])).toEqual(['d..']);
  });

  test('every occurrence of α is tried, the empty one at every place', () => {
    expect(left([pair('a.a.a', 'a.a.b', 5), pair('a', 'b', 5)])).toEqual(['a.a.a']);
    expect(left([pair('a.a.a', 'a.b.a', 5), pair('a', 'b', 5)])).toEqual(['a.a.a']);
    expect(left([pair('a.a.a', 'b.a.b', 5), pair('a', 'b', 5)])).toEqual(['a.a.a', 'a']);
    expect(left([pair('x/z', 'xz/', 5), pair('/', '', 5)])).toEqual(['x/z', '/']);
    expect(left([pair('x/', 'x', 5), pair('/', '', 5)])).toEqual(['x/']);
    expect(left([pair('x/', 'x', 5, 'end'), pair('/', '', 5)])).toEqual(['x/']);
  });

  test('occurrences are of whole tokens', () => {
    expect(left([pair('xa/', 'xb/', 5), pair('a/', 'b/', 5)])).toEqual(['xa/', 'a/']);
    expect(left([pair('x.a', 'xa', 5), pair('.', '', 5)])).toEqual(['x.a', '.']);
  });

  test('START and END are tokens of the refinement', () => {
    expect(left([pair('a', 'b', 5, 'start'), pair('a', 'b', 5)])).toEqual(['a']);
    expect(twinLikely([pair('a', 'b', 5, 'start'), pair('a', 'b', 5)], FIGURE_2)[0]!.anchor).toBe('start');
    expect(left([pair('a', 'b', 5, 'start'), pair('a', 'b', 5, 'end')])).toEqual(['a', 'a']);
    expect(twinLikely([pair('a', 'b', 5, 'both'), pair('a', 'b', 5, 'end')], FIGURE_2)[0]!.anchor).toBe('both');
  });

  test('the window is MW pairs long, including eliminated ones', () => {
    // In order: a?x, then a?, which the first eliminates, then ?.
    const pairs = [pair('a?x', 'a.x', 9), pair('a?', 'a.', 9), pair('?', '.', 9)];
    expect(left(pairs, { MW: 1 })).toEqual(['a?x', '?']);
    expect(left(pairs, { MW: 2 })).toEqual(['a?x']);
  });

  test('an eliminated pair eliminates nothing', () => {
    const pairs = [pair('a?xy', 'a.xy', 22), pair('a?', 'a.', 21), pair('?', '.', 20)];
    expect(left(pairs.slice(1), { MRD: 0 })).toEqual(['a?']);
    // The first is too far above the last, and the second is gone before its turn.
    expect(left(pairs, { MRD: 0 })).toEqual(['a?xy', '?']);
  });

  test('a pair above is eliminated by its refinement below', () => {
    expect(left([pair('a?', 'a.', 40), pair('?', '.', 41), pair('b?', 'b.', 40)])).toEqual(['a?', 'b?']);
  });
});

describe('ranking', () => {
  const rated = (from: string, low: number, against: number): TwinPair => ({
    anchor: 'none',
    from,
    to: '',
    low,
    high: 1000 - low,
    against,
  });

  test('confidence is the lower end of the Wilson interval', () => {
    expect(wilson(10, 10)).toBeCloseTo(10 / (10 + 1.959963984540054 ** 2), 12);
    expect(wilson(5, 10)).toBeCloseTo(0.2366, 4); // a textbook value
    expect(wilson(0, 10)).toBeCloseTo(0, 12);
    expect(wilson(0, 0)).toBe(0);
  });

  test('by confidence, weighed by the logarithm of the support; a clean small pair passes a doubtful large one', () => {
    const pairs = [rated('doubtful', 100, 300), rated('clean', 12, 0), rated('small', 3, 0), rated('best', 90, 2)];
    expect(twinRank(pairs, 'confidence').map(({ from }) => from)).toEqual(['best', 'clean', 'doubtful', 'small']);
    expect(twinRank(pairs, 'support').map(({ from }) => from)).toEqual(['doubtful', 'best', 'clean', 'small']);
    expect(twinRank(pairs, 'likeliness', [0.9, 0.2, 0.5, 0.905]).map(({ from }) => from)).toEqual([
      'doubtful',
      'best',
      'small',
      'clean',
    ]);
  });

  test('ties by α, then β', () => {
    const pairs = [rated('b', 4, 1), rated('a', 4, 1), { ...rated('c', 4, 1), anchor: 'end' as const }];
    expect(twinRank(pairs, 'confidence').map(({ from }) => from)).toEqual(['a', 'b', 'c']);
    expect(twinRank([...pairs, { ...rated('c', 4, 1), anchor: 'start' as const }], 'support')[0]!.anchor).toBe('start');
  });
});
