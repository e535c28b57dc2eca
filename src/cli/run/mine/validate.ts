// `mine --fetch`, `--pages` and `--by-sketch`: validates the rules that the run has mined. Loaded only for these flags,
// as it pulls in all fetching code.
import type { Miner } from '../../../mine/mine.js';
import type { ValidationCounts } from '../../../report/validation.js';
import type { MineOptions, Rule, RulesFile } from '../../../rule/rule.js';
import type { HostPlanner } from '../../../validate/hosts/plan.js';
import { Planner, type PlanOptions } from '../../../validate/plan.js';
import { DEFAULT_RULES_FILE } from '../../context.js';
import type { Ledger } from './ledger.js';
import { fileOf, rankedRules, showRules, type MinedRun } from './rules.js';
import type { Nightly } from './state.js';
import { computed, guardingOutput } from '../../terminal/signals.js';
import { hostsOfBase, type Readership } from '../input/readership.js';
import { RulesOutput } from '../rules/kept-back.js';
import { refusalOf, withoutPreference } from '../rules/prefer.js';
import { hostPlanner } from '../validate/hosts.js';
import { planByList } from '../validate/validate.js';
import { planOptions, runPlans, partialFile } from '../validate/validation.js';
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
  let hosts: HostPlanner | undefined;
  miner.watchClasses((found) => {
    const planned = (hosts = hostPlanner(found, planning));
    return (urls) => planned.draw(urls);
  });
  const rules = await computed(() => rankedRules(miner, planner && drawing(planner, planning, run, ledger)), effects);
  const file = ledger.carry(fileOf(rules, run));
  const output = await RulesOutput.open(flags.output ?? DEFAULT_RULES_FILE, {}, effects);
  if (output.name !== '-' && flags.dryRun !== true) await writeMined(file, output);
  counts();
  const base = options.base;
  const visit = toVisit(file, flags, ledger.night);
  const planned =
    planner === undefined
      ? await planByList(visit.file, flags.test!, { base, flags, readership }, effects)
      : { plans: planner.plans(visit.file.rules), hosts };
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

/**
 * Has the planner see the sites while their URLs are in memory. Sketches judge whole sites, so nothing is drawn for
 * their rules: they are mined as they are without a validation, and `validate --by-sketch` gives the same verdicts.
 */
function drawing(
  planner: Planner,
  planning: PlanOptions,
  { miner, options }: MinedRun,
  ledger: Ledger,
): Parameters<typeof rankedRules>[1] {
  if (planning.lists === undefined) return (urls, ofSite) => planner.draw(urls, ledger.toDrawFor(urls.site, ofSite));
  watchSites(miner, planner, { options, isAsked: (site) => ledger.toDrawFor(site, []).length > 0 });
  return undefined;
}

interface Watching {
  readonly options: Pick<MineOptions, 'minSiteUrls'>;
  /** Whether a site that is too small to be mined is asked about. */
  readonly isAsked: (site: string) => boolean;
}

/** Keeps the lists of all sites that are asked about, while they are mined. */
export function watchSites(miner: Miner, planner: Planner, { options, isAsked }: Watching): void {
  miner.watchSites((urls) => {
    if (urls.count >= options.minSiteUrls || isAsked(urls.site)) planner.draw(urls, []);
  });
}

/**
 * Writes the mined rules before they are judged. Throws a UserError if the preferred host or scheme is in no rule; the
 * file is written all the same, without the preference, so that the mining is not lost.
 */
async function writeMined(file: RulesFile, output: RulesOutput): Promise<void> {
  const refusal = refusalOf(file);
  const written = refusal === undefined ? file : { ...withoutPreference(file), rules: file.rules };
  await guardingOutput(() => output.save(() => partialFile(written, 0, file.sites.mined)));
  if (refusal !== undefined) throw refusal;
}
