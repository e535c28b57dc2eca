// A rule that held for every URL of the list must not reach URLs of other kinds, which the list does not have.
import { describe, expect, test } from 'vitest';
import { sampleRule } from '../../rule/sample.js';
import type { FunctionSite } from '../function-source.js';
import { ask, expectSigned, many } from './asked.js';

const partsOf = (url: string) => /^http:\/\/h(\/[^?]*)(?:\?(.*))?$/.exec(url)!.slice(1) as [string, string | undefined];
const valueOf = (query: string | undefined, name: string) =>
  new RegExp(`(?:^|&)${name}=([^&]*)`).exec(query ?? '')?.[1] ?? '';

/** A wiki: names of pages with `:` or `/`, `do=show` is what is shown anyway, and a picture that counts visits. */
const wiki: FunctionSite = (url) => {
  const [path, query] = partsOf(url);
  if (path === '/count.php') return { page: '', text: '.' };
  const id = path.slice(1).replaceAll(':', '/');
  const action = valueOf(query, 'do').replace(/^show$/, '');
  const search = valueOf(query, 'q');
  return `${id} ${action} ${valueOf(query, 'id')} ${search}`.replace(/\W/g, (sign) => `_${sign.charCodeAt(0)}`);
};
const names = many(80, (k) => `lib:p${k}`);
const urls = names.flatMap((name, k) => [
  `http://h/${name}`,
  `http://h/${name.replace(':', '/')}`,
  ...(k % 3 === 0 ? [`http://h/${name}?do=show`, `http://h/${name}?do=`] : []),
  ...(k % 3 === 1 ? [`http://h/${name}?do=edit`] : []),
  `http://h/count.php?id=${name}&${1000 + k}`,
  `http://h/count.php?id=${name}`,
]);
const show = sampleRule('=show', '=', { status: 'likely', anchor: 'end', support: { low: 20, high: 20 } });

/** URLs that the list has nothing of. */
const strangers = [
  'http://h/search?q=http:server',
  'http://h/search?q=show',
  'http://h/lib/p1?id=show',
  'http://h/lib/p1?id=howto:regex',
  'http://h/lib/p1?id=a&77',
  'http://h/lib/p1?q=lib:p1&id=a:b',
];

describe('a wiki', () => {
  test('gets rules that leave kinds of URLs alone which nobody has seen', async () => {
    const { answer, formOf } = await ask(wiki, urls, { rules: [show] });
    const forms = expectSigned(wiki, urls, formOf);
    expect(forms).toBeLessThanOrEqual(80 + 27 + 1);
    expect(answer.accepted.length).toBeGreaterThanOrEqual(3);
    for (const url of strangers) expect(formOf(url)).toBe(url);
  });
});
