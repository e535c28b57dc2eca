// Which rules does a valid rule make needless (paper Figure 4, lines 4 to 9)? Its refinements, without any fetch.
import { conditionsKey } from '../rule/condition.js';
import { refines } from '../rule/refine.js';
import type { ParameterRule, Rule } from '../rule/rule.js';
import { saysTheSame } from '../rule/subsume.js';

/** True if `fine` has no further effect once `broad` of the same site is valid. */
export function isNeedless(fine: Rule, broad: Rule): boolean {
  // Outside the conditions of `broad`, `fine` may still have an effect.
  const where = conditionsKey(broad);
  if (where !== '' && where !== conditionsKey(fine)) return false;
  switch (broad.kind) {
    case 'substring':
      return fine.kind === 'substring' && refines(fine, broad);
    case 'parameter':
      if (fine.kind === 'substring') return saysTheSame(fine, broad);
      return fine.kind === 'parameter' && fine.name === broad.name && isWithin(fine, broad);
    case 'step':
    case 'pattern':
      return false;
    default:
      return broad satisfies never;
  }
}

/** True if one parameter rule holds nowhere but where another does, by their scopes. */
export function isWithin(fine: ParameterRule, broad: ParameterRule): boolean {
  if (broad.scope === 'site') return true;
  if (fine.scope === 'site') return false;
  if (broad.scope === 'path') return fine.scope === 'path' && fine.path === broad.path;
  return fine.path.startsWith(broad.path);
}
