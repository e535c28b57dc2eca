// What counts as an insertion, whatever kind of rule made it, and when the site has asked for it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCanonizer } from '../../../src/canonizer.js';
import type { RulesFile } from '../../../src/rule/rule.js';
import { sampleFile, sampleStep } from '../../rule/sample.js';
import { closeAll } from './ask.js';
import { insertionsUnasked, isInserted } from './insertions.js';

test.each([
  ['/a', '/a/', true],
  ['/a/b', '/a//b', true],
  ['/a?x=1', '/a?page=2&x=1', true],
  ['/a/', '/a', false],
  ['/a', '/a', false],
  ['/a?id=3', '/article/3', false],
])('%s to %s', (url, form, inserts) => {
  expect(isInserted(url, form)).toBe(inserts);
});

describe('on a site that redirects /a to /a/ and folds slashes', () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      const said = `${url.replace(/\/+/g, '/').replace(/\/$/, '')}/`;
      if (url.startsWith('/named')) response.end(`<link rel="canonical" href="${said}#top">`);
      else if (url.startsWith('/open') || said === url) response.end('a page');
      else response.writeHead(301, { location: said }).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await closeAll();
    server.close();
  });

  const unaskedOf = (rules: RulesFile['rules'], paths: readonly string[]) =>
    insertionsUnasked(
      sampleFile(rules),
      new Map(paths.map((path) => [base + path, { exact: path, near: path }])),
      (file) => (url) => createCanonizer(file as RulesFile, { accept: 'likely' }).canonize(url),
    );
  const slash = sampleStep('add-end-slash', '', { status: 'valid', word: 'redirect', rank: 1 });
  const folded = sampleStep('fold-slashes', '', { status: 'valid', rank: 2 });
  const paths = Array.from({ length: 20 }, (_, k) => `/x/${k % 2 === 0 ? '' : '/'}p${k}`);

  test('a slash at the end is asked for, also where another rule comes first', async () => {
    expect(await unaskedOf([slash, folded], paths)).toBe(0);
  });

  test('a slash at the end is asked for by a canonical link, whose fragment no server sees', async () => {
    expect(
      await unaskedOf(
        [slash, folded],
        paths.map((path) => `/named${path}`),
      ),
    ).toBe(0);
  });

  test('a slash at the end is not, where pages answer without', async () => {
    expect(
      await unaskedOf(
        [slash, folded],
        paths.map((path) => `/open${path}`),
      ),
    ).toBe(1);
  });
});
