// Rules by alignment: the alignment of a pair is the best of all, no URL loses a unit, and planted patterns are found.
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { alignAll, alignPair, columnScore, unitsOf, type Profile } from '../../src/mine/align.js';
import { ALIGN_DEFAULTS } from '../../src/mine/align-options.js';
import { learnRules, type ClusterUrl } from '../../src/mine/align-rules.js';
import { amount } from '../amount.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';

/** A linear congruential generator. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function someUrl(next: (below: number) => number): string {
  const pieces = ['/', '/', 'a', 'bb', '7', '12', '.', '-'];
  const path = Array.from({ length: next(4) }, () => pieces[next(pieces.length)]).join('');
  return `/${path}${['', '', '?x=1', '?x=2&y', '?y;x=1'][next(5)]!}`;
}

const columnsOf = (url: string): Profile => unitsOf(url)!.map((unit) => [unit]);

/** The score of the best of all alignments, tried one by one. */
function bestScore(a: Profile, b: Profile): number {
  const gap = (column: Profile[number]) => (column.some((unit) => unit?.text === '/') ? -1 : -0.5);
  if (a.length === 0 || b.length === 0) return [...a, ...b].reduce((score, column) => score + gap(column), 0);
  return Math.max(
    columnScore(a[0]!, b[0]!) + bestScore(a.slice(1), b.slice(1)),
    gap(a[0]!) + bestScore(a.slice(1), b),
    gap(b[0]!) + bestScore(a, b.slice(1)),
  );
}

describe('alignment', () => {
  it('of a pair has the best score of all, and what it says is its score', () => {
    const next = random(4);
    let withGaps = 0;
    for (let run = 0; run < amount(2000); run++) {
      const [a, b] = [columnsOf(someUrl(next)), columnsOf(someUrl(next))];
      const { score, profile } = alignPair(a, b);
      expect(score).toBeCloseTo(bestScore(a, b), 9);
      const own = profile.reduce((total, [x, y]) => {
        if (x !== undefined && y !== undefined) return total + columnScore([x], [y]);
        withGaps++;
        return total + ((x ?? y)!.text === '/' ? -1 : -0.5);
      }, 0);
      expect(own).toBeCloseTo(score, 9);
    }
    expect(withGaps).toBeGreaterThan(100);
  });

  it('of a cluster keeps every unit of every URL in its order, and is the same every time', () => {
    const next = random(5);
    for (let run = 0; run < amount(300); run++) {
      const units = Array.from({ length: 1 + next(7) }, () => unitsOf(someUrl(next))!);
      const { profile, rows } = alignAll(units);
      expect([...rows].sort((a, b) => a - b)).toEqual(units.map((_, at) => at));
      for (const [row, at] of rows.entries()) expect(profile.flatMap((column) => column[row] ?? [])).toEqual(units[at]);
      expect(alignAll(units)).toEqual({ profile, rows });
    }
  });

  it('takes fields in any order for the same, and refuses what is no URL', () => {
    expect(unitsOf('http://h/a?b=1&a=2')).toEqual(unitsOf('http://h/a?a=2;b=1'));
    expect([unitsOf('a'), unitsOf('/{a}'), unitsOf('')]).toEqual([undefined, undefined, undefined]);
  });
});

/** Stories with three addresses each, and lists whose `page` means something. */
function planted(count: number): ClusterUrl[] {
  const site = '*';
  return Array.from({ length: count }, (_, k) => {
    const [label, word] = [`s${k}`, `story${(k * 7919) % 1000}x${k}`];
    const urls = [`/news/${word}`, `/show.php?id=${word}&sid=${k}a`, `/print/news/${word}?sid=${k}b`];
    const lists = [1, 2].map((page) => ({ url: `http://h/list${k}?page=${page}`, label: `l${k}p${page}`, site }));
    return [...urls.map((path) => ({ url: `http://h${path}`, label, site })), ...lists];
  }).flat();
}

describe('rules of other kinds', () => {
  // Each page has two addresses that differ in `v`, and two in which `a` and `b` change places.
  const pages = Array.from({ length: 20 }, (_, k) =>
    [`/p/${k}?v=1`, `/p/${k}?v=2`, `/a/b/${k}`, `/b/a/${k}`].map((path) => clustered(path, k)),
  ).flat();
  const mined = [sampleParameter('v', { status: 'likely' }), sampleRule('a', 'b', { status: 'likely' })];
  // Too few clusters for any pattern.
  const learn = (list: readonly ClusterUrl[]) =>
    learnRules(list, { others: mined }, { ...ALIGN_DEFAULTS, minFreq: 100, seed: 1 });

  function aligned(list: readonly ClusterUrl[]): string[] {
    const { rules } = learnRules(list, { others: [] }, { ...ALIGN_DEFAULTS, seed: 1 });
    return rules.flatMap((rule) => (rule.kind === 'pattern' ? [`${rule.pattern} -> ${rule.template}`] : []));
  }

  function clustered(path: string, page: number): ClusterUrl {
    return { url: `http://h${path}`, label: `${page}`, site: '*' };
  }

  it('are no rules where they merge two clusters, though each has as many URLs there as the other', () => {
    // 40 pages have two addresses each; of 40 more pages, two share a bare address that nobody has asked for.
    const right = Array.from({ length: 40 }, (_, k) => [1, 2].map((v) => clustered(`/r/${k}?v=${v}`, k))).flat();
    const wrong = Array.from({ length: 40 }, (_, k) => clustered(`/w/${k >> 1}?v=${k & 1}`, 100 + k));
    expect(learn(right).rules).toMatchObject([{ kind: 'parameter', name: 'v', verdict: { negative: 0 } }]);
    expect(learn([...right, ...wrong]).rules).toEqual([]);
  });

  it('are not blamed for what an earlier rule has merged falsely', () => {
    // The feeds of two hosts name their host: the rule of the hosts merges them, the rule of v does not.
    const at = (host: string, path: string, label: string) => ({ url: `http://${host}${path}`, label, site: '*' });
    const list = ['h', 'www.h'].flatMap((host) => [
      ...Array.from({ length: 400 }, (_, k) => at(host, `/p/${k}`, `${k}`)),
      ...Array.from({ length: 20 }, (_, k) => at(host, `/p/${k}?v=1`, `${k}`)),
      ...Array.from({ length: 16 }, (_, k) => at(host, `/feed/${k}`, `feed ${k} of ${host}`)),
      ...Array.from({ length: 16 }, (_, k) => at(host, `/feed/${k}?v=1`, `feed ${k} of ${host}`)),
    ]);
    const judged = [
      sampleRule('http://www.h/', 'http://h/', { status: 'valid', anchor: 'start' }),
      sampleParameter('v', { status: 'valid', rank: 2 }),
    ];
    const { rules } = learnRules(list, { judged, others: [] }, { ...ALIGN_DEFAULTS, minFreq: 100, seed: 1 });
    expect(rules.map(({ kind }) => kind)).toEqual(['substring', 'parameter']);
    // Feeds of which both labels are in the half that is counted.
    const { negative, negatives } = rules[0]!.verdict!;
    expect(negative).toBeGreaterThan(0);
    expect(negatives[0]).toEqual([
      expect.stringMatching(/\/feed\/\d+/),
      expect.stringMatching(/^http:\/\/h\/feed\/\d+/),
      'another cluster',
    ]);
  });

  it('have the merges of both halves in their verdict', () => {
    const asked = { source: 'clusters', positive: 7, negative: 1, unjudged: {}, positives: [], negatives: [] } as const;
    const judged = [sampleParameter('v', { status: 'valid', verdict: asked })];
    const options = { ...ALIGN_DEFAULTS, minFreq: 100, seed: 1 };
    const alone = learnRules(pages, { judged: [sampleParameter('v', { status: 'valid' })], others: [] }, options);
    const both = learnRules(pages, { judged, others: [] }, options);
    const counted = alone.rules[0]!.verdict!;
    expect(counted.positive).toBeGreaterThan(0);
    expect(both.rules[0]!.verdict).toEqual({ ...counted, positive: counted.positive + 7, negative: 1 });
  });

  it('say once what patterns with a text of their own say, and a number is not said if that is wrong', () => {
    // In each of four forums the reply `r` is on the page of its topic; in a fifth some topics have two pages.
    const forum = (board: number, topics: number, labelOf: (r: number) => string) =>
      Array.from({ length: topics }, (_, topic) =>
        ['', `?r=${board}0${topic}1`, `?r=${board}0${topic}2`].map((more, r) => ({
          url: `http://h/boards/${board}/topics/${1000 * board + topic}${more}`,
          label: `${board} ${topic} ${labelOf(r)}`,
          site: '*',
        })),
      ).flat();
    const right = [21, 22, 23, 24].flatMap((board) => forum(board, 20, () => ''));
    expect(aligned(right)).toEqual(['/boards/{2:digits}/topics/{1:digits}?r={value} -> /boards/{2}/topics/{1}']);
    const wrong = forum(25, 40, (r) => `${Math.min(r, 1)}`);
    expect(aligned([...right, ...wrong]).join()).not.toMatch(/boards/);
  });

  it('say once what moves from the host into the path', () => {
    const list = ['money', 'sports', 'travel'].flatMap((part, at) =>
      Array.from({ length: 40 }, (_, k) =>
        [`//${part}.h.test/${7000 + k}`, `//www.h.test/${part}/${7000 + k}`].map((rest) => ({
          url: `http:${rest}`,
          label: `${at} ${k}`,
          site: '*',
        })),
      ).flat(),
    );
    expect(aligned(list)).toEqual(['//www.h.test/{2:label}/{1:digits} -> //{2}.h.test/{1}']);
  });

  it('name no value of a campaign, and no day', () => {
    const tagged = (field: string) =>
      Array.from({ length: 40 }, (_, k) => [clustered(`/p${k}/x`, k), clustered(`/p${k}/x?${field}`, k)]).flat();
    expect(aligned(tagged('utm_source=rss'))).toEqual(['/{1:path}?utm_source={value}&{*} -> /{1}?{*}']);
    expect(aligned(tagged('from=2026-11-27'))).toEqual(['/{1:path}?from={value}&{*} -> /{1}?{*}']);
    expect(aligned(tagged('view=short'))).toEqual(['/{1:path}?view=short&{*} -> /{1}?{*}']);
  });

  it('come from URLs of an ordinary length, and it is counted how many are longer', () => {
    const long = `/${'segment/'.repeat(90)}`;
    const { rules, counts } = learn([...pages, ...[1, 2].map((v) => clustered(`${long}?w=${v}`, 99))]);
    expect(counts).toMatchObject({ unaligned: 2, valid: 2 });
    expect(JSON.stringify(rules)).not.toContain('segment');
    expect(learn(pages).counts.unaligned).toBe(0);
  });

  it('are no rules if a few large clusters outweigh what they merge falsely elsewhere', () => {
    const large = Array.from({ length: 1200 }, (_, k) =>
      ['', '&v=1'].map((more) => clustered(`/task?n=${k}${more}`, k % 6)),
    );
    const wrong = Array.from({ length: 12 }, (_, k) =>
      ['', '&v=1'].map((more, at) => clustered(`/p?n=${k}${more}`, 10 + 2 * k + at)),
    );
    expect(learn(large.flat()).rules).toMatchObject([{ name: 'v' }]);
    expect(learn([...large, ...wrong].flat()).rules).toEqual([]);
  });

  it('that the clusters have answered for come first, and write where the list has their images', () => {
    const judged = [
      sampleParameter('v', { status: 'valid' }),
      sampleRule('/b/a/', '/a/b/', { status: 'valid', rank: 2 }),
    ];
    const options = { ...ALIGN_DEFAULTS, minFreq: 100, seed: 1 };
    const { rules } = learnRules(pages, { judged, others: mined }, options);
    expect(rules.map(({ rank, kind, use = 'write' }) => [rank, kind, use])).toEqual([
      [1, 'substring', 'write'],
      [2, 'parameter', 'key'],
    ]);
  });

  it('are keys if their images are no URLs of the clusters', () => {
    const { rules, counts } = learn(pages);
    expect(rules.map(({ kind, status, use }) => [kind, status, use].join(' ')).sort()).toEqual([
      'parameter valid key',
      'substring valid key',
    ]);
    expect(counts).toMatchObject({ valid: 2, keys: 2 });
    expect(rules.map(({ verdict }) => verdict?.source)).toEqual(['clusters', 'clusters']);
  });

  it('write URLs if nearly all of their images are', () => {
    const bare = Array.from({ length: 20 }, (_, k) => clustered(`/p/${k}`, k));
    const useOf = (list: readonly ClusterUrl[], kind: string) =>
      learn(list).rules.find((rule) => rule.kind === kind)!.use;
    expect(useOf([...pages, ...bare], 'parameter')).toBeUndefined();
    expect(useOf([...pages, ...bare], 'substring')).toBe('key');
    expect(useOf([...pages, ...bare.slice(0, 10)], 'parameter')).toBe('key');
  });
});

describe('rules by alignment lead to the side that the hits go by', () => {
  // Stories at a long address and at a short one.
  const stories = (long: number, short: number) =>
    Array.from({ length: 40 }, (_, k) => {
      const [label, word] = [`s${k}`, `story${(k * 7919) % 1000}x${k}`];
      return [
        { url: `http://h/articles/${word}`, label, site: '*', hits: long + (k % 3) },
        { url: `http://h/art/${word}`, label, site: '*', hits: short + (k % 3) },
        { url: `http://h/art/${word}?sid=${k}b`, label, site: '*', hits: 1 },
      ];
    }).flat();
  const formsOf = (list: readonly ClusterUrl[]) => {
    const { rules } = learnRules(list, { others: [] }, { ...ALIGN_DEFAULTS, seed: 1 });
    const canonizer = createCanonizer(rules, {
      normalize: 'safe',
      accept: 'valid',
      maxIterations: 10,
      urlForm: 'absolute',
      sitePolicy: 'all',
    });
    return ['/articles/other99', '/art/other99', '/art/other99?sid=7'].map((path) =>
      decodeText(canonizer.canonize(encodeText(`http://h${path}`))),
    );
  };

  it('the long one, too', () => {
    expect(formsOf(stories(9, 2))).toEqual(Array(3).fill('http://h/articles/other99'));
    expect(formsOf(stories(2, 9))).toEqual(Array(3).fill('http://h/art/other99'));
  });

  it('the short one if there are none, or as many', () => {
    const bare = stories(0, 0).map(({ url, label, site }) => ({ url, label, site }));
    expect(formsOf(bare)).toEqual(Array(3).fill('http://h/art/other99'));
    expect(formsOf(stories(3, 3))).toEqual(Array(3).fill('http://h/art/other99'));
  });
});

describe('rules by alignment', () => {
  const list = planted(40);
  const { rules } = learnRules(list, { others: [] }, { ...ALIGN_DEFAULTS, seed: 1 });
  const how = {
    normalize: 'safe',
    accept: 'valid',
    maxIterations: 10,
    urlForm: 'absolute',
    sitePolicy: 'all',
  } as const;
  const canonizer = createCanonizer(rules, how);
  const formOf = (url: string) => decodeText(canonizer.canonize(encodeText(url)));

  it('find patterns that were planted, copies of a field among them, for stories that they never saw', () => {
    expect(formOf('http://h/print/news/other99?sid=8')).toBe('http://h/news/other99');
    expect(formOf('http://h/show.php?sid=8&id=other99')).toBe('http://h/news/other99');
    expect(rules.length).toBeLessThan(6);
  });

  it('keep pages apart that are different', () => {
    const labels = new Map<string, string>();
    for (const { url, label } of list) {
      const form = formOf(url);
      expect([form, labels.get(form) ?? label]).toEqual([form, label]);
      labels.set(form, label);
    }
    expect(labels.size).toBeLessThan(list.length);
  });

  it('are the same whatever the order of the list', () => {
    expect(
      learnRules(list.toReversed(), { others: [] }, { ...ALIGN_DEFAULTS, seed: 1 }).rules.map(({ kind, ...rule }) => [
        kind,
        'pattern' in rule && rule.pattern,
      ]),
    ).toEqual(rules.map(({ kind, ...rule }) => [kind, 'pattern' in rule && rule.pattern]));
  });
});
