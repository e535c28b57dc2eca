// By which substitution is a copy another one? All its URLs have one prefix in place of another, which both end with a
// slash: an alias of a host, or of a folder.
//
//   http://a.example/docs/1.2/intro.html  →  http://b.example/manual/intro.html
//   http://a.example/docs/1.2/            →  http://b.example/manual/

export interface Alias {
  readonly from: string;
  readonly to: string;
}

/** By which alias does each URL become its partner? Build (`add`), then ask; nothing is kept of each pair. */
export class AliasFinder {
  #pairs = 0;
  /** The longest texts before the end that a URL and its partner share. */
  #from = '';
  #to = '';
  #rest = '';
  /** What all URLs begin with, and all partners. */
  #same = '';
  #partnersSame = '';
  /** Of a URL, less that of its partner; NaN if that is not the same for all. */
  #longer = 0;

  add(url: string, partner: string): void {
    const suffix = commonSuffix(url, partner);
    const from = url.slice(0, url.length - suffix);
    if (from.length > this.#from.length) {
      this.#from = from;
      this.#to = partner.slice(0, partner.length - suffix);
      this.#rest = url.slice(from.length);
    }
    const isFirst = this.#pairs++ === 0;
    this.#same = isFirst ? url : commonPrefix(this.#same, url);
    this.#partnersSame = isFirst ? partner : commonPrefix(this.#partnersSame, partner);
    const longer = url.length - partner.length;
    this.#longer = isFirst || longer === this.#longer ? longer : NaN;
  }

  /** The longest folder that all URLs are in: with a slash at its end. */
  get folder(): string {
    return folderOf(this.#same);
  }

  get alias(): Alias | undefined {
    // The rest is the same in both, so both are extended by the same characters.
    const isWhole = this.#from.endsWith('/') && this.#to.endsWith('/');
    const more = isWhole ? '' : this.#rest.slice(0, this.#rest.indexOf('/') + 1);
    const alias = { from: this.#from + more, to: this.#to + more };
    // Not within `http://`.
    if (!isFolder(alias.from) || !isFolder(alias.to) || alias.from === alias.to) return undefined;
    // No text that a pair does not share is longer than `from`; so what follows it is the same if it is as long.
    const holds =
      this.#same.startsWith(alias.from) &&
      this.#partnersSame.startsWith(alias.to) &&
      this.#longer === alias.from.length - alias.to.length;
    return holds ? alias : undefined;
  }
}

/** The longest folder that a text is in. */
function folderOf(same: string): string {
  return same.slice(0, same.lastIndexOf('/') + 1);
}

/** `http://host/` at least. */
export function isFolder(prefix: string): boolean {
  return /^https?:\/\/[^/?#]+\/([^?#]*\/)?$/.test(prefix);
}

function commonSuffix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

function commonPrefix(a: string, b: string): string {
  if (b.startsWith(a)) return a;
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
