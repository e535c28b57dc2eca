// What do the answers of all sites make of a rules file? Of a site that was asked to its end only the rules are kept:
// its URLs, by which examples and hits are counted, are needed once.
import { sayingKey } from '../../../rule/identity.js';
import type { Audit, Rule, RulesFile, Validation } from '../../../rule/rule.js';
import { newlyFound, settleRule } from '../../../rule/visit.js';
import type { SiteAnswer } from '../../../validate/ask/ask.js';
import { combinedAudit } from '../../../validate/ask/audit.js';
import type { AskList } from '../../../validate/ask/list.js';
import { settlementsOf } from '../../../validate/ask/settlements.js';
import { shownRule } from '../../../validate/ask/shown.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { Settlement } from '../../../validate/settlement.js';
import { sourceName } from './page-source.js';
import type { Run, SiteOutcome } from './run.js';

/** What is known of a run when rules are settled. */
type Settling = Pick<Run, 'file' | 'visited' | 'night'>;
/** What is known when a file is made of them. */
type Assembling = Settling & Pick<Run, 'plans' | 'flags' | 'remark'>;

export class Answers {
  readonly #run: Assembling;
  readonly #mined: ReadonlySet<Rule>;
  readonly #bySaying: ReadonlyMap<string, Rule>;
  /** Leaves out sites that were not asked to their end. */
  readonly #onlyEnded: boolean;
  readonly #outcomes = new Map<string, SiteOutcome | (() => SiteOutcome)>();

  constructor(run: Assembling, { onlyEnded }: { readonly onlyEnded: boolean }) {
    this.#run = run;
    this.#onlyEnded = onlyEnded;
    this.#mined = new Set(run.file.rules);
    this.#bySaying = new Map(run.file.rules.map((rule) => [sayingKey(rule), rule]));
  }

  /** The answer of a site so far. */
  note(plan: SitePlan, answer: SiteAnswer, list: AskList): void {
    this.#outcomes.set(plan.site, () => this.#madeOf(plan, answer, list));
  }

  /** The last answer of a site. */
  end({ site }: SitePlan): void {
    this.#outcomes.set(site, valueOf(this.#outcomes.get(site)!));
  }

  /** The outcome of a site that was asked in another process: its rules of the file are copies. */
  take(site: string, { settled, ...outcome }: SiteOutcome): void {
    const own = settled.flatMap(([before, after]) => {
      const rule = this.#bySaying.get(sayingKey(before));
      return rule === undefined ? [] : [[rule, after] as const];
    });
    this.#outcomes.set(site, { ...outcome, settled: own });
  }

  /** For another process. */
  outcomeOf(site: string): SiteOutcome | undefined {
    const outcome = this.#outcomes.get(site);
    return outcome && valueOf(outcome);
  }

  /** What became of each rule, site by site. */
  settlements(): Settlement[] {
    return this.#all().flatMap(({ settlements }) => settlements);
  }

  /**
   * The rules of the file: first those in use, in the order in which they are applied, beginning with the sites that
   * save most; then the others.
   */
  assemble(): RulesFile {
    const { file, flags, visited, remark } = this.#run;
    const all = this.#all();
    const audits = all.flatMap(({ audit }) => audit ?? []);
    // Without a new audit the last one still holds, as nothing has changed.
    const audit: Audit | undefined = audits.length === 0 ? file.validation?.audit : combinedAudit(audits);
    const { stop, N, epsilon, minSamples, seed } = flags;
    const source = sourceName(flags);
    const validation: Validation = { source, stop, N, epsilon, minSamples, seed, ...(audit && { audit }) };
    const settled = new Map(all.flatMap((one) => one.settled));
    const first = all.flatMap((one) => one.first);
    const rest = file.rules.flatMap((rule) => settled.get(rule) ?? [visited.get(rule) ?? rule]);
    const rules = [...first, ...rest].map((rule, at) => ({ ...rule, rank: at + 1 }));
    return remark({ ...file, validation, rules });
  }

  /** In the order of the plans, whatever site answered first. */
  #all(): SiteOutcome[] {
    return this.#run.plans.flatMap(({ site }) => {
      const outcome = this.#outcomes.get(site);
      const isLeftOut = outcome === undefined || (this.#onlyEnded && typeof outcome === 'function');
      return isLeftOut ? [] : [valueOf(outcome)];
    });
  }

  #madeOf(plan: SitePlan, answer: SiteAnswer, list: AskList): SiteOutcome {
    const settlements = settlementsOf(plan.rules, answer);
    const first: Rule[] = [];
    const settled = settlements.map((one) => {
      const rules = rulesAfter(one, this.#run, { isNew: !this.#mined.has(one.before), known: this.#bySaying });
      if (this.#mined.has(one.before) && !answer.accepted.includes(one.after[0]!)) return [one.before, rules] as const;
      first.push(...rules.map((rule) => shownRule(rule, list)));
      return [one.before, []] as const;
    });
    return { first, settled, settlements, audit: answer.audit };
  }
}

function rulesAfter(
  { before, after, outcome }: Settlement,
  { visited, night }: Settling,
  { isNew, known }: { readonly isNew: boolean; readonly known: ReadonlyMap<string, Rule> },
): readonly Rule[] {
  const standing = visited.get(before) ?? before;
  if (outcome === 'kept' || outcome === 'unasked') return [withHits(standing, after[0]!)];
  if (isNew) return after.map((rule) => newlyFound(rule, night));
  return settleRule(standing, after, night).filter((one, at) => at === 0 || !known.has(sayingKey(one)));
}

/** A rule without an answer, with the hits of this log. */
function withHits(rule: Rule, { hits }: Rule): Rule {
  return hits === undefined ? rule : { ...rule, hits };
}

function valueOf(outcome: SiteOutcome | (() => SiteOutcome)): SiteOutcome {
  return typeof outcome === 'function' ? outcome() : outcome;
}
