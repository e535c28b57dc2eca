// What does a site see of a run over a stranger's log? A real server that writes down every request, and a log in which
// some people read, one administers, each visitor has a session, and somebody names other hosts and ports.
import { createServer, type Server } from 'node:http';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import { run, scratchFolder } from '../../process.js';

/** What one person did, each by GET: the kinds that were all asked for once (#38), and some that no list of verbs has. */
const ACTIONS = [
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
const VISITORS = 40;
const sessionOf = (visitor: number) =>
  `${(visitor * 7919 + 104_729).toString(36).padStart(6, 'q')}k2v8sd0f9a7s6d5f4g3h`;

let folder: ReturnType<typeof scratchFolder>;
let site: Server;
let other: Server;
let base = '';
const asked: string[] = [];
const elsewhere: string[] = [];
const at = (name: string) => join(folder.path, name);

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

beforeAll(async () => {
  folder = scratchFolder();
  site = createServer((request, response) => {
    asked.push(request.url!);
    const url = new URL(request.url!, 'http://h');
    const id = Number(url.searchParams.get('id') ?? /^\/article_(\d+)$/.exec(url.pathname)?.[1]);
    const isArticle = /^\/article(?:_\d+)?$/.test(url.pathname) && id < ARTICLES;
    if (!isArticle) return void response.writeHead(404).end('none');
    const words = Array.from({ length: 80 }, (_, k) => `w${(id * 131 + k * k) % 997}`).join(' ');
    response.setHeader('content-type', 'text/html').end(`<html><body><p>${words}</p></body></html>`);
  });
  other = createServer((request, response) => {
    elsewhere.push(request.url!);
    response.end('secret');
  });
  base = `http://127.0.0.1:${await listen(site)}`;
  writeFileSync(at('access.log'), logLines(await listen(other)).join('\n'));
});

afterAll(() => {
  site.close();
  other.close();
  folder.remove();
});

function logLines(otherPort: number): string[] {
  const line = (address: string, target: string, size: number) =>
    `${address} - - [21/Nov/2026:00:38:05 +0000] "GET ${target} HTTP/1.1" 200 ${size} "-" "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"`;
  const lines: string[] = [];
  for (let id = 0; id < ARTICLES; id++) {
    for (const client of [1, 2, 3]) {
      lines.push(line(`192.0.2.${client + (id % 9)}`, `/article?id=${id}`, 400 + id));
      lines.push(line(`192.0.2.${client + (id % 7)}`, `/article_${id}`, 400 + id));
    }
    const visitor = id % VISITORS;
    for (const one of [id, (id + 7) % ARTICLES])
      lines.push(line(`198.51.100.${visitor}`, `/article?id=${one}&PHPSESSID=${sessionOf(visitor)}`, 400 + one));
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

const fetching = (...more: string[]) => [
  'mine',
  at('access.log'),
  '--base',
  base,
  '--fetch',
  '--allow-private',
  '--rate',
  '1000',
  '--fetch-cache',
  at('cache'),
  '-o',
  at('rules.json'),
  ...more,
];

describe('mine --fetch over a log of strangers', () => {
  it('proves its rules', async () => {
    const { code, stderr } = await run(fetching());
    expect(code, stderr).toBe(0);
    const valid = readRules(readFileSync(at('rules.json')), '').rules.filter(({ status }) => status === 'valid');
    expect(valid.some((rule) => rule.kind === 'parameter' && rule.name === 'PHPSESSID')).toBe(true);
    expect(valid.some((rule) => rule.kind === 'substring')).toBe(true);
    expect(stderr).toMatch(/Not asked for: \d+ of \d+ URLs \(\d+ (look like actions|are of kinds that few read)/);
  });

  it('asks for no action, whatever its words are', () => {
    const names =
      /delete|clear|cancel|reset|build|[?&](na|nk|key|sql|zap|token)=|switch|frobnicate|obliviate|usun|smazat|torol|sil\/|supprimer|elimina|loeschen|%[DE]/i;
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((target) => names.test(target))).toEqual([]);
  });

  it('sends no visitor’s session, and tries the rule with made-up ones', () => {
    const sessions = asked.flatMap((target) => /PHPSESSID=(\w+)/.exec(target)?.[1] ?? []);
    const real = new Set(Array.from({ length: VISITORS }, (_, visitor) => sessionOf(visitor)));
    expect(sessions.length).toBeGreaterThan(3);
    expect(sessions.filter((session) => real.has(session))).toEqual([]);
    const kept = readdirSync(at('cache'))
      .map((name) => readFileSync(join(at('cache'), name), 'utf8'))
      .join('');
    expect([...real].filter((session) => kept.includes(session))).toEqual([]);
  });

  it('asks no other port and no other host', () => {
    expect(elsewhere).toEqual([]);
  });

  it('--dry-run says what it would ask for, by kind, and what not', async () => {
    const before = asked.length;
    const { code, stdout, stderr } = await run(fetching('--dry-run'));
    expect(code, stderr).toBe(0);
    const kinds = stdout.toString().trimEnd().split('\n');
    expect(kinds.some((line) => /^ *\d+ {2}127\.0\.0\.1:\d+\/article\?id$/.test(line))).toBe(true);
    expect(kinds.filter((line) => /delete|admin|9200|frobnicate/.test(line))).toEqual([]);
    expect(asked.length).toBe(before);
  });
});
