// Where might a pattern be wrong that no URL of the list shows? Of /{1:word}/story-{2:digits}.html?{*} → /story?id={2}&{*}:
//
//     other numbers       /news/story-8.html, /news/story-20.html
//     another's parts     /sport/story-7.html, of /sport/story-3.html and /news/story-7.html
//     other fields        /news/story-7.html?lang=de, if the pattern lets fields pass
import { partsOf } from '../parts.js';
import type { Grammar } from './grammar.js';
import type { ProbeKind } from './kind.js';

const BASES = 8;
const NAMES = 6;

/** `seen`: URLs that the pattern changes, in draw order. Only URLs that it matches are probes. */
export function probesOfPattern(seen: readonly string[], grammar: Grammar): ProbeKind[] {
  const few = seen.slice(0, BASES);
  return [
    { take: 2, urls: few.flatMap(otherNumbers) },
    { take: 2, urls: few.flatMap((url, at) => partsOfAnother(url, few[(at + 1) % few.length]!)) },
    { take: 2, urls: few.flatMap((url) => otherFields(url, grammar)) },
  ];
}

/** The URL with neighbours of its last number. */
function otherNumbers(url: string): string[] {
  const { origin, path, rest } = cut(url);
  const last = [...(path + rest).matchAll(/\d{1,8}/g)].at(-1);
  if (last === undefined) return [];
  const [number, start] = [last[0], origin.length + last.index];
  return [1, 10].map((more) => url.slice(0, start) + (Number(number) + more) + url.slice(start + number.length));
}

/** The URL with one segment taken from another URL of the same depth. */
function partsOfAnother(url: string, other: string): string[] {
  const { origin, path, rest } = cut(url);
  const [own, others] = [path.split('/'), cut(other).path.split('/')];
  if (own.length !== others.length) return [];
  return own.flatMap((segment, at) =>
    segment === others[at] ? [] : [origin + own.with(at, others[at]!).join('/') + rest],
  );
}

function cut(url: string): { readonly origin: string; readonly path: string; readonly rest: string } {
  const [, origin = '', path = '', rest = ''] = /^([a-z]+:\/\/[^/?;]*)?([^?;]*)(.*)$/s.exec(url) ?? [];
  return { origin, path, rest };
}

/** The URL with the commonest fields of the site that it lacks. */
function otherFields(url: string, grammar: Grammar): string[] {
  const own = new Set(partsOf(url).fields.map(({ name }) => name));
  return grammar
    .names()
    .filter((name) => !own.has(name))
    .slice(0, NAMES)
    .flatMap((name) => {
      const [value] = grammar.valuesOf(name);
      return value === undefined ? [] : [`${url}${url.includes('?') ? '&' : '?'}${name}=${value}`];
    });
}
