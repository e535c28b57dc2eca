// Sites that mislead, on loopback: what is accepted is right there too.
import { describe, expect, test } from 'vitest';
import { many } from './asked.js';
import { askServer, pageOf } from './loopback.js';

describe('a site that moved to another folder, and whose old one still has more hits', () => {
  const paths = many(40, (k) => [`/old/p${k}`, `/new/p${k}`]).flat();
  const hits = paths.map((path) => (path.startsWith('/old/') ? 30 : 4));
  const nameOf = ({ pathname }: URL) => /^\/(?:old|new)\/(p\d+)$/.exec(pathname)?.[1];
  const canonicalAt = (placeOf: (name: string) => string) => (url: URL) => {
    const name = nameOf(url);
    return name === undefined ? 404 : { html: pageOf(name, `<link rel="canonical" href="${placeOf(name)}">`) };
  };
  const canonicalIn = (folder: string) => canonicalAt((name) => `/${folder}/${name}`);

  test('goes by its new name, which its pages give', async () => {
    const { formOf, answer } = await askServer(canonicalIn('new'), paths, { hits });
    expect(paths.every((path) => formOf(path) === path.replace('/old/', '/new/'))).toBe(true);
    expect(answer.audit).toMatchObject({ different: 0, dead: 0, redirecting: 0 });
  });

  test('goes by the old one where pages give that, or nothing', async () => {
    for (const answers of [canonicalIn('old'), (url: URL) => nameOf(url) ?? 404]) {
      const { formOf } = await askServer(answers, paths, { hits });
      expect(paths.every((path) => formOf(path) === path.replace('/new/', '/old/'))).toBe(true);
    }
  });

  test('goes by its hits where all pages name the homepage', async () => {
    const { formOf } = await askServer(
      canonicalAt(() => '/new/p0'),
      paths,
      { hits },
    );
    expect(formOf('/new/p7')).toBe('/old/p7');
  });
});

test('links with a slash and canonical links without one lead to one of both, which answers', async () => {
  const paths = many(40, (k) => [`/s${k}/`, ...(k % 4 === 0 ? [`/s${k}`] : [])]).flat();
  const hits = paths.map((path) => (path.endsWith('/') ? 20 : 1));
  const { formOf } = await askServer(
    ({ pathname }) => {
      const name = pathname.replaceAll('/', '');
      return { html: `${pageOf(name, `<link rel="canonical" href="/${name}">`)}<a href="/${name}/">here</a>` };
    },
    paths,
    { hits },
  );
  expect(new Set(paths.map(formOf)).size).toBe(40);
  expect(formOf('/s8/')).toBe('/s8');
});

test('a site that answers 200 to everything merges no page with another', async () => {
  const real = many(40, (k) => `/p${k}`);
  const gone = many(40, (k) => `/archive/q${k}`);
  const { formOf } = await askServer(
    ({ pathname, searchParams }) =>
      /^\/p\d+$/.test(pathname) ? `${pathname} ${searchParams.get('v') ?? ''}` : 'welcome',
    [...real, ...real.map((path) => `${path}?v=2`), ...gone, ...gone.map((path) => `${path}?id=7`)],
  );
  const forms = new Set([...real, ...real.map((path) => `${path}?v=2`)].map(formOf));
  expect(forms.size).toBe(80);
  expect(formOf('/archive/q3')).not.toBe(formOf('/p3'));
});

test('twins that differ by a session token in the page are one, and pages of one template are not', async () => {
  let visit = 0;
  const paths = many(40, (k) => [`/p${k}`, `/p${k}?utm_source=mail`, `/p${k}?part=2`]).flat();
  const { formOf } = await askServer(
    ({ pathname, searchParams }) => ({
      html: `${pageOf(`${pathname} ${searchParams.get('part') ?? ''}`)}<input name="csrf" value="t${visit++}x${visit * 7919}">`,
    }),
    paths,
  );
  expect([formOf('/p3?utm_source=mail'), formOf('/p3?part=2')]).toEqual(['/p3', '/p3?part=2']);
});

test('lists of one page lose page=1 and no other number', async () => {
  const paths = many(40, (k) => [`/list${k}`, `/list${k}?page=1`]).flat();
  const { formOf } = await askServer(({ pathname, searchParams }) => {
    const page = Number(searchParams.get('page') ?? 1);
    // One list has a second page, which the log lacks.
    return page === 1 || (page === 2 && pathname === '/list9') ? `${pathname} ${page}` : 404;
  }, paths);
  expect([formOf('/list9?page=1'), formOf('/list9?page=2')]).toEqual(['/list9', '/list9?page=2']);
});

test('a site that is down half of the time gets no wrong rule, and the right one is not refuted', async () => {
  let request = 0;
  const paths = many(40, (k) => [`/p${k}`, `/p${k}?utm_source=a${k}`, `/p${k}?part=2`]).flat();
  const { formOf, answer } = await askServer(
    ({ pathname, searchParams }) => (request++ % 4 < 2 ? 503 : `${pathname} ${searchParams.get('part') ?? ''}`),
    paths,
  );
  expect(formOf('/p3?part=2')).toBe('/p3?part=2');
  expect([...answer.settled.values()].flat().filter(({ status }) => status === 'invalid')).toEqual([]);
  expect(['/p3', '/p3?utm_source=a3']).toContain(formOf('/p3?utm_source=a3'));
});

describe('a shop with currencies', () => {
  const paths = many(40, (k) => [`/p${k}`, ...['EUR', 'USD', 'GBP'].map((one) => `/p${k}?currency=${one}`)]).flat();

  test('keeps them apart where they change prices', async () => {
    const { formOf } = await askServer(
      ({ pathname, searchParams }) => ({
        html:
          pageOf(pathname) +
          many(12, (k) => `<b>${searchParams.get('currency') ?? 'EUR'}${'abcdefghijkl'[k]}</b> `).join(''),
      }),
      paths,
    );
    expect(formOf('/p3?currency=USD')).toBe('/p3?currency=USD');
  });

  test('knows that they change nothing where that is so, which the caller keeps as a key', async () => {
    const { answer } = await askServer(({ pathname }) => pathname, paths, {
      isHeldBack: (rule) => rule.kind === 'parameter' && rule.name === 'currency',
    });
    expect(answer.accepted).toMatchObject([{ kind: 'parameter', name: 'currency', status: 'valid' }]);
  });
});
