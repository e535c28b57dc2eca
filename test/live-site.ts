// A site to try dustbuster on: a real server on loopback for several hosts (by the Host header), with real dust and
// real traps (`live-site-sections.ts`), which knows the truth of every URL. Everything depends on the seed, except the
// port, the counter on dynamic pages, and pictures that are random on purpose.
//
//   www.planted.test and planted.test (a twin)   forum.planted.test   soft.planted.test (200 for anything)
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listUrls, partsOf, type SiteShape } from './live-site-list.js';
import { linesOf, type LogFormat } from './live-site-log.js';
import type { Answer, Trap } from './live-site-sections.js';
import { DOMAIN, hostOf, pathOf, PREFIX, takeApart } from './live-site-request.js';
import { documentOf, ownText, renderPage, renderPicture } from './live-site-text.js';
import { seededRandom } from './planted.js';

export interface SiteOptions extends SiteShape {
  readonly seed?: number;
  /** Share of the further names of a document that are listed. Default 0.8. */
  readonly twins?: number;
  /** How long a slow page takes, in milliseconds. Default 200. */
  readonly slowMs?: number;
  /** Retry-After in seconds. Default 1. */
  readonly retryAfter?: number;
}

export interface SeenRequest {
  readonly url: string;
  readonly host: string;
  readonly method: string;
  /** Milliseconds, of `performance.now()`. */
  readonly at: number;
  /** Open requests of this host, including this one. */
  readonly inFlight: number;
}

export interface LiveSite {
  readonly port: number;
  /** With the port, as in URLs. */
  readonly hosts: readonly string[];
  /** Distinct URLs, shuffled; each document under several, and some without a document. */
  readonly urls: readonly string[];
  /**
   * Hits of these URLs with the sizes that the server sends, and some without a page; of www only if the format has no
   * host.
   */
  logLines(format: LogFormat): readonly string[];
  /** The document of a URL, after redirects; undefined for soft errors, 404, and redirects off the site. */
  truth(url: string): string | undefined;
  /** The text of the document between `<main>` and `</main>`; undefined if it is not a page. */
  textOf(url: string): string | undefined;
  readonly requests: readonly SeenRequest[];
  /** Resolves every host of the site to the server, for clients that take a `lookup`. */
  readonly lookup: LookupFunction;
  close(): Promise<void>;
}

export async function startSite(options: SiteOptions = {}): Promise<LiveSite> {
  const { seed = 1, twins = 0.8, slowMs = 200, retryAfter = 1 } = options;
  const parts = partsOf(options);
  const has = (trap: Trap) => parts.some(({ name }) => name === trap);
  const requests: SeenRequest[] = [];
  const open = new Map<string, number>();
  const refused = new Set<string>();
  let visits = 0;

  const server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const target = request.url ?? '/';
    const inFlight = (open.get(host) ?? 0) + 1;
    open.set(host, inFlight);
    response.on('close', () => open.set(host, open.get(host)! - 1));
    const url = `http://${host}${target}`;
    requests.push({ url, host, method: request.method ?? '', at: performance.now(), inFlight });
    void respond(url, request, response);
  });

  async function respond(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = answerTo(url);
    const delay = answer.kind === 'page' ? answer.delay : undefined;
    if (delay === 'slow') await sleep(slowMs);
    if (delay === 'busy' && !refused.has(url)) {
      refused.add(url);
      response.writeHead(503, { 'Retry-After': String(retryAfter), 'Content-Length': 0 }).end();
      return;
    }
    const { status, type, body, location } = sent(answer, url, visits++);
    const headers = {
      'Content-Type': type,
      'Content-Length': body.length,
      ...(location !== undefined && { location }),
    };
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  }

  function answerTo(url: string): Answer {
    const asked = takeApart(url);
    if (asked === undefined || (asked.isTwin && !has('twin'))) return { kind: 'missing' };
    if (asked.path === '/' && asked.host !== 'soft') return { kind: 'page', view: { id: `home-${asked.host}` } };
    for (const { section, count } of parts) {
      const answer = section.answer(asked, count);
      if (answer !== undefined) return answer;
    }
    return { kind: 'missing' };
  }

  function sent(answer: Answer, url: string, visit: number): Sent {
    const host = hostOf(url);
    if (has('robots') && pathOf(url) === '/robots.txt' && answer.kind === 'missing') {
      return { status: 200, type: 'text/plain', body: Buffer.from('User-agent: *\nDisallow: /private/\n') };
    }
    // Twins have the same pages, so the template is that of the site.
    return render(answer, seed, host.startsWith('www.') ? host.slice(4) : host, visit);
  }

  function followed(url: string): Answer {
    const answer = answerTo(url);
    if (answer.kind !== 'redirect') return answer;
    return answer.to.startsWith('/') ? answerTo(`http://${hostOf(url)}${answer.to}`) : { kind: 'missing' };
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const urls = listUrls(parts, seededRandom(seed), twins).map((url) => url.replace(DOMAIN, `${DOMAIN}:${port}`));

  return {
    port,
    hosts: Object.values(PREFIX).map((prefix) => `${prefix}${DOMAIN}:${port}`),
    urls,
    logLines: (format) => linesOf(urls, format, seed, (url, visit) => ({ ...sent(answerTo(url), url, visit) })),
    truth(url) {
      const answer = followed(url);
      if (answer.kind === 'page') return documentOf(answer.view);
      return answer.kind === 'picture' || answer.kind === 'random picture' ? answer.id : undefined;
    },
    textOf(url) {
      const answer = followed(url);
      return answer.kind === 'page' ? ownText(seed, answer.view) : undefined;
    },
    requests,
    lookup: (_, lookupOptions, callback) => {
      if (lookupOptions.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface Sent {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly location?: string;
}

const HTML = 'text/html; charset=utf-8';

function render(answer: Answer, seed: number, host: string, visit: number): Sent {
  switch (answer.kind) {
    case 'page':
    case 'soft':
      return { status: 200, type: HTML, body: renderPage(seed, host, answer.view, visit) };
    case 'picture':
      return { status: 200, type: 'image/gif', body: renderPicture(seed, answer.id) };
    case 'random picture':
      return { status: 200, type: 'image/gif', body: renderPicture(seed, randomBytes(8).toString('hex')) };
    case 'redirect':
      return { status: answer.status, type: HTML, body: Buffer.from('<p>Moved</p>\n'), location: answer.to };
    case 'missing':
      return { status: 404, type: HTML, body: renderPage(seed, host, { id: 'missing' }, visit) };
    default:
      return answer satisfies never;
  }
}
