// What did the site say to one question? A line of `--trace`.
import { printable } from '../base/bytes.js';
import type { Rule } from '../rule/rule.js';
import { namesVisitor } from '../rule/visitor.js';
import { stepWords, whereWords } from '../rule/words.js';
import type { Question } from '../validate/ask/ask.js';

/** `asked: accepted, requests 41, saves 113 of 118 forms: remove utm_source` */
export function questionLine({ rules, decision, requests, changes, saving }: Question): string {
  const said = rules.map(ruleWords).join(' + ');
  return `asked: ${decision}, requests ${requests}, saves ${saving} of ${changes} forms: ${printable(said)}\n`;
}

function ruleWords(rule: Rule): string {
  if (namesVisitor(rule)) return 'a rule that names one visitor';
  const where = whereWords(rule);
  return `${whatWords(rule)}${where === '' ? '' : ` ${where}`}`;
}

function whatWords(rule: Rule): string {
  switch (rule.kind) {
    case 'substring':
      return `"${rule.from}" → "${rule.to}"${rule.anchor === 'none' ? '' : ` at the ${ENDS[rule.anchor]}`}`;
    case 'parameter':
      return rule.action === 'remove' ? `remove ${rule.name}` : `set ${rule.name} to "${rule.value ?? ''}"`;
    case 'step':
      return stepWords(rule);
    case 'pattern':
      return `${rule.pattern} → ${rule.template}`;
    default:
      return rule satisfies never;
  }
}

const ENDS = { start: 'start', end: 'end', both: 'start and the end' } as const;
