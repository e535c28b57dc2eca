// Does a real server redirect each URL to the form that the export is said to give it? Shared by the tests and the large
// run.
import { encodeText } from '../../src/base/bytes.js';
import { redirectForms } from '../../src/export/edits/order.js';
import type { ExportRequest } from '../../src/export/target.js';
import { isUrl } from '../../src/url/form.js';
import { normalizeSafe } from '../../src/url/normalize.js';
import type { Server } from './export-servers.js';

export interface Agreement {
  /** URLs that the server answered for. */
  readonly asked: number;
  /** URLs that it refuses as bad requests, whatever the rules: a broken escape. */
  readonly refused: number;
  /** URLs of them that were redirected. */
  readonly moved: number;
  readonly mostRedirects: number;
  readonly differences: readonly Difference[];
}

export interface Difference {
  readonly url: string;
  readonly expected: string;
  readonly got: string;
}

const chars = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** URLs as they are requested from a server: normalized if the rules are for such, with a host, without duplicates. */
export function requestable(lines: readonly string[], { normalization, urlForm }: ExportRequest): readonly string[] {
  const urls = new Set<string>();
  for (const line of lines) {
    const whole = line.startsWith('/') ? `http://www.example.test${line}` : line;
    const bytes = encodeText(whole);
    const url = normalization === 'safe' ? normalizeSafe(bytes) : bytes;
    if (!isUrl(url) || url.length > 2048 || url.includes(0x23)) continue;
    if (urlForm === 'path' && !/^https?:\/\/[^/?]+\//.test(chars(url))) continue;
    urls.add(chars(url));
  }
  return [...urls];
}

export async function compare(server: Server, request: ExportRequest, urls: readonly string[]): Promise<Agreement> {
  const expectedOf = formsOf(request);
  const differences: Difference[] = [];
  let moved = 0;
  let refused = 0;
  let mostRedirects = 0;
  let next = 0;
  const work = async () => {
    while (next < urls.length) {
      const url = urls[next++]!;
      const walk = await server.end(url);
      if (walk.status === 400 && walk.redirects === 0) {
        refused++;
        continue;
      }
      const expected = expectedOf(url);
      if (walk.url !== url) moved++;
      mostRedirects = Math.max(mostRedirects, walk.redirects);
      // A server may refuse the target of its own redirect.
      const got = walk.status === 204 || walk.status === 400 ? walk.url : `${walk.status} ${walk.url}`;
      if (got !== expected) differences.push({ url, expected, got });
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
  return { asked: urls.length - refused, refused, moved, mostRedirects, differences };
}

/** What is wrong with the announcements of an export with `isLink`, and how many URLs had one. */
export async function compareLinks(
  server: Server,
  request: ExportRequest,
  urls: readonly string[],
): Promise<{ readonly differences: readonly Difference[]; readonly announced: number }> {
  const expectedOf = formsOf(request);
  const differences: Difference[] = [];
  let announced = 0;
  const answers = await Promise.all(urls.map((url) => server.announced(url)));
  for (const [at, { status, location, link }] of answers.entries()) {
    const url = urls[at]!;
    // A server may refuse a broken escape, or a path that it cannot serve.
    if (status >= 400 && status < 500) continue;
    const form = expectedOf(url);
    const expected = form === url || /[<>"]/.test(form) ? '' : `<${form}>; rel="canonical"`;
    if (expected !== '') announced++;
    const own = link.replace('</style.css>; rel="preload"', '').replace(/^, /, '');
    const got = `${status >= 300 ? status : ''}${location ?? ''}${own}`;
    if (got !== expected) differences.push({ url, expected, got });
  }
  return { differences, announced };
}

/** The forms that `canonize --as` gives. */
function formsOf(request: ExportRequest): (url: string) => string {
  const formOf = redirectForms(request);
  if (request.urlForm !== 'path') return formOf;
  return (url) => {
    const [, origin, path] = /^(https?:\/\/[^/]*)(.*)$/s.exec(url)!;
    return `${origin}${formOf(path!)}`;
  };
}
