// Asks the questions for all sites of a run, and makes a rules file of the answers. For `validate` and `mine --fetch`,
// without `--stop fixed`.
import type { CanonizerOptions } from '../../../canonize/rounds.js';
import { heldNames, heldRules } from '../../../rule/held-back.js';
import { sayingKey } from '../../../rule/identity.js';
import type { Audit, Rule, RulesFile, Validation } from '../../../rule/rule.js';
import { newlyFound, settleRule } from '../../../rule/visit.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { type AskOptions, askSite, type Question, type SiteAnswer } from '../../../validate/ask/ask.js';
import { combinedAudit } from '../../../validate/ask/audit.js';
import { countRequests } from '../../../validate/ask/count.js';
import type { AskList } from '../../../validate/ask/list.js';
import type { Night } from '../../../validate/ask/look-again.js';
import { settlementsOf } from '../../../validate/ask/settlements.js';
import { shownRule } from '../../../validate/ask/shown.js';
import { seedOfNight } from '../../../validate/budget.js';
import { Judge } from '../../../validate/judge.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { PageSource } from '../../../validate/source.js';
import { sourceName } from './page-source.js';
import { type Run, siteAsked } from './run.js';
import { requestsFor } from './time.js';

/** The answers for each site so far. */
export type SiteAnswers = Map<string, { readonly plan: SitePlan; readonly answer: SiteAnswer }>;

const NO_LIST: AskList = { urls: [], redirected: [], hits: [] };

/** How many sites are asked concurrently. */
const SITES_AT_ONCE = 8;
/** A cached page is fetched again for a rule with an earlier verdict if the page is older than this. */
const FRESH_MS = 12 * 3_600_000;

interface Asking {
  readonly source: PageSource;
  readonly signal: AbortSignal;
  /** When the run began, in milliseconds since 1970. */
  readonly now: number;
  /** Filled with the answers. */
  readonly answers: SiteAnswers;
  readonly onAnswer: () => Promise<void>;
  /** Called with the number of pages so far, including pages from the cache. */
  readonly onPages?: (pages: number) => void;
  readonly onQuestion?: ((question: Question) => void) | undefined;
}

/** What asking needs of a run. */
type AskingRun = Pick<Run, 'file' | 'flags' | 'base' | 'night' | 'due' | 'asked' | 'trackers' | 'isWholeList'>;

export async function askAll(
  plans: readonly SitePlan[],
  run: AskingRun,
  { source, signal, now, answers, onAnswer, onPages, onQuestion }: Asking,
): Promise<void> {
  const waiting = plans.entries();
  const work = async () => {
    for (const [at, plan] of waiting) {
      if (signal.aborted) return;
      const list = plan.list ?? NO_LIST;
      const judge = new Judge({
        source: countRequests(source, onPages),
        siteOf: siteAsked(plan.site, run),
        base: run.base ?? '',
        signal,
      });
      const keep = (answer: SiteAnswer) => {
        answers.set(plan.site, { plan, answer });
        return onAnswer();
      };
      const night = nightOf(run, plan, { source, now, sites: plans.length - at });
      const asking = { ...askOptions(run, source, list), ...(night !== undefined && { night }) };
      const options = onQuestion === undefined ? asking : { ...asking, onQuestion };
      await askSite(plan.site, plan.rules, list, judge, options, keep);
    }
  };
  // Sites share a budget one after another: what a site does not use goes to the next sites.
  const atOnce = run.flags.budget === undefined ? SITES_AT_ONCE : 1;
  await Promise.all(Array.from({ length: Math.min(atOnce, plans.length) }, work));
}

interface Spending {
  readonly source: PageSource;
  readonly now: number;
  /** How many sites are left, including this one. */
  readonly sites: number;
}

function nightOf(
  { flags, night, due = [], asked }: AskingRun,
  plan: SitePlan,
  { source, now, sites }: Spending,
): Night | undefined {
  if (flags.budget === undefined) return undefined;
  const before = source.requests;
  const own = new Set(plan.rules.map(({ rule }) => rule));
  return {
    budget: Math.floor((flags.maxFetches - before) / sites),
    spent: () => source.requests - before,
    due: due.filter((rule) => own.has(rule)),
    seed: night === undefined ? flags.seed : seedOfNight(flags.seed, night),
    since: now - FRESH_MS,
    refuted: asked?.refuted,
  };
}

function askOptions(
  { flags, file, base, trackers, isWholeList }: AskingRun,
  source: PageSource,
  list: AskList,
): AskOptions {
  const { N, epsilon, minSamples, seed, audit } = flags;
  // A budget only ends the night. Decisions are made as in a run without a limit on requests.
  const allowed = flags.budget === undefined ? flags : { ...flags, maxFetches: Infinity };
  const canonizer: CanonizerOptions = {
    normalize: file.normalization,
    accept: 'valid',
    maxIterations: 10,
    urlForm: file.urlForm,
    sitePolicy: file.options.site,
  };
  return {
    N,
    epsilon,
    minSamples,
    seed,
    audit,
    pathOnly: file.urlForm === 'path',
    maxRequests: source.name === 'live' ? requestsFor(list.urls.length, allowed).most : Infinity,
    base: base ?? '',
    canonizer,
    siteOf: createSiteOf(file.options.site),
    ...(file.options.prefer !== undefined && { prefer: file.options.prefer }),
    auditAlone: flags.auditAlone === true,
    isWholeList: isWholeList === true && list.isSample !== true,
    isHeldBack: (rule) => heldNames(heldRules([rule], file.options)[0]!).length > 0,
    isRehearsal: flags.dryRun === true,
    trackers,
  };
}

/** A rule without an answer, with the hits of this log. */
function withHits(rule: Rule, { hits }: Rule): Rule {
  return hits === undefined ? rule : { ...rule, hits };
}

/**
 * The rules of the file: first those in use, in the order in which they are applied, beginning with the sites that save
 * most; then the others.
 */
export function assembleAnswers({ file, flags, visited, night, remark }: Run, answers: SiteAnswers): RulesFile {
  const { stop, N, epsilon, minSamples, seed } = flags;
  const audits = [...answers.values()].flatMap(({ answer }) => answer.audit ?? []);
  // Without a new audit the last one still holds, as nothing has changed.
  const audit: Audit | undefined = audits.length === 0 ? file.validation?.audit : combinedAudit(audits);
  const validation: Validation = {
    source: sourceName(flags),
    stop,
    N,
    epsilon,
    minSamples,
    seed,
    ...(audit !== undefined && { audit }),
  };
  const mined = new Set(file.rules);
  const known = new Set(file.rules.map(sayingKey));
  const first: Rule[] = [];
  const settled = new Map<Rule, readonly Rule[]>();
  for (const { plan, answer } of answers.values()) {
    for (const { before, after, outcome } of settlementsOf(plan.rules, answer)) {
      const standing = visited.get(before) ?? before;
      const isNew = !mined.has(before);
      const rules =
        outcome === 'kept' || outcome === 'unasked'
          ? [withHits(standing, after[0]!)]
          : isNew
            ? after.map((rule) => newlyFound(rule, night))
            : settleRule(standing, after, night).filter((one, at) => at === 0 || !known.has(sayingKey(one)));
      if (isNew || answer.accepted.includes(after[0]!)) {
        first.push(...rules.map((rule) => shownRule(rule, plan.list ?? NO_LIST)));
        settled.set(before, []);
      } else settled.set(before, rules);
    }
  }
  const rest = file.rules.flatMap((rule) => settled.get(rule) ?? [visited.get(rule) ?? rule]);
  const rules = [...first, ...rest].map((rule, at) => ({ ...rule, rank: at + 1 }));
  return remark({ ...file, validation, rules });
}
