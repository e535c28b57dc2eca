// A site that writes down every request, and the log of its strangers: some read, one administers, each visitor has a
// session, and somebody names other hosts and ports. What does a run over that log ask for?
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one person did, each by GET: the kinds that were all asked for once (#38), and some that no list of verbs has. */
export const ACTIONS = [
  '/index.php?r=post/delete&id=7',
  '/index.php?q=node/7/delete',
  '/index.php?route=account/address/delete',
  '/index.php?page=delete_user',
  '/rpc?name=deleteUser',
  '/delete-user-account/7',
  '/admin_user_delete.php',
  '/deleteaddress',
  '/orders/cancel-order/7',
  '/post/dELETE/7',
  '/cart/clear',
  '/job/x/build?token=abc',
  '/reset-password?token=3f9ac1d2e4b5a697',
  '/?na=u&nk=12-8a7b6c5d4e',
  '/?download_file=37&order=wc_order_x1&key=a8d7',
  '/switch/7/on',
  '/index.php?sql=DELETE+FROM+users',
  '/usun/7',
  '/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C/7',
  '/smazat/7',
  '/torol/7',
  '/sil/7',
  '/supprimer-compte/7',
  '/elimina/7',
  '/loeschen/7',
  '/%E5%88%A0%E9%99%A4/7',
  '/%E5%89%8A%E9%99%A4/7',
  '/%EC%82%AD%EC%A0%9C/7',
  '/%D8%AD%D8%B0%D9%81/7',
  '/frobnicate/7',
  '/index.php?zap=7',
  '/index.php?task=obliviate&id=7',
];

const ARTICLES = 60;
const sessionOf = (visitor: number) =>
  `${(visitor * 7919 + 104_729).toString(36).padStart(6, 'q')}k2v8sd0f9a7s6d5f4g3h`;

export interface Strangers {
  readonly base: string;
  /** Of its log, without newlines. */
  readonly lines: readonly string[];
  /** The real session of each visitor. */
  readonly sessions: ReadonlySet<string>;
  /** Targets that were requested of the site, and of a server on another port. */
  readonly asked: readonly string[];
  readonly elsewhere: readonly string[];
  close(): void;
}

/** Whether a target is one of the actions, whatever its numbers are. */
export function isAction(target: string): boolean {
  const shape = (text: string) => text.replace(/\d+/g, '#').toLowerCase();
  return ACTIONS.some((action) => shape(action) === shape(target));
}

export async function startStrangers(visitors: number): Promise<Strangers> {
  const asked: string[] = [];
  const elsewhere: string[] = [];
  const site = createServer((request, response) => {
    asked.push(request.url!);
    const url = new URL(request.url!, 'http://h');
    const id = Number(url.searchParams.get('id') ?? /^\/article_(\d+)$/.exec(url.pathname)?.[1]);
    const isArticle = /^\/article(?:_\d+)?$/.test(url.pathname) && id < ARTICLES;
    if (!isArticle) return void response.writeHead(404).end('none');
    const words = Array.from({ length: 80 }, (_, k) => `w${(id * 131 + k * k) % 997}`).join(' ');
    response.setHeader('content-type', 'text/html').end(`<html><body><p>${words}</p></body></html>`);
  });
  const other = createServer((request, response) => {
    elsewhere.push(request.url!);
    response.end('secret');
  });
  const base = `http://127.0.0.1:${await listen(site)}`;
  const lines = logLines(visitors, await listen(other));
  const sessions = new Set(Array.from({ length: visitors }, (_, visitor) => sessionOf(visitor)));
  const close = () => void (site.close(), other.close());
  return { base, lines, sessions, asked, elsewhere, close };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

function logLines(visitors: number, otherPort: number): string[] {
  const line = (address: string, target: string, size: number) =>
    `${address} - - [21/Nov/2026:00:38:05 +0000] "GET ${target} HTTP/1.1" 200 ${size} "-" "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"`;
  const lines: string[] = [];
  for (let id = 0; id < ARTICLES; id++) {
    for (const client of [1, 2, 3]) {
      lines.push(line(`192.0.2.${client + (id % 9)}`, `/article?id=${id}`, 400 + id));
      lines.push(line(`192.0.2.${client + (id % 7)}`, `/article_${id}`, 400 + id));
    }
  }
  for (let visitor = 0; visitor < visitors; visitor++) {
    const address = `198.51.${visitor >> 8}.${visitor & 255}`;
    for (const one of [visitor % ARTICLES, (visitor + 7) % ARTICLES])
      lines.push(line(address, `/article?id=${one}&PHPSESSID=${sessionOf(visitor)}`, 400 + one));
  }
  for (const target of ACTIONS)
    for (let n = 0; n < 4; n++) lines.push(line('203.0.113.5', target.replace('7', `${7 + n}`), 90));
  for (const host of [`127.0.0.1:${otherPort}`, 'admin.example.com', 'vpn.example.com:8443', 'search.internal:9200']) {
    for (let n = 0; n < 8; n++) {
      lines.push(
        line('203.0.113.9', `http://${host}/article?id=${n}`, 400 + n),
        line('203.0.113.9', `http://${host}/article_${n}`, 400 + n),
      );
    }
  }
  return lines;
}
