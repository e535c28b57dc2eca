// What does an executor do of `mine --by-sketch`? It judges the sites of its share, as a local run does: what becomes of
// the rules of a site depends on nothing but this site.
import { realEffects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { createReadReport } from '../../../log/read.js';
import type { Miner, UnrankedRule } from '../../../mine/mine.js';
import { released } from '../../../rule/held-back.js';
import type { MineOptions, RulesFile } from '../../../rule/rule.js';
import { Planner, type SitePlan } from '../../../validate/plan.js';
import type { MineFlags } from '../../flags/mine.js';
import { Answers } from '../validate/answers.js';
import { askAll } from '../validate/asking.js';
import { sketchSource } from '../validate/page-source.js';
import { planOptions } from '../validate/validation.js';
import { fileOf } from './rules.js';
import type { JudgedSite } from './spark-job.js';
import { watchSites } from './validate.js';

export class ShareJudge {
  readonly #miner: Miner;
  readonly #flags: MineFlags;
  readonly #options: MineOptions;
  readonly #planner: Planner;

  /** Watches the miner, which has mined no site yet. */
  constructor(miner: Miner, flags: MineFlags, options: MineOptions) {
    this.#miner = miner;
    this.#flags = flags;
    this.#options = options;
    this.#planner = new Planner(planOptions({ urlForm: 'absolute' }, flags, undefined));
    watchSites(miner, this.#planner, { options, isAsked: () => false });
  }

  /** Judges the rules, which are in rank order. */
  async judge(rules: readonly UnrankedRule[]): Promise<JudgedSite[]> {
    const file = this.#fileOf(rules);
    const plans = this.#planner.plans(file.rules);
    if (plans.some(({ site }) => site === ''))
      throw new UserError('--engine spark: got URLs without hosts with --by-sketch; expected --base with it');
    const run = {
      file,
      plans,
      flags: this.#flags,
      visited: new Map(),
      night: undefined,
      remark: (one: RulesFile) => one,
    };
    const answers = new Answers(run, { onlyEnded: true });
    const { source, hold } = sketchSource(plans);
    const { signal } = new AbortController();
    await askAll(
      plans,
      { ...run, base: this.#options.base, isWholeList: true },
      {
        source,
        signal,
        now: Date.now(),
        hold,
        onAnswer: (plan, answer, list) => answers.note(plan, answer, list),
        onEnd: async (plan) => answers.end(plan),
      },
    );
    return plans.map((plan) => judgedSite(plan, answers));
  }

  #fileOf(rules: readonly UnrankedRule[]): RulesFile {
    const ranked = rules.map((rule, at) => ({ rank: at + 1, ...rule }));
    const report = createReadReport();
    report.forms.absolute = 1;
    const run = { miner: this.#miner, options: this.#options, report, flags: this.#flags, effects: realEffects() };
    return released(fileOf(ranked, run));
  }
}

function judgedSite({ site, list }: SitePlan, answers: Answers): JudgedSite {
  const { count, all, sketched } = list!;
  return { site, list: { count, all, sketched }, outcome: answers.outcomeOf(site)! };
}
