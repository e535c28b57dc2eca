// The live site keeps the contract of all sources.
import { encodeText } from '../../../src/base/bytes.js';
import { documentOf } from '../../../src/sketch/page.js';
import { createSiteOf } from '../../../src/url/public-suffix.js';
import { createLiveSource } from '../../../src/validate/live/live.js';
import { describeSource, pageAt } from '../source-contract.js';
import { lookup, serve } from './site.js';

const siteOf = createSiteOf('domain');

function isInside(url: string, site: string): boolean {
  const bytes = encodeText(url);
  return siteOf(bytes, 0, bytes.length) === site;
}

describeSource(
  'live',
  async (pages) => {
    const server = await serve((request, response) => {
      const page = pageAt(pages, request.url ?? '');
      if (page === undefined) return void response.writeHead(404).end();
      response.writeHead(page.status, {
        'content-type': 'text/html; charset=utf-8',
        ...(page.location !== undefined && { location: page.location }),
      });
      response.end(page.body);
    });
    const options = { userAgent: 'dustbuster/test', rate: 100_000, allowPrivate: true, lookup, isInside, documentOf };
    const source = createLiveSource(options);
    return {
      source,
      site: 'site.test',
      url: (path) => server.origin() + path,
      async close() {
        await source.close();
        await server.close();
      },
    };
  },
  {
    'raw bytes':
      'node:http, which is the server here, refuses them; they go out escaped, which test/validate/live/live.test.ts shows',
  },
);
