// Can a rule match what it has just made of a URL?
import { AMPERSAND, NUMBER_SIGN, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import type { CompiledRule } from './apply.js';

/**
 * A parameter rule cannot match its own result again, unless the value that it sets can be read as more than a value;
 * neither can a step. Nor if the change made a condition true: where the rule holds now is its own result.
 */
export function findsNothingMore(rule: CompiledRule): boolean {
  if (rule.kind !== 'parameter') return rule.kind === 'step';
  return rule.action === 'remove' || !(rule.value ?? new Uint8Array(0)).some((byte) => ENDS_FIELD.has(byte));
}

/** Between fields, and what ends a path parameter: `/`, and `?` and `#` where the path ends. */
const ENDS_FIELD: ReadonlySet<number> = new Set([AMPERSAND, SEMICOLON, SLASH, QUESTION, NUMBER_SIGN]);
