// May this page be fetched? RFC 9309, with the groups and the longest match from a library. Rules and request are first
// brought into one form, since the library compares what a URL object makes of the URL with what `encodeURI` makes of
// the rule, so that `Disallow: /*?filter[]=` would never match:
//
//   rule       /*?filter[]='a'  %7Euser  %c3%a9  é       →  /*?filter%5B%5D=%27a%27  ~user  %C3%A9  %C3%A9
//   request    /x?filter[]='a'  ~user    %C3%A9          →  /x?filter%5B%5D=%27a%27  ~user  %C3%A9
//
// Only characters that neither of the two changes stay as they are; unreserved characters are unescaped (RFC 9309,
// 2.2.2). A URL with dot segments is judged by its path without them.
import robotsParser, { type Robot } from 'robots-parser';
import { encodeText } from '../../base/bytes.js';
import { escapeOf } from './target.js';

const PRODUCT_TOKEN = 'dustbuster';
/** So much of a robots.txt is read (RFC 9309, 2.5: at least 500 KiB); the rest is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/**
 * A file with more stars was made to waste time (measured: 240,000 of them cost 2 s per URL): then nothing is allowed.
 * Files of large sites have some thousands.
 */
const MAX_STARS = 20_000;

export interface RobotsRules {
  /** `path` is a request target, as in {@link Target}. */
  allows(path: string): boolean;
  readonly crawlDelaySeconds: number;
}

/** Parses arbitrary bytes; lines that are not rules are skipped. */
export function parseRobots(body: Uint8Array): RobotsRules {
  const text = comparable(withoutMark(body), LAYOUT);
  if (text.split('*').length > MAX_STARS) return { crawlDelaySeconds: 0, allows: () => false };
  const robots = parse(`${ORIGIN}/robots.txt`, text);
  const delay = robots.getCrawlDelay(PRODUCT_TOKEN) ?? 0;
  return {
    crawlDelaySeconds: delay > 0 ? delay : 0,
    allows(path) {
      if (/^\/robots\.txt(\?|$)/.test(path)) return true;
      return robots.isAllowed(ORIGIN + comparable(encodeText(path), ''), PRODUCT_TOKEN) === true;
    },
  };
}

// The library's types describe a default export, but the CommonJS module is the function itself.
const parse = robotsParser as unknown as (url: string, text: string) => Robot;
/** Any origin will do: the caller decides which robots.txt applies. */
const ORIGIN = 'http://robots.invalid';

/** Characters of a robots.txt outside of its rules. */
const LAYOUT = '\t\n\r #';
/** Left unchanged by `encodeURI` and by the path and query of a URL object; `%` begins an escape. */
const STABLE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~;,/?:@&=+$!*()%';
const UNRESERVED = /[A-Za-z0-9\-._~]/;

function comparable(bytes: Uint8Array, layout: string): string {
  const stays = STABLE + layout;
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    const char = String.fromCharCode(bytes[at]!);
    text += stays.includes(char) ? char : escapeOf(bytes[at]!);
  }
  return text.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const char = String.fromCharCode(parseInt(escape.slice(1), 16));
    return UNRESERVED.test(char) ? char : escape.toUpperCase();
  });
}

function withoutMark(body: Uint8Array): Uint8Array {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
