// Sites for the tests: real servers on loopback, under names that only the tests can resolve, and a clock that does not
// wait.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Document } from '../../../src/sketch/document.js';
import { createLiveSource } from '../../../src/validate/live/live.js';
import type { LiveOptions } from '../../../src/validate/live/settings.js';
import type { Clock } from '../../../src/validate/live/politeness.js';
import type { PageSource } from '../../../src/validate/source.js';

export interface Site {
  readonly port: number;
  /** `http://www.site.test:port`, or another host. */
  origin(host?: string): string;
  /** Request targets in order of arrival, without robots.txt. */
  readonly paths: string[];
  readonly requests: IncomingMessage[];
  readonly connections: Set<Socket>;
  close(): Promise<void>;
}

/** A server whose robots.txt is missing unless `answer` provides one (`answer` is called first and may decline). */
export async function serve(answer: RequestListener): Promise<Site> {
  const paths: string[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    if (request.url !== '/robots.txt') paths.push(request.url!);
    answer(request, response);
    if (request.url === '/robots.txt' && !response.headersSent && !response.writableEnded) {
      response.writeHead(404).end();
    }
  });
  const connections = new Set<Socket>();
  server.on('connection', (socket) => connections.add(socket));
  const port = await listen(server);
  return {
    port,
    origin: (host = 'www.site.test') => `http://${host}:${port}`,
    paths,
    requests,
    connections,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** Answers by path; other paths are not found. */
export function byPath(pages: Readonly<Record<string, RequestListener | string>>): RequestListener {
  return (request, response) => {
    const page = pages[request.url!];
    if (typeof page === 'function') page(request, response);
    else if (page !== undefined) response.setHeader('content-type', 'text/html').end(page);
    else if (request.url !== '/robots.txt') response.writeHead(404).end('not found');
  };
}

export function redirect(location: string, status = 302): RequestListener {
  return (_request, response) => response.writeHead(status, { location }).end();
}

/** A small real one: the digest of the body, and five bytes of a digest for each distinct word. */
export function documentOf(body: Uint8Array, contentType: string | undefined): Document {
  const digest = createHash('sha256').update(body).digest('hex');
  if (contentType?.startsWith('text/') !== true) return { kind: 'bytes', digest };
  const words = new Set(
    Buffer.from(body)
      .toString('utf8')
      .toLowerCase()
      .match(/\p{L}+/gu),
  );
  const prints = [...words].map((word) => createHash('sha256').update(word).digest().readUIntBE(0, 5));
  return { kind: 'text', digest, fingerprints: Float64Array.from(prints).sort(), isComplete: true };
}

export function textPage(text: string) {
  return documentOf(Buffer.from(text), 'text/html');
}

/** Time passes only during sleep. */
export function quickClock(start = Date.UTC(2026, 0, 1)): Clock & { readonly slept: number[]; pass(ms: number): void } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    pass: (ms) => void (now += ms),
    async sleep(ms) {
      slept.push(ms);
      now += ms;
    },
  };
}

/** Every name under `.test` is this machine, other names do not exist. */
export async function lookup(host: string): Promise<readonly string[]> {
  if (!/\.test\.?$/.test(host)) throw Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' });
  return ['127.0.0.1'];
}

const open: PageSource[] = [];

/** A source for `site.test` and the hosts under it, closed by {@link closeSources}. */
export function sourceOf(options: Partial<LiveOptions> = {}): PageSource {
  const source = createLiveSource({
    userAgent: 'dustbuster/test',
    documentOf,
    isInside: (url, site) => new URL(url).hostname === site || new URL(url).hostname.endsWith(`.${site}`),
    allowPrivate: true,
    lookup,
    clock: quickClock(),
    ...options,
  });
  open.push(source);
  return source;
}

export async function closeSources(): Promise<void> {
  await Promise.all(open.splice(0).map((source) => source.close()));
}

export const SITE = 'site.test';
