// Which rules are idempotent?
import { AMPERSAND, NUMBER_SIGN, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import type { CompiledRule } from './apply.js';

/**
 * A parameter rule cannot match its own result, unless the value that it sets contains a separator; a step never can.
 * This holds even if the change makes a condition of the rule true: the rule then finds its own result.
 */
export function findsNothingMore(rule: CompiledRule): boolean {
  if (rule.kind !== 'parameter') return rule.kind === 'step';
  return rule.action === 'remove' || !(rule.value ?? new Uint8Array(0)).some((byte) => ENDS_FIELD.has(byte));
}

/** Between fields, and what ends a path parameter: `/`, and `?` and `#` where the path ends. */
const ENDS_FIELD: ReadonlySet<number> = new Set([AMPERSAND, SEMICOLON, SLASH, QUESTION, NUMBER_SIGN]);
