// What has become of the fixes that earlier reports proposed, and of the pages that they knew? Their rules are applied to the
// URLs of the log, to count the requests for each that the server redirects or that pages answer (./outcome).
import { decodeText, encodeText } from '../../base/bytes.js';
import { UserError } from '../../base/error.js';
import { type CanonizerOptions, type Canonizer, createCanonizer } from '../../canonize/canonizer.js';
import { compileRule } from '../../rule/apply.js';
import { MASK } from '../../url/secret.js';
import type { AnsweredUrl } from '../page/measure/answers.js';
import { DoneFixes, mayBeBy } from '../page/measure/done.js';
import type { VisitedUrl } from '../page/measure/visits.js';
import type { BeforeFacts, FixOutcome, LogFacts, LostPage } from '../page/model.js';
import { createFindRules, type FindRules } from '../measure-rules.js';
import { hashOf, type UrlHash } from '../sort-keys.js';
import { steadyDays, weeksOf } from './days.js';
import { outcomeOf, redirectedAnyway, type Then } from './outcome.js';
import type { BeforeReport, ProposedFix } from './read.js';

type Proposed = ProposedFix & { readonly of: BeforeReport };

/** A page that the latest report knew, and what became of it. */
interface KnownPage {
  readonly url: string;
  readonly before: number;
  now: number;
  redirected: number;
  missing: number;
  next: string;
}

/** Pages with fewer expected requests may have lost them by chance. */
const FEW_HITS = 20;
/** A page that has less than this of what was expected has lost it. */
const LOST_SHARE = 1 / 3;
const MOST_LOST = 50;
/** So many pages of another site are enough to see it. */
const ENOUGH_PAGES = 5;

/** Build (`addAnswered` for all URLs, then `endAnswers`, then `add`), then read (`finish`). */
export class Comparison {
  readonly #reports: readonly BeforeReport[];
  readonly #fixes: readonly Proposed[];
  readonly #each: readonly Canonizer[];
  readonly #findRules: FindRules;
  /** The fixes of what `findRules` finds. */
  readonly #fixesFound: readonly number[];
  readonly #hits: number;
  readonly #done: DoneFixes;
  readonly #pages: ReadonlyMap<number, KnownPage>;
  readonly #trouble: { broken: number; chained: number }[];

  /** `hits` are all that pages of the log answered. */
  constructor(reports: readonly BeforeReport[], hits: number, how: CanonizerOptions) {
    this.#reports = inOrder(reports);
    this.#fixes = firstProposed(this.#reports);
    const options = { ...how, accept: 'likely' } as const;
    this.#each = this.#fixes.map(({ rules }) => createCanonizer(rules, options));
    const rules = this.#fixes.flatMap((fix) => fix.rules);
    this.#findRules = createFindRules(rules, rules.map(compileRule), options);
    this.#fixesFound = this.#fixes.flatMap((fix, number) => fix.rules.map(() => number));
    this.#hits = hits;
    this.#done = new DoneFixes([...this.#fixes.keys()]);
    this.#trouble = this.#fixes.map(() => ({ broken: 0, chained: 0 }));
    this.#pages = knownPages(this.#reports);
  }

  addAnswered({ url, redirected, missing, since, broken, chained, next }: AnsweredUrl): void {
    const page = this.#pages.get(keyOf(hashOf(url)));
    if (page !== undefined) {
      page.redirected = redirected;
      page.missing = missing;
      page.next = decodeText(next);
    }
    if (redirected === 0) return;
    for (const fix of this.#changing(url)) {
      if (!mayBeBy((one) => changes(this.#each[fix]!, one), next)) continue;
      this.#done.addRedirected(fix, redirected, since);
      this.#trouble[fix]!.broken += broken;
      this.#trouble[fix]!.chained += chained;
    }
  }

  /** Skips the redirects that are expected without the fixes. */
  endAnswers(): void {
    for (const [fix, one] of this.#fixes.entries()) {
      const { redirected } = this.#done.countsOf(fix);
      this.#done.skip(fix, redirectedAnyway(this.#then(one), redirected));
    }
  }

  add({ url, hash, hits, lastly }: VisitedUrl): void {
    const page = this.#pages.get(keyOf(hash));
    if (page !== undefined) page.now = hits;
    for (const fix of this.#changing(url)) this.#done.addPages(fix, hits, lastly);
  }

  /** The fixes that change a URL. Most URLs have no rule that could, so no canonizer is asked about them. */
  #changing(url: Uint8Array): number[] {
    const found = this.#findRules(url);
    if (found.length === 0) return [];
    const fixes = new Set(Array.from(found, (rule) => this.#fixesFound[rule]!));
    return [...fixes].filter((fix) => changes(this.#each[fix]!, url));
  }

  /** Throws a UserError if the reports are of another site than the log. */
  finish({ sites, days = [] }: Pick<LogFacts, 'sites' | 'days'>): BeforeFacts {
    for (const report of this.#reports) refuseOtherSite(report, sites.map(({ site }) => site)); // prettier-ignore
    this.#refuseOtherPages();
    const latest = this.#reports.at(-1)!;
    const fixes = this.#fixes.map((fix, at) => this.#outcome(fix, at));
    const promised = sum(fixes.map(({ promisedShare }) => promisedShare));
    const done = sum(fixes.map(({ promisedShare, did }) => promisedShare * did));
    return {
      reports: this.#reports.map(({ name, hits, duplicateHits }) => ({ name, hits, duplicateHits })),
      ...(promised > 0 && { did: done / promised }),
      fixes,
      lost: this.#lost(this.#hits / Math.max(1, latest.hits)),
      weeks: weeksOf([...this.#reports.map((one) => one.days), days]),
      notes: notesOf(this.#reports, days),
    };
  }

  #outcome(fix: Proposed, at: number): FixOutcome {
    const { title, site, urls, hits, of } = fix;
    const { since, redirected, redirectedUrls, ...counts } = this.#done.countsOf(at);
    const outcome = outcomeOf(this.#then(fix), { redirected, ...counts });
    const isMade = outcome.state === 'done' || outcome.state === 'partly';
    return {
      title,
      site,
      proposedBy: of.name,
      promised: { urls, hits },
      promisedShare: hits / Math.max(1, of.hits),
      ...outcome,
      redirected,
      redirectedUrls,
      leftShare: outcome.left / Math.max(1, this.#hits),
      ...(isMade && since !== undefined && { since }),
      ...this.#trouble[at]!,
    };
  }

  #then({ hits: promised, already = 0, of }: Proposed): Then {
    return { promised, already, scale: this.#hits / Math.max(1, of.hits) };
  }

  #lost(factor: number): LostPage[] {
    return [...this.#pages.values()]
      .map((page) => ({ ...page, expected: Math.round(page.before * factor) }))
      .filter(({ expected, now }) => expected >= FEW_HITS && now < expected * LOST_SHARE)
      .sort((a, b) => b.expected - b.now - (a.expected - a.now) || (a.url < b.url ? -1 : 1))
      .slice(0, MOST_LOST);
  }

  #refuseOtherPages(): void {
    const pages = [...this.#pages.values()];
    if (pages.length < ENOUGH_PAGES || pages.some(({ now, redirected, missing }) => now + redirected + missing > 0))
      return;
    const { name } = this.#reports.at(-1)!;
    throw new UserError(
      `${name}: none of its ${pages.length} pages, such as ${pages[0]!.url}, is in the log; expected a report of the same ` +
        'site, with the same --base. Name that report, or leave out --before',
    );
  }
}

function changes(canonizer: Canonizer, url: Uint8Array): boolean {
  canonizer.trace(url);
  return canonizer.canonical.isChanged;
}

/** By their first day; those without days as they were given, first. */
function inOrder(reports: readonly BeforeReport[]): readonly BeforeReport[] {
  const first = new Map(reports.map((one) => [one, steadyDays(one.days)[0]?.day ?? '']));
  return reports.toSorted((a, b) => (first.get(a)! < first.get(b)! ? -1 : first.get(a)! > first.get(b)! ? 1 : 0));
}

/** Each fix as the first report proposed it. */
function firstProposed(reports: readonly BeforeReport[]): Proposed[] {
  const fixes = new Map<string, Proposed>();
  for (const of of reports) for (const fix of of.fixes) if (!fixes.has(fix.id)) fixes.set(fix.id, { ...fix, of });
  return [...fixes.values()];
}

/** The pages of the latest report, but for those whose URLs were masked. */
function knownPages(reports: readonly BeforeReport[]): Map<number, KnownPage> {
  const pages = (reports.at(-1)?.pages ?? []).filter(({ url }) => !url.includes(MASK));
  return new Map(
    pages.map(({ url, hits }) => {
      const page = { url, before: hits, now: 0, redirected: 0, missing: 0, next: '' };
      return [keyOf(hashOf(encodeText(url))), page];
    }),
  );
}

/** 52 bits of a hash. */
function keyOf({ first, second }: UrlHash): number {
  return (first >>> 0) * 2 ** 20 + (second >>> 12);
}

function refuseOtherSite({ name, sites: theirs }: BeforeReport, ours: readonly string[]): void {
  const [named, own] = [theirs.filter((site) => site !== ''), ours.filter((site) => site !== '')];
  if (named.length === 0 || own.length === 0 || named.some((site) => own.includes(site))) return;
  throw new UserError(
    `${name}: got a report of ${named[0]!}, and a log of ${own[0]!}; expected both of one site. Name the report of this ` +
      'site, or leave out --before',
  );
}

function notesOf(reports: readonly BeforeReport[], days: LogFacts['days'] = []): string[] {
  const latest = reports.at(-1)!;
  const [before, now] = [steadyDays(latest.days), steadyDays(days)];
  const [end, start, last] = [before.at(-1)?.day, now[0]?.day, now.at(-1)?.day];
  const notes = reports
    .filter(({ fixes }) => fixes.some(({ already }) => already === undefined))
    .map(
      ({ name }) =>
        `${name}, of an earlier version, does not say what the server redirected then, so that counts as done too: write it again`,
    );
  if (latest.days.length === 0) notes.push(`${latest.name} has no days, so weeks begin with this log`);
  if (end !== undefined && last !== undefined && last < end)
    notes.push(`the log ends on ${last}, before ${latest.name} does (${end}): are they the wrong way round?`);
  else if (end !== undefined && start !== undefined && start < end)
    notes.push(
      `the log begins on ${start}, before ${latest.name} ends (${end}): what both have counts twice in shares`,
    );
  const strays = days.length - now.length;
  if (strays > 0)
    notes.push(`${strays} days of the log are far from all others, as of a clock that jumped: left out of the weeks`);
  return notes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
