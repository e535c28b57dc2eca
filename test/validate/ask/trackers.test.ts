// Lists of trackers, as others write them.
import { describe, expect, test } from 'vitest';
import { adguard } from '../../../src/export/parameters/adguard.js';
import { clearurls } from '../../../src/export/parameters/clearurls.js';
import { questionsOf } from '../../../src/validate/ask/questions.js';
import { allTrackers, parseTrackers } from '../../../src/validate/ask/trackers.js';
import { sampleParameter } from '../../rule/sample.js';

const of = (text: string, url = 'https://shop.test/a') => {
  const has = parseTrackers(text, 'list')(url);
  return ['utm_source', 'UTM_Source', 'xutm_source', 'trk_7', 'id', 'ref', `utm_${'x'.repeat(200)}`].filter(has);
};

const clear = JSON.stringify({
  providers: {
    globalRules: { urlPattern: '.*', rules: ['(?:%3F)?utm(?:_[a-z_]*)?', '('], referralMarketing: [] },
    shop: { urlPattern: '^https?://(?:[a-z0-9-]+\\.)*?shop\\.test', rules: ['trk_\\d+'], referralMarketing: ['ref'] },
    broken: { urlPattern: '(', rules: ['id'] },
    nothing: null,
  },
});

describe('lists of trackers', () => {
  test('of ClearURLs: whole names in any case, of all providers and of that of the site', () => {
    expect(of(clear)).toEqual(['utm_source', 'UTM_Source', 'trk_7', 'ref']);
    expect(of(clear, 'https://other.test/')).toEqual(['utm_source', 'UTM_Source']);
  });

  test('of AdGuard: names and expressions, of any site and of the host', () => {
    const text = [
      '! Title: a list',
      '$removeparam=utm_source',
      '$xmlhttprequest,removeparam=/^trk_\\d+=/i,important',
      '||shop.test^$removeparam=ref',
      '||a.test/page^$removeparam=id',
      '$removeparam=id,domain=a.test',
      '@@||shop.test^$removeparam=id',
      '$removeparam=~id',
      '||ads.test^',
      '$removeparam',
    ].join('\r\n');
    expect(of(text)).toEqual(['utm_source', 'trk_7', 'ref']);
    expect(of(text, 'https://www.shop.test/?a')).toEqual(['utm_source', 'trk_7', 'ref']);
    expect(of(text, 'https://noshop.test/')).toEqual(['utm_source', 'trk_7']);
    expect(of(text, '/a/path')).toEqual(['utm_source', 'trk_7']);
  });

  test('of our own exports', () => {
    const rules = [sampleParameter('trk_7'), sampleParameter('ref')];
    const request = {
      rules: rules.map((rule) => ({ ...rule, site: 'shop.test' })),
      normalization: 'safe',
      urlForm: 'absolute',
      sitePolicy: 'domain',
      maxIterations: 10,
      scope: ['shop.test'],
      source: 'rules.json',
      generator: 'dustbuster',
    } as const;
    for (const target of [adguard, clearurls]) expect(of(target.write(request).text)).toEqual(['trk_7', 'ref']);
  });

  test('are refused if they are neither', () => {
    expect(() => parseTrackers('{"a": ', 'a.json')).toThrow(
      /^a\.json is not JSON: .*; expected the rules of ClearURLs$/,
    );
    for (const text of ['', '{}', '{"providers": []}', 'utm_source\n', '<html>']) {
      expect(() => parseTrackers(text, 'a.txt')).toThrow(/^a\.txt has no entry for a parameter; expected the rules/);
    }
  });

  test('are asked about together with those that are known, and first', () => {
    const urls = Array.from({ length: 9 }, (_, k) => `http://shop.test/p${k}?a=${k}&trk_7=${k}&b=1`);
    const known = urls.map((url, k) => (k < 4 ? `${url}&utm_source=x` : url));
    const list = allTrackers([parseTrackers('$removeparam=nothing', 'a'), parseTrackers(clear, 'b')]);
    const jointOf = (isTracker?: (name: string) => boolean) =>
      questionsOf('*', known, isTracker)
        .filter(({ isJoint }) => isJoint === true)
        .map(({ rules }) => rules.map((rule) => rule.kind === 'parameter' && rule.name));
    expect(jointOf()).toEqual([]);
    expect(jointOf(list('http://shop.test/'))).toEqual([['trk_7', 'utm_source']]);
  });
});
