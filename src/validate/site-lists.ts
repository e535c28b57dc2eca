// Where are the URLs of a site until the site is asked? In memory for a live site, which gets few requests anyway.
// Sketches judge all URLs of all sites, which may be more than fits: they wait as JSON, on disk if there are too many
// (`base/numbered-texts`), and one site at a time is read back.
import { encodeText } from '../base/bytes.js';
import { NumberedTexts } from '../base/numbered-texts.js';
import type { SpillOptions } from '../base/spill.js';
import type { AskList } from './ask/list.js';

/** By URL, as text of `base/bytes`. */
export type Sketches = ReadonlyMap<string, string>;

interface ReadList {
  readonly list: AskList;
  /** What the log says about the pages; undefined unless they are judged by that. */
  readonly sketches: Sketches | undefined;
}

/** The URLs of a site that are asked about. */
export interface SiteList {
  readonly count: number;
  /** All URLs that the log has of the site. */
  readonly all: number;
  /** How many of the URLs have a sketch. */
  readonly sketched: number;
  /** Each call may read them from disk. */
  readonly read: () => ReadList;
}

/** A list in memory. */
export function listInMemory(list: AskList, all = list.urls.length): SiteList {
  return { count: list.urls.length, all, sketched: 0, read: () => ({ list, sketches: undefined }) };
}

/** Lists with sketches, of many sites. */
export class SiteLists {
  readonly #texts: NumberedTexts;

  constructor(options: SpillOptions) {
    this.#texts = new NumberedTexts(options);
  }

  add(list: AskList, sketches: Sketches, all: number): SiteList {
    const own = list.urls.map((url) => sketches.get(url) ?? null);
    const number = this.#texts.add(encodeText(JSON.stringify({ list, own })));
    const read = () => withSketches(JSON.parse(this.#texts.at(number)) as Written);
    return { count: list.urls.length, all, sketched: sketches.size, read };
  }

  close(): void {
    this.#texts.close();
  }
}

interface Written {
  readonly list: AskList;
  /** The sketch of each URL; null without one. */
  readonly own: readonly (string | null)[];
}

function withSketches({ list, own }: Written): ReadList {
  const sketches = new Map<string, string>();
  for (const [at, sketch] of own.entries()) if (sketch !== null) sketches.set(list.urls[at]!, sketch);
  return { list, sketches };
}
