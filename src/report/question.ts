// What did the site say to one question? A line of `--trace`.
import { printable } from '../base/bytes.js';
import type { Rule } from '../rule/rule.js';
import { namesVisitor } from '../rule/visitor.js';
import { ruleWords } from '../rule/words/sentence.js';
import type { Question } from '../validate/ask/ask.js';

/** ``asked: accepted, requests 41, saves 113 of 118 forms: the parameter `utm_source` is dropped on every page`` */
export function questionLine({ rules, decision, requests, changes, saving }: Question): string {
  const said = rules.map(wordsOf).join(' + ');
  return `asked: ${decision}, requests ${requests}, saves ${saving} of ${changes} forms: ${printable(said)}\n`;
}

function wordsOf(rule: Rule): string {
  return namesVisitor(rule) ? 'a rule that names one visitor' : ruleWords(rule);
}
