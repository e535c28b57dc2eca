// A front controller takes the name of a page in a field, with characters escaped or doubled, and other fields beside
// it; links and bookmarks have its path. Each rule saves little before the others are known.
import { describe, expect, test } from 'vitest';
import type { FunctionSite } from '../function-source.js';
import { sampleRule } from '../../rule/sample.js';
import { ask, expectSigned, many } from './asked.js';

/** Page names have `_` for a blank, and sometimes `(n)`. */
const nameOf = (text: string) => text.replaceAll('+', '_').replaceAll('%28', '(').replaceAll('%29', ')');

const site: FunctionSite = (url) => {
  const [, path, query] = /^http:\/\/h(\/[^?]*)(?:\?(.*))?$/.exec(url) ?? [];
  if (path === undefined) return 404;
  if (path.startsWith('/wiki/')) return /[+]/.test(path) ? 404 : `${nameOf(path.slice(6))} ${actionOf(query)}`;
  const title = /^title=([^&]*)/.exec(query ?? '')?.[1];
  if (path !== '/index.php' || title === undefined) return 404;
  const user = /&user=([^&]*)/.exec(query!)?.[1];
  return `${nameOf(title)}${user === undefined ? '' : `/${nameOf(user)}`} ${actionOf(query)}`;
};
const actionOf = (query = '') => /(?:^|&)action=(\w+)/.exec(query)?.[1] ?? 'view';

const signs = (k: number) => (k % 3 === 0 ? `Old_Page_${k}` : k % 3 === 1 ? `Page_(${k})` : `P${k}`);
const escaped = (name: string) => name.replaceAll('(', '%28').replaceAll(')', '%29');
const urls = many(150, signs).flatMap((name, k) => [
  `http://h/wiki/${name}`,
  `http://h/index.php?title=${name}&action=edit`,
  ...(k % 2 === 0 ? [`http://h/index.php?title=${escaped(name)}`] : []),
  ...(k % 5 === 0 ? [`http://h/index.php?title=${escaped(name).replaceAll('_', '+')}&action=edit`] : []),
  `http://h/wiki/Log/${name}`,
  `http://h/index.php?title=Log&user=${escaped(k % 4 === 0 ? name.replaceAll('_', '+') : name)}`,
]);

describe('a front controller', () => {
  test('has one form for each page', async () => {
    const { answer, formOf } = await ask(site, urls);
    const forms = expectSigned(site, urls, formOf);
    // Each name has a page, its editor and its log.
    expect(forms).toBe(3 * 150);
    expect(formOf('http://h/index.php?title=Page_%281%29')).toBe('http://h/wiki/Page_(1)');
    expect(formOf('http://h/index.php?title=Log&user=Old+Page_0')).toBe('http://h/wiki/Log/Old_Page_0');
    expect(answer.accepted.length).toBeLessThanOrEqual(6);
  });
});

describe('a site that takes whatever stands in its path for a query too', () => {
  // As RewriteRule ^/(.*) /index.php?id=$1 does: /a&do=edit answers like /index.php?id=a&do=edit.
  const rewritten: FunctionSite = (url) => {
    const [, path = '', query = ''] = /^http:\/\/h\/([^?]*)[?]?(.*)$/.exec(url) ?? [];
    const asked = path === 'index.php' ? query : `id=${path}&${query}`;
    const id = /^id=([^&]*)/.exec(asked)?.[1];
    return id?.startsWith('lib/') !== true
      ? 404
      : `${id.replace(/\W/g, '_')} ${/(?:^|&)do=(\w+)/.exec(asked)?.[1] ?? 'show'}`;
  };
  const names = many(120, (k) => `lib/p${k}`);
  const list = names.flatMap((name, k) => [
    `http://h/${name}`,
    ...(k % 4 === 0 ? [`http://h/index.php?id=${name}`] : []),
    `http://h/${name}&do=edit`,
    `http://h/index.php?id=${name}&do=edit`,
  ]);
  const mined = ['index.php?id=', 'index.php?id=lib'].map((from) =>
    sampleRule(from, from.replace(/.*=/, ''), { status: 'likely', support: { low: 90, high: 90 } }),
  );

  test('has no form with the fields of a query in its path', async () => {
    const { answer, formOf } = await ask(rewritten, list, { rules: mined });
    expectSigned(rewritten, list, formOf);
    for (const url of list.filter((one) => one.includes('?'))) expect(formOf(url)).not.toMatch(/^[^?]*&/);
    expect(formOf('http://h/index.php?id=lib/p1')).toBe('http://h/lib/p1');
    expect(formOf('http://h/index.php?id=lib/p1&rev=7')).not.toMatch(/^[^?]*&/);
    expect(answer.accepted).not.toEqual([]);
  });
});
