// What an accepted rule lays open is asked about at once, and what changes much for little not at all.
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/rule/rule.js';
import { questionsOf } from '../../../src/validate/ask/questions.js';
import type { FunctionSite } from '../function-source.js';
import { sampleRule } from '../../rule/sample.js';
import { ask, expectSigned, many } from './asked.js';

/** A wiki whose special pages have a field or a segment for their target, `(` and `%28` alike; other fields matter. */
const wiki: FunctionSite = (url) => {
  const [, path = '', query = ''] = /^http:\/\/h([^?]*)(?:\?(.*))?$/.exec(unescape(url))!;
  const fields = query.split('&').filter((field) => field !== '');
  const page = fields.find((field) => field.startsWith('title='))?.slice('title='.length);
  const target = fields.find((field) => field.startsWith('target='))?.slice('target='.length);
  if (page === undefined && !/^\/wiki\/./.test(path)) return null;
  if (page === undefined) return `${path} ${fields.toSorted().join(' ')}`.replace(/\W/g, '_');
  return `/wiki/${page}${target === undefined ? '' : `/${target}`} `.replace(/\W/g, '_');
};
const unescape = (text: string) => text.replace(/%28/g, '(').replace(/%29/g, ')');

const links = many(60, (k) => [
  `http://h/index.php?title=Special:Links&target=Page${k}%281%29`,
  `http://h/wiki/Special:Links/Page${k}(1)`,
]).flat();
const escapes = many(40, (k) => [`http://h/wiki/A${k}(2)`, `http://h/wiki/A${k}%282%29`]).flat();
/** Parameters that matter, each asked about in vain. */
const fields = many(12, (p) => many(16, (k) => `http://h/wiki/B${k >> 1}${k % 2 === 0 ? `?p${p}=${k}` : ''}`)).flat();

describe('an accepted step', () => {
  test('shows starts with the same rests, which are asked about before what saves less', async () => {
    const urls = [...new Set([...links, ...escapes, ...fields])];
    const asked: { rule: Rule; saving: number }[] = [];
    const { answer, formOf } = await ask(wiki, urls, {
      audit: 0,
      onQuestion: ({ rules: [rule], saving }) => asked.push({ rule: rule!, saving }),
    });
    const said = answer.accepted.map((rule) => (rule.kind === 'substring' ? rule.to : rule.kind));
    expect(said).toContain('http://h/wiki/Special:Links/');
    expectSigned(wiki, urls, formOf);
    const at = asked.findIndex(({ rule }) => rule.kind === 'substring' && rule.from.includes('Special:Links'));
    expect(asked.slice(at + 1).filter(({ saving }) => saving === 8).length).toBeGreaterThan(6);
  });
});

describe('not asked about', () => {
  test('is an order of fields that rewrites a hundred forms for each one that it saves', async () => {
    const site: FunctionSite = (url) => wiki(url);
    const urls = [...many(500, (k) => `http://h/wiki/a?z=${k}&b=1`), ...many(4, (k) => `http://h/wiki/a?b=1&z=${k}`)];
    const { answer, source } = await ask(site, urls);
    expect(answer.accepted).toEqual([]);
    expect(source.requests).toBeLessThan(60);
    const { answer: other } = await ask(site, [...urls, ...many(40, (k) => `http://h/wiki/a?b=1&z=${k}`)]);
    expect(other.accepted).toMatchObject([{ step: 'sort-fields' }]);
  });

  test('is a start with a number before its last field', () => {
    const pages = many(20, (k) => `Page${k}`);
    const asked = (field: string) =>
      questionsOf(
        '*',
        pages.flatMap((page) => [`http://h/index.php?${field}&title=${page}`, `http://h/wiki/${page}`]),
      ).flatMap(({ rules }) => rules.flatMap((rule) => (rule.kind === 'substring' ? rule.from : [])));
    expect(asked('limit=500')).not.toContain('http://h/index.php?limit=500&title=');
    expect(asked('view=all')).toContain('http://h/index.php?view=all&title=');
  });

  test('is one number for another that is right for a few pages', async () => {
    const some = many(6, (k) => [`http://h/wiki/C${k}?limit=250`, `http://h/wiki/C${k}?limit=500`]).flat();
    const short: FunctionSite = (url) => wiki(url.replace('limit=500', 'limit=250'));
    const rule = sampleRule('=500', '=250', { status: 'likely', anchor: 'end', support: { low: 6, high: 6 } });
    const { answer } = await ask(short, some, { rules: [rule] });
    expect(answer.accepted.filter(({ kind }) => kind === 'substring')).toEqual([]);
    const more = many(20, (k) => [`http://h/wiki/D${k}?limit=250`, `http://h/wiki/D${k}?limit=500`]).flat();
    const { answer: of } = await ask(short, [...some, ...more], { rules: [rule] });
    expect(of.accepted.length).toBeGreaterThan(0);
  });
});

describe('a host', () => {
  test('that the site calls canonical is, however few URLs have it', async () => {
    const site: FunctionSite = (url) => {
      const path = /^http:\/\/(?:www\.)?h(\/p\d+)$/.exec(url)?.[1];
      return path === undefined ? null : { page: path, canonical: `http://h${path}` };
    };
    const urls = [...many(400, (k) => `http://www.h/p${k}`), ...many(3, (k) => `http://h/p${k}`)];
    const { formOf } = await ask(site, urls);
    expect(formOf('http://www.h/p299')).toBe('http://h/p299');
  });
});
