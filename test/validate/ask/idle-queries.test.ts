import { describe, expect, it } from 'vitest';
import { queryQuestionsOf } from '../../../src/validate/ask/idle-queries.js';
import { partsOf } from '../../../src/validate/ask/parts.js';
import { many } from './asked.js';
import { askServer, pageOf } from './loopback.js';

/** What is asked about `urls`, as patterns. */
const patternsOf = (urls: readonly string[]) =>
  queryQuestionsOf('*', urls.map(partsOf)).flatMap(({ rules }) =>
    rules.flatMap((rule) => (rule.kind === 'pattern' ? rule.pattern : [])),
  );

describe('queries that a path may ignore', () => {
  it.each<[string, string[], string[]]>([
    ['are asked about on one path', many(20, (k) => `/pixel.gif?id=${k}&v=1`), ['/pixel.gif?{*}']],
    [
      'and where a segment varies, with that first',
      many(40, (k) => `/p/shoe_${k % 4}/?page=${k}&v=1`),
      ['/p/{1:segment}/?{*}', ...many(4, (k) => `/p/shoe_${k}/?{*}`)],
    ],
    ['not where the log has few of them', many(7, (k) => `/pixel.gif?id=${k}&v=1`), []],
    ['not of one value on many pages', many(40, (k) => `/p/shoe_${k}/?sort=up&v=1`), []],
    ['not of one name', many(20, (k) => `/pixel.gif?id=${k}`), []],
    ['not with more names than are tried', many(40, (k) => `/pixel.gif?n${k}a=1&v=1`), []],
    ['whatever numbers they hold beside', many(40, (k) => `/pixel.gif?id=7&${1000 + k}`), ['/pixel.gif?{*}']],
  ])('%s', (_, urls, patterns) => expect(patternsOf(urls)).toEqual(patterns));

  it('leave fields alone that may mean money or choice', () => {
    const urls = [...many(20, (k) => `/pixel.gif?id=${k}&v=1`), '/pixel.gif?aff=7', '/list?lang=de'];
    const [rule] = queryQuestionsOf('*', urls.map(partsOf))[0]!.rules;
    expect(rule!.not).toEqual([
      { part: 'parameter', is: 'aff' },
      { part: 'parameter', is: 'lang' },
    ]);
  });
});

describe('a site whose products ignore every field, while its lists do not', () => {
  const paths = [
    ...many(30, (k) => `/p/shoe_${k}/`),
    ...many(90, (k) => `/p/shoe_${k % 30}/?page=${k % 7}&sort=${'ab'[k % 2]}`),
    ...many(30, (k) => `/p/shoe_${k}/?view=${k}`),
    ...many(60, (k) => `/l/list_${k % 6}/?page=${k % 10}&sort=${'ab'[k % 2]}`),
    ...many(12, (k) => `/p/shoe_${k}/?aff=${k}`),
  ];
  const page = (url: URL) => (url.pathname.startsWith('/p/') ? url.pathname : url.pathname + url.search);

  it('gets one rule for all of them, which leaves money alone', async () => {
    const { answer, formOf } = await askServer(page, paths);
    const written = answer.accepted.filter(({ use }) => use !== 'key');
    expect(written.filter(({ kind }) => kind === 'pattern')).toHaveLength(1);
    expect(written.filter(({ kind }) => kind === 'parameter').map((rule) => 'name' in rule && rule.name)).toEqual([
      'aff',
    ]);
    expect(formOf('/p/shoe_3/?page=2&sort=a')).toBe('/p/shoe_3/');
    expect(formOf('/p/hat/?unknown=1')).toBe('/p/hat/');
    expect(formOf('/l/list_1/?page=2&sort=a')).toBe('/l/list_1/?page=2&sort=a');
  });

  it('gets none where one field of many chooses the page', async () => {
    const choosing = (url: URL) => `${page(url)} ${url.searchParams.get('view') ?? ''}`;
    const { answer } = await askServer(choosing, paths);
    expect(answer.accepted.filter(({ kind }) => kind === 'pattern')).toEqual([]);
  });

  it('leaves a field alone that visitors choose in a form', async () => {
    const form = '<form><input type="checkbox" name="sort" value="a"></form>';
    const { answer, formOf } = await askServer((url) => ({ html: pageOf(page(url)) + form }), paths);
    expect(formOf('/p/shoe_3/?page=2&view=7')).toBe('/p/shoe_3/');
    expect(formOf('/p/shoe_3/?page=2&sort=a')).toContain('sort=a');
    const ofSort = answer.accepted.find((rule) => rule.kind === 'parameter' && rule.name === 'sort');
    expect(ofSort, 'it is asked about by itself').toMatchObject({ use: 'key', control: 'form' });
  });

  it('leaves a field alone that was never answered', async () => {
    const refusing = (url: URL) => (url.searchParams.has('view') ? 503 : page(url));
    const { formOf } = await askServer(refusing, paths);
    expect(formOf('/p/shoe_3/?page=2&sort=a')).toBe('/p/shoe_3/');
    expect(formOf('/p/shoe_3/?view=9')).toBe('/p/shoe_3/?view=9');
  });
});
