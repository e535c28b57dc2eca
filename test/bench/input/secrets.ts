// A log with secrets of ten kinds, as they stand in URLs of real logs: each belongs to one visitor, who visits a few
// pages with it. Visitors come in crowds that visit the same pages with secrets of one kind, so that values of theirs
// turn into each other on several pages, as rules do. Every secret has a part of its own that is found again wherever
// and however it is written.
import { seeded } from './random.js';

/** A secret, and the part by which it is found. */
interface Secret {
  readonly text: string;
  readonly core: string;
}

interface SecretKind {
  readonly name: string;
  readonly make: (draw: Draw) => Secret;
  /** The URL of a page with the secret. */
  readonly url: (host: string, page: string, secret: string) => string;
}

/** Random characters of an alphabet, with a digit and a letter among them. */
type Draw = (alphabet: string, length: number) => string;

const HEX = '0123456789abcdef';
const LOWER = '0123456789abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const MIXED = `${LOWER}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

const field = (name: string) => (host: string, page: string, secret: string) =>
  `http://${host}${page}?id=7&${name}=${secret}`;

export const SECRET_KINDS: readonly SecretKind[] = [
  { name: 'PHP session', make: whole((draw) => draw(LOWER.slice(0, 32), 26)), url: field('PHPSESSID') },
  {
    name: 'session in a path',
    make: whole((draw) => draw(HEX.toUpperCase(), 32)),
    url: (host, page, secret) => `http://${host}${page};jsessionid=${secret}?id=7`,
  },
  {
    name: 'payment key',
    make: within(
      (draw) => draw(MIXED, 24),
      (core) => `sk_live_${core}`,
    ),
    url: field('k'),
  },
  {
    name: 'JSON web token',
    make: within(
      (draw) => draw(MIXED, 40),
      (core) => `eyJhbGciOiJIUzI1NiJ9.eyJ${core}.c2lnbmF0dXJl`,
    ),
    url: (host, page, secret) => `http://${host}/verify/${secret}${page}`,
  },
  { name: 'AWS key', make: whole((draw) => `AKIA${draw(UPPER, 16)}`), url: field('AWSAccessKeyId') },
  { name: 'password', make: whole((draw) => `pw${draw(LOWER, 10)}`), url: field('password') },
  {
    name: 'e-mail',
    make: within(
      (draw) => `ann${draw(LOWER, 9)}`,
      (core) => `${core}%40example.org`,
    ),
    url: (host, page, secret) => `http://${host}/unsubscribe/${secret}${page}`,
  },
  {
    name: 'phone',
    make: within(
      (draw) => `4930${draw(LOWER.slice(0, 10), 9)}`,
      (core) => `%2B${core}`,
    ),
    url: field('phone'),
  },
  { name: 'access token', make: whole((draw) => draw(HEX, 40)), url: field('access_token') },
  {
    name: 'user and password',
    make: within(
      (draw) => `pw${draw(LOWER, 10)}`,
      (core) => `ann:${core}`,
    ),
    url: (host, page, secret) => `http://${secret}@${host}${page}`,
  },
];

function whole(make: (draw: Draw) => string): SecretKind['make'] {
  return within(make, (core) => core);
}

function within(make: (draw: Draw) => string, around: (core: string) => string): SecretKind['make'] {
  return (draw) => {
    const core = make(draw);
    return { core, text: around(core) };
  };
}

export interface SecretLine {
  /** `url TAB status TAB bytes`. */
  readonly line: string;
  readonly core: string;
}

const CROWD = 10;
const PAGES_EACH = 8;
/** Lines that are rejected have secrets too. */
const REJECTED_EVERY = 997;

export const SECRET_HEADER = 'url\tstatus\tbytes';

/** So many lines, nearly all of them with a URL of their own. */
export function* secretLines(count: number, seed: number): Generator<SecretLine> {
  const random = seeded(seed);
  const draw = drawing(random);
  const pages = Math.max(40, Math.floor(count / 50));
  let lines = 0;
  for (let crowd = 0; ; crowd++) {
    const kind = SECRET_KINDS[crowd % SECRET_KINDS.length]!;
    const first = Math.floor(random() * pages);
    for (let visitor = 0; visitor < CROWD; visitor++) {
      const { text, core } = kind.make(draw);
      for (let k = 0; k < PAGES_EACH; k++) {
        if (lines++ === count) return;
        const page = (first + 7 * k) % pages;
        const host = (page + visitor) % 3 === 0 ? 'shop.test' : 'www.shop.test';
        const isRejected = lines % REJECTED_EVERY === 0;
        const url = kind.url(isRejected ? 'no host' : host, `/d${page % 7}/p${page}.html`, text);
        yield { line: `${url}\t200\t${2000 + 13 * page}`, core };
      }
    }
  }
}

function drawing(random: () => number): Draw {
  return (alphabet, length) => {
    for (;;) {
      const text = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]!).join('');
      if (/\d/.test(text) && (/[a-z]/i.test(text) || alphabet.length <= 10)) return text;
    }
  };
}
