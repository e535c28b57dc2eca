// Sites whose controls say more than their text, on loopback: what these work with is a key, and never dropped.
import { describe, expect, test } from 'vitest';
import { many } from './asked.js';
import { askServer, pageOf } from './loopback.js';

const ruleOf = (name: string, { answer }: Awaited<ReturnType<typeof askServer>>) =>
  answer.accepted.find((rule) => rule.kind === 'parameter' && rule.name === name);

const tabs = ['all', 'notes', 'edits'];
const withTabs = (current: string) =>
  tabs.map((tab) => `<a ${tab === current ? 'class="selected"' : ''} href="?tab=${tab}"></a>`).join('');

describe('a page with tabs', () => {
  const paths = many(20, (k) => [`/p${k}`, `/p${k}?tab=notes`, `/p${k}?tab=edits`]).flat();

  test('keeps its tabs, which are a key', async () => {
    const asked = await askServer(
      ({ pathname, searchParams }) => ({ html: pageOf(pathname) + withTabs(searchParams.get('tab') ?? 'all') }),
      paths,
    );
    expect(ruleOf('tab', asked)).toMatchObject({ status: 'valid', use: 'key', control: 'state' });
    expect(asked.formOf('/p3?tab=notes')).toBe('/p3?tab=notes');
  });

  test('loses a field that no tab depends on, though its classes are new at each request', async () => {
    let request = 0;
    const asked = await askServer(
      ({ pathname }) => ({ html: pageOf(pathname) + `<i class="c${request++}"></i>` }),
      paths,
    );
    expect(asked.formOf('/p3?tab=notes')).toBe('/p3');
  });
});

describe('a page whose form answers another comment', () => {
  const paths = many(20, (k) => [`/p${k}`, ...[1, 2].map((n) => `/p${k}?replyto=${10 * k + n}`)]).flat();
  const formOf = (to: string | null) =>
    `<form method="post"><input type="hidden" name="parent" value="${to ?? 0}"></form>`;

  test('keeps the field', async () => {
    const asked = await askServer(
      ({ pathname, searchParams }) => ({ html: pageOf(pathname) + formOf(searchParams.get('replyto')) }),
      paths,
    );
    expect(ruleOf('replyto', asked)).toMatchObject({ use: 'key', control: 'state' });
    expect(asked.formOf('/p3?replyto=31')).toBe('/p3?replyto=31');
  });

  test('loses it where the pages give themselves without it as their canonical link', async () => {
    const asked = await askServer(({ pathname, searchParams }) => {
      const head = `<link rel="canonical" href="${pathname}">`;
      return { html: pageOf(pathname, head) + formOf(searchParams.get('replyto')) };
    }, paths);
    expect(asked.formOf('/p3?replyto=31')).toBe('/p3');
  });
});

describe('a field of the form of a list', () => {
  const paths = many(20, (k) => [`/list${k}`, `/list${k}?all=1`, `/list${k}?all=1&v=2`]).flat();
  const askWith = (field: string) =>
    askServer(
      ({ pathname, searchParams }) => ({
        html: `${pageOf(`${pathname} ${searchParams.get('v') ?? ''}`)}<form>${field}</form>`,
      }),
      paths,
    );

  test('that a visitor chooses is a key, whatever a stranger sees', async () => {
    const asked = await askWith('<input type="checkbox" name="all" value="1">');
    expect(ruleOf('all', asked)).toMatchObject({ status: 'valid', use: 'key', control: 'form' });
    expect(asked.formOf('/list3?all=1')).toBe('/list3?all=1');
  });

  test('that it always sends is no choice', async () => {
    const asked = await askWith('<input type="hidden" name="all" value="1">');
    expect(asked.formOf('/list3?all=1')).toBe('/list3');
  });
});

describe('an empty field', () => {
  const names = ['all', 'q'];
  const paths = many(24, (k) => [`/list${k}`, ...names.map((name) => `/list${k}?${name}=`)]).flat();
  const askWith = (fields: string) =>
    askServer(({ pathname }) => ({ html: `${pageOf(pathname)}<form>${fields}</form>` }), paths);

  test('of a box says that nobody checked it, and stays', async () => {
    const asked = await askWith('<input name=q><input type=hidden name=all><input type=checkbox name=all value=1>');
    expect(asked.formOf('/list3?all=')).toBe('/list3?all=');
    expect(asked.formOf('/list3?q=')).toBe('/list3');
  });

  test('of a text says nothing', async () => {
    const asked = await askWith('<input name=q><input name=all>');
    for (const name of names) expect(asked.formOf(`/list3?${name}=`)).toBe('/list3');
  });
});

describe('a list that has a single item so far', () => {
  // Sorting changes the other lists; here it only selects another column.
  const paths = many(20, (k) => [
    `/list${k}`,
    ...['date', 'hours'].map((sort) => `/list${k}?sort=${sort}`),
    `/list${k}?issue=${k}`,
    ...['date', 'hours', 'size'].map((sort) => `/list${k}?issue=${k}&sort=${sort}`),
  ]).flat();

  test('gives no rule, not even a key, for the field by which the others are sorted', async () => {
    const asked = await askServer(({ pathname, searchParams }) => {
      const [sort, issue] = [searchParams.get('sort') ?? 'none', searchParams.get('issue')];
      const text = issue === null ? `${pathname} ${sort}` : `issue ${issue}`;
      return { html: pageOf(text) + withTabs(sort) + `<a class="${sort}" href="?sort=${sort}"></a>` };
    }, paths);
    expect(ruleOf('sort', asked)).toBeUndefined();
    expect(asked.formOf('/list3?issue=3&sort=hours')).toBe('/list3?issue=3&sort=hours');
  });
});

test('of two values that show what no value shows one is the default, and the other says nothing', async () => {
  const paths = many(20, (k) => [
    `/list${k}`,
    `/list${k}?orderby=date`,
    `/list${k}?orderby=title`,
    ...(k % 2 === 0 ? [`/list${k}?orderby=modified`] : []),
  ]).flat();
  const asked = await askServer(
    ({ pathname, searchParams }) => `${pathname} ${searchParams.get('orderby') === 'title' ? 'title' : ''}`,
    paths,
  );
  expect(['date', 'modified', 'title'].map((order) => asked.formOf(`/list4?orderby=${order}`))).toEqual([
    '/list4',
    '/list4?orderby=modified',
    '/list4?orderby=title',
  ]);
  expect(asked.answer.accepted.filter(({ use }) => use === 'key')).toEqual([]);
});

describe('fields that are lists', () => {
  const paths = many(20, (k) => [
    `/list${k}?a=1&f[]=x&v[]=7`,
    `/list${k}?a=1&f[]=x&v[]=7&v[]=7`,
    `/list${k}?a=1&f[]=x&v[]=7&f[]=`,
    `/list${k}?a=1`,
    `/list${k}?a=1&a=1`,
    `/list${k}?a=1&b=`,
  ]).flat();

  test('keep empty and repeated members, which are paired by their place', async () => {
    const { formOf } = await askServer(
      ({ pathname, searchParams }) =>
        `${pathname} ${[...new Set(['f[]', 'v[]'].flatMap((name) => searchParams.getAll(name)))].sort().join(' ')}`,
      paths,
    );
    expect(formOf('/list3?a=1&f[]=x&v[]=7&v[]=7')).toContain('v[]=7&v[]=7');
    expect(formOf('/list3?a=1&f[]=x&v[]=7&f[]=')).toContain('f[]=x');
    expect(formOf('/list3?a=1&f%5B%5D=x&v%5B%5D=7&v%5B%5D=7')).toContain('v%5B%5D=7&v%5B%5D=7');
    expect([formOf('/list3?a=1&a=1'), formOf('/list3?a=1&b=')].map((form) => /b=|a=1&a/.test(form))).toEqual([
      false,
      false,
    ]);
  });
});

test('one value on one page is no rule', async () => {
  const paths = many(12, (k) => [`/topic7?page=${k + 2}&r=74`, `/topic7?page=${k + 2}`, `/topic${k + 10}`]).flat();
  const asked = await askServer(
    ({ pathname, searchParams }) =>
      ['74', null].includes(searchParams.get('r')) ? `${pathname} ${searchParams.get('page') ?? ''}` : 404,
    paths,
  );
  expect(ruleOf('r', asked)).toBeUndefined();
});
