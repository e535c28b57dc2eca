// URLs to check exports with: those of a list, and as many more as needed, each made from one of them and from what the
// rules and known traps are about. Seeded, so the same every time.
import type { Rule } from '../../src/rule/rule.js';
import { seeded } from '../bench/input/random.js';

/**
 * Known stumbling blocks (escapes, empty and bare fields, path parameters), and everything that expressions consist of.
 */
export const traps: readonly string[] = [
  '?a=%2B&b=%252F',
  '?a&a=&a=1',
  '?&utm_source=x',
  '?utm_source=x&a=1',
  '?a=1&utm_source=x',
  '?a=1&&;utm_source=x&',
  '?=&==;&',
  '?2172',
  ';jsessionid=X.suffix?p=v',
  ';jsessionid=X/index.html;v=2?jsessionid=Y',
  '/index.html',
  '/index.html/index.html',
  '//',
  '////a//b',
  '/^a$(b).*+c|d',
  '/a[0]{1}\\x41',
  "/'quoted'!~,",
  '/%E4%F6%C3%A4',
  '/\xe4\xc3\xa4',
  '/..a/...',
  '?u=http://www.example.test/a?sid=1&b',
  '?$1=%1&\\1=\\0',
];

export function manyUrls(urls: readonly string[], rules: readonly Rule[], count: number, seed = 1): readonly string[] {
  const random = seeded(seed);
  const draw = (below: number) => Math.floor(random() * below);
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  const texts = [...rules.flatMap(textsOf), ...traps];
  const found = new Set(urls.slice(0, count));
  for (let tries = 0; found.size < count && tries < 50 * count; tries++) {
    const url = pick(urls);
    const text = pick(texts);
    // After the host: a server refuses what is not a host.
    const path = url.indexOf('/', url.indexOf('//') + 2);
    const cut = path + 1 + draw(url.length - path);
    const made = [
      url + text,
      `${url.slice(0, cut)}${text}${url.slice(cut)}`,
      `${url.replace(/\?.*/s, '')}${text}`,
      `${url}${url.includes('?') ? '&' : '?'}${text.replaceAll(/[?/]/g, '')}${pick(['', '&', '=1', '&a=1', ';b'])}`,
      text.startsWith('http') ? text + pick(['', 'a', 'index.html', '?a=1']) : url,
    ];
    found.add(Array.from(pick(made)).filter(canStandInUrl).join(''));
  }
  return [...found];
}

function canStandInUrl(char: string): boolean {
  return char > ' ' && char !== '\x7f' && char !== '#';
}

function textsOf(rule: Rule): readonly string[] {
  if (rule.kind === 'substring') return [rule.from, rule.from, rule.to];
  if (rule.kind === 'step') return [`/${rule.text}`, `//?${rule.text}=A&&b=1&b=1;7`, '"'];
  if (rule.kind === 'pattern') return [];
  return [`?${rule.name}=7`, `&${rule.name}`, `;${rule.name}=${rule.value ?? 'x'}`, `?${rule.name}=1&b&${rule.name}=2`];
}
