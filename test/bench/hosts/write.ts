// Which files does a made list become? NAME.urls.txt and NAME.truth.tsv with all URLs, in the same order, and the lists
// to mine: all URLs as well, or half of those of four in five hosts.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mix, seeded } from '../input/random.js';
import type { MadeHost } from './made.js';
import { type Listing, LISTINGS } from './records.js';
import { type Part, truthLine } from './truth.js';

export interface Wanted {
  readonly out: string;
  /** Formats of the lists to mine. */
  readonly listings: readonly Listing[];
  readonly isSplit: boolean;
  readonly seed: number;
}

export interface Written {
  readonly hosts: number;
  readonly urls: number;
  readonly pages: number;
}

const BLOCK = 1 << 20;

export async function writeLists(made: Iterable<MadeHost>, { out, listings, isSplit, seed }: Wanted): Promise<Written> {
  const truth = new Output(`${out}.truth.tsv`);
  const urls = new Output(`${out}.urls.txt`);
  const mined = listings.filter(({ ending }) => ending !== LISTINGS['urls']!.ending || isSplit);
  const lists = mined.map(({ ending, head }) => new Output(`${out}.${isSplit ? 'mine.' : ''}${ending}`, head));
  const random = seeded(mix(seed, 5));
  const written = { hosts: 0, urls: 0, pages: 0 };
  for (const host of made) {
    const partOf = isSplit ? halves(host, random) : (): Part => 'mined';
    for (const url of host.urls) {
      const part = partOf();
      truth.add(truthLine(url, host, part));
      urls.add(`${url.url}\n`);
      if (part === 'mined') mined.forEach(({ lines }, at) => lists[at]!.add(lines(url, random)));
    }
    written.hosts++;
    written.urls += host.urls.length;
    written.pages += new Set(host.urls.map(({ page }) => page)).size;
    for (const output of [truth, urls, ...lists]) await output.flush(BLOCK);
  }
  for (const output of [truth, urls, ...lists]) await output.end();
  return written;
}

function halves({ set }: MadeHost, random: () => number): () => Part {
  if (set !== 'wildcard' && set !== 'farm' && random() < 0.2) return () => 'never';
  return () => (random() < 0.5 ? 'mined' : 'half');
}

class Output {
  #block: string;
  readonly #file: WriteStream;

  constructor(path: string, head = '') {
    this.#file = createWriteStream(path);
    this.#block = head;
  }

  add(text: string): void {
    this.#block += text;
  }

  /** Write what has come together, if it is as much as `least`. */
  async flush(least: number): Promise<void> {
    if (this.#block.length < least) return;
    if (!this.#file.write(this.#block)) await once(this.#file, 'drain');
    this.#block = '';
  }

  async end(): Promise<void> {
    this.#file.end(this.#block);
    await once(this.#file, 'close');
  }
}
