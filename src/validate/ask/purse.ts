// How many requests may be spent on what? A run has a limit on requests, of which some are kept for the audit. A night has
// a budget of new requests besides: what earlier nights were answered is free.
//
//     old verdicts    15 % of a night, and what questions leave
//     questions       all but what names and the audit will take
//     names, audit    what the audit's sample will take of pages that nobody has asked for, and some more: at most 20 % of a
//                     run, 30 % of a night
import type { Rule } from '../../rule/rule.js';
import type { Asker } from './answer.js';
import { pagesToAudit } from './audit.js';
import type { Night } from './look-again.js';
import type { SiteForms } from './site-forms.js';

export interface Means {
  readonly seed: number;
  /** Requests that this site may take; Infinity if they are free. */
  readonly maxRequests: number;
  /** Sample size of the audit, 0 for none. */
  readonly audit: number;
  /**
   * A budget of new requests, for a night: decisions are those of a run with `maxRequests`, and end where the budget does.
   */
  readonly night?: Night;
}

/** The share of the requests that is kept for names and the audit, at most. */
const AUDIT_SHARE = 0.2;
/** Of the requests, what is kept besides the audit's sample: for names, its tour, URLs that the list lacks, and blame. */
const BESIDES_SHARE = 0.06;
/** Limit on fetching URLs only to see where they redirect to. */
const SHARE_FOR_REDIRECTS = 0.05;
/** What the audit keeps to find which rule is to blame. */
const REQUESTS_FOR_BLAME = 20;
const BLAME_SHARE = 0.02;
/**
 * Shares of a night's budget: to look at verdicts again before anything else (what questions leave goes there too), and
 * kept for names and the audit, at most.
 */
const LOOK_SHARE = 0.15;
/** However small the budget is. */
const FOR_ONE_LOOK = 10;
const NIGHT_AUDIT_SHARE = 0.3;
const NIGHT_NAMES_SHARE = 0.1;
const NIGHT_BLAME_SHARE = 0.05;

export class Purse {
  readonly #forms: SiteForms;
  readonly #asker: Asker;
  readonly #means: Means;
  readonly #before: number;
  /** Pages that the audit of these rules will take, as far as it is known. */
  #toAudit = 0;
  #rulesToAudit: readonly Rule[] | undefined;

  constructor(forms: SiteForms, asker: Asker, means: Means) {
    this.#forms = forms;
    this.#asker = asker;
    this.#means = means;
    this.#before = asker.requests;
  }

  /** Requests left of the limit, answers of earlier runs included. */
  get left(): number {
    return this.#means.maxRequests - (this.#asker.requests - this.#before);
  }

  /** New requests left. */
  get leftToSpend(): number {
    const { night } = this.#means;
    return night === undefined ? this.left : Math.min(this.left, night.budget - night.spent());
  }

  /** Whether an earlier run has asked for a URL. */
  readonly isKept = (url: string): boolean => {
    const { judge } = this.#asker;
    return judge.source.isKept?.(judge.absolute(url)) === true;
  };

  /** Before all questions: a few verdicts of earlier nights. */
  forFirstLooks(): void {
    const { night } = this.#means;
    if (night !== undefined) this.#spendUpTo(Math.max(LOOK_SHARE, FOR_ONE_LOOK / night.budget));
  }

  /** Whatever is not kept for the audit; of verdicts that are in doubt, and of all when no question is left. */
  forLooks(): void {
    this.#spendUpTo(1 - NIGHT_AUDIT_SHARE);
  }

  forRedirects(): void {
    this.#asker.limit = this.#before + this.#means.maxRequests * SHARE_FOR_REDIRECTS;
  }

  forQuestions(): void {
    const { night } = this.#means;
    const { rules } = this.#forms;
    this.#countToAudit();
    // Without a rule in use there is nothing to audit.
    this.#keep(rules.length === 0 ? 0 : this.#kept);
    if (night === undefined) return;
    const least = rules.length === 0 ? 0 : NIGHT_NAMES_SHARE;
    this.#spendUpTo(1 - Math.min(NIGHT_AUDIT_SHARE, least + this.#toAudit / night.budget));
  }

  /** As much is left for the audit. */
  forNames(): void {
    this.#keep(this.#kept / 2);
    this.#spendUpTo(1);
  }

  forAudit(): void {
    this.#keep(Math.min(REQUESTS_FOR_BLAME, BLAME_SHARE * this.#means.maxRequests));
    this.#spendUpTo(1 - NIGHT_BLAME_SHARE);
  }

  forBlame(): void {
    this.#keep(0);
    this.#spendUpTo(1);
  }

  get #kept(): number {
    const { audit, maxRequests } = this.#means;
    return audit === 0 ? 0 : Math.min(this.#toAudit + BESIDES_SHARE * maxRequests, AUDIT_SHARE * maxRequests);
  }

  /** On a night, what earlier ones have asked for is free. */
  #countToAudit(): void {
    const { night, audit: sample, seed } = this.#means;
    const { rules } = this.#forms;
    if (rules === this.#rulesToAudit) return;
    const isFree = night === undefined ? this.#isAsked : this.isKept;
    this.#toAudit = rules.length === 0 ? 0 : pagesToAudit(this.#forms, { sample, seed }, isFree);
    this.#rulesToAudit = rules;
  }

  readonly #isAsked = (url: string): boolean => {
    const { judge } = this.#asker;
    return judge.source.isAsked?.(judge.absolute(url)) === true;
  };

  #keep(requests: number): void {
    this.#asker.limit = this.#before + this.#means.maxRequests - requests;
  }

  /** New requests are made until this share of a night's budget is spent. */
  #spendUpTo(share: number): void {
    const { night } = this.#means;
    if (night !== undefined) this.#asker.newLimit = share * night.budget;
  }
}
