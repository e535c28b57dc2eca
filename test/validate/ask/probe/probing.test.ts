// Rules that the whole list speaks for, and that are wrong for what somebody asks for tomorrow: the site is asked for URLs
// that the list lacks.
import { describe, expect, test } from 'vitest';
import type { FunctionSite } from '../../function-source.js';
import { samplePattern } from '../../../rule/sample.js';
import { ask, many } from '../asked.js';

const fieldsOf = (url: string) => new URL(url).searchParams;
const pathOf = (url: string) => new URL(url).pathname;

/** Fields of which only some count: `counts` says what of a URL tells pages apart. */
const siteOf =
  (counts: (fields: URLSearchParams, path: string) => string): FunctionSite =>
  (url) =>
    /^\/(?:list|item|search|diff)\d+$/.test(pathOf(url)) ? `${pathOf(url)} ${counts(fieldsOf(url), pathOf(url))}` : 404;

describe('a rule that no URL of the list speaks against', () => {
  test('drops no start of a list but the first, if the list of URLs has only that', async () => {
    const site = siteOf((fields) => (fields.get('start') ?? '0') + (fields.get('cat') ?? ''));
    const urls = many(40, (k) => `http://h/list${k}`).flatMap((url, k) => [
      `${url}?cat=${k % 7}`,
      `${url}?cat=${k % 7}&start=0`,
    ]);
    const { formOf } = await ask(site, urls);
    expect(formOf('http://h/list7?cat=0&start=0')).toBe('http://h/list7?cat=0');
    expect(formOf('http://h/list7?cat=0&start=30')).toBe('http://h/list7?cat=0&start=30');
  });

  test('keeps an empty field where it matters, in a form that nobody has left empty yet', async () => {
    // A search without keywords lists all that its section has; elsewhere an empty field is nothing.
    const site = siteOf((fields, path) =>
      path.startsWith('/search')
        ? `${fields.get('section')} ${fields.get('keywords') === '' ? 'all' : (fields.get('keywords') ?? 'form')}`
        : (fields.get('id') ?? ''),
    );
    const urls = [
      ...many(40, (k) => `http://h/item${k}?id=${k}`).flatMap((url) => [url, `${url}&note=`]),
      ...many(30, (k) => `http://h/search${k}?section=s${k % 5}&keywords=w${k}`),
    ];
    const { formOf } = await ask(site, urls);
    expect(formOf('http://h/search3?section=s3&keywords=')).toBe('http://h/search3?section=s3&keywords=');
    expect(formOf('http://h/item3?id=3&note=')).toBe('http://h/item3?id=3');
  });

  test('keeps an empty field behind one of its name, as the last decides', async () => {
    const site = siteOf((fields) => fields.getAll('do').at(-1) || 'show');
    const urls = many(60, (k) => `http://h/item${k}`).flatMap((url, k) => [
      url,
      `${url}?do=`,
      ...(k % 4 === 0 ? [`${url}?do=edit`] : []),
    ]);
    const { formOf } = await ask(site, urls);
    expect(formOf('http://h/item3?do=')).toBe('http://h/item3');
    expect(formOf('http://h/item4?do=edit&do=')).not.toBe('http://h/item4?do=edit');
  });

  test('moves no name with a plus into the path, where it is no blank', async () => {
    const site: FunctionSite = (url) => {
      const title = fieldsOf(url).get('title')?.replaceAll(' ', '_');
      const name = pathOf(url) === '/index.php' ? title : /^\/wiki\/([^+]*)$/.exec(pathOf(url))?.[1];
      return name === undefined || !/^Old_Page_\d+$/.test(name) ? 404 : name;
    };
    const names = many(60, (k) => `Old_Page_${k}`);
    const urls = names.flatMap((name) => [`http://h/wiki/${name}`, `http://h/index.php?title=${name}`]);
    const { formOf } = await ask(site, urls);
    expect(formOf('http://h/index.php?title=Old_Page_3')).toBe('http://h/wiki/Old_Page_3');
    expect(formOf('http://h/index.php?title=Old+Page+3')).not.toContain('/wiki/Old+Page');
  });

  test('takes no number of a page away behind another number of a page', async () => {
    const site: FunctionSite = (url) => {
      const [, tag, page = new URL(url).searchParams.get('paged') ?? '1'] =
        /^\/tag\/(\w+)\/(?:page\/(\d+)\/)?$/.exec(pathOf(url)) ?? [];
      return tag === undefined ? 404 : `${tag} ${/paged/.test(url) ? fieldsOf(url).get('paged') : page}`;
    };
    const urls = many(40, (k) => `http://h/tag/w${k}/`).flatMap((url) => [url, `${url}page/2/`, `${url}page/3/`]);
    const { formOf } = await ask(site, [...urls, ...many(40, (k) => `http://h/tag/w${k}/?paged=1`)]);
    expect(formOf('http://h/tag/w3/?paged=1')).toBe('http://h/tag/w3/');
    expect(formOf('http://h/tag/w3/page/2/?paged=1')).toBe('http://h/tag/w3/page/2/?paged=1');
  });

  test('takes no field away from a page with other fields, with which it matters', async () => {
    // As a shop does: a category has no search unless it is sorted.
    const site = siteOf((fields) => (fields.has('sort') ? `${fields.get('sort')} ${fields.get('q') ?? ''}` : ''));
    const urls = many(60, (k) => `http://h/list${k}`).flatMap((url, k) => [
      url,
      `${url}?q=w${k % 9}`,
      ...(k % 3 === 0 ? [`${url}?sort=a`, `${url}?sort=b`] : []),
    ]);
    const { formOf } = await ask(site, urls);
    expect(formOf('http://h/list7?q=w7')).toBe('http://h/list7');
    expect(formOf('http://h/list7?sort=a&q=w7')).toContain('q=w7');
  });
});

describe('a probe', () => {
  const list = (tail: string) =>
    many(60, (k) => `http://h/item${k}`).flatMap((url, k) => [url, `${url}?${tail.replace('#', `${k}`)}`]);
  const dropped: FunctionSite = (url) => pathOf(url);
  /** URLs that were asked for and are not in the list; nothing cannot have a page. */
  const made = (asked: readonly string[], urls: readonly string[]) =>
    asked.filter((url) => !urls.includes(url) && !/\/no-\w+$/.test(url));

  test('is not asked for what everybody knows', async () => {
    const urls = list('utm_source=s#');
    const { source } = await ask(dropped, urls);
    expect(made(source.asked, urls)).toEqual([]);
  });

  test('is one of a few, each asked for once', async () => {
    const urls = list('zz=#');
    const { source, answer } = await ask(dropped, urls, { audit: 0 });
    const probes = made(source.asked, urls);
    expect(answer.accepted).toHaveLength(1);
    expect(probes.length).toBeGreaterThan(0);
    expect(probes.length).toBeLessThanOrEqual(16);
    expect(new Set(probes).size).toBe(probes.length);
  });

  test.each<[string, FunctionSite]>([
    ['redirects', (url) => ({ redirect: `http://h${pathOf(url)}/moved` })],
    ['is not there', () => 404],
    [
      'says of anything that it is not there',
      () => ({ page: '', text: `There is no such thing here ${'x '.repeat(60)}` }),
    ],
  ])('that %s says nothing', async (_, unknown) => {
    const urls = list('zz=#');
    const known = new Set([...urls, ...urls.map((url) => `${url}/moved`)]);
    const { formOf } = await ask((url) => (known.has(url) ? pathOf(url) : unknown(url)), urls, { audit: 0 });
    expect(formOf('http://h/item7?zz=7')).toBe('http://h/item7');
  });

  test('that differs from itself says nothing', async () => {
    const urls = list('zz=#');
    let visits = 0;
    const site: FunctionSite = (url) => (urls.includes(url) ? pathOf(url) : `news of today ${visits++}`);
    const { formOf } = await ask(site, urls, { audit: 0 });
    expect(formOf('http://h/item7?zz=7')).toBe('http://h/item7');
  });

  test('alone among five makes an exception', async () => {
    const urls = list('zz=#');
    const odd = new Set<string>();
    const site: FunctionSite = (url) => {
      // The first that is asked for and was never listed is another page.
      if (!urls.includes(url) && /item\d+\?zz=/.test(url) && odd.size === 0) odd.add(url);
      return odd.has(url) ? 'odd' : pathOf(url).startsWith('/item') ? pathOf(url) : 404;
    };
    const { answer, formOf } = await ask(site, urls, { audit: 0 });
    expect(odd.size).toBe(1);
    expect(answer.accepted.map(({ except }) => except)).toEqual([[...odd]]);
    expect(formOf('http://h/item7?zz=7')).toBe('http://h/item7');
  });
});

describe('a pattern', () => {
  const rule = samplePattern('/news/story-{1:digits}.html?{*}', '/story/{1}?{*}', { site: '*', status: 'likely' });
  const urls = many(60, (k) => [`http://h/news/story-${k}.html`, `http://h/story/${k}`]).flat();

  test('is accepted where its probes are right, too', async () => {
    const site: FunctionSite = (url) => pathOf(url).replace(/^\/news\/story-(\d+)\.html$/, '/story/$1');
    const { answer, source } = await ask(site, [...urls, 'http://h/x?lang=de'], { rules: [rule] });
    expect(answer.accepted.some(({ kind }) => kind === 'pattern')).toBe(true);
    expect(source.asked.filter((url) => url.includes('/news/') && !urls.includes(url)).length).toBeGreaterThan(0);
  });

  test('lets no field pass that counts, though no URL of the list has it there', async () => {
    const site: FunctionSite = (url) => {
      const path = pathOf(url).replace(/^\/news\/story-(\d+)\.html$/, '/story/$1');
      // The old script knows the language, the new one does not.
      return path === pathOf(url) ? path : `${path} ${fieldsOf(url).get('lang') ?? ''}`.trim();
    };
    const listed = [...urls, ...many(30, (k) => `http://h/x${k}?lang=${k % 2 === 0 ? 'de' : 'fr'}`)];
    const { formOf } = await ask(site, listed, { rules: [rule] });
    expect(formOf('http://h/news/story-7.html')).toBe('http://h/story/7');
    expect(formOf('http://h/news/story-7.html?lang=de')).toBe('http://h/news/story-7.html?lang=de');
  });
});
