// The contract that every source of pages keeps, whether it uses a server, an archive or the log. The test of a source
// makes one from the pages of `CONTRACT_SITE`, in its own way, and calls
//
//   describeSource('live', async (pages) => ({ source, site, url: (path) => …, close: async () => … }), exceptions);
//
// A server finds its answers with `pageAt(pages, request.url)`. What a source cannot keep is an exception, declared
// with the reason, and shown as a skipped test.
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Document } from '../../src/sketch/document.js';
import type { PageResult, PageSource } from '../../src/validate/source.js';
import { decodeText } from '../../src/base/bytes.js';
import { anyUrl } from '../url/arbitrary.js';

/** The answer for one path; texts are those of `base/bytes`, so a path may have any byte. */
export interface ContractPage {
  /** Path and query as a client sends them. */
  readonly path: string;
  readonly status: number;
  readonly location?: string;
  /** HTML in UTF-8; only with status 200. */
  readonly body?: string;
}

export interface MadeSource {
  readonly source: PageSource;
  /** The site of the pages, to be passed to the source. */
  readonly site: string;
  /** The absolute URL of a path. */
  readonly url: (path: string) => string;
  /** Closes the source and everything made for it. */
  close(): Promise<void>;
}

export type MakeSource = (pages: readonly ContractPage[]) => Promise<MadeSource>;

/** Topics on which a source may have an exception. */
export type Topic = 'redirects' | 'missing' | 'raw bytes' | 'dot segments' | 'outside' | 'not http';

export type Exceptions = Partial<Record<Topic, string>>;

const ELSEWHERE = 'http://elsewhere.example/plain';
const MAX_REDIRECTS = 5;

/** URLs that differ only in what a client might be tempted to normalize. */
const ODD_PATHS = (
  '/odd /odd? /odd?a&a= /odd?a&a /odd?a=&a /odd?= /odd?&a /odd;x=1 /odd;x=1? /odd/ /odd%2Fx /odd%2fx /odd/x /odd//x ' +
  '//odd /odd?u=http://h/?a=b /odd?q=+ /odd?q=%20 /odd?q=%E4'
).split(' ');
const RAW_PATHS = ['/raw?q=\udce4', '/raw?q=\udcf6', '/raw?q=%F6', '/raw?q=ä', '/raw?q=ö'];
const DOTTED_PATHS = ['/up/../dot', '/dot', '/./dot', '/dot/.'];

export const CONTRACT_SITE: readonly ContractPage[] = [
  ...['/plain', '/other', ...ODD_PATHS, ...RAW_PATHS, ...DOTTED_PATHS].map(page),
  { ...page('/plain'), path: '/twin' },
  { path: '/gone', status: 404 },
  { path: '/never-again', status: 410 },
  { path: '/broken', status: 500 },
  { path: '/moved', status: 301, location: '/plain' },
  { path: '/moved-nearby', status: 302, location: 'plain' },
  { path: '/moved-up', status: 303, location: './x/../plain' },
  { path: '/moved-to-part', status: 307, location: '/plain#part' },
  { path: '/moved-to-nothing', status: 308, location: '/gone' },
  { path: '/moved-where', status: 302 },
  ...Array.from({ length: MAX_REDIRECTS + 1 }, (_, k) => hop(k + 1)),
  { path: '/round', status: 301, location: '/and-round' },
  { path: '/and-round', status: 302, location: '/round' },
  { path: '/self', status: 301, location: '/self' },
  { path: '/outside', status: 301, location: ELSEWHERE },
  { path: '/not-http', status: 301, location: 'ftp://elsewhere.example/' },
  { path: '/busy', status: 503 },
];

function page(path: string): ContractPage {
  return {
    path,
    status: 200,
    body: `<!doctype html><title>A page</title><p>This page is the one at ${escape(path)}.</p>`,
  };
}

function escape(path: string): string {
  return path.replace(/[^\x21-\x7e]|&/g, (char) => `[${char.codePointAt(0)!}]`);
}

/** The page for a request target from node:http: one character per byte. */
export function pageAt(pages: readonly ContractPage[], target: string): ContractPage | undefined {
  const path = decodeText(Buffer.from(target, 'latin1'));
  return pages.find((candidate) => candidate.path === path);
}

/** `/hop3` is three redirects away from `/plain`. */
function hop(number: number): ContractPage {
  return { path: `/hop${number}`, status: 302, location: number === 1 ? '/plain' : `/hop${number - 1}` };
}

export function describeSource(name: string, make: MakeSource, exceptions: Exceptions = {}): void {
  interface Asking extends MadeSource {
    readonly fetch: (path: string) => Promise<PageResult>;
  }

  async function made(): Promise<Asking> {
    const all = await make(CONTRACT_SITE);
    onTestFinished(() => all.close());
    return { ...all, fetch: (path) => all.source.fetch(all.url(path), all.site) };
  }

  function promise(title: string, topic: Topic | undefined, check: (asking: Asking) => Promise<void>): void {
    const reason = topic === undefined ? undefined : exceptions[topic];
    if (reason === undefined) test(title, async () => check(await made()));
    else test.skip(`${title} (not here: ${reason})`);
  }

  describe(`the ${name} source`, () => {
    promise('gives the document of a page, and its own URL as the final one', undefined, async ({ fetch, url }) => {
      const result = await fetch('/plain');
      expect(result).toMatchObject({ kind: 'page', finalUrl: url('/plain') });
      expect(documentOf(result).digest).toMatch(/^\S+$/);
    });

    promise('gives the same for the same URL, without asking again', undefined, async ({ source, fetch }) => {
      for (const path of ['/plain', '/gone', '/moved', '/round', '/not-there']) {
        const first = await fetch(path);
        const requests = source.requests;
        expect([path, await fetch(path)]).toEqual([path, first]);
        expect([path, source.requests]).toEqual([path, requests]);
      }
    });

    promise('gives the same to those who ask at once', undefined, async ({ fetch }) => {
      const paths = ['/plain', '/other', '/moved', '/plain', '/twin'];
      const atOnce = await Promise.all(paths.map(fetch));
      for (const [k, path] of paths.entries()) expect(await fetch(path)).toEqual(atOnce[k]);
    });

    promise('gives one digest for one body, another for another', undefined, async ({ fetch }) => {
      const [plain, twin, other] = [await fetch('/plain'), await fetch('/twin'), await fetch('/other')].map(documentOf);
      expect(twin).toEqual(plain);
      expect(other!.digest).not.toBe(plain!.digest);
    });

    for (const [kind, topic, paths] of [
      ['', undefined, ODD_PATHS],
      [' that are no UTF-8', 'raw bytes', RAW_PATHS],
      [' with dot segments', 'dot segments', DOTTED_PATHS],
    ] as const) {
      promise(`tells odd URLs${kind} apart by their bytes`, topic, async ({ fetch, url }) => {
        const digests = new Set<string>();
        for (const path of paths) {
          const result = await fetch(path);
          expect([path, result.kind]).toEqual([path, 'page']);
          expect(result).toMatchObject({ finalUrl: url(path) });
          digests.add(documentOf(result).digest);
        }
        expect(digests.size).toBe(paths.length);
      });
    }

    promise('has no page where there is none', undefined, async ({ fetch }) => {
      for (const path of ['/not-there', '/plain?', '/Plain', '/plain/', '/gone', '/broken']) {
        expect([path, (await fetch(path)).kind]).not.toEqual([path, 'page']);
      }
    });

    promise('says that a page is missing', 'missing', async ({ fetch }) => {
      for (const path of ['/gone', '/never-again', '/broken']) {
        expect(await fetch(path)).toMatchObject({ kind: 'missing', reason: 'status' });
      }
    });

    promise('takes a busy server for no answer', 'missing', async ({ fetch }) => {
      expect(await fetch('/busy')).toMatchObject({ kind: 'unavailable' });
    });

    promise('follows redirects to what their end gives when asked for itself', 'redirects', async ({ fetch }) => {
      const direct = await fetch('/plain');
      expect(direct).toMatchObject({ redirects: 0 });
      for (const path of ['/moved', '/moved-nearby', '/moved-up', '/moved-to-part']) {
        expect([path, await fetch(path)]).toEqual([path, { ...direct, redirects: 1 }]);
      }
      expect(await fetch(`/hop${MAX_REDIRECTS}`)).toEqual({ ...direct, redirects: MAX_REDIRECTS });
      expect(await fetch('/moved-to-nothing')).toMatchObject({ kind: 'missing', reason: 'status' });
    });

    promise('says that redirects go round, or on and on', 'redirects', async ({ fetch }) => {
      for (const path of ['/round', '/self', `/hop${MAX_REDIRECTS + 1}`]) {
        expect(await fetch(path)).toMatchObject({ kind: 'missing', reason: 'redirect-loop' });
      }
    });

    promise('does not follow a redirect out of the site', 'redirects', async ({ fetch }) => {
      for (const path of ['/outside', '/not-http']) {
        expect(await fetch(path)).toMatchObject({ kind: 'missing', reason: 'redirect-outside' });
      }
    });

    promise('takes a redirect to nowhere for no answer', 'redirects', async ({ fetch }) => {
      expect(await fetch('/moved-where')).toMatchObject({ kind: 'unavailable', reason: 'status' });
    });

    promise('refuses what is outside of the site', 'outside', async ({ source, site }) => {
      expect(source.refusal(ELSEWHERE, site)).toBe('outside-site');
      expect(await source.fetch(ELSEWHERE, site)).toMatchObject({ kind: 'unavailable', reason: 'outside-site' });
      expect(source.requests).toBe(0);
    });

    promise('refuses what is not http', 'not http', async ({ source, site }) => {
      for (const url of ['ftp://elsewhere.example/', 'mailto:a@example.com', 'javascript:alert(1)', '/plain', '']) {
        expect([url, source.refusal(url, site)]).toEqual([url, 'not-http']);
        expect(source.requests).toBe(0);
      }
    });

    promise(
      'never throws, and refuses beforehand only what it does not give',
      undefined,
      async ({ source, site, url }) => {
        const junk = fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          anyUrl().map((bytes) => decodeText(bytes)),
        );
        const paths = fc.string().map((text) => url(`/${encodeURI(text).replace(/#/g, '')}`));
        let refused = 0;
        await fc.assert(
          fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: junk }, { weight: 1, arbitrary: paths }), async (asked) => {
            const reason = source.refusal(asked, site);
            const result = await source.fetch(asked, site);
            if (reason === undefined) return;
            refused++;
            expect(result).toMatchObject({ kind: 'unavailable', reason });
          }),
          { numRuns: 150 },
        );
        expect(refused).toBeGreaterThan(10);
      },
    );

    promise('refuses none of the pages that it gives', undefined, async ({ source, site, url }) => {
      for (const path of ['/plain', '/other', ...ODD_PATHS]) expect(source.refusal(url(path), site)).toBeUndefined();
    });

    promise('can be closed twice', undefined, async ({ source, fetch }) => {
      await fetch('/plain');
      await source.close();
      await source.close();
    });
  });
}

function documentOf(result: PageResult): Document {
  if (result.kind !== 'page') throw new Error(`expected a page, got ${result.kind}: ${result.reason}`);
  return result.document;
}
