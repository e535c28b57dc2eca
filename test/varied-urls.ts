// URLs that the rules of a file match, and others: its examples, cut and recombined with special cases of URLs. Seeded;
// none has a newline in it.
import { textsOf } from '../src/rule/meaning.js';
import type { RulesFile } from '../src/rule/rule.js';
import { seeded } from './bench/input/random.js';

const PIECES = [
  '%7e %2e%2E/ ../ ./ %61 %zz % ? & ; = # : @ // /index.html /index index.html .html www. :80 :8080 é \udce9 %C3%A9 A',
  'sid=1 ?sid=2&a=b &utm_source=x ;jsessionid=F3 HTTP:// https:// http://example.test mailto:a [::1] 10.0.0.1 .',
].flatMap((line) => [...line.split(' '), ' ']);

export function variedUrls({ rules }: RulesFile, count: number): string[] {
  const random = seeded(6);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const examples = rules.flatMap((rule) => rule.examples.flat());
  const texts = rules.flatMap((rule) =>
    rule.kind === 'substring' ? [rule.from, rule.to] : [`?${textsOf(rule)[0]}=1`],
  );
  return Array.from({ length: count }, (_, at) => {
    const url = at % 5 === 4 ? pick(PIECES) + pick(examples) : pick(examples);
    if (at % 2 === 0) return url;
    const cut = Math.floor(random() * (url.length + 1));
    const rest = random() < 0.5 ? url.slice(cut) : url.slice(cut + 1 + Math.floor(random() * 8));
    return url.slice(0, cut) + pick(random() < 0.5 ? texts : PIECES) + rest;
  });
}
