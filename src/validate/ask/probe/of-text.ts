// Where might a text rule be wrong, though no URL of the list shows it? For `/index.php?title=` → `/wiki/`:
//
//     inverse images      /wiki/B is in the list, so /index.php?title=B is asked for
//     odd names           the same of names with signs in them, or of digits alone
//     a plus for a blank  /index.php?title=A+B, as forms write it: in a path it is no blank
//     other kinds         `?paged=1` at the end behind /page/2/, though the list has it only behind /tag/a/ and /2024/
//
// A rule without anchor is tried only behind starts after which the list has its text: `:` → `/` was seen in /wiki/a:b.
import type { SubstringRule } from '../../../rule/rule.js';
import { partsOf } from '../parts.js';
import { type Grammar, spread } from './grammar.js';
import type { ProbeKind } from './kind.js';
import { otherKindsOfPages } from './page-kinds.js';

const MOST_STARTS = 8;
const MOST_KINDS = 4;
const ODD = /[^A-Za-z0-9/_?=&-]|\/\d+$|=\d+$/;

/** `seen`: URLs that the rule changes, in draw order. */
export function probesOfText(rule: SubstringRule, seen: readonly string[], grammar: Grammar): ProbeKind[] {
  const inverse = inverseImages(rule, seen, grammar);
  return [
    { take: 2, urls: inverse },
    { take: 2, urls: [...seen, ...inverse].flatMap((url) => plusForBlank(url, rule.from)) },
    { take: 2, urls: inverse.filter((url) => ODD.test(restOf(url, rule.from))) },
    ...otherKinds(rule, seen, grammar).map((urls) => ({ take: 1, urls })),
  ];
}

/** A query at the end, on each kind of page where the list does not have it. */
function otherKinds({ from, to, anchor }: SubstringRule, seen: readonly string[], grammar: Grammar): string[][] {
  if (anchor !== 'end' || !/^\/?\?/.test(from) || to.includes('?')) return [];
  return otherKindsOfPages(seen.map(partsOf), grammar)
    .map((urls) =>
      spread(urls.filter((url) => url.endsWith(to)).map((url) => url.slice(0, url.length - to.length) + from)),
    )
    .filter((urls) => urls.length > 0)
    .slice(0, MOST_KINDS);
}

function inverseImages({ from, to, anchor }: SubstringRule, seen: readonly string[], { all }: Grammar): string[] {
  const found: string[] = [];
  for (const start of startsOf(from, seen)) {
    const begin = start + to;
    for (const { url } of all) {
      if (!url.startsWith(begin)) continue;
      const isAtEnd = anchor === 'end' || anchor === 'both';
      if (!isAtEnd || url.length === begin.length) found.push(start + from + url.slice(begin.length));
    }
  }
  if (anchor === 'end')
    for (const { url } of all) if (url.endsWith(to)) found.push(url.slice(0, url.length - to.length) + from);
  return spread([...new Set(found)]);
}

/** The text before `from`, the most common first. */
function startsOf(from: string, seen: readonly string[]): string[] {
  const starts = new Map<string, number>();
  for (const url of seen) {
    const start = url.slice(0, Math.max(0, url.indexOf(from)));
    starts.set(start, (starts.get(start) ?? 0) + 1);
  }
  return [...starts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MOST_STARTS)
    .map(([start]) => start);
}

function restOf(url: string, from: string): string {
  return url.slice(url.indexOf(from) + from.length);
}

/** Variants with a plus in the query, where it means a space. */
function plusForBlank(url: string, from: string): string[] {
  const at = Math.max(url.indexOf(from) + from.length, url.indexOf('?') + 1 || url.length);
  const rest = url.slice(at);
  const plus = rest.replace(/(?<=\w)(?:%20|_)(?=\w)/g, '+');
  return plus === rest ? [] : [url.slice(0, at) + plus];
}
