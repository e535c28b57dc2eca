// `mine --fetch`, `--pages` and `--by-sketch`: validates the rules that the run has mined. Loaded only for these flags,
// as it pulls in all fetching code.
import type { ValidationCounts } from '../../../report/validation.js';
import type { Rule } from '../../../rule/rule.js';
import { Planner } from '../../../validate/plan.js';
import { DEFAULT_RULES_FILE } from '../../context.js';
import type { Ledger } from './ledger.js';
import { fileOf, rankedRules, showRules, writeRulesFile, type MinedRun } from './rules.js';
import type { Nightly } from './state.js';
import { computed } from '../../terminal/signals.js';
import { hostsOfBase, type Readership } from '../input/readership.js';
import { hostPlanner } from '../validate/hosts.js';
import { planByList } from '../validate/validate.js';
import { planOptions, runPlans } from '../validate/validation.js';
import { spendingBudget, toVisit } from '../validate/visits.js';

/** Other duties of the run: to carry over earlier rules, and to report to people. */
interface RunState {
  readonly ledger: Ledger;
  readonly nightly: Nightly | undefined;
  readonly readership: Readership | undefined;
  /** Prints the counts of reading and mining. */
  readonly counts: () => void;
  /** Prints the summary of `--json`. */
  readonly sum: (rules: readonly Rule[], validation: ValidationCounts | undefined) => Promise<void>;
}

/**
 * Validates the mined rules. Writes them as likely before it fetches anything, so that there is a file whatever
 * happens.
 */
export async function mineAndValidate(
  given: MinedRun,
  { ledger, nightly, readership, counts, sum }: RunState,
): Promise<number> {
  const { miner, options, report, effects } = given;
  const flags = hostsOfBase(spendingBudget(given.flags), options.base);
  const run = { ...given, flags };
  const planning = planOptions(report, flags, readership);
  const planner = flags.test === undefined ? new Planner(planning) : undefined;
  const draw: Parameters<typeof rankedRules>[1] = (urls, ofSite) =>
    planner?.draw(urls, ledger.toDrawFor(urls.site, ofSite));
  const hosts = lazily(() => hostPlanner(miner.classRules, planning));
  miner.watchSites((urls) => hosts().draw(urls));
  const rules = await computed(() => rankedRules(miner, draw), effects);
  const file = ledger.carry(fileOf(rules, run));
  const output = flags.output ?? DEFAULT_RULES_FILE;
  if (output !== '-' && flags.dryRun !== true) await writeRulesFile(file, flags, effects);
  counts();
  const base = options.base;
  const visit = toVisit(file, flags, ledger.night);
  const planned =
    planner === undefined
      ? await planByList(visit.file, flags.test!, { base, flags, readership }, effects)
      : { plans: planner.plans(visit.file.rules), hosts: hosts() };
  const {
    file: validated,
    exitCode,
    counts: validation,
  } = await runPlans(
    {
      ...visit,
      plans: planned.plans,
      hosts: planned.hosts,
      base,
      readership,
      asked: flags.budget === undefined ? undefined : nightly?.askedBefore(ledger.night!),
      output,
      flags,
      tmpdir: flags.tmpdir,
      remark: ledger.remark,
      isWholeList: planner !== undefined && (flags.state !== undefined || flags.history === undefined),
      command: 'mine',
    },
    effects,
  );
  if (flags.dryRun !== true) nightly?.keepRules(validated ?? file);
  if (validated === undefined) return exitCode;
  await showRules(validated, run);
  await sum(validated.rules, validation);
  return exitCode || ledger.judge(validated);
}

/** Computes the value when it is first asked for. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
