// A real server whose pages can change: page k of section s is `/s/k` and, while the section says so, also `/s/k.s`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SubstringRule } from '../src/rule/rule.js';
import { sampleRule } from './rule/sample.js';

export const NIGHT_SITE = 'night.test';

export interface TurningSite {
  /** With the port. */
  readonly host: string;
  readonly urls: readonly string[];
  /** Sections in which `/s/k.s` is a different page now. */
  readonly turned: Set<string>;
  /** Sections that answer 404 to everything. */
  readonly down: Set<string>;
  /** Requested paths, without robots.txt. */
  readonly requests: string[];
  /** `.s` → nothing, as it would be mined. */
  ruleOf(section: string, more?: Partial<SubstringRule>): SubstringRule;
  /** The options that `validate` needs to find the server. */
  readonly place: readonly string[];
  close(): Promise<void>;
}

export async function startTurningSite(sections: readonly string[], pages = 60): Promise<TurningSite> {
  const turned = new Set<string>();
  const down = new Set<string>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const [, section, page, suffix] = /^\/(\w+)\/(\d+)(\.\w+)?$/.exec(path) ?? [];
    if (section === undefined || !sections.includes(section)) return void response.writeHead(404).end('nothing here');
    requests.push(path);
    if (down.has(section)) return void response.writeHead(404).end();
    const name = suffix !== undefined && turned.has(section) ? `other${section}${page!}` : `${section}${page!}`;
    const words = Array.from({ length: 60 }, (_, k) => `${name}w${k}`).join(' ');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body><p>${words}</p></body></html>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `www.${NIGHT_SITE}:${(server.address() as AddressInfo).port}`;
  const forms = sections.flatMap((section) =>
    Array.from({ length: pages }, (_, k) => [`/${section}/${100 + k}`, `/${section}/${100 + k}.${section}`]).flat(),
  );
  return {
    host,
    urls: forms.map((path) => `http://${host}${path}`),
    turned,
    down,
    requests,
    ruleOf: (section, more = {}) =>
      sampleRule(`.${section}`, '', {
        site: NIGHT_SITE,
        anchor: 'end',
        status: 'likely',
        support: { low: pages, high: pages },
        against: 0,
        ...more,
      }),
    place: ['--allow-private', '--resolve', `www.${NIGHT_SITE}=127.0.0.1`, '--rate', '10000', '--fetch-cache', 'none'],
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
