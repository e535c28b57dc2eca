// By which substitution is a copy another one? All its URLs have one prefix in place of another, which both end with a
// slash: an alias of a host, or of a folder.
//
//   http://a.example/docs/1.2/intro.html  →  http://b.example/manual/intro.html
//   http://a.example/docs/1.2/            →  http://b.example/manual/

export interface Alias {
  readonly from: string;
  readonly to: string;
}

/** The alias by which each URL becomes its partner; undefined if there is none. */
export function aliasOf(urls: readonly string[], partners: readonly string[]): Alias | undefined {
  let longest = { from: '', to: '', rest: '' };
  urls.forEach((url, k) => {
    const partner = partners[k]!;
    const suffix = commonSuffix(url, partner);
    const from = url.slice(0, url.length - suffix);
    if (from.length > longest.from.length) {
      longest = { from, to: partner.slice(0, partner.length - suffix), rest: url.slice(from.length) };
    }
  });
  // The rest is the same in both, so both are extended by the same characters.
  const isWhole = longest.from.endsWith('/') && longest.to.endsWith('/');
  const more = isWhole ? '' : longest.rest.slice(0, longest.rest.indexOf('/') + 1);
  const alias = { from: longest.from + more, to: longest.to + more };
  // Not within `http://`.
  if (!isFolder(alias.from) || !isFolder(alias.to) || alias.from === alias.to) return undefined;
  const holds = urls.every(
    (url, k) => url.startsWith(alias.from) && partners[k] === alias.to + url.slice(alias.from.length),
  );
  return holds ? alias : undefined;
}

/** The longest folder that all URLs are in: with a slash at its end. */
export function folderOf(urls: readonly string[]): string {
  let [least, greatest] = [urls[0]!, urls[0]!];
  for (const url of urls) {
    if (url < least) least = url;
    if (url > greatest) greatest = url;
  }
  let same = 0;
  while (same < least.length && least[same] === greatest[same]) same++;
  return least.slice(0, least.lastIndexOf('/', same - 1) + 1);
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
