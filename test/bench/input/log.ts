// Access logs of a site, about 200 bytes a line: three lines in four request a new URL, the others one requested
// before, more often a recent one. Some are errors, unchanged pages, redirects and posts.
import { seeded } from './random.js';
import { SEED, siteUrls, type SiteUrl } from './site.js';

const NEW = 0.75;
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (compatible; examplebot/2.1; +http://bot.example.org/)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0 Safari/537.36',
];

/** Combined log lines; with the virtual host first on request, else of both hosts in one, as a log without hosts is. */
export function* logLines(count: number, format: 'combined' | 'vhost', seed = SEED): Generator<string> {
  const random = seeded(seed);
  const urls = siteUrls(count, seed);
  const seen: SiteUrl[] = [];
  for (let line = 0; line < count; line++) {
    const isNew = line === 0 || random() < NEW;
    if (isNew) seen.push(urls.next().value as SiteUrl);
    const url = isNew ? seen.at(-1)! : seen[Math.floor(Math.sqrt(random()) * seen.length)]!;
    yield (format === 'vhost' ? `${url.host}:80 ` : '') + lineOf(url, line, random());
  }
}

function lineOf({ path, size }: SiteUrl, line: number, chance: number): string {
  const status = chance < 0.03 ? 404 : chance < 0.08 ? 304 : chance < 0.09 ? 301 : 200;
  const method = chance > 0.99 ? 'POST' : chance > 0.98 ? 'HEAD' : 'GET';
  const bytes = status === 200 ? size : status === 304 ? '-' : 178;
  const [hour, minute, second] = [line / 3600, line / 60, line].map((n) => String(Math.floor(n) % 60).padStart(2, '0'));
  const client = `198.51.${line % 100}.${size % 256}`;
  return (
    `${client} - - [12/May/2024:${String(Number(hour) % 24).padStart(2, '0')}:${minute}:${second} +0000] ` +
    `"${method} ${path} HTTP/1.1" ${status} ${bytes} "http://www.example.com/" "${AGENTS[line % 3]}"\n`
  );
}
