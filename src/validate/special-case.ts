// Which rule is a special case that a general one of its site makes needless?
//
//     `?do=` is dropped on every page            `?do=` is dropped under /wiki/
//     remove sid on every page                   remove sid below /shop/, or with sid=1; `&sid=1` → ``
//     `/index.html` → `/`                        `/en/index.html` → `/en/`
//
// A rule that was not tried yet is needless if its two sides become one (paper Figure 4, lines 4 to 9: refinements,
// without any fetch). A valid rule is needless only if every form stays the same without it. So the direction counts,
// and so does the value that a parameter is set to.
import { conditionsKey } from '../rule/condition.js';
import { refines, refinesOneWay } from '../rule/refine.js';
import type { ParameterRule, Rule } from '../rule/rule.js';
import { isKey } from '../rule/standing.js';
import { saysTheSame } from '../rule/subsume.js';

/** True if `fine` has no further effect once `broad`, a rule of the same site, is valid. */
export function isNeedless(fine: Rule, broad: Rule): boolean {
  return isWhere(fine, broad) && isCase(fine, broad, 'one page');
}

/** True if every URL that `fine` changes gets the same form by `broad` alone. */
export function isImplied(fine: Rule, broad: Rule): boolean {
  if (fine.site !== broad.site || (isKey(broad) && !isKey(fine)) || !isWhere(fine, broad)) return false;
  return (broad.except ?? []).every((url) => fine.except?.includes(url)) && isCase(fine, broad, 'same form');
}

/** True if, by their conditions, a rule holds only where another one does. */
function isWhere(fine: Rule, broad: Rule): boolean {
  const where = conditionsKey(broad);
  return where === '' || where === conditionsKey(fine);
}

/** Whether the two sides of a special case become one by the general rule, or one in the same form. */
function isCase(fine: Rule, broad: Rule, result: 'one page' | 'same form'): boolean {
  switch (broad.kind) {
    case 'substring':
      return fine.kind === 'substring' && (result === 'one page' ? refines : refinesOneWay)(fine, broad);
    case 'parameter': {
      const isSame = result === 'one page' || broad.action === 'remove';
      if (fine.kind === 'substring') return isSame && saysTheSame(fine, broad);
      if (fine.kind !== 'parameter' || fine.name !== broad.name || !isWithin(fine, broad)) return false;
      return isSame || (fine.action === 'set' && fine.value === broad.value);
    }
    case 'step':
      return fine.kind === 'step' && fine.step === broad.step && fine.text === broad.text;
    case 'pattern':
      return false;
    default:
      return broad satisfies never;
  }
}

/** True if one parameter rule holds nowhere but where another does, by their scopes. */
function isWithin(fine: ParameterRule, broad: ParameterRule): boolean {
  if (broad.scope === 'site') return true;
  if (fine.scope === 'site') return false;
  if (broad.scope === 'path') return fine.scope === 'path' && fine.path === broad.path;
  return fine.path.startsWith(broad.path);
}
