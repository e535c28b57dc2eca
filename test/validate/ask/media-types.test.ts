// A list in HTML and the same list as a table have the same text, and are two documents: on a real server.
import { afterEach, describe, expect, test } from 'vitest';
import { closeSources, serve, sourceOf, type Site } from '../live/site.js';
import { ask, many } from './asked.js';

let site: Site | undefined;
afterEach(async () => {
  await closeSources();
  await site?.close();
});

/** Every page has the same text in each format; `typeOf` says as what it is sent. */
async function formOf(typeOf: (format: string) => string): Promise<(format: string) => string> {
  site = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://h');
    if (pathname === '/robots.txt') return;
    if (!/^\/list\d+$/.test(pathname)) return void response.writeHead(404).end();
    const number = Number(pathname.slice(5));
    const words = many(40, (k) => String.fromCharCode(97 + (k % 26), 97 + number).repeat(3) + 'abcdefgh'[k >> 3]);
    response.setHeader('content-type', typeOf(searchParams.get('format') ?? '')).end(words.join(' '));
  });
  const urls = many(20, (k) => ['', '?format=tab', '?format=csv'].map((tail) => `${site!.origin()}/list${k}${tail}`));
  const { formOf: form } = await ask(() => 404, urls.flat(), { pages: sourceOf() });
  return (format) => form(`${site!.origin()}/list7?format=${format}`).slice(site!.origin().length);
}

describe('a field that chooses the format of a page', () => {
  test('is left alone', async () => {
    const form = await formOf((format) => (format === '' ? 'text/html' : `text/${format}`));
    expect([form('tab'), form('csv')]).toEqual(['/list7?format=tab', '/list7?format=csv']);
  });

  test('and does nothing is dropped, whatever the charset', async () => {
    const form = await formOf((format) => (format === 'csv' ? 'application/xhtml+xml' : 'Text/HTML; charset=utf-8'));
    expect([form('tab'), form('csv')]).toEqual(['/list7', '/list7']);
  });
});
