// Rules as a table that a Java class reads: one rule a line, with spaces between words. Bytes that are not printable
// ASCII, and `` ` " \ ~ ``, become ~ and two hex digits, so no text of a log can end a line, a word or a string.
//
//     how safe absolute domain 10 4096            normalization, form of URLs, sites, rounds, bytes of a form
//     site example.com below                      a site; `below` if its rules hold for the hosts below it
//     substring * end /index.html /               site, anchor, from, to
//     parameter example.com site  remove sid      site, scope, path, action, name, value
//     step * drop-segment print                   site, step, text
//     … only first feed not depth 3 except http://example.com/   where a rule holds
import { encodeText } from '../../base/bytes.js';
import { maxFormBytes } from '../../canonize/limits.js';
import type { Rule } from '../../rule/rule.js';
import { hasSubdomains } from '../public-suffixes.js';
import type { ExportRequest } from '../target.js';

/** Expects rules whose site can be determined without the public suffix list. */
export function tableOf(request: ExportRequest, rules: readonly Rule[]): readonly string[] {
  const { normalization, urlForm, sitePolicy, maxIterations } = request;
  const sites = [...new Set(rules.map(({ site }) => site))];
  return [
    `how ${normalization} ${urlForm} ${sitePolicy} ${maxIterations} ${maxFormBytes}`,
    ...sites.map((site) => ['site', word(site), hasSubdomains(site) ? 'below' : 'only'].join(' ')),
    ...rules.map((rule) => [...wordsOf(rule), ...placesOf(rule)].map((one) => word(one)).join(' ')),
  ];
}

function wordsOf(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case 'substring':
      return [rule.kind, rule.site, rule.anchor, rule.from, rule.to];
    case 'parameter': {
      const action = rule.action === 'set' && rule.value === null ? 'bare' : rule.action;
      return [rule.kind, rule.site, rule.scope, rule.path, action, rule.name, action === 'set' ? rule.value! : ''];
    }
    case 'step':
      return [rule.kind, rule.site, rule.step, rule.text];
    case 'pattern':
      throw new Error('the table has no patterns');
    default:
      return rule satisfies never;
  }
}

function placesOf({ only = [], not = [], except = [] }: Rule): readonly string[] {
  return [
    ...only.flatMap(({ part, is }) => ['only', part, String(is)]),
    ...not.flatMap(({ part, is }) => ['not', part, String(is)]),
    ...except.flatMap((url) => ['except', url]),
  ];
}

function word(text: string): string {
  return Array.from(encodeText(text), (byte) => {
    const char = String.fromCharCode(byte);
    return /[!#-[\]-}]/.test(char) ? char : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
