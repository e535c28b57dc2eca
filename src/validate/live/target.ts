// What is sent for a URL of a log, byte for byte?
//
//   http://Www.Example.com:80/a/../b%2Fc?q=é#top
//          |               | | the request target: /a/../b%2Fc?q=%C3%A9
//          host            port
//
// Rules are about the path and the query, so these are sent unchanged: no dot segment is removed, no escape decoded, no
// separator changed. Only bytes that are not allowed in a request line (spaces, controls, 0x7F and above) are escaped.
// The host is parsed as browsers and resolvers do, so `0x7f.1` and `2130706433` are recognized as IP addresses.
import { decodeText, encodeText } from '../../base/bytes.js';
import { escapeBytes } from '../../url/escape.js';
import { isHttp, parseUrl, type UrlParts } from '../../url/parse.js';

export interface Target {
  /** `origin` and `path` in ASCII. Equal for URLs with the same request. */
  readonly url: string;
  /** `http://host` or `https://host`, with the port unless it is the default. */
  readonly origin: string;
  /** In lower case and ASCII: an IPv4 address with dots, an IPv6 address in brackets. */
  readonly host: string;
  /** The request target: path and query. */
  readonly path: string;
}

export type NoTarget = 'not-http' | 'credentials';

/**
 * Allowed ports below 1024. The others belong to other protocols, and a log must not make this program send HTTP there.
 */
const HTTP_PORTS = new Set([80, 81, 88, 443, 591]);

/** The request for an absolute URL, or the reason why there is none. Never throws. */
export function targetOf(url: string): Target | NoTarget {
  const parts = parseUrl(encodeText(url));
  if (!isHttp(parts)) return 'not-http';
  if (parts.hostStart > parts.authorityStart) return 'credentials';
  const scheme = parts.schemeEnd - parts.start === 4 ? 'http' : 'https';
  const host = hostOf(decodeText(parts.bytes, parts.hostStart, parts.portStart));
  const port = portOf(parts);
  if (host === undefined || port === undefined) return 'not-http';
  const origin = `${scheme}://${host}${port === (scheme === 'http' ? 80 : 443) ? '' : `:${port}`}`;
  const path = requestPath(parts);
  return { url: origin + path, origin, host, path };
}

/** Parsed by the URL standard, which defines all spellings of an address. */
function hostOf(text: string): string | undefined {
  if (text === '' || /[\s@/\\?#]/.test(text)) return undefined;
  try {
    return new URL(`http://${text}/`).hostname;
  } catch {
    return undefined; // not a host, by that standard
  }
}

function portOf(parts: UrlParts): number | undefined {
  const digits = decodeText(parts.bytes, parts.portStart, parts.pathStart).slice(1);
  if (digits === '') return parts.schemeEnd - parts.start === 4 ? 80 : 443;
  const port = Number(digits);
  return port < 65_536 && (port >= 1024 || HTTP_PORTS.has(port)) ? port : undefined;
}

function requestPath({ bytes, pathStart, queryStart, fragmentStart }: UrlParts): string {
  const slash = pathStart === queryStart ? '/' : '';
  return slash + escapeBytes(bytes, pathStart, fragmentStart);
}
