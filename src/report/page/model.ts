// What does the HTML report show? Plain data: `report/page/measure` fills it in, `report/page/render` draws it, and
// `report --json` prints it. Text is as returned by `decodeText`, unescaped: the code that shows it escapes it.
import type { InputSummary, MineOptions, RecordedFilters, Rule, Validation } from '../../rule/rule.js';
import { type Accept, isInUse } from '../../rule/standing.js';

export interface ReportModel {
  readonly format: 'dustbuster-report';
  readonly version: 1;
  /** Program and version that made the report. */
  readonly generator: string;
  /** ISO 8601; only with `--stamp`. */
  readonly created?: string;
  readonly rulesFile: RulesFileFacts;
  /** What was read: the inputs of `--log`, else those that the rules file names. */
  readonly inputs: readonly InputSummary[];
  readonly filters?: RecordedFilters;
  /** In rank order. */
  readonly rules: readonly RuleRow[];
  /** What follows is there with `--log` only. */
  readonly log?: LogFacts;
  /** What only pages can tell, if the log was mined for the report and no page was requested. */
  readonly toProve?: ToProve;
  /**
   * By verdict, for each k of a ladder up to the number of rules; empty if no rule was validated. Figure 5 of the
   * paper.
   */
  readonly precision: readonly PrecisionPoint[];
}

export interface ToProve {
  /** Likely rules that are not applied, and should hold; special cases are not counted. */
  readonly rules: number;
  /** How many fewer URLs they would leave. */
  readonly urls: number;
  /** How long `mine --fetch` would take, in words. */
  readonly time: string;
  /** The log, as it was named. */
  readonly logs: readonly string[];
}

interface RulesFileFacts {
  readonly name: string;
  readonly generator: string;
  readonly created?: string;
  readonly night?: string;
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  /** Whether likely rules were applied too. */
  readonly accept: Accept;
  /** How its rules were mined and, once they were, validated. */
  readonly options?: MineOptions;
  readonly validation?: Validation;
}

export interface PrecisionPoint {
  readonly k: number;
  readonly right: number;
  readonly wrong: number;
  readonly unjudged: number;
}

export interface RuleRow {
  readonly rule: Rule;
  /** `valid`, `likely`, `candidate`, `invalid`, `pinned`, `vetoed`, `retired`, as `calledOf` says. */
  readonly standing: string;
  /** True if the rule is in use. */
  readonly isApplied: boolean;
  /** With `--log`: distinct URLs that the rule by itself changes, and how many distinct URLs fewer that would leave. */
  readonly touched?: number;
  readonly saved?: number;
}

export interface LogFacts {
  readonly all: SiteRow;
  /** How long the server took for all hits, and for those on duplicates, as far as the log says; absent if it does not. */
  readonly time?: TimeSpent;
  /** Most hits on duplicates first; at most `MAX_SITES`, and the sum of the others. */
  readonly sites: readonly SiteRow[];
  readonly otherSites?: SiteRow & { readonly count: number };
  /** Share of distinct URLs that the first k applied rules save together: at the last k, Table 4 of the paper. */
  readonly reduction: readonly { readonly k: number; readonly urlsAfter: number }[];
  /** Most hits on duplicates first. */
  readonly groups: readonly DuplicateGroup[];
  /** Groups that are not listed one by one, and the cost of their duplicates. */
  readonly otherGroups?: DuplicateTotals;
  /** What to do: documents first, then the largest saving; at most `MOST_FIXES`. */
  readonly fixes: readonly Fix[];
  /** The effect of all fixes together; absent if there is none. */
  readonly fixed?: FixTotals;
  /** Likely rules that are not proposed, as they change far more URLs than they merge. */
  readonly unproposed?: readonly UnproposedFix[];
  /** Hits of each bot, most on duplicates first, those without a name last; empty if the log has no user agents. */
  readonly bots: readonly BotRow[];
  /** Hits by day, or by month if there are many days; empty if the log has no times. */
  readonly periods: readonly PeriodRow[];
  /** What wastes the time of crawlers, as far as the log has it. */
  readonly crawlSpace: readonly CrawlSpace[];
  /** The parameters in the most URLs first. */
  readonly parameters: readonly ParameterRow[];
  /** Parameters that are not listed one by one. */
  readonly otherParameters?: number;
  /** URLs that stayed as they are because no canonical form was found. */
  readonly unsettled?: number;
  /** Whether the log has sizes and user agents; without them there are no bytes and no bot hits to count. */
  readonly hasSizes: boolean;
  readonly hasAgents: boolean;
}

/**
 * URLs, and what they cost. A group is all URLs of one canonical form; its member with the most hits is its name, and
 * hits on the others are hits on duplicates.
 */
export interface SiteRow {
  readonly site: string;
  readonly urlsBefore: number;
  readonly urlsAfter: number;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly bytes: number;
  readonly duplicateBytes: number;
  readonly botHits: number;
  readonly duplicateBotHits: number;
}

export interface DuplicateGroup {
  readonly site: string;
  readonly canonical: string;
  readonly urls: number;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly duplicateBytes: number;
  readonly duplicateBotHits: number;
  /** Up to five of its URLs, most hits first. */
  readonly members: readonly { readonly url: string; readonly hits: number }[];
}

export interface DuplicateTotals {
  readonly count: number;
  readonly duplicateHits: number;
  readonly duplicateBytes: number;
  readonly duplicateBotHits: number;
}

/** How long the server worked, in whole milliseconds; only of logs that say how long requests took. */
interface TimeSpent {
  readonly ms: number;
  readonly duplicateMs: number;
}

export interface BotRow {
  readonly name: string;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly time?: TimeSpent;
}

export interface PeriodRow {
  /** 2026-11-23, or 2026-11. */
  readonly from: string;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly duplicateBotHits: number;
  readonly time?: TimeSpent;
}

/** The effect of rules on the log if no others are applied: a URL that two fixes change is counted for both. */
export interface FixTotals {
  /** Duplicates that they retire: of merged URLs, all but the one with the most hits. */
  readonly urls: number;
  readonly hits: number;
  readonly bytes: number;
  readonly botHits: number;
  /** How long the server took for these hits; absent if the log does not say. */
  readonly ms?: number;
  /** URLs that they change, whether the form is in the log or not. */
  readonly redirected: { readonly urls: number; readonly hits: number; readonly botHits: number };
}

/** Applied rules that together make one change to a site. */
export interface Fix extends FixTotals {
  /** What to do, in a few words. */
  readonly title: string;
  /** Other changes joined with it, as the same URLs need them. */
  readonly parts: readonly string[];
  readonly site: string;
  /** The ranks of its rules. */
  readonly rules: readonly number[];
  /** Whether pages, or a user, have confirmed all of them. */
  readonly isProven: boolean;
  /** True if it removes parameters by which scripts of the page may count campaigns. */
  readonly dropsCampaigns?: boolean;
  /** The least confidence of its rules. */
  readonly confidence: number;
  /** Whether its examples are documents; else they are pictures, styles and other files. */
  readonly isOfDocuments: boolean;
  /** URLs of the log and their canonical forms. */
  readonly examples: readonly (readonly [string, string])[];
  /** The lines that make software apply its rules; all lines of a page can be used together. */
  readonly lines: readonly FixLines[];
}

/** A fix that is not proposed, as it would redirect many pages from their only address. */
export interface UnproposedFix extends Pick<Fix, 'title' | 'site' | 'rules'> {
  /** For the rule that changes the most: distinct URLs that it changes, and how many fewer there are then. */
  readonly touched: number;
  readonly saved: number;
}

/** The classes by which Google counts complaints about crawling. */
export type CrawlSpaceKind = 'facets' | 'actions' | 'irrelevant' | 'calendars' | 'endless';

export interface CrawlSpace {
  readonly kind: CrawlSpaceKind;
  /** Of those listed one by one, most hits first; none of endless paths. */
  readonly parameters: readonly SpaceParameter[];
  /** Of endless paths. */
  readonly endless?: { readonly urls: number; readonly hits: number; readonly examples: readonly string[] };
}

export interface SpaceParameter {
  readonly site: string;
  readonly name: string;
  /** Distinct URLs that have it, and hits on these. */
  readonly urls: number;
  readonly hits: number;
  /** Its commonest values, of actions those that say what is done. */
  readonly values: readonly string[];
  /** True if only these values belong to the class, and other values mean something else. */
  readonly isByValue: boolean;
  /** Groups of URLs equal but for it that say it makes a difference. */
  readonly different: number;
  /** Where the applied rules remove or set it, and the rank of the first of them. */
  readonly changed: 'everywhere' | 'in places' | 'nowhere';
  readonly rule?: number;
  /** Whether pages, or a user, have decided on that rule. */
  readonly isProven?: boolean;
}

export interface FixLines {
  /** As in `export --to`. */
  readonly target: string;
  readonly text: string;
  /** Rules that the target cannot express, as the text says; absent if there is none. */
  readonly left?: number;
}

/** What a parameter does, in the words that Google's URL parameter tool had. */
export type ParameterClass = 'changes' | 'sorts' | 'narrows' | 'irrelevant' | 'unknown';

export interface ParameterRow {
  readonly site: string;
  readonly name: string;
  /** Distinct URLs that have it, and hits on these. */
  readonly urls: number;
  readonly hits: number;
  /** Distinct values; at most as many as were counted, then `areMore`. */
  readonly values: number;
  readonly areMore: boolean;
  readonly commonest: readonly string[];
  /**
   * Groups of URLs equal but for it: those whose sizes (or sketches) agree, those that do not, those that say nothing.
   */
  readonly groups: { readonly same: number; readonly different: number; readonly silent: number };
  /** Median of largest over smallest size in a group, where sizes are known. */
  readonly sizeRatio: number | null;
  readonly class: ParameterClass;
  /** Why, in a few words. */
  readonly reason: string;
  /** Rank of an applied rule that takes it out or sets it. */
  readonly rule?: number;
}

/** What all fields that are bare numbers are called, as one parameter. */
export const BARE_NUMBERS = '(bare numbers)';

/**
 * Are the duplicates of a report proven, or only likely, or was nothing asked that could show any? `nothing`: no rule
 * is applied, and pages have decided on none.
 */
export type Asked = 'proven' | 'likely' | 'nothing';

export function askedOf({ rules }: ReportModel): Asked {
  const applied = rules.filter(({ isApplied }) => isApplied);
  if (applied.some(({ rule }) => !isInUse(rule))) return 'likely';
  return applied.length > 0 || rules.some(({ rule }) => rule.verdict !== undefined) ? 'proven' : 'nothing';
}
