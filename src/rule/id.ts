// A short name for what a rule says, the same in every run and on every machine: `3kq0xw7m`.
//
// It has 40 bits of a hash of what the rule says (`sayingKey`), in 32 digits without i, l, o and u, which look like
// others. Of files with 10,000 rules, one in 20,000 has two rules with the same id; then the user has to name the rule
// itself.
import { encodeText } from '../base/bytes.js';
import { hashBytes, OTHER_SEED } from '../base/hash.js';
import { sayingKey, type RuleSaying } from './identity.js';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
export const ID_LENGTH = 8;

/** The id depends on site, direction and conditions, not on rank, figures and verdict. */
export function idOf(rule: RuleSaying): string {
  const bytes = encodeText(sayingKey(rule));
  const high = hashBytes(bytes, 0, bytes.length) >>> 0;
  const low = hashBytes(bytes, 0, bytes.length, OTHER_SEED) & 0xff;
  let id = '';
  for (let bits = high * 256 + low; id.length < ID_LENGTH; bits = Math.floor(bits / 32)) id = DIGITS[bits % 32]! + id;
  return id;
}
