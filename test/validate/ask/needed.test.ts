// Rules that the list does not need are not written: one line less to read, and one claim less.
import { describe, expect, test } from 'vitest';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import { hitList } from '../../../src/canonize/name/census.js';
import type { Rule } from '../../../src/rule/rule.js';
import { neededRules } from '../../../src/validate/ask/needed.js';
import { settlementsOf } from '../../../src/validate/ask/settlements.js';
import { sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';
import { ask, many, options } from './asked.js';

const canonizerOf = (rules: readonly Rule[]) => createCanonizer(rules, options.canonizer, () => '*');

function neededOf(rules: readonly Rule[], urls: readonly string[], isKept: (rule: Rule) => boolean = () => false) {
  const list = hitList(
    urls,
    urls.map(() => 1),
    [],
  );
  return neededRules(rules, list, canonizerOf, isKept);
}

const sid = sampleParameter('sid');
const orderby = sampleParameter('orderby', { scope: 'path', path: '/2024/page/2' });

describe('a rule is not needed', () => {
  test('that changes no URL of the list', () => {
    expect(neededOf([sid, orderby], ['http://h/2024/page/2?sid=1', 'http://h/a?orderby=b'])).toEqual([sid]);
  });

  test('that is a special case of another one, whichever was accepted first', () => {
    const inFolder = sampleParameter('sid', {
      not: [{ part: 'text', is: '[]=' }],
      only: [{ part: 'first', is: 'faq' }],
    });
    const urls = ['http://h/faq/a?sid=1', 'http://h/b?sid=2'];
    expect(neededOf([inFolder, sid], urls)).toEqual([sid]);
    expect(neededOf([sid, inFolder], urls)).toEqual([sid]);
  });

  test('whose work several others do together', () => {
    const both = sampleRule('?a=1&b=2', '', { anchor: 'end' });
    const [a, b] = ['a', 'b'].map((name) => sampleParameter(name));
    expect(neededOf([both, a!, b!], ['http://h/?a=1&b=2', 'http://h/?a=1', 'http://h/?b=2'])).toEqual([a, b]);
  });
});

test('every rule without which a URL has another form stays, and so do keys and what is kept', () => {
  const slashes = sampleStep('fold-slashes', '');
  const key = sampleParameter('ref', { use: 'key' });
  const urls = ['http://h//a?sid=1', 'http://h/b?ref=1'];
  expect(neededOf([slashes, sid, key, orderby], urls, (rule) => rule === orderby)).toEqual([
    slashes,
    sid,
    key,
    orderby,
  ]);
});

describe('of earlier nights', () => {
  const site = (url: string) => `page of ${url.replace(/[?&](?:sid|old)=\w+/g, '')}`;
  const urls = many(60, (k) => [`http://h/p${k}`, `http://h/p${k}?sid=${k}`]).flat();
  const old = sampleParameter('old', { rank: 1, site: '*' });

  test.each([
    ['one that changes no URL leaves the file if the list is whole', true, ['needless']],
    ['it stays if the log of tonight may lack it', false, ['kept']],
  ])('%s', async (_, isWholeList, outcomes) => {
    const plan = [{ rule: old, attempts: [] }];
    const { answer } = await ask(site, urls, { rules: [old], isWholeList });
    const ofOld = settlementsOf(plan, answer).filter(({ before }) => before === old);
    expect(ofOld.map(({ outcome }) => outcome)).toEqual(outcomes);
  });
});
