// Which kinds of pages has a site, by the shape of their paths? A number stays a number, and so does the word before it;
// all other words are alike:
//
//     /2024/03/a-post/            /#/#/*/
//     /tag/arcade/page/2/         /*/*/page/#/
import { groupBy } from '../../../base/group-by.js';
import type { UrlParts } from '../parts.js';
import type { Grammar } from './grammar.js';

const NUMBER = /^\d+$/;

/** URLs without a query of each kind that none of the `seen` URLs has, the commonest kind first. */
export function otherKindsOfPages(seen: readonly UrlParts[], { all }: Grammar): string[][] {
  const known = new Set(seen.map(kindOf));
  const plain = all.filter(({ parts, url }) => parts.query === undefined && !url.includes(';'));
  return [...groupBy(plain, ({ parts }) => kindOf(parts))]
    .filter(([kind]) => !known.has(kind))
    .sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .map(([, some]) => some.map(({ url }) => url));
}

function kindOf({ segments }: UrlParts): string {
  const isNumber = segments.map((one) => NUMBER.test(one));
  const words = segments.map((one, at) => (isNumber[at] ? '#' : one === '' || isNumber[at + 1] ? one : '*'));
  return words.join('/');
}
