// How is a made URL written down? One line per URL in lists of a crawl, and one per request in a log.
import { createHash } from 'node:crypto';
import type { MadeUrl } from './made.js';
import { type Random, oneOf } from './words.js';

export interface Listing {
  /** Follows the name of the list: `open-20k.sizes.tsv`. */
  readonly ending: string;
  readonly head: string;
  readonly lines: (made: MadeUrl, random: Random) => string;
}

const TIMES = ['07:12:55', '09:41:03', '13:20:18', '18:05:44', '22:59:09'];

export const LISTINGS: Readonly<Record<string, Listing>> = {
  sizes: {
    ending: 'sizes.tsv',
    head: 'url\tstatus\tsize\n',
    lines: ({ url, size }, random) => `${url}\t200\t${size(random)}\n`,
  },
  digests: {
    ending: 'digests.tsv',
    head: 'url\tstatus\tdigest\n',
    lines: ({ url, digest }, random) => `${url}\t200\t${sha1Of(digest(random))}\n`,
  },
  urls: { ending: 'urls.txt', head: '', lines: ({ url }) => `${url}\n` },
  json: {
    ending: 'jsonl',
    head: '',
    lines: ({ url, size, digest }, random) =>
      `${JSON.stringify({ url, status: 200, size: size(random), digest: sha1Of(digest(random)) })}\n`,
  },
  cdxj: { ending: 'cdxj', head: '', lines: captureLine },
  log: { ending: 'log', head: '', lines: logLines },
};

/** The line of a web archive's index. `length` is of the compressed capture there, so it is left out. */
function captureLine({ url, digest }: MadeUrl, random: Random): string {
  const { hostname, pathname, search } = new URL(url);
  const key = `${hostname.split('.').toReversed().join(',')})${pathname}${search}`;
  const fields = { url, mime: 'text/html', status: '200', digest: sha1Of(digest(random)) };
  return `${key.toLowerCase()} 20261101${oneOf(TIMES, random).replaceAll(':', '')} ${JSON.stringify(fields)}\n`;
}

/** One to three requests as Apache's vhost_combined has them; the port tells http from https. */
function logLines({ url, size }: MadeUrl, random: Random): string {
  const [scheme, host, path] = /^(https?):\/\/([^/]+)(.*)$/.exec(url)!.slice(1);
  const port = scheme === 'https' ? 443 : 80;
  let lines = '';
  for (let requests = 1 + Math.floor(3 * random() ** 2); requests > 0; requests--) {
    const time = `[01/Nov/2026:${oneOf(TIMES, random)} +0000]`;
    const client = `192.0.2.${Math.floor(256 * random())}`;
    lines += `${host}:${port} ${client} - - ${time} "GET ${path} HTTP/1.1" 200 ${size(random)} "-" "Mozilla/5.0"\n`;
  }
  return lines;
}

function sha1Of(content: number): string {
  return createHash('sha1').update(String(content)).digest('hex');
}
