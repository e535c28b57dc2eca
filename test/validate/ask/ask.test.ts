// The result of asking, on sites with known truth: rules to which the owner would agree, and no others.
import { describe, expect, test } from 'vitest';
import { isFew } from '../../amount.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import type { FunctionSite } from '../function-source.js';
import { QUICKEST_ACCEPTANCE } from '../../../src/validate/trial.js';
import { ask, expectSigned, many, options, pageOf } from './asked.js';

const longer = (urls: readonly string[], formOf: (url: string) => string) =>
  urls.filter((url) => formOf(url).length > url.length);

describe('a site that folds slashes and ignores unknown parameters', () => {
  const site: FunctionSite = (url) => {
    const [, path = ''] = /^http:\/\/h([^?]*)/.exec(url)!;
    return path.replace(/\/+/g, '/').replace(/\W/g, '_');
  };
  const tracked = '?utm_source=newsletter&utm_medium=email&utm_campaign=spring';
  const urls = many(150, (k) => `http://h/lib/p${k}`).flatMap((url, k) => [
    ...(k % 3 > 0 ? [url] : []),
    ...(k % 3 < 2 ? [url.replace('/lib/', '/lib//')] : []),
    ...(k % 2 === 0 ? [`${url}${tracked}`] : []),
    ...(k % 5 === 0 ? [`${url}?sid=${(k * 7919).toString(36)}`] : []),
  ]);
  const inventions = [
    sampleRule('/', '//', { status: 'likely', support: { low: 50, high: 50 } }),
    sampleRule('', tracked, { status: 'likely', anchor: 'end', support: { low: 50, high: 50 } }),
    sampleRule('', tracked, { status: 'valid', anchor: 'end', rank: 9 }),
  ];

  test('gets rules that remove, and none that add', async () => {
    const { answer, formOf } = await ask(site, urls, { rules: inventions });
    expect(expectSigned(site, urls, formOf)).toBe(150);
    expect(longer(urls, formOf)).toEqual([]);
    expect(answer.accepted.length).toBeLessThanOrEqual(6);
    expect(answer.audit).toMatchObject({
      different: 0,
      dead: 0,
      redirecting: 0,
      urls: urls.length,
      forms: 150,
      longer: 0,
    });
  });

  test('gets rules for parameters that always occur together, though none of them alone would save a form', async () => {
    const together = many(60, (k) => `http://h/p${k}`).flatMap((url) => [url, `${url}${tracked}`]);
    const { answer, formOf } = await ask(site, together);
    expect(expectSigned(site, together, formOf)).toBe(60);
    const names = answer.accepted.flatMap((rule) => (rule.kind === 'parameter' ? [rule.name] : []));
    expect(names.sort()).toEqual(['utm_campaign', 'utm_medium', 'utm_source']);
  });
});

describe('parameters with the names of trackers', () => {
  const names = ['utm_source', 'utm_medium', 'fbclid', 'gclid', 'ref', 'mc_cid', 'mc_eid', 'msclkid'];
  const urls = many(400, (k) => `http://h/p${k}`).flatMap((url, k) => [url, `${url}?${names[k % 8]}=${k}`]);
  const plain: FunctionSite = (url) => url.replace(/[?].*/, '').replace(/\W/g, '_');

  test('are asked about together, and each gets a rule with its own samples', async () => {
    const { answer, source, formOf } = await ask(plain, urls, { audit: 0 });
    expect(expectSigned(plain, urls, formOf)).toBe(400);
    const removed = answer.accepted.flatMap((rule) => (rule.kind === 'parameter' ? [rule] : []));
    expect(removed.map(({ name }) => name).sort()).toEqual([...names].sort());
    for (const { name, verdict, examples } of removed) {
      expect(verdict!.positive).toBeGreaterThanOrEqual(options.minSamples);
      for (const [url] of [...verdict!.positives, ...examples]) expect(url).toContain(name);
    }
    // By itself each takes a draw of its own.
    expect(source.requests).toBeLessThan(8 * QUICKEST_ACCEPTANCE);
  });

  test('are asked about one by one if one of them matters', async () => {
    // Here `ref` names a version of the page.
    const site: FunctionSite = (url) => (url.includes('ref=') ? url.replace(/\W/g, '_') : plain(url));
    const { answer, formOf } = await ask(site, urls);
    expect(expectSigned(site, urls, formOf)).toBe(400 + 50);
    const removed = answer.accepted.flatMap((rule) => (rule.kind === 'parameter' ? [rule.name] : []));
    expect(removed.sort()).toEqual(names.filter((name) => name !== 'ref').sort());
  });
});

test('a field with the default value goes, whatever stands around it, and other values stay', async () => {
  const urls = many(60, (k) => `http://h/p${k}`).flatMap((url, k) => [
    url,
    `${url}?start=0`,
    `${url}?start=${20 * (1 + (k % 4))}`,
    `${url}?view=a&start=0&q=${k}`,
  ]);
  const site: FunctionSite = (url) =>
    url
      .replace(/([?&])start=0&?/, '$1')
      .replace(/\?$/, '')
      .replace(/\W/g, '_');
  const { answer, formOf } = await ask(site, urls);
  expect(expectSigned(site, urls, formOf)).toBe(3 * 60);
  expect(answer.accepted).toMatchObject([
    { kind: 'parameter', name: 'start', action: 'remove', only: [{ part: 'field', is: 'start=0' }] },
  ]);
});

describe('a site that redirects the shorter form to the longer one', () => {
  const site: FunctionSite = (url) => (url.endsWith('/') ? url.replace(/\W/g, '') : { redirect: `${url}/` });
  const urls = many(80, (k) => `http://h/a${k}/`).concat(many(50, (k) => `http://h/a${k}`));

  test('gets the longer one, as it uses it itself, and no form redirects', async () => {
    const { answer, formOf } = await ask(site, urls);
    expect(expectSigned(site, urls, formOf)).toBe(80);
    expect(answer.accepted).toMatchObject([{ kind: 'step', step: 'add-end-slash', word: 'redirect' }]);
  });

  const moved =
    (at: string): FunctionSite =>
    (url) => {
      const k = url.startsWith(at) ? /^(\d+)\/?$/.exec(url.slice(at.length))?.[1] : undefined;
      return k === undefined ? site(url) : { redirect: `http://h/a${k}/` };
    };
  const isAdded = { kind: 'step', step: 'add-end-slash', word: 'redirect' };

  test.each([
    [
      'a few',
      'http://h/old',
      4,
      [{ ...isAdded, except: expect.arrayContaining(many(4, (k) => `http://h/old${k}`)) as string[] }],
    ],
    ['a folder of', 'http://h/old/', 30, [isAdded]],
    ['many', 'http://h/old', 30, []],
  ])('adds none to %s URLs that redirect elsewhere with it and without', async (_, at, count, rules) => {
    const old = many(count, (k) => `${at}${k}`);
    const { answer, formOf } = await ask(moved(at), [...urls, ...old]);
    expect(old.map(formOf)).toEqual(old);
    expect(answer.accepted).toMatchObject(rules);
  });
});

describe('a canonical link', () => {
  const urls = many(80, (k) => `http://h/a${k}`).concat(many(40, (k) => `http://h/a${k}?view=x`));

  test('that is wrong (homepage, page one, a URL with trackers, another host, 404) merges nothing', async () => {
    const lies = ['http://h/', 'http://h/a1', 'http://h/a7?utm_source=x', 'http://other/a', 'http://h/gone'];
    const site: FunctionSite = (url) => {
      if (url === 'http://h/gone') return 404;
      const name = url.replace(/[?].*view=x.*$/, 'x').replace(/\W/g, '');
      return { page: name, canonical: lies[name.length % lies.length]! };
    };
    const { formOf } = await ask(site, urls);
    expect(expectSigned(site, urls, formOf)).toBe(120);
  });

  test('that is right chooses the direction', async () => {
    // Both answer without a redirect; the site itself uses the longer name.
    const site: FunctionSite = (url) => {
      const name = /(?:item-|i)(\d+)/.exec(url)?.[1];
      return name === undefined ? 404 : { page: `n${name}`, canonical: `http://h/item-${name}` };
    };
    const list = many(60, (k) => `http://h/i/${k}`).concat(many(60, (k) => `http://h/item-${k}`));
    const named: FunctionSite = (url) => site(url.replace('/i/', '/i'));
    const { formOf } = await ask(named, list, {
      rules: [sampleRule('item-', 'i/', { status: 'likely', support: { low: 60, high: 60 }, confidence: 0.9 })],
    });
    expect(formOf('http://h/i/7')).toBe('http://h/item-7');
    expect(expectSigned(named, list, formOf)).toBe(60);
  });
});

test('a server that answers anything with 200 and the same page proves nothing', async () => {
  const site: FunctionSite = (url) => (/^http:\/\/h\/p\d+$/.test(url) ? url.replace(/\W/g, '') : 'sorry');
  const urls = many(100, (k) => `http://h/p${k}`).concat(many(100, (k) => `http://h/p${k}?x=${k % 7}`));
  const { formOf } = await ask(site, urls);
  expectSigned(site, urls, formOf);
});

test('a parameter without effect is removed, though a value for it is likelier', async () => {
  const site: FunctionSite = (url) => url.replace(/[?].*/, '').replace(/\W/g, '_');
  const urls = ['http://h/login', ...many(200, (k) => `http://h/login?next=/p${k % 150}${k < 150 ? '' : '/edit'}`)];
  const rules = [sampleParameter('next', { action: 'set', value: '/p1', status: 'likely', confidence: 0.99 })];
  const { answer, formOf } = await ask(site, urls, { rules });
  expect(expectSigned(site, urls, formOf)).toBe(1);
  expect(answer.accepted).toMatchObject([{ kind: 'parameter', name: 'next', action: 'remove' }]);
});

test('two applications with opposite conventions get a rule each where it holds', async () => {
  // `h` names a commit in one, and is irrelevant in the other.
  const site: FunctionSite = (url) => (url.includes('/web') ? url.replace(/[?]h=.*/, '') : url).replace(/\W/g, '_');
  const urls = many(60, (k) => `http://h/web/p${k}`).flatMap((url, k) => [
    ...many(3, (n) => `${url}?h=${k}${n}`),
    url,
    ...many(3, (n) => `${url.replace('web', 'git')}?h=c${k}${n}`),
    url.replace('web', 'git'),
  ]);
  const { answer, formOf } = await ask(site, urls);
  expect(expectSigned(site, urls, formOf)).toBe(60 + 4 * 60);
  expect(answer.accepted).toHaveLength(1);
  expect(answer.accepted[0]).toMatchObject({ kind: 'parameter', name: 'h', action: 'remove' });
});

test('an exception at the end of paths becomes one condition, not a prefix for each folder', async () => {
  const isFeed = (url: string) => /\/feed(?:[?]|$)/.test(url);
  const site: FunctionSite = (url) => (isFeed(url) ? url : url.replace(/[?].*/, '')).replace(/\W/g, '_');
  const urls = many(300, (k) => `http://h/${2000 + (k % 20)}/p${k}`).flatMap((url, k) => [
    url,
    `${url}?ref=${k % 9}`,
    ...(k % 4 === 0 ? [`${url}/feed`, `${url}/feed?ref=${k % 9}`] : []),
  ]);
  const { answer, formOf } = await ask(site, urls);
  expect(expectSigned(site, urls, formOf)).toBe(300 + 150);
  expect(answer.accepted).toHaveLength(1);
});

test('an alias that holds only if no other parameter chooses the page gets conditions on these', async () => {
  const choosers = ['act', 'rev', 'cmp', 'sec', 'view', 'raw'];
  const site: FunctionSite = (url) => {
    const [, name, query = ''] = /^http:\/\/h\/(?:w\/x[?]t=|p\/)(\w+)(.*)$/.exec(url) ?? [];
    if (name === undefined) return 404;
    return url.includes('/p/') && query !== '' ? 404 : `${name}${query.replace(/\W/g, '_')}`;
  };
  const urls = many(60, (k) => `n${k}`).flatMap((name, k) => [
    `http://h/p/${name}`,
    `http://h/w/x?t=${name}`,
    ...choosers.map((chooser) => `http://h/w/x?t=${name}&${chooser}=${k}`),
  ]);
  const { answer, formOf } = await ask(site, urls, {
    rules: [sampleRule('/w/x?t=', '/p/', { status: 'likely', support: { low: 60, high: 60 }, confidence: 0.9 })],
  });
  expect(expectSigned(site, urls, formOf)).toBe(urls.length - 60);
  expect(answer.accepted).toHaveLength(1);
});

test('lists shorter than a page do not make page sizes equal', async () => {
  // 90 % of the lists have fewer than 50 entries.
  const site: FunctionSite = (url) => {
    const [, list, limit] = /l(\d+)[?]limit=(\d+)$/.exec(url) ?? [];
    if (list === undefined || limit === undefined) return 404;
    return `l${list}_${Number(list) % 10 === 0 ? limit : 'all'}`;
  };
  const urls = many(300, (k) => `http://h/l${k}`).flatMap((url) => [`${url}?limit=50`, `${url}?limit=500`]);
  const { formOf } = await ask(site, urls, {
    rules: [sampleRule('=500', '=50', { status: 'likely', anchor: 'end', support: { low: 270, high: 270 } })],
  });
  const wrong = urls.filter((url) => pageOf(site, formOf(url)) !== pageOf(site, url));
  expect(wrong.length).toBeLessThanOrEqual(0.001 * urls.length);
});

test('numbered series, versions and languages stay apart', async () => {
  const site: FunctionSite = (url) => url.replace(/\W/g, '_');
  const urls = Array.from({ length: 40 }, (_, k) => k).flatMap((k) => [
    ...many(5, (n) => `http://h/list${k}?page=${n}`),
    ...['2.5', '2.7', '3.8'].map((version) => `http://h/docs/${version}/p${k}`),
    ...['en', 'de'].map((language) => `http://h/${language}/p${k}`),
  ]);
  const series = [
    ['?page=2', '?page=1'],
    ['/3.8/', '/2.5/'],
    ['/en/', '/de/'],
  ].map(([from, to]) => sampleRule(from!, to!, { status: 'likely', support: { low: 40, high: 40 } }));
  const { answer } = await ask(site, urls, { rules: series });
  expect(answer.accepted).toEqual([]);
});

test('rules that are right alone are right together', async () => {
  // `/x` folds into `/`, and `/a/` into `/b/`; but the combined image of `/a/x` does not exist.
  const site: FunctionSite = (url) => {
    if (url === 'http://h/b/') return 404;
    return url.replace('/a/', '/b/').replace(/\/x$/, '/').replace(/\W/g, '_');
  };
  const urls = many(80, (k) => `http://h/a/p${k}`)
    .concat(many(80, (k) => `http://h/b/p${k}`))
    .concat(many(60, (k) => `http://h/c${k}/x`))
    .concat(many(60, (k) => `http://h/c${k}/`));
  const { formOf } = await ask(site, urls, {
    rules: [sampleRule('/a/', '/b/', { status: 'likely', support: { low: 80, high: 80 }, confidence: 0.9 })],
  });
  expect(expectSigned(site, urls, formOf)).toBeLessThan(150);
});

test('a budget of 100 requests is kept, spent on what saves the most, and does no harm', async () => {
  const site: FunctionSite = (url) => url.replace(/[?&](?:sid|ref)=\w*/g, '').replace(/\W/g, '_');
  const urls = many(400, (k) => `http://h/p${k}`).flatMap((url, k) => [
    url,
    `${url}?sid=a${k}`,
    ...(k % 40 === 0 ? [`${url}?ref=b${k}`] : []),
  ]);
  const { answer, source, formOf } = await ask(site, urls, { maxRequests: 100 });
  expect(source.requests).toBeLessThanOrEqual(110);
  expect(answer.accepted[0]).toMatchObject({ name: 'sid', status: 'valid' });
  expectSigned(site, urls, formOf);
});

test('a site that changes during the run refutes nothing', async () => {
  let clock = 0;
  const site: FunctionSite = (url) => {
    const page = url.replace(/[?].*/, '').replace(/\W/g, '_');
    clock++;
    return {
      page,
      text: `${Array.from({ length: 60 }, (_, k) => `${page}${k}`).join(' ')} seen ${clock} times, at ${clock * 7}`,
    };
  };
  const urls = many(100, (k) => `http://h/p${k}`).flatMap((url, k) => [url, `${url}?sid=a${k}`]);
  const { formOf } = await ask((url) => site(url), urls);
  expect(new Set(urls.map(formOf)).size).toBe(100);
});

test('the same seed makes the same requests, with the same result', async () => {
  const site: FunctionSite = (url) => url.replace(/[?].*/, '').replace(/\W/g, '_');
  const urls = many(100, (k) => `http://h/p${k}`).flatMap((url, k) => [url, `${url}?sid=a${k}`]);
  const [first, second] = [await ask(site, urls), await ask(site, urls)];
  expect(second.source.asked).toEqual(first.source.asked);
  expect(second.answer.accepted).toEqual(first.answer.accepted);
  const other = await ask(site, urls, { seed: 2 });
  expect(other.source.asked).not.toEqual(first.source.asked);
});

describe('a shop with two host names, whose lists have moved', () => {
  // A renamed product is still found by its old slug: 301 on either host.
  const site: FunctionSite = (url) => {
    const [, host = '', path = ''] = /^http:\/\/([^/]*)([^?]*)/.exec(url)!;
    const [, old] = /^\/old-(\d+)$/.exec(path) ?? [];
    return old === undefined ? `page ${path}` : { redirect: `http://${host}/p${old}` };
  };
  const paths = [...many(60, (k) => `/p${k}`), ...many(30, (k) => `/old-${k}`)];
  const urls = paths.flatMap((path, k) => [
    ...(k % 4 > 0 ? [`http://h${path}`] : []),
    ...(k % 3 < 2 ? [`http://www.h${path}`] : []),
  ]);

  test('gets one rule for both names: a URL that redirects anyway does not speak against it', async () => {
    const { answer, formOf } = await ask(site, urls);
    expect(urls.filter((url) => formOf(url).startsWith('http://www.'))).toEqual([]);
    const hosts = answer.accepted.filter((rule) => rule.kind === 'substring' && rule.from.includes('www.'));
    expect(hosts).toHaveLength(1);
    expect(hosts[0]).toMatchObject({ from: 'http://www.h/', to: 'http://h/' });
    expect(hosts[0]).not.toHaveProperty('only');
    expect(hosts[0]).not.toHaveProperty('except');
  });
});

test.each([
  ['a longer host name', (k: number) => (k % 5 === 0 ? 'http://h' : 'http://www.h'), (k: number) => `/p${k}`],
  ['a longer value', () => 'http://h', (k: number) => `/p${k % 40}?sort=${k % 3 === 0 ? 'name' : 'names'}`],
])('%s is no canonical form, however common, unless the site says so', async (_, hostOf, pathOf) => {
  const urls = [...new Set(many(200, (k) => hostOf(k + Math.floor(k / 40)) + pathOf(k % 80)))];
  const needed = (url: string) => (url.includes('sort=name') ? 'list' : 'page');
  const site: FunctionSite = (url) => `${needed(url)} ${/\/p\d+/.exec(url)?.[0] ?? ''}`;
  const { formOf } = await ask(site, urls);
  expect(urls.filter((url) => formOf(url).length > url.length)).toEqual([]);
});

describe('a parameter that is ignored in one folder of thirty', () => {
  const folders = many(30, (k) => `f${k}`);
  const site: FunctionSite = (url) => {
    const [, folder = '', page = '', rest = ''] = /^http:\/\/h\/([^/]*)\/([^?]*)(.*)$/.exec(url) ?? [];
    if (page === '') return 404;
    return folder === 'f7' ? `${folder} ${page}` : `${folder} ${page} ${rest}`;
  };
  const urls = folders.flatMap((folder, f) =>
    many(folder === 'f7' ? 120 : 4, (k) => `http://h/${folder}/p${k}`).flatMap((url, k) => [
      url,
      ...many(folder === 'f7' ? 1 : 2, (v) => `${url}?mode=${1000 * f + 10 * k + v}`),
    ]),
  );

  test('is found there, though few samples fell into it', async () => {
    const { answer, formOf } = await ask(site, urls);
    expectSigned(site, urls, formOf);
    const found = answer.accepted.filter((rule) => rule.kind === 'parameter' && rule.name === 'mode');
    expect(found.map(({ only }) => only)).toEqual([[{ part: 'first', is: 'f7' }]]);
  });
});

describe('a rule that adds text, which the site uses itself only in some folders', () => {
  // `a`, and the small `c` to `e`, redirect /item-7 to /items-7; `b0` to `b9` answer both.
  const site: FunctionSite = (url) => {
    const [, folder = '', plural = '', rest = ''] = /^http:\/\/h\/([acde]|b\d)\/item(s?)-(\d+)$/.exec(url) ?? [];
    if (folder === '') return 404;
    return !folder.startsWith('b') && plural === ''
      ? { redirect: `http://h/${folder}/items-${rest}` }
      : `${folder} ${rest}`;
  };
  const folder = (name: string, count: number) =>
    many(count, (k) => [`http://h/${name}/item-${k}`, `http://h/${name}/items-${k}`]).flat();
  const urls = [
    ...folder('a', 200),
    ...many(10, (k) => folder(`b${k}`, 20)).flat(),
    ...folder('c', 18),
    ...folder('d', 18),
    ...folder('e', 18),
  ];
  const rules = [sampleRule('item', 'items', { status: 'likely', support: { low: 400, high: 400 } })];

  test.skipIf(isFew)('is not accepted elsewhere', async () => {
    const { formOf } = await ask(site, urls, { rules });
    expect(formOf('http://h/a/item-7')).toBe('http://h/a/items-7');
    expect(urls.filter((url) => url.startsWith('http://h/b') && formOf(url) !== url)).toEqual([]);
  });
});
