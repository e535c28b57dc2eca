// The log of the planted live site: hits of its URLs by some clients over two days, as Apache writes them. After a
// redirect the same client requests its target.
import { seededRandom } from './planted.js';

/** `vhost` has `host:port` first; `combined` has no host. */
export type LogFormat = 'vhost' | 'combined';

interface SentPage {
  readonly status: number;
  readonly body: Uint8Array;
  readonly location?: string;
}

const HITS = 3;
const CLIENTS = 40;
const NOT_MODIFIED = 0.05;

/** A line for each hit, ASCII, without newline; `send` returns what the server would send to its n-th visitor. */
export function linesOf(
  urls: readonly string[],
  format: LogFormat,
  seed: number,
  send: (url: string, visit: number) => SentPage,
): string[] {
  const random = seededRandom(seed + 1);
  const hits = urls.flatMap((url) => Array.from({ length: 1 + Math.floor(random() * (2 * HITS - 1)) }, () => url));
  const lines: string[] = [];
  let second = 0;
  let visit = 0;

  function write(url: string, client: number): void {
    const [, host, target] = /^http:\/\/([^/]+)(.*)$/.exec(url)!;
    const page = send(url, visit++);
    if (format === 'vhost' || host!.startsWith('www.')) {
      const isKnown = page.status === 200 && random() < NOT_MODIFIED;
      const rest = isKnown ? '304 -' : `${page.status} ${page.body.length}`;
      const head = format === 'vhost' ? `${host} ` : '';
      const place = `${head}10.0.0.${client} - - [${stamp(second)}]`;
      lines.push(`${place} "GET ${target} HTTP/1.1" ${rest} "-" "Mozilla/5.0"`);
    }
    second += 1 + Math.floor(random() * 5);
    if (page.location?.startsWith('/') === true) write(`http://${host}${page.location}`, client);
  }

  for (let k = hits.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [hits[k], hits[other]] = [hits[other]!, hits[k]!];
  }
  for (const [at, url] of hits.entries()) {
    const client = 1 + Math.floor(random() * CLIENTS);
    if (at % 50 === 0) write(url.replace(/^(http:\/\/[^/]+).*$/, `$1/favicon.ico`), client);
    write(url, client);
  }
  return lines;
}

/** Seconds after midnight of 12 March 2007, in UTC. */
function stamp(second: number): string {
  const [date, time] = new Date(Date.UTC(2007, 2, 12) + second * 1000).toISOString().split('T');
  const [year, , day] = date!.split('-');
  return `${day}/Mar/${year}:${time!.slice(0, 8)} +0000`;
}
