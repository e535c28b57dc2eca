// Which rules are keys only because they may mean money or choice, and nobody has asked to write them?
//
// Such a rule is held back when a file is written and again when it is read, so older files are covered. A validation
// treats rules as if they were written, and holds back its results at the end. The owner of the site can decide
// otherwise by `--write NAME`, which the options of the file record, or by a pin.
import { folded } from '../url/names.js';
import { meaningfulFields } from './meaningful.js';
import type { Rule, RuleList } from './rule.js';
import { isKey, isPinned } from './standing.js';

interface File {
  readonly options: { readonly write?: readonly string[] };
  readonly rules: readonly Rule[];
}

/**
 * The file in which rules about fields that may mean money or choice are keys, unless its options or a pin write them.
 */
export function holdingBack<F extends File>(file: F): F {
  const rules = heldRules(file.rules, file.options);
  return rules === file.rules ? file : { ...file, rules };
}

/** The rules as they would be without holding any back. */
export function released<F extends { readonly rules: readonly Rule[] }>(file: F): F {
  const rules = mapped(file.rules, written);
  return rules === file.rules ? file : { ...file, rules };
}

/** The rules with held-back ones as keys; the same object if none changes. */
export function heldRules(rules: readonly Rule[], { write = [] }: File['options']): readonly Rule[] {
  const wanted = new Set(write.map(folded));
  return mapped(rules, (rule) => heldBack(rule, wanted));
}

/** The same for a list of rules that need not be in memory. */
export function heldList(rules: RuleList, { write = [] }: File['options']): RuleList {
  const wanted = new Set(write.map(folded));
  return {
    length: rules.length,
    *[Symbol.iterator]() {
      for (const rule of rules) yield heldBack(rule, wanted);
    },
  };
}

/** Why a rule is held back, in words; undefined for other rules, even if they are keys. */
export function heldReason(rule: Rule): string | undefined {
  const names = heldNames(rule);
  if (names.length === 0) return undefined;
  return `${rule.status === 'valid' ? 'changes no text, but ' : ''}may mean money or choice (${names.join(', ')})`;
}

/** How to have the rule written nevertheless. */
export function writeAdvice(names: readonly string[]): string {
  return `--write ${names.join(' ')} or pin writes it`;
}

/** The fields for which a rule is held back. */
export function heldNames(rule: Rule): readonly string[] {
  return isKey(rule) ? meaningfulFields(rule) : [];
}

function heldBack(rule: Rule, wanted: ReadonlySet<string>): Rule {
  if (rule.control !== undefined && isKey(rule) && isPinned(rule)) return { ...rule, use: 'write' };
  const names = meaningfulFields(rule);
  if (names.length === 0) return rule;
  if (isPinned(rule) || names.every((name) => wanted.has(folded(name)))) return written(rule);
  return isKey(rule) ? rule : { ...rule, use: 'key' };
}

/**
 * The rule as one that writes. A key that was learned from clusters stays a key until a page was requested, as its
 * images may not exist.
 */
function written(rule: Rule): Rule {
  if (!isKey(rule) || rule.verdict?.source === 'clusters' || meaningfulFields(rule).length === 0) return rule;
  if (rule.kind === 'pattern') return { ...rule, use: 'write' };
  const { use: _use, ...bare } = rule;
  return bare;
}

function mapped(rules: readonly Rule[], change: (rule: Rule) => Rule): readonly Rule[] {
  let isSame = true;
  const next = rules.map((rule) => {
    const one = change(rule);
    isSame &&= one === rule;
    return one;
  });
  return isSame ? rules : next;
}
