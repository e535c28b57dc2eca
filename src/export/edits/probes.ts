// URLs to try edits on: combinations of the texts of two rules in every part of a URL.
//
//     http://www.h.com   /wiki/   index.html/   ?k=1&sid=1
//     origins            heads    tails         queries
import type { Condition, Rule } from '../../rule/rule.js';

interface Pieces {
  readonly origins: readonly string[];
  /** Starts of paths, from slash to slash, unless a rule's text follows. */
  readonly heads: readonly string[];
  readonly tails: readonly string[];
  readonly fields: readonly string[];
  /** Texts for the end of the whole URL. */
  readonly ends: readonly string[];
}

/** The host of probes if no rule names one. */
const SOME_HOST = 'http://h.example';

export function probesOf(one: Rule, other: Rule, { isForPaths }: { readonly isForPaths: boolean }): readonly string[] {
  const all = [one, other].map(piecesOf);
  const both = (part: keyof Pieces) => [...new Set(all.flatMap((pieces) => pieces[part]))];
  const named = both('origins');
  const origins = isForPaths ? [''] : named.length > 0 ? named : [SOME_HOST];
  const single = ['/', ...beside(both('heads')).map((head) => head.replaceAll('//', '/')), '/x/'];
  const isFolding = [one, other].some((rule) => rule.kind === 'step' && rule.step === 'fold-slashes');
  const heads = isFolding ? [...single, ...single.map((head) => head.replaceAll('/', '//'))] : single;
  const tails = ['', 'x', ...beside(both('tails'))];
  const fields = both('fields');
  const queries = ['', 'k=1', ...beside(fields, '&'), ...fields.flatMap((field) => [`k=1&${field}`, `${field}&k=1`])];
  const ends = ['', ...beside(both('ends'))];
  const url = (origin: string, head: string, tail: string, query = '', end = '') =>
    `${origin}${head}${tail}${query === '' ? '' : head.includes('?') ? query : `?${query}`}${end}`;
  const page = (head: string) => (head.endsWith('/') ? 'x' : '');
  const [first, last] = [origins[0]!, origins.at(-1)!];
  return [
    ...origins.flatMap((origin) => heads.flatMap((head) => tails.slice(0, 3).map((tail) => url(origin, head, tail)))),
    ...origins.flatMap((origin) => tails.map((tail) => url(origin, '/x/', tail))),
    ...heads.flatMap((head) => tails.map((tail) => url(last, head, tail))),
    ...heads.slice(0, 4).flatMap((head) => queries.map((query) => url(first, head, page(head), query))),
    ...tails.slice(0, 4).flatMap((tail) => queries.map((query) => url(last, heads.at(-1)!, tail, query))),
    ...tails.slice(0, 4).flatMap((tail) => queries.map((query) => url(first, '/', tail, query))),
    ...ends
      .slice(1)
      .flatMap((end) => [
        ...tails.map((tail) => url(first, '/', tail, '', end)),
        ...heads.slice(0, 3).flatMap((head) => queries.map((query) => url(first, head, page(head), query, end))),
      ]),
  ];
}

const MOST_TEXTS = 3;

/** Each text alone, and every pair of texts side by side. */
function beside(texts: readonly string[], between = ''): readonly string[] {
  const few = texts.slice(0, MOST_TEXTS);
  return [...few, ...few.flatMap((one) => few.map((other) => `${one}${between}${other}`))];
}

function piecesOf(rule: Rule): Pieces {
  const where = [...(rule.only ?? []), ...(rule.not ?? [])].map(placeOf);
  const own = ownPieces(rule);
  const site = rule.site === '*' || rule.site === '' ? [] : [`http://${rule.site}`];
  const all = (part: keyof Pieces) => [own, ...where].flatMap((pieces) => pieces[part] ?? []);
  const origins = all('origins');
  return {
    origins: origins.length > 0 ? origins : site,
    heads: all('heads'),
    tails: all('tails'),
    fields: all('fields'),
    ends: all('ends'),
  };
}

function ownPieces(rule: Rule): Partial<Pieces> {
  switch (rule.kind) {
    case 'substring': {
      if (rule.anchor === 'end')
        return /^[./-]/.test(rule.from) ? { tails: [`x${rule.from}`, rule.from] } : { ends: [rule.from] };
      const [, origin, rest] = /^((?:https?:\/\/)?[^/?]*)(.*)$/s.exec(rule.from)!;
      const host = /^https?:\/\/./.test(origin!)
        ? [origin!]
        : origin === '' || origin!.startsWith('http')
          ? []
          : [`http://${origin}`];
      return { origins: host, heads: rest === '' || rest === '/' ? [] : [rest!] };
    }
    case 'parameter': {
      const [, host, path] = /^(?:\/\/([^/]*))?(.*)$/s.exec(rule.path)!;
      return {
        fields: [`${rule.name}=1`, rule.name],
        origins: host === undefined ? [] : [`http://${host}`],
        heads: path === '' || rule.scope === 'site' ? [] : [path!],
      };
    }
    case 'step':
      if (rule.step === 'fold-slashes') return { tails: ['/', '/x//y'] };
      return { tails: rule.text === '' ? ['x/', 'x'] : [rule.text] };
    case 'pattern':
      return {};
    default:
      return rule satisfies never;
  }
}

function placeOf({ part, is }: Condition): Partial<Pieces> {
  switch (part) {
    case 'host':
      return { origins: [`http://${is}`] };
    case 'first':
    case 'segment':
      return { heads: [`/${is}/`] };
    case 'last':
      return { tails: [is] };
    case 'extension':
      return { tails: [is === '' ? 'x' : `x.${is}`] };
    case 'depth':
      return { heads: ['/x/'.repeat(is)] };
    case 'field':
    case 'parameter':
      return { fields: [is] };
    case 'fields':
    case 'query':
    case 'text':
      return {};
    default:
      return part satisfies never;
  }
}
