// Questions to sites that nobody has looked at: each finds its rule where it holds, and none where it does not.
import { describe, expect, test } from 'vitest';
import { textsOf } from '../../../src/rule/meaning.js';
import { many } from './asked.js';
import { askServer } from './loopback.js';

describe('values of a field that is there several times', () => {
  const tags = ['red', 'blue', 'big', 'old', 'new', 'soft'];
  const paths = many(12, (k) => {
    const [a, b] = [tags[k % 6]!, tags[(k + 1 + (k % 4)) % 6]!];
    return [`/list?tag=${a}&page=${k % 3}&tag=${b}`, `/list?tag=${b}&page=${k % 3}&tag=${a}`];
  }).flat();

  test('are sorted where their order does not matter', async () => {
    const { formOf, answer } = await askServer(
      ({ searchParams }) => `${searchParams.getAll('tag').sort().join(' ')} ${searchParams.get('page')}`,
      paths,
    );
    expect(formOf('/list?tag=red&page=2&tag=blue')).toBe('/list?tag=blue&page=2&tag=red');
    expect(answer.accepted).toMatchObject([{ step: 'sort-items', text: '?tag &' }]);
  });

  test('stay where the last decides, or the first', async () => {
    for (const at of [0, -1]) {
      const { formOf } = await askServer(
        ({ searchParams }) => `${searchParams.getAll('tag').at(at)} ${searchParams.get('page')}`,
        paths,
      );
      const form = new URL(`http://h${formOf('/list?tag=red&page=2&tag=blue')}`).searchParams.getAll('tag');
      expect(form.at(at)).toBe(['red', 'blue'].at(at));
    }
  });
});

describe('a segment', () => {
  test('does not matter inside of a path where it only says who visits', async () => {
    const visits = many(60, (k) => `/s/v${k % 15}x${k % 4}/item/${k % 12}`);
    const { formOf } = await askServer(({ pathname }) => pathname.split('/').at(-1)!, visits);
    const forms = new Set(visits.map(formOf));
    expect(forms.size).toBe(12);
  });

  test('matters inside of a path where it is a name', async () => {
    const names = many(60, (k) => `/by/u${k % 15}/item/${k % 12}`);
    const { formOf } = await askServer(({ pathname }) => pathname, names);
    for (const path of names) expect(formOf(path)).toBe(path);
  });
});

describe('fields that always stand together', () => {
  const paths = many(40, (k) => `/list?a=${k % 8}&b=${k}&c=${k % 10}&d=${(k * 7) % 40}`);

  test('are asked about one by one where they are not idle together', async () => {
    const { formOf } = await askServer(({ searchParams }) => `list ${searchParams.get('c')}`, paths);
    expect(new Set(paths.map(formOf)).size).toBe(10);
  });

  test('all stay where all of them matter', async () => {
    const { formOf } = await askServer(({ search }) => search, paths);
    expect(paths.map(formOf)).toEqual(paths);
  });
});

describe('a number of entries on a page', () => {
  const shelves = many(24, (k) => `/shelf${k}`);
  const paths = shelves.flatMap((path) => [path, `${path}?limit=25`, `${path}?limit=50`, `${path}?limit=100`]);

  test('goes where it is the default', async () => {
    const { formOf } = await askServer(
      ({ pathname, searchParams }) => `${pathname} ${searchParams.get('limit') ?? '25'}`,
      paths,
    );
    expect(formOf('/shelf3?limit=25')).toBe('/shelf3');
    expect(formOf('/shelf3?limit=50')).toBe('/shelf3?limit=50');
  });

  test('stays where lists are longer without it', async () => {
    const { formOf } = await askServer(
      ({ pathname, searchParams }) => `${pathname} ${searchParams.get('limit') ?? 'all'}`,
      paths,
    );
    for (const path of paths) expect(formOf(path)).toBe(path);
  });
});

describe('the front page', () => {
  const pages = many(30, (k) => [`/p${k}`, `/p${k}?utm_source=a${k}`]).flat();
  const names = ['/', '/start', '/wiki/', '/about', '/login'];
  const hits = [...pages.map(() => 3), ...names.map(() => 40)];

  test('has one name, whichever it is asked for by', async () => {
    const { formOf } = await askServer(
      ({ pathname }) => (/^\/(?:start|wiki\/)?$/.test(pathname) ? 'welcome' : pathname),
      [...pages, ...names],
      { hits: hits.map((n, at) => (at === pages.length ? 400 : n)) },
    );
    expect(names.map(formOf)).toEqual(['/', '/', '/', '/about', '/login']);
  });

  test('is no archive of this year, though all of its pages are of this year so far', async () => {
    const years = ['/2024/', '/2024', '/20/24'];
    const { formOf, answer } = await askServer(
      ({ pathname }) => (['/', ...years].includes(pathname) ? 'welcome' : pathname),
      [...pages, '/', ...years],
      { hits: [...pages.map(() => 3), 400, ...years.map(() => 40)] },
    );
    expect(years.map(formOf)).toEqual(years);
    // Not the examples, which have a port.
    expect(answer.accepted.flatMap(textsOf).join(' ')).not.toContain('24');
  });

  test('is no page that is only shown where there is none', async () => {
    const { formOf } = await askServer(
      ({ pathname }) => (/^\/(?:p\d+|about)$/.test(pathname) ? pathname : 'welcome'),
      [...pages, ...names],
      { hits },
    );
    expect(names.map(formOf)).toEqual(names);
  });
});
