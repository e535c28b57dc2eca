// Asks the questions for all sites of a run. For `validate` and `mine --fetch`, without `--stop fixed`.
import { nextTurn } from '../../../base/turns.js';
import type { CanonizerOptions } from '../../../canonize/rounds.js';
import { heldNames, heldRules } from '../../../rule/held-back.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import { type AskOptions, askSite, type Question, type SiteAnswer } from '../../../validate/ask/ask.js';
import { countRequests } from '../../../validate/ask/count.js';
import type { AskList } from '../../../validate/ask/list.js';
import type { Night } from '../../../validate/ask/look-again.js';
import { seedOfNight } from '../../../validate/budget.js';
import { Judge } from '../../../validate/judge.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { Sketches } from '../../../validate/site-lists.js';
import type { PageSource } from '../../../validate/source.js';
import { type Run, siteAsked } from './run.js';
import { requestsFor } from './time.js';

const NO_LIST: AskList = { urls: [], redirected: [], hits: [] };

/** How many live sites are asked concurrently. */
const SITES_AT_ONCE = 8;
/** A cached page is fetched again for a rule with an earlier verdict if the page is older than this. */
const FRESH_MS = 12 * 3_600_000;

interface Asking {
  readonly source: PageSource;
  readonly signal: AbortSignal;
  /** When the run began, in milliseconds since 1970. */
  readonly now: number;
  /** Called before a site is asked whose pages are known by their sketches. */
  readonly hold?: ((sketches: Sketches) => void) | undefined;
  /** Called after each question, with the answer so far. */
  readonly onAnswer: (plan: SitePlan, answer: SiteAnswer, list: AskList) => Promise<void> | void;
  /** Called when a site was asked to its end. */
  readonly onEnd?: (plan: SitePlan) => Promise<void>;
  /** Called with the number of pages so far, including pages from the cache. */
  readonly onPages?: (pages: number) => void;
  readonly onQuestion?: ((question: Question) => void) | undefined;
}

/** What asking needs of a run. */
type AskingRun = Pick<Run, 'file' | 'flags' | 'base' | 'night' | 'due' | 'asked' | 'trackers' | 'isWholeList'>;

export async function askAll(
  plans: readonly SitePlan[],
  run: AskingRun,
  { source, signal, now, hold, onAnswer, onEnd, onPages, onQuestion }: Asking,
): Promise<void> {
  const waiting = plans.entries();
  const work = async () => {
    for (const [at, plan] of waiting) {
      // Sketches answer at once: without a turn at each site and question no signal would be heard.
      await nextTurn();
      if (signal.aborted) return;
      const { list, sketches } = plan.list?.read() ?? { list: NO_LIST };
      if (sketches !== undefined) hold?.(sketches);
      const judge = new Judge({
        source: countRequests(source, onPages),
        siteOf: siteAsked(plan.site, run),
        base: run.base ?? '',
        signal,
      });
      const keep = async (answer: SiteAnswer) => {
        await nextTurn();
        await onAnswer(plan, answer, list);
      };
      const night = nightOf(run, plan, { source, now, sites: plans.length - at });
      const asking = { ...askOptions(run, source, list), ...(night !== undefined && { night }) };
      const options = onQuestion === undefined ? asking : { ...asking, onQuestion };
      await askSite(plan.site, plan.rules, list, judge, options, keep);
      if (!signal.aborted) await onEnd?.(plan);
    }
  };
  // Sites share a budget one after another: what a site does not use goes to the next sites. Sketches need no waiting,
  // and are in memory for one site at a time.
  const atOnce = run.flags.budget === undefined && source.name !== 'log' ? SITES_AT_ONCE : 1;
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
