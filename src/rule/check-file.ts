// Is a value a rules file, including the parts that only commands read? Browsers check with `check`, as they have no
// use for histories and bases.
import { UserError } from '../base/error.js';
import { checkRules } from './check.js';
import { brief } from './json.js';
import { isNight } from './night.js';
import type { History, RulesFile } from './rule.js';

/** Does the work of {@link checkRules}, and also checks what only commands read. */
export function checkFile(value: unknown, name: string): RulesFile {
  const file = checkRules(value, name);
  if (file.options.base?.includes('@') === true) {
    throw new UserError(
      `${name}: at /options/base: got an address with a user or a password in it, expected a scheme and a host alone. Mend it there.`,
    );
  }
  if (file.night !== undefined && !isNight(file.night)) {
    throw new UserError(
      `${name}: at /night: got ${brief(file.night)}, expected a day as in 2026-11-21. Mend it there.`,
    );
  }
  for (const [at, { rank, history }] of file.rules.entries()) {
    const fault = faultOfHistory(history);
    if (fault === undefined) continue;
    throw new UserError(`${name}: at /rules/${at} (rule of rank ${rank}): ${fault}. Mend or remove the rule.`);
  }
  return file;
}

function faultOfHistory(history: History | undefined): string | undefined {
  if (history === undefined) return undefined;
  const { firstSeen, lastSupported, lastValidated, lastTried, verdictSince, retired, visits, changes } = history;
  const nights = [firstSeen, lastSupported, lastValidated, lastTried, verdictSince, retired?.night, retired?.retryFrom];
  const strange = nights.find((night) => night !== undefined && !isNight(night));
  if (strange !== undefined) return `its "history" has the night ${brief(strange)}, expected a day as in 2026-11-21`;
  return changes > visits ? `its "history" has ${changes} changes in ${visits} visits` : undefined;
}
