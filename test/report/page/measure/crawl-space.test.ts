// The classes of crawl space, in a log that has each of them, and in one that has none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../../src/base/bytes.js';
import { sampleFile, sampleParameter, sampleRule, sampleStep } from '../../../rule/sample.js';
import { choosesOrActs, CrawlSpaceMeter, repeatsItself } from '../../../../src/report/page/measure/crawl-space.js';
import { lineOf, reportOf } from '../visited.js';

async function spaceOf(paths: readonly string[]) {
  const log = paths.map((path, k) => lineOf({ url: `http://a.test${path}`, size: 100 + k })).join('');
  return (await reportOf(log, sampleFile([]))).log!.crawlSpace;
}

describe('crawl space', () => {
  it('is in the classes that Google counts', async () => {
    const space = await spaceOf([
      ...['red', 'blue', 'red'].map((colour, k) => `/list?filter_color=${colour}&page=${k}`),
      '/list?orderby=price',
      '/shop?add-to-cart=7',
      '/wiki?do=edit',
      '/events?tribe-bar-date=2099-01-01',
      '/a?PHPSESSID=1',
      '/x/img/x/img/x/img/a.html',
      '/deep/deep/deep/',
    ]);
    const shown = space.map(({ kind, parameters, endless }) => [
      kind,
      parameters.map(({ name, urls, hits, values }) => [name, urls, hits, values[0]]),
      ...(endless === undefined ? [] : [endless]),
    ]);
    expect(shown).toEqual([
      [
        'facets',
        [
          ['filter_color', 3, 3, 'red'],
          ['orderby', 1, 1, 'price'],
        ],
      ],
      [
        'actions',
        [
          ['add-to-cart', 1, 1, '7'],
          ['do', 1, 1, 'edit'],
        ],
      ],
      ['irrelevant', [['PHPSESSID', 1, 1, '1']]],
      ['calendars', [['tribe-bar-date', 1, 1, '2099-01-01']]],
      [
        'endless',
        [],
        {
          urls: 2,
          hits: 2,
          examples: ['http://a.test/deep/deep/deep/', 'http://a.test/x/img/x/img/x/img/a.html'],
        },
      ],
    ]);
  });

  const row = { site: '', urls: 9, hits: 9, values: 2, areMore: false, commonest: ['x'], sizeRatio: 2, reason: '' };
  const narrowing = { ...row, class: 'narrows', groups: { same: 0, different: 9, silent: 0 } } as const;

  it('never has campaigns, sessions and feeds among filters, which robots.txt would forbid, whatever the log shows', () => {
    const names = ['utm_source', 'PHPSESSID', 'size'];
    const rows = names.map((name) => ({ ...narrowing, name }));
    const feeds = { ...narrowing, name: 'flav', commonest: ['rss20', 'atom'] };
    const space = new CrawlSpaceMeter().finish([...rows, feeds], []);
    expect(space).toMatchObject([{ kind: 'facets', parameters: [{ name: 'size' }] }]);
  });

  it('says of actions which values do something', () => {
    const doing = { ...narrowing, name: 'do', commonest: ['index', 'edit', 'revert'] };
    const [space] = new CrawlSpaceMeter().finish([doing], []);
    expect(space).toMatchObject({ kind: 'actions', parameters: [{ values: ['edit', 'revert'], isByValue: true }] });
  });

  it('says whether rules change a parameter on the whole site, in places, or nowhere', () => {
    const rules = [
      sampleParameter('a', { rank: 1, site: '' }),
      sampleParameter('b', { rank: 2, site: '', scope: 'prefix', path: '/x' }),
      sampleRule('?c=', '/', { rank: 3, site: '' }),
      sampleParameter('d', { rank: 4, site: 'other.test' }),
    ].map((rule) => ({ rule }));
    const rows = ['a', 'b', 'c', 'd'].map((name) => ({ ...narrowing, name }));
    const [space] = new CrawlSpaceMeter().finish(rows, rules);
    expect(space!.parameters.map(({ name, changed, rule }) => [name, changed, rule])).toEqual([
      ['a', 'everywhere', 1],
      ['b', 'in places', 2],
      ['c', 'in places', 3],
      ['d', 'nowhere', undefined],
    ]);
  });

  it('takes a rule for some places as one for all if it changes all URLs with the parameter', () => {
    const rule = { ...sampleStep('drop-number-fields', '', { rank: 9, site: '' }), status: 'valid' } as const;
    const numbers = { ...narrowing, class: 'irrelevant', name: '(bare numbers)' } as const;
    const of = (touched: number) => new CrawlSpaceMeter().finish([numbers], [{ rule, touched }])[0]!.parameters;
    expect(of(numbers.urls)).toMatchObject([{ changed: 'everywhere', rule: 9, isProven: true }]);
    expect(of(numbers.urls - 1)).toMatchObject([{ changed: 'in places', rule: 9, isProven: true }]);
  });

  it('shows bare numbers as the log has them', async () => {
    const pages = Array.from({ length: 40 }, (_, k) => ({
      url: `http://a.test/p${k % 20}?a=${k % 20}&${1_700_000_000 + k}`,
      size: 1000 + 37 * (k % 20),
    }));
    const { log } = await reportOf(pages.map(lineOf).join(''), sampleFile([]));
    expect(log!.crawlSpace).toMatchObject([
      {
        kind: 'irrelevant',
        parameters: [{ urls: 40, values: ['1700000000', '1700000001', '1700000002', '1700000003', '1700000004'] }],
      },
    ]);
  });

  it('is not where names only look like it, and segments repeat twice, or empty ones', async () => {
    expect(await spaceOf(['/a?do=article', '/a?id=7', '/b/b/c/d/e', '/x/y/x/y/x', '/q?p=/a/a/a/a', '///////'])).toEqual(
      [],
    );
  });

  it('finds repeated segments in bytes as a twin does in text', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '', 'é', ':', 'http:', 'a?b', '#');
    const run = fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 4 }))
      .map(([some, times]) => Array.from({ length: times }, () => some).flat());
    const head = fc.constantFrom('', '/', 'http://h.test/', 'http:/', '://h/', ':://h/', 'x?://', 'http://h.test');
    const url = fc.tuple(head, fc.array(run, { maxLength: 4 })).map(([from, runs]) => from + runs.flat().join('/'));
    let repeating = 0;
    fc.assert(
      fc.property(url, (text) => {
        const expected = repeatsInText(text);
        expect(repeatsItself(encodeText(text))).toBe(expected);
        if (expected) repeating++;
      }),
      { numRuns: 1000 },
    );
    expect(repeating).toBeGreaterThan(20);
  });
});

function repeatsInText(url: string): boolean {
  const path = url.replace(/^[^/?#]+:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '');
  const segments = path.split('/').slice(1);
  return [1, 2].some((period) =>
    segments.some((_, from) => {
      const run = segments.slice(from, from + 3 * period);
      return run.length === 3 * period && run.every((one, at) => one !== '' && one === run[at % period]);
    }),
  );
}

it.each([
  ['sort=name', true],
  ['page=2&Sort=name', true],
  ['filter[]=a', true],
  ['do=edit', true],
  ['do=show', false],
  ['replytocom=1', true],
  ['id=1', false],
  ['q=sort', false],
  ['', false],
])('the query %j chooses or acts: %s', (query, is) => expect(choosesOrActs(query)).toBe(is));
