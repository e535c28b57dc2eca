// What do visitors contribute? They enter at pages in the log, by addresses as links, mails and other sites have them,
// follow links, and request some of the pictures and styles. All requests stay on this machine, and are limited by
// count and time.
//
//   node dist/test/bench/sites/visitors.js SITE LOG [ROUND]     other visitors in each round
//
// Nobody who tunes rules may read the tables below: the sites are for measuring only.
import { Parser } from 'htmlparser2';
import { askFor, closeAll, type Answer } from './ask.js';
import { logged } from './logged.js';
import { ownSite } from './own-site.js';
import { randomBy, type Random } from './random.js';

/** How an address changes when it is passed on, and with what weight. */
type Form = { readonly weight: number } & (
  | { readonly kind: 'plain' | 'slash' | 'double slash' | 'upper case' | 'junk' }
  | { readonly kind: 'field'; readonly make: readonly ((random: Random) => string)[] }
  | { readonly kind: 'replace'; readonly from: RegExp; readonly to: string }
);

interface Visitors {
  readonly sessions: number;
  readonly atMostMs: number;
  readonly entries: readonly string[];
  /** Never requested: edit forms, and pages that take the server long. */
  readonly never: RegExp;
  readonly forms: readonly Form[];
}

const TRACKERS: readonly Form[] = [
  {
    weight: 4,
    kind: 'field',
    make: [
      () => 'utm_source=newsletter&utm_medium=email',
      (random) => `utm_source=newsletter&utm_medium=email&utm_campaign=${random.of(['autumn', 'winter', 'spring'])}`,
      () => 'utm_source=mastodon&utm_medium=social',
      () => 'utm_source=rss',
    ],
  },
  { weight: 4, kind: 'field', make: [(random) => `fbclid=IwAR${random.word(22)}`] },
  { weight: 2, kind: 'field', make: [(random) => `gclid=${random.word(18)}`] },
];
const SLIPS: readonly Form[] = [
  { weight: 1, kind: 'slash' },
  { weight: 1.5, kind: 'double slash' },
  { weight: 1, kind: 'upper case' },
  { weight: 2, kind: 'junk' },
];

const VISITORS: Readonly<Record<string, Visitors>> = {
  wiki: {
    sessions: 2_200,
    atMostMs: 300_000,
    entries: [
      '/',
      '/wiki/Start',
      '/w/index.php',
      '/w/',
      '/w/index.php?title=Start',
      '/wiki/Category:System_calls',
      '/wiki/Special:AllPages',
    ],
    never:
      /action=(edit|submit|delete|purge)|Special(:|%3A)(UserLogin|CreateAccount|Export|PasswordReset|Book)|api\.php|rest\.php/i,
    forms: [
      { weight: 45, kind: 'plain' },
      ...TRACKERS,
      ...SLIPS,
      { weight: 6, kind: 'replace', from: /\/wiki\/([^?]+)$/, to: '/w/index.php?title=$1' },
      { weight: 3, kind: 'replace', from: /\/wiki\/([^?]+)$/, to: '/w/index.php/$1' },
      { weight: 2, kind: 'replace', from: /\/w\/index\.php\?title=([^&]+)$/, to: '/wiki/$1' },
      { weight: 2, kind: 'replace', from: /\/w\/index\.php\?title=([^&]+)&/, to: '/wiki/$1?' },
      { weight: 3, kind: 'replace', from: /\((\d)\)/, to: '%28$1%29' },
      { weight: 3, kind: 'replace', from: /\/\/mw\./, to: '//www.mw.' },
      { weight: 2, kind: 'replace', from: /_/, to: '%20' },
      {
        weight: 3,
        kind: 'field',
        make: [() => 'action=view', () => 'redirect=no', () => 'uselang=en', () => 'printable=yes'],
      },
      {
        weight: 2,
        kind: 'field',
        make: [() => 'useskin=vector', () => 'useskin=monobook', () => 'mobileaction=toggle_view_desktop'],
      },
    ],
  },
  blog: {
    sessions: 2_600,
    atMostMs: 300_000,
    entries: [
      '/',
      '/about/',
      '/days/',
      '/feed/',
      '/category/packages/',
      '/2019/06/',
      '/index.php',
      '/?paged=2',
      '/?feed=rss2',
      '/?s=backup',
      '/comments/feed/',
    ],
    never: /wp-admin|wp-login|xmlrpc|wp-comments-post/,
    forms: [
      { weight: 50, kind: 'plain' },
      ...TRACKERS,
      ...SLIPS,
      { weight: 4, kind: 'replace', from: /(\/[^/?.]+)\/$/, to: '$1' },
      { weight: 2, kind: 'replace', from: /(8112)(\/\d{4}\/.*)$/, to: '$1/index.php$2' },
      { weight: 3, kind: 'replace', from: /(8112\/\d{4}\/\d\d\/[^/?]+\/)$/, to: '$1feed/' },
      { weight: 2, kind: 'replace', from: /(8112\/\d{4}\/\d\d\/[^/?]+\/)$/, to: '$1comment-page-1/' },
      { weight: 2, kind: 'replace', from: /(8112\/\d{4}\/\d\d\/[^/?]+\/)$/, to: '$1embed/' },
      { weight: 1, kind: 'replace', from: /(8112\/\d{4}\/\d\d\/[^/?]+\/)$/, to: '$1amp/' },
      { weight: 1, kind: 'replace', from: /(8112\/\d{4}\/\d\d\/)[^?]*$/, to: '$1' },
      { weight: 3, kind: 'field', make: [(random) => `PHPSESSID=${random.hex(26)}`] },
      {
        weight: 3,
        kind: 'field',
        make: [() => 'amp=1', () => 'amp', () => 'share=twitter', () => 'share=mastodon', () => 'print=1'],
      },
      {
        weight: 2,
        kind: 'field',
        make: [
          (random) => `nocache=${random.below(1_000_000_000)}`,
          (random) => String(1_690_000_000 + random.below(9_000_000)),
        ],
      },
      {
        weight: 2,
        kind: 'field',
        make: [() => 's=apt', () => 's=disk', () => 's=', () => 'orderby=date', () => 'order=DESC', () => 'order=asc'],
      },
      {
        weight: 1,
        kind: 'field',
        make: [() => 'paged=1', () => 'page=1', () => 'cpage=1', () => 'feed=rss2', () => 'feed=atom'],
      },
    ],
  },
};

const BROWSERS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
];
const ROBOTS = ['Mozilla/5.0 (compatible; linkcheck/2.1)', 'curl/7.88.1', 'FeedFetcher/1.0'];
const PROBES = [
  '/.env',
  '/favicon.ico',
  '/robots.txt',
  '/phpmyadmin/',
  '/.git/config',
  '/ads.txt',
  '/apple-touch-icon.png',
  '/sitemap.xml',
];
const JUNK = [')', '.', ',', '%20', '"', "'", '&quot;', '>', '%22%3E', ';', '&amp;'];
/** Concurrent sessions; PHP answers four requests at once. */
const AT_ONCE = 4;

const [name = '', log = '', round = '1'] = process.argv.slice(2);
const site = ownSite(name);
const visitors = VISITORS[name]!;
const known = [
  ...new Set(
    (await logged(log, site.base)).flatMap(({ url, method, status }) =>
      method === 'GET' && status === 200 ? [url] : [],
    ),
  ),
].filter((url) => !visitors.never.test(url) && !/\.(css|js|png|svg|ico|txt)(\?|$)|load\.php/.test(url));
const seen = new Set(known);
const until = Date.now() + visitors.atMostMs;
let [sessions, requests] = [0, 0];
randomBy(`${name} order ${round}`).shuffle(known);
await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => visitorsOneByOne(randomBy(`${name} ${k} ${round}`))));
console.log(`${name}: ${sessions} sessions, ${requests} requests, ${known.length} pages known`);
await closeAll();

async function visitorsOneByOne(random: Random): Promise<void> {
  while (sessions < visitors.sessions && Date.now() < until) {
    sessions++;
    await session(random);
    if (random.chance(0.05)) await ask(site.base + random.of(PROBES), { 'user-agent': 'python-requests/2.31' });
  }
}

async function session(random: Random): Promise<void> {
  const isRobot = random.chance(0.05);
  const headers: Record<string, string> = {
    'user-agent': random.of(isRobot ? ROBOTS : BROWSERS),
    accept: isRobot ? '*/*' : 'text/html,*/*;q=0.8',
  };
  if (!isRobot && random.chance(0.8)) headers['accept-encoding'] = 'gzip';
  let url = random.chance(0.25)
    ? site.base + random.of(visitors.entries)
    : known[Math.floor(known.length * random.unit() ** 3)]!;
  url = passedOn(url, random);
  let from = random.of(['', '', 'https://www.google.com/', 'https://duckduckgo.com/', 'https://news.ycombinator.com/']);
  const fetched = new Set<string>();
  const steps = 1 + Math.min(12, Math.floor(-4 * Math.log(1 - random.unit())));
  for (let step = 0; step < steps && Date.now() < until; step++) {
    const page = await follow(url, from === '' ? headers : { ...headers, referer: from });
    if (page === null || page.status !== 200 || !page.type.includes('html')) return;
    if (!seen.has(page.url) && !visitors.never.test(page.url)) {
      seen.add(page.url);
      known.push(page.url);
    }
    const { links, parts } = linksOf(page);
    if (!isRobot) {
      for (const part of parts.filter((part) => !fetched.has(part)).slice(0, 2)) {
        // Most have them from an earlier visit.
        if (!random.chance(0.4)) continue;
        fetched.add(part);
        await ask(part, { ...headers, referer: page.url });
      }
    }
    const ways = links.filter((link) => !visitors.never.test(link));
    if (ways.length === 0) return;
    from = page.url;
    url = random.of(ways);
    if (random.chance(0.08)) url = passedOn(url, random);
  }
}

async function follow(url: string, headers: Readonly<Record<string, string>>): Promise<Answer | null> {
  let at = url;
  for (let hop = 0; hop < 5; hop++) {
    const answer = await ask(at, headers);
    if (answer?.location === undefined) return answer;
    const next = ours(answer.location, at);
    if (next === null) return null;
    at = next;
  }
  return null;
}

async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Answer | null> {
  requests++;
  return await askFor(url, headers);
}

/** The address as it is passed on, changed by one of the site's forms. */
function passedOn(url: string, random: Random): string {
  const form = random.weighted(visitors.forms);
  switch (form.kind) {
    case 'plain':
      return url;
    case 'field':
      return `${url}${url.includes('?') ? '&' : '?'}${random.of(form.make)(random)}`;
    case 'replace':
      return url.replace(form.from, form.to);
    case 'slash':
      return url.includes('?') ? url : url.endsWith('/') ? url.slice(0, -1) : `${url}/`;
    case 'double slash': {
      const slashes = Array.from(url.matchAll(/(?<![:/])\//g), ({ index }) => index);
      if (slashes.length === 0) return url;
      const at = random.of(slashes);
      return `${url.slice(0, at)}/${url.slice(at)}`;
    }
    case 'upper case':
      return url.replace(
        /\/([^/?]*)([^/]*)$/,
        (_, last: string, rest: string) => `/${random.chance(0.5) ? last.toUpperCase() : last.toLowerCase()}${rest}`,
      );
    case 'junk':
      return url + random.of(JUNK);
    default:
      return form satisfies never;
  }
}

function linksOf(page: Answer): { readonly links: string[]; readonly parts: string[] } {
  const [links, parts]: [string[], string[]] = [[], []];
  const parser = new Parser({
    onopentag(tag, attributes) {
      const part =
        tag === 'img' || tag === 'script'
          ? attributes['src']
          : tag === 'link' && attributes['rel'] === 'stylesheet'
            ? attributes['href']
            : undefined;
      const link = tag === 'a' ? attributes['href'] : undefined;
      const [to, list] = link !== undefined ? [link, links] : [part, parts];
      if (to === undefined || to === '' || to.startsWith('#')) return;
      const url = ours(to, page.url);
      if (url !== null) list.push(url);
    },
  });
  parser.end(page.body.toString());
  return { links, parts };
}

/** Where a link leads, if it is on this site. */
function ours(link: string, from: string): string | null {
  if (!URL.canParse(link, from)) return null;
  const url = new URL(link, from);
  url.hash = '';
  return url.protocol === 'http:' && site.hosts.includes(url.host) ? url.href : null;
}
