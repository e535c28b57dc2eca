// Did mining find what input/site planted?
import { readFileSync } from 'node:fs';
import type { Rule } from '../../../src/rule/rule.js';

const AMONG = 20;

const PLANTED: Readonly<Record<string, (rule: Rule) => boolean>> = {
  'two names of a story': (rule) =>
    rule.kind === 'substring' && rule.from.endsWith('story?id=') && rule.to.endsWith('story_'),
  'the index of a folder': (rule) =>
    rule.kind === 'substring' && rule.from.endsWith('/index.html') && rule.to.endsWith('/') && rule.anchor === 'end',
  'the session of a topic': (rule) => rule.kind === 'parameter' && rule.name === 'sid' && rule.action === 'remove',
};

/** All that is planted stands among the first rules of a file mined from `urls` URLs. */
export function expectPlanted(path: string, urls: number): void {
  const file = JSON.parse(readFileSync(path, 'utf8')) as { readonly urls: number; readonly rules: readonly Rule[] };
  if (file.urls !== urls) throw new Error(`${path}: mined from ${file.urls} URLs, expected ${urls}`);
  const first = file.rules.slice(0, AMONG);
  for (const [what, isIt] of Object.entries(PLANTED)) {
    if (!first.some(isIt)) throw new Error(`${path}: ${what} is not among the first ${AMONG} rules`);
  }
}
