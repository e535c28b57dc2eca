import { describe, expect, test } from 'vitest';
import { chosenNames, type Choosing } from '../../../src/canonize/name/choose.js';
import type { Rule } from '../../../src/rule/rule.js';
import { sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';
import { conditionsOf } from '../../../src/validate/ask/parts.js';
import { canonizerOf, censusOf, listOf } from './list.js';

type Hits = Record<string, number>;

/** Each page under some addresses, with the hits of each. */
function pages(count: number, of: (k: number) => Hits): Hits {
  return Object.assign({}, ...Array.from({ length: count }, (_, k) => of(k))) as Hits;
}

async function choose(
  rules: readonly Rule[],
  hits: Hits,
  more: Partial<Choosing> & { moved?: readonly string[] } = {},
): Promise<Rule[]> {
  const { moved = [], ...choosing } = more;
  const chosen = await chosenNames(rules, listOf(hits, moved), { canonizerOf, isFixed: () => false, ...choosing });
  return chosen.map(({ rule }) => rule);
}

const WWW = sampleRule('http://www.h/', 'http://h/', { anchor: 'start' });
const usedAtWww = pages(30, (k) => ({ [`http://www.h/p${k}`]: 20, [`http://h/p${k}`]: 1 }));

describe('the name of a page', () => {
  test('is the side that the log goes by', async () => {
    const [rule] = await choose([WWW], usedAtWww);
    expect(rule).toMatchObject({ from: 'http://h/', to: 'http://www.h/', hits: { kept: 600, given: 30 } });
    expect(rule!.use).toBeUndefined();
  });

  test('stays where it is if that side has the hits', async () => {
    const hits = pages(30, (k) => ({ [`http://www.h/p${k}`]: 1, [`http://h/p${k}`]: 20 }));
    expect(await choose([WWW], hits)).toEqual([{ ...WWW, rank: 1, hits: { kept: 600, given: 30 } }]);
  });

  test('is what somebody has decided', async () => {
    const [rule] = await choose([WWW], usedAtWww, { isFixed: () => true });
    expect(rule).toMatchObject({ from: WWW.from, to: WWW.to });
  });

  test('is no address that the log has only as a redirect', async () => {
    const moved = Object.keys(usedAtWww).filter((url) => url.startsWith('http://www.'));
    const hits = { ...usedAtWww, ...pages(9, (k) => ({ [`http://www.h/q${k}`]: 90 })) };
    expect((await choose([WWW], hits, { moved }))[0]).toMatchObject({ from: WWW.from, to: WWW.to });
  });

  test('is https, whatever the hits, unless https only redirects', async () => {
    const rule = sampleRule('https://h/', 'http://h/', { anchor: 'start' });
    const hits = pages(30, (k) => ({ [`https://h/p${k}`]: 3, [`http://h/p${k}`]: 20 }));
    expect((await choose([rule], hits))[0]).toMatchObject({ from: 'http://h/', to: 'https://h/' });
    const moved = Object.keys(hits).filter((url) => url.startsWith('https:'));
    expect((await choose([rule], hits, { moved }))[0]).toMatchObject({ from: 'https://h/', to: 'http://h/' });
    const secure = sampleRule('http://h/', 'https://h/', { anchor: 'start' });
    const [kept] = await choose([secure], { ...hits, ...pages(500, (k) => ({ [`http://h/lone${k}`]: 9 })) });
    expect(kept).toMatchObject({ from: 'http://h/', to: 'https://h/' });
    expect(kept!.use).toBeUndefined();
  });

  test('has the conditions and exceptions of the rule, as its other side meets them', async () => {
    const rule = sampleRule('http://www.h/', 'http://h/', {
      anchor: 'start',
      not: [{ part: 'first', is: 'shop' }],
      except: ['http://www.h/p0'],
    });
    const hits = { ...usedAtWww, ...pages(5, (k) => ({ [`http://www.h/shop/${k}`]: 1, [`http://h/shop/${k}`]: 1 })) };
    const chosen = await choose([rule], hits);
    expect(chosen[0]).toMatchObject({ to: 'http://www.h/', not: rule.not, except: ['http://h/p0'] });
    expect(censusOf(chosen, listOf(hits)).totals.forms).toBe(censusOf([rule], listOf(hits)).totals.forms);
  });
});

describe('a rule that respells what everybody uses', () => {
  const respelt = {
    ...pages(200, (k) => ({ [`http://h/a%3A${k}`]: 5 })),
    ...pages(4, (k) => ({ [`http://h/a:${k}`]: 1 })),
  };

  test('is a key, with the hits as if it was written', async () => {
    const rules = [sampleParameter('utm'), sampleStep('unescape')];
    const hits = { ...respelt, ...pages(20, (k) => ({ [`http://h/b${k}`]: 5, [`http://h/b${k}?utm=1`]: 1 })) };
    const chosen = await choose(rules, hits);
    expect(chosen.map(({ use }) => use)).toEqual([undefined, 'key']);
    expect(chosen[1]).toMatchObject({ kind: 'step', step: 'unescape', hits: { kept: 4, given: 1000 } });
  });

  test('is written if its other way adds text, and the site calls for it', async () => {
    const hits = {
      ...pages(50, (k) => ({ [`http://h/a${k}/`]: 30 })),
      ...pages(5, (k) => ({ [`http://h/a${k}`]: 5 })),
    };
    const rules = [sampleStep('drop-end-slash')];
    expect((await choose(rules, hits))[0]).toMatchObject({ step: 'drop-end-slash', use: 'key' });
    const asked: Rule[] = [];
    const confirm: Choosing['confirm'] = async ({ rule: turned }) => {
      asked.push(turned);
      return { ...turned, word: 'redirect' };
    };
    const [rule] = await choose(rules, hits, { confirm });
    expect(asked).toMatchObject([{ step: 'add-end-slash' }]);
    expect(rule).toMatchObject({ step: 'add-end-slash', word: 'redirect', hits: { kept: 150, given: 25 } });
    const [refused] = await choose(rules, hits, { confirm: async () => undefined });
    expect(refused).toMatchObject({ step: 'drop-end-slash', use: 'key' });
  });
});

describe('a rule that is worth its redirects only somewhere', () => {
  const everywhere = pages(300, (k) => ({ [`http://h/a%3A${k}`]: 5 }));
  const both = pages(20, (k) => ({ [`http://h/wiki/b%3A${k}`]: 2, [`http://h/wiki/b:${k}`]: 9 }));
  const rules = [sampleStep('unescape')];

  test('is written there, and a key everywhere', async () => {
    const chosen = await choose(rules, { ...everywhere, ...both }, { conditionsOf });
    expect(chosen).toMatchObject([
      { step: 'unescape', only: [{ part: 'first', is: 'wiki' }], hits: { kept: 180, given: 40 } },
      { step: 'unescape', use: 'key' },
    ]);
    const { forms } = censusOf(chosen.slice(0, 1), listOf({ ...everywhere, ...both }));
    expect(new Set(forms).size).toBe(320);
  });

  test('is written but for the dearest place, where it has conditions of its own', async () => {
    const at = (host: string) =>
      Object.fromEntries(Object.entries(both).map(([url, hits]) => [url.replace('/h/', `/${host}/`), hits]));
    const own = [{ ...sampleStep('unescape'), only: ['h', 'g'].map((is) => ({ part: 'host' as const, is })) }];
    const chosen = await choose(own, { ...everywhere, ...at('g') }, { conditionsOf });
    expect(chosen).toMatchObject([{ only: own[0]!.only, not: [{ part: 'host', is: 'h' }] }, { use: 'key' }]);
  });

  test('is a key where it makes nearly no URLs one, or nowhere cheaply', async () => {
    for (const few of [pages(2, (k) => ({ [`http://h/wiki/b%3A${k}`]: 1, [`http://h/wiki/b:${k}`]: 9 })), {}]) {
      const chosen = await choose(rules, { ...everywhere, ...few }, { conditionsOf });
      expect(chosen).toMatchObject([{ step: 'unescape', use: 'key' }]);
    }
  });
});

describe('one separator', () => {
  const links = pages(80, (k) => ({ [`http://h/git?a=log;h=${k};pg=1`]: 9 }));
  const typed = pages(8, (k) => ({ [`http://h/git?a=log&h=${k}&pg=1`]: 1 }));

  test('is the one that the log goes by, in a field that has several', async () => {
    const chosen = await choose([sampleStep('one-separator')], { ...links, ...typed });
    expect(chosen).toMatchObject([{ kind: 'substring', from: '&', to: ';', hits: { kept: 72, given: 8 } }]);
    expect(censusOf(chosen, listOf({ ...links, ...typed })).forms.some((form) => form.includes('&'))).toBe(false);
  });

  test('is the ampersand where that has the hits', async () => {
    const few = pages(80, (k) => ({ [`http://h/git?a=log;h=${k};pg=1`]: 1 }));
    const many = pages(8, (k) => ({ [`http://h/git?a=log&h=${k}&pg=1`]: 60 }));
    expect(await choose([sampleStep('one-separator')], { ...few, ...many })).toMatchObject([{ step: 'one-separator' }]);
  });
});

describe('a turn', () => {
  test('stands behind the rules that would be handed its images', async () => {
    // Turned in its place, `/cgit/` would be put before what the second rule is about.
    const rules = [
      sampleRule('http://g/cgit/', 'http://c/', { anchor: 'start' }),
      sampleRule('http://c/', 'http://g/', { anchor: 'start', only: [{ part: 'first', is: 'cgit' }] }),
    ];
    const hits = pages(60, (k) => ({
      [`http://g/cgit/r${k}`]: 20,
      [`http://c/cgit/r${k}`]: 1,
      ...(k < 20 && { [`http://c/r${k}`]: 1 }),
    }));
    const chosen = await choose(rules, hits);
    expect(chosen.map((rule) => rule.kind === 'substring' && rule.from)).toEqual(['http://c/', 'http://c/']);
    const { forms, totals } = censusOf(chosen, listOf(hits));
    expect(forms.every((form) => form.startsWith('http://g/cgit/r'))).toBe(true);
    expect(totals).toMatchObject({ forms: 60 });
  });

  test('leaves one hop where rules follow each other', async () => {
    const rules = [sampleRule('http://m.h/', 'http://www.h/', { anchor: 'start' }), WWW];
    const hits = pages(30, (k) => ({ [`http://m.h/p${k}`]: 3, [`http://www.h/p${k}`]: 20, [`http://h/p${k}`]: 1 }));
    const chosen = await choose(rules, hits);
    expect(chosen).toMatchObject([{ to: 'http://www.h/' }, { from: 'http://h/', to: 'http://www.h/' }]);
    const { forms, unsettled } = censusOf(chosen, listOf(hits));
    expect(forms.every((form) => form.startsWith('http://www.h/'))).toBe(true);
    expect(unsettled).toBe(0);
  });

  test('that would lead in a circle is none', async () => {
    // Turned, the second would undo what the first does.
    const rules = [
      sampleRule('/old/', '/new/', { only: [{ part: 'host', is: 'h' }] }),
      sampleRule('/new/', '/old/', { only: [{ part: 'host', is: 'www.h' }] }),
    ];
    const hits = pages(30, (k) => ({
      [`http://www.h/new/${k}`]: 20,
      [`http://www.h/old/${k}`]: 1,
      [`http://h/new/${k}`]: 9,
      [`http://h/old/${k}`]: 1,
    }));
    const chosen = await choose(rules, hits);
    expect(censusOf(chosen, listOf(hits)).unsettled).toBe(0);
  });

  test('makes no URLs one that were apart', async () => {
    // The condition says nothing of the other side, where it would be met nowhere.
    const rule = sampleRule('http://h/x/', 'http://h/y/', { anchor: 'start', not: [{ part: 'text', is: 'x/other' }] });
    const used = pages(400, (k) => ({ [`http://h/x/${k}`]: 20, [`http://h/y/${k}`]: 1 }));
    const apart = pages(2, (k) => ({ [`http://h/x/other${k}`]: 3, [`http://h/y/other${k}`]: 3 }));
    const confirm: Choosing['confirm'] = async ({ rule: turned, joined }) => (joined.length === 0 ? turned : undefined);
    expect((await choose([rule], used, { confirm }))[0]).toMatchObject({ from: rule.to, to: rule.from });
    const [kept] = await choose([rule], { ...used, ...apart }, { confirm });
    expect(kept).toMatchObject({ from: rule.from, to: rule.to });
  });
});
