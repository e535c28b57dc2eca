// Sites on loopback for questions: what a page shows is a name, of which the page is made.
import { afterEach } from 'vitest';
import { closeSources, serve, sourceOf, type Site } from '../live/site.js';
import { ask, many, type Asked } from './asked.js';

/** The name of the page at a URL, a status without a page, where the URL redirects to, or HTML with a name in it. */
export type Answers = (url: URL) => string | number | { readonly to: string } | { readonly html: string };

type More = Parameters<typeof ask>[2];

export interface AskedServer {
  readonly site: Site;
  readonly answer: Asked['answer'];
  /** The form of a path, as a path if it is at the same host. */
  readonly formOf: (path: string) => string;
}

let sites: Site[] = [];
afterEach(async () => {
  await closeSources();
  for (const site of sites) await site.close();
  sites = [];
});

/** Asks a real server about these paths of its host. */
export async function askServer(
  answers: Answers,
  paths: readonly string[],
  { hits, redirected, ...more }: More & { readonly hits?: readonly number[] } = {},
): Promise<AskedServer> {
  const site = await serve((request, response) => {
    const url = new URL(request.url!, `http://${request.headers.host!}`);
    if (url.pathname === '/robots.txt') return;
    const said = answers(url);
    if (typeof said === 'number') return void response.writeHead(said).end();
    if (typeof said === 'object' && 'to' in said) return void response.writeHead(301, { location: said.to }).end();
    const html = typeof said === 'string' ? pageOf(said) : said.html;
    response.setHeader('content-type', 'text/html').end(html);
  });
  sites.push(site);
  const origin = site.origin();
  const whole = (path: string) => (path.startsWith('/') ? origin + path : path);
  const asked = await ask(() => 404, paths.map(whole), {
    pages: sourceOf(),
    ...(hits !== undefined && { hits }),
    ...(redirected !== undefined && { redirected: redirected.map(whole) }),
    ...more,
  });
  const formOf = (path: string) => {
    const form = asked.formOf(whole(path));
    return form.startsWith(`${origin}/`) ? form.slice(origin.length) : form;
  };
  return { site, answer: asked.answer, formOf };
}

/** A page like no other: its words come from its name. `head` is markup, of which a reader sees nothing. */
export function pageOf(name: string, head = ''): string {
  let state = 17;
  for (const char of name) state = (state * 31 + char.codePointAt(0)!) >>> 0;
  const words = many(60, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return many(6, (k) => String.fromCharCode(97 + ((state >>> (k * 5)) % 26))).join('');
  });
  return `<html><head>${head}</head><body><p>${words.join(' ')}</p></body></html>`;
}
