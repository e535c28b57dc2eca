// Which kinds of pages has a site, by the shape of their paths? A number stays a number, and the word before it a word;
// all other words are alike:
//
//     /2024/03/a-post/                    /#/#/*/
//     /tag/arcade/page/2/                 /*/*/page/#/
//     /a-post/comment-page-2/             /*/comment-page-#/
import { groupBy } from '../../../base/group-by.js';
import type { UrlParts } from '../parts.js';
import type { Grammar } from './grammar.js';

const NUMBER = /^\d+$/;
/** A short word and a number, as in `comment-page-2`; not the number of an article behind its title. */
const NUMBERED = /^[a-z]+(?:[-_][a-z]+)?[-_]?\d+$/i;

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
  return segments
    .map((one, at) => {
      if (NUMBER.test(one)) return '#';
      if (one === '' || NUMBER.test(segments[at + 1] ?? '')) return one;
      return NUMBERED.test(one) ? one.replace(/\d+$/, '#') : '*';
    })
    .join('/');
}
