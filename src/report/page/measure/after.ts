// What has been done already, and who came? The part of the report that requests without a page decide on:
//
//   answers ─┬→ redirected      what the server redirects, links that lead there
//            ├→ done            fixes that it has made
//            └→ who, days       with the hits of ./visitors
//   visits ──→ done, pages
import { TopK } from '../../../base/top-k.js';
import { decodeText } from '../../../base/bytes.js';
import { type CanonizerOptions, createCanonizer } from '../../../canonize/canonizer.js';
import type { Rule } from '../../../rule/rule.js';
import type { BotRanges } from '../../../log/agents/addresses.js';
import { masked } from '../../../url/secret.js';
import { Comparison } from '../../before/compare.js';
import type { BeforeReport } from '../../before/read.js';
import type { BeforeFacts, DayRow, DoneFix, LogFacts, PageHits } from '../model.js';
import type { AnsweredUrl, AnswerMeter } from './answers.js';
import { dayText, DoneFixes } from './done.js';
import type { FixRules } from './fix-savings.js';
import { titleOf } from './fixes.js';
import { emptyTotals, type Totals } from './group.js';
import { RedirectedMeter } from './redirected.js';
import type { VisitedUrl } from './visits.js';
import { agentRows } from './who.js';

interface AfterOptions {
  readonly fixes: readonly FixRules[];
  readonly fixNumbers: ReadonlyMap<Rule, number>;
  /** The rules in use. */
  readonly rules: readonly Rule[];
  readonly how: CanonizerOptions;
  /** Gets every URL that is redirected. */
  readonly redirects: (one: AnsweredUrl) => void;
  /** Requests that pages answered. */
  readonly hits: number;
  /** Earlier reports to compare the log to. */
  readonly before?: readonly BeforeReport[] | undefined;
  /** The addresses of bots that the log was read with. */
  readonly botRanges?: readonly BotRanges[] | undefined;
}

interface Sums {
  readonly hits: number;
  readonly duplicateHits: number;
}

interface VisitorSums {
  readonly byVisitor: ReadonlyMap<number, Sums>;
  readonly byDay: ReadonlyMap<number, Sums>;
  readonly hasAgents: boolean;
}

/** The most pages that a report remembers, and the most days. */
const MOST_PAGES = 500;
const MOST_DAYS = 800;

/** Build (`add` for all URLs that pages answered), then read. */
export class AfterMeter {
  readonly #answers: AnswerMeter;
  readonly #options: AfterOptions;
  readonly #done = new DoneFixes();
  readonly #redirected = new RedirectedMeter();
  readonly #comparison: Comparison | undefined;
  readonly #pages = new TopK<{ readonly url: Uint8Array; readonly hits: number }>(
    MOST_PAGES,
    (a, b) => b.hits - a.hits || Buffer.compare(a.url, b.url),
  );

  constructor(answers: AnswerMeter, options: AfterOptions) {
    this.#answers = answers;
    this.#options = options;
    if (options.before !== undefined) this.#comparison = new Comparison(options.before, options.hits, options.how);
    const canonizer = createCanonizer(options.rules, options.how);
    answers.each((one) => {
      this.#redirected.add(one);
      this.#comparison?.addAnswered(one);
      if (one.redirected === 0) return;
      options.redirects(one);
      const fix = this.#fixOf(canonizer, one.url);
      if (fix !== undefined) this.#done.addRedirected(fix, one.redirected, one.since);
    });
    this.#comparison?.endAnswers();
  }

  /** The fix with the first rule that changes the URL. */
  #fixOf(canonizer: ReturnType<typeof createCanonizer>, url: Uint8Array): number | undefined {
    let first: Rule | undefined;
    canonizer.trace(url, (_round, rule) => {
      if (rule !== undefined && (first === undefined || rule.rank < first.rank)) first = rule;
    });
    return first === undefined ? undefined : this.#options.fixNumbers.get(first);
  }

  /** A URL that pages answered, and the first rule that changes it. */
  add(visited: VisitedUrl, first: Rule | undefined): void {
    const { url, hits, lastly } = visited;
    this.#comparison?.add(visited);
    if (first !== undefined) this.#done.addPages(this.#options.fixNumbers.get(first)!, hits, lastly);
    else if (this.#pages.takes({ url, hits })) this.#pages.add({ url: Uint8Array.from(url), hits });
  }

  /** What fixes save, without those that are done: nobody has to make them again. */
  withoutDone(saved: readonly Readonly<Totals>[]): readonly Readonly<Totals>[] {
    return saved.map((one, fix) => (this.#done.of(fix)?.state === 'done' ? emptyTotals() : one));
  }

  finish(sums: VisitorSums): Pick<LogFacts, 'redirected' | 'done' | 'who' | 'days' | 'pages'> {
    const redirected = this.#redirected.finish(this.#answers);
    const done = this.#doneFixes();
    const days = this.#days(sums);
    return {
      ...(redirected !== undefined && { redirected }),
      ...(done.length > 0 && { done }),
      ...(sums.hasAgents && { who: agentRows(sums.byVisitor, this.#answers.byVisitor, this.#options.botRanges) }),
      ...(days.length > 0 && { days }),
      pages: this.#pages.finish().map(({ url, hits }): PageHits => ({ url: masked(decodeText(url)), hits })),
    };
  }

  /** What became of earlier fixes; undefined without earlier reports. Throws a UserError for those of another site. */
  compare(log: Pick<LogFacts, 'sites' | 'days'>): BeforeFacts | undefined {
    return this.#comparison?.finish(log);
  }

  #doneFixes(): DoneFix[] {
    const all = this.#options.fixes.flatMap(({ rules }, fix) => {
      const state = this.#done.of(fix);
      if (state === undefined) return [];
      return [{ title: titleOf(rules), site: rules[0]!.site, rules: rules.map(({ rank }) => rank), ...state }];
    });
    return all.sort((a, b) => b.redirected - a.redirected);
  }

  #days({ byDay }: VisitorSums): DayRow[] {
    const { byDay: redirects } = this.#answers;
    return [...new Set([...byDay.keys(), ...redirects.keys()])]
      .filter((day) => day >= 0)
      .sort((a, b) => a - b)
      .slice(-MOST_DAYS)
      .map((day) => {
        const { hits = 0, duplicateHits = 0 } = byDay.get(day) ?? {};
        return { day: dayText(day), hits, duplicateHits, redirected: redirects.get(day) ?? 0 };
      });
  }
}
