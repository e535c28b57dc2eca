// What do the rules that the log is sure of make of a URL?
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import type { Rule } from '../../src/rule/rule.js';

export function sureForm(rules: readonly Rule[], url: string): string {
  const options = {
    normalize: 'safe',
    accept: 'confident',
    maxIterations: 10,
    urlForm: 'absolute',
    sitePolicy: 'all',
  } as const;
  return decodeText(createCanonizer(rules, options).canonize(encodeText(url)));
}
