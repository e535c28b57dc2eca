// How are requests shared out? A run has a limit on requests, part of which is reserved for the audit. A night also has
// a budget of new requests: answers from earlier nights are free.
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
   * For a night: its budget of new requests. Decisions are the same as in a run with `maxRequests`, but the run stops
   * when the budget is spent.
   */
  readonly night?: Night;
}

/** The largest share of the requests that is reserved for names and the audit. */
const AUDIT_SHARE = 0.2;
/**
 * The share reserved in addition to the audit's sample: for names, the tour of the audit, URLs beyond the list, and
 * blame.
 */
const BESIDES_SHARE = 0.06;
/** Limit on fetching URLs only to see where they redirect to. */
const SHARE_FOR_REDIRECTS = 0.05;
/** Requests that the audit reserves to find the rule to blame. */
const REQUESTS_FOR_BLAME = 20;
const BLAME_SHARE = 0.02;
/**
 * Shares of a night's budget: for checking verdicts before anything else (which also gets what questions leave), and
 * the largest reserve for names and the audit.
 */
const LOOK_SHARE = 0.15;
/** Requests for checking one verdict, which every budget allows. */
const FOR_ONE_LOOK = 10;
const NIGHT_AUDIT_SHARE = 0.3;
const NIGHT_NAMES_SHARE = 0.1;
const NIGHT_BLAME_SHARE = 0.05;

export class Purse {
  readonly #forms: SiteForms;
  readonly #asker: Asker;
  readonly #means: Means;
  readonly #before: number;
  /** Pages that the audit will have to request, as far as known. */
  #toAudit = 0;
  #rulesToAudit: readonly Rule[] | undefined;

  constructor(forms: SiteForms, asker: Asker, means: Means) {
    this.#forms = forms;
    this.#asker = asker;
    this.#means = means;
    this.#before = asker.requests;
  }

  /** Requests left of the limit. Answers of earlier runs count as requests. */
  get left(): number {
    return this.#means.maxRequests - (this.#asker.requests - this.#before);
  }

  /** New requests left. */
  get leftToSpend(): number {
    const { night } = this.#means;
    return night === undefined ? this.left : Math.min(this.left, night.budget - night.spent());
  }

  /** True if an earlier run has requested the URL. */
  readonly isKept = (url: string): boolean => {
    const { judge } = this.#asker;
    return judge.source.isKept?.(judge.absolute(url)) === true;
  };

  /** Allots requests for checking a few verdicts, before any question. */
  forFirstLooks(): void {
    const { night } = this.#means;
    if (night !== undefined) this.#spendUpTo(Math.max(LOOK_SHARE, FOR_ONE_LOOK / night.budget));
  }

  /**
   * Allots everything that is not reserved for the audit: for verdicts in doubt, and for all verdicts when no question
   * is left.
   */
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
    // Without a rule in use, there is nothing to audit.
    this.#keep(rules.length === 0 ? 0 : this.#kept);
    if (night === undefined) return;
    const least = rules.length === 0 ? 0 : NIGHT_NAMES_SHARE;
    this.#spendUpTo(1 - Math.min(NIGHT_AUDIT_SHARE, least + this.#toAudit / night.budget));
  }

  /** Allots requests for names, leaving the audit its share. */
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

  /** On a night, pages requested on earlier nights are free. */
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

  /** Allows new requests until this share of the night's budget is spent. */
  #spendUpTo(share: number): void {
    const { night } = this.#means;
    if (night !== undefined) this.#asker.newLimit = share * night.budget;
  }
}
