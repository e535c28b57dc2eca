// Which valid rule is a special case that a general one beside it makes needless? One whose every effect the other has:
//
//     `?do=` is dropped on every page            `?do=` is dropped under /wiki/
//     remove sid on every page                   remove sid below /shop/, or with sid=1; `&sid=1` → ``
//     `/index.html` → `/`                        `/en/index.html` → `/en/`
//
// `needless` asks the same before a rule was tried, when it is enough that both sides become one. Here the form itself has
// to stay what it is, so the direction counts, and what a parameter is set to.
import { conditionsKey } from '../rule/condition.js';
import { refinesOneWay } from '../rule/refine.js';
import type { ParameterRule, Rule } from '../rule/rule.js';
import { isKey } from '../rule/standing.js';
import { saysTheSame } from '../rule/subsume.js';
import { isWithin } from './needless.js';

/** True if every URL that `fine` changes gets the same form by `broad` alone. */
export function isImplied(fine: Rule, broad: Rule): boolean {
  if (fine.site !== broad.site || (isKey(broad) && !isKey(fine)) || !isNoNarrower(broad, fine)) return false;
  switch (broad.kind) {
    case 'substring':
      return fine.kind === 'substring' && refinesOneWay(fine, broad);
    case 'parameter':
      return impliedByParameter(fine, broad);
    case 'step':
      return fine.kind === 'step' && fine.step === broad.step && fine.text === broad.text;
    case 'pattern':
      return false;
    default:
      return broad satisfies never;
  }
}

/** Whether a rule holds wherever another does, by their conditions. */
function isNoNarrower(broad: Rule, fine: Rule): boolean {
  const where = conditionsKey(broad);
  if (where !== '' && where !== conditionsKey(fine)) return false;
  return (broad.except ?? []).every((url) => fine.except?.includes(url));
}

function impliedByParameter(fine: Rule, broad: ParameterRule): boolean {
  if (fine.kind === 'substring') return broad.action === 'remove' && saysTheSame(fine, broad);
  if (fine.kind !== 'parameter' || fine.name !== broad.name || !isWithin(fine, broad)) return false;
  return broad.action === 'remove' || (fine.action === 'set' && fine.value === broad.value);
}
