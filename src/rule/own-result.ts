// Which rules are idempotent?
import { AMPERSAND, NUMBER_SIGN, QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import type { CompiledRule } from './apply.js';

/**
 * True if the rule cannot match its own result. A parameter rule can do so only if the value that it sets contains a
 * separator, and a step never can. This holds even if the change makes a condition of the rule true.
 */
export function findsNothingMore(rule: CompiledRule): boolean {
  if (rule.kind !== 'parameter') return rule.kind === 'step';
  return rule.action === 'remove' || !(rule.value ?? new Uint8Array(0)).some((byte) => ENDS_FIELD.has(byte));
}

/** Separators of fields, and the bytes that end a path parameter: `/`, and `?` and `#` at the end of the path. */
const ENDS_FIELD: ReadonlySet<number> = new Set([AMPERSAND, SEMICOLON, SLASH, QUESTION, NUMBER_SIGN]);
