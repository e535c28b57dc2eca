// Where do the links of a page lead? Resolved like a canonical link: relative to the page's URL, or to `<base>`; absolute,
// http(s), in safe normal form, without fragment.
import { pageLinks } from '../sketch/links.js';
import { baseOf, webUrl } from './canonical-link.js';

/** Each target once, in the order of the page, without the page itself. `url` is absolute; `utf8` is its HTML. */
export function linksOf(url: string, utf8: Uint8Array): string[] {
  const { links, base } = pageLinks(utf8);
  const from = baseOf(base, url);
  const targets = new Set<string>();
  for (const link of new Set(links)) {
    const target = link.startsWith('#') ? undefined : webUrl(link, from);
    if (target !== undefined) targets.add(target);
  }
  targets.delete(webUrl(url, url) ?? url);
  return [...targets];
}
