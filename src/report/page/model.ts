// What does the HTML report show? Plain data: `report/page/measure` fills it in, `report/page/render` draws it, and
// `report --json` prints it. Text is as returned by `decodeText`, unescaped: the code that shows it escapes it.
import type { AgentGroup } from '../../log/agents/agents.js';
import type { ListFacts } from '../../mine/lists/facts.js';
import type { FieldChoices } from '../../mine/lists/fields.js';
import type { Proposal } from '../../robots/proposal.js';
import type { InputSummary, MineOptions, RecordedFilters, Rule, Validation } from '../../rule/rule.js';
import { type Accept, accepts } from '../../rule/standing.js';

export interface ReportModel {
  readonly format: 'dustbuster-report';
  /** 2: with what a later report compares itself to (`redirected`, `done`, `who`, `days`, `pages`). */
  readonly version: 2;
  /** Program and version that made the report. */
  readonly generator: string;
  /** ISO 8601; only with `--stamp`. */
  readonly created?: string;
  readonly rulesFile: RulesFileFacts;
  /** The inputs of `--log`, or else the inputs that the rules file names. */
  readonly inputs: readonly InputSummary[];
  readonly filters?: RecordedFilters;
  /** In rank order. */
  readonly rules: readonly RuleRow[];
  /** The fields from here on exist only with `--log`. */
  readonly log?: LogFacts;
  /** What became of the fixes of earlier reports (`--before`). */
  readonly before?: BeforeFacts;
  /** What pages could still prove, if the log was mined for the report without requesting pages. */
  readonly toProve?: ToProve;
  /**
   * Counts by verdict for each k of a ladder, up to the number of rules; empty if no rule was validated. Figure 5 of
   * the paper.
   */
  readonly precision: readonly PrecisionPoint[];
}

export interface ToProve {
  /** Likely rules that are not applied but probably hold, without special cases. */
  readonly rules: number;
  /** How many fewer URLs these rules would leave. */
  readonly urls: number;
  /** How long `mine --fetch` would take, in words. */
  readonly time: string;
  /** The logs, as the user named them. */
  readonly logs: readonly string[];
  /** The scheme and host that a log without hosts is asked at; a placeholder if the user has named none. */
  readonly base?: string;
}

interface RulesFileFacts {
  readonly name: string;
  readonly generator: string;
  readonly created?: string;
  readonly night?: string;
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  /** Which rules are applied, such as likely ones too. */
  readonly accept: Accept;
  /** How the rules were mined and, if they were, validated. */
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
  /** A word of `calledOf`: `valid`, `likely`, `candidate`, `invalid`, `pinned`, `vetoed`, `retired`. */
  readonly standing: string;
  /** True if the rule is in use. */
  readonly isApplied: boolean;
  /** Present for a key in use: it groups URLs, and no URL is written by it. */
  readonly isGrouping?: true;
  /** With `--log`: distinct URLs that the rule alone changes, and how many fewer URLs that leaves. */
  readonly touched?: number;
  readonly saved?: number;
}

export interface LogFacts {
  readonly all: SiteRow;
  /** The part of `all` that only keys find; absent if no key is in use. `reduction` and fixes ignore keys. */
  readonly byKeys?: ByKeys;
  /** Server time for all hits and for hits on duplicates; absent if the log does not have it. */
  readonly time?: TimeSpent;
  /** The sites with the most hits on duplicates, at most `MAX_SITES`, and the sum of the others. */
  readonly sites: readonly SiteRow[];
  readonly otherSites?: SiteRow & { readonly count: number };
  /**
   * The share of distinct URLs that the first k applied rules save together; the last value is Table 4 of the paper.
   */
  readonly reduction: readonly { readonly k: number; readonly urlsAfter: number }[];
  /** Sorted by hits on duplicates, most first. */
  readonly groups: readonly DuplicateGroup[];
  /** Groups beyond the listed ones, and the cost of their duplicates. */
  readonly otherGroups?: DuplicateTotals;
  /** What to do: documents first, then the largest saving; at most `MOST_FIXES`. */
  readonly fixes: readonly Fix[];
  /** The effect of all fixes together; absent without fixes. */
  readonly fixed?: FixTotals;
  /** Likely rules that only pages can prove; those that leave the fewest URLs first. */
  readonly unproven?: readonly UnprovenFix[];
  /** Likely rules that are not proposed, as they change far more URLs than they merge. */
  readonly unproposed?: readonly UnproposedFix[];
  /** Hits of each bot, most on duplicates first, bots without a name last; empty if the log has no user agents. */
  readonly bots: readonly BotRow[];
  /** Hits by day, or by month if there are many days; empty if the log has no times. */
  readonly periods: readonly PeriodRow[];
  /** Requests that the server redirects; absent if it redirects none. They are no hits. */
  readonly redirected?: RedirectedFacts;
  /** Fixes that the server has made, as it redirects their URLs. */
  readonly done?: readonly DoneFix[];
  /** Everybody who came, by group; absent if the log has no user agents. */
  readonly who?: readonly AgentRow[];
  /** Bots that are not listed, by the names in their user agents: those with the most requests. */
  readonly unlisted?: readonly { readonly name: string; readonly requests: number }[];
  /** Hits by day, also if `periods` are months; absent if the log has no times. */
  readonly days?: readonly DayRow[];
  /** The pages with the most hits, for a later report to find them again. */
  readonly pages?: readonly PageHits[];
  /** What wastes the time of crawlers, as far as the log shows it. */
  readonly crawlSpace: readonly CrawlSpace[];
  /** Lines for robots.txt that were tried on the log; absent if there was nothing to try, or no file to read again. */
  readonly robots?: TriedLines;
  /** Choices that URLs combine: filters of lists, tags. Absent if none were found. */
  readonly lists?: ChoiceLists;
  /** Parameters that the site's own pages copy into their links, most often carried first; absent without any. */
  readonly echoes?: readonly EchoRow[];
  /** Where requests went, by templates of URLs, site by site; absent if no site has enough URLs. */
  readonly templates?: readonly TemplateRow[];
  /** Sorted by the number of URLs with the parameter, most first. */
  readonly parameters: readonly ParameterRow[];
  /** Parameters that are not listed one by one. */
  readonly otherParameters?: number;
  /** URLs that stayed unchanged because no canonical form was found. */
  readonly unsettled?: number;
  /** Without sizes there are no bytes to count, and without user agents no bot hits. */
  readonly hasSizes: boolean;
  readonly hasAgents: boolean;
}

/**
 * Counts of URLs and their costs. A group is all URLs of one canonical form. Its URL with the most hits is the group's
 * name, and hits on the other URLs are hits on duplicates.
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
  /** Up to five URLs of the group, most hits first. */
  readonly members: readonly { readonly url: string; readonly hits: number }[];
  /** Present if only a key makes the listed members one page; `canonical` is the form of the one with the most hits. */
  readonly isOfKey?: true;
}

/** Duplicates that only keys find: no server gets keys, as nobody knows which URL of a group answers. */
export interface ByKeys {
  readonly urls: number;
  readonly hits: number;
  readonly bytes: number;
  readonly botHits: number;
}

export interface DuplicateTotals {
  readonly count: number;
  readonly duplicateHits: number;
  readonly duplicateBytes: number;
  readonly duplicateBotHits: number;
}

/** Server time in whole milliseconds, from logs that record it. */
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
  /** A day or a month: 2026-11-23, 2026-11. */
  readonly from: string;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly duplicateBotHits: number;
  readonly time?: TimeSpent;
}

/** Requests that the server answers with a redirect: no page is made for them. */
export interface RedirectedFacts {
  readonly urls: number;
  readonly hits: number;
  readonly botHits: number;
  /** Redirects that a person followed at once, and of these, errors and further redirects that came next. */
  readonly followed: number;
  readonly broken: number;
  readonly chained: number;
  /** The URLs that are redirected most, with the pages whose links lead there. */
  readonly links: readonly RedirectedUrl[];
  /** URLs whose redirect led to an error or another redirect. */
  readonly troubles: readonly RedirectedUrl[];
}

export interface RedirectedUrl {
  readonly url: string;
  readonly hits: number;
  /** What most people asked for next; empty if nobody followed. */
  readonly next: string;
  readonly broken: number;
  readonly chained: number;
  readonly referrers: readonly { readonly url: string; readonly hits: number }[];
}

/** A fix whose URLs the server redirects. */
export interface DoneFix {
  readonly title: string;
  readonly site: string;
  /** The ranks of its rules. */
  readonly rules: readonly number[];
  /** `partly`: pages still answer for some of its URLs. */
  readonly state: 'done' | 'partly';
  /** Redirected requests, and distinct URLs of these. */
  readonly redirected: number;
  readonly redirectedUrls: number;
  /** Requests that pages answered up to the first day of redirects, and later. */
  readonly before: number;
  readonly left: number;
  /** The day of the first redirect; absent if the log has no times. */
  readonly since?: string;
}

/** All requests of one visitor for pages: answered by one (`hits`) or otherwise. */
export interface AgentRow {
  readonly name: string;
  readonly group: AgentGroup;
  readonly requests: number;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly redirected: number;
  /** 401, 403, 429 and 451. */
  readonly refused: number;
  /** All other errors. */
  readonly errors: number;
  /** Further requests under its name, from addresses that are not its own; absent unless its addresses were given. */
  readonly forged?: number;
}

export interface DayRow {
  readonly day: string;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly redirected: number;
}

export interface PageHits {
  readonly url: string;
  readonly hits: number;
}

/** A log compared to earlier reports, in the order of their days. */
export interface BeforeFacts {
  readonly reports: readonly { readonly name: string; readonly hits: number; readonly duplicateHits: number }[];
  /** The share of what all fixes promised together that has come about; absent if nothing was promised. */
  readonly did?: number;
  /** Each as the first report proposed it. */
  readonly fixes: readonly FixOutcome[];
  /** Pages that have far fewer hits than the latest report lets expect. */
  readonly lost: readonly LostPage[];
  /** From Monday, in all reports and the log. */
  readonly weeks: readonly WeekRow[];
  readonly notes: readonly string[];
}

export interface FixOutcome {
  readonly title: string;
  readonly site: string;
  /** The name of the report. */
  readonly proposedBy: string;
  /** URLs and requests that its lines would have redirected, and the share of these of all hits. */
  readonly promised: { readonly urls: number; readonly hits: number };
  readonly promisedShare: number;
  /** `open`: no more is redirected than then. `quiet`: hardly anybody asks for its URLs. */
  readonly state: 'done' | 'partly' | 'open' | 'quiet';
  readonly redirected: number;
  readonly redirectedUrls: number;
  /** Of `redirected`, what the server would redirect without the fix, by what it did in the earlier report. */
  readonly already: number;
  /** Requests for its URLs that pages still answer, and the share of these of all hits. */
  readonly left: number;
  readonly leftShare: number;
  readonly since?: string;
  /** The share of the promise that has come about. */
  readonly did: number;
  /** Of the redirects that people followed: errors, and further redirects. */
  readonly broken: number;
  readonly chained: number;
}

export interface LostPage {
  readonly url: string;
  /** Hits in the earlier report, what that lets expect in a log of this size, and hits now. */
  readonly before: number;
  readonly expected: number;
  readonly now: number;
  readonly redirected: number;
  readonly missing: number;
  /** Where most people were redirected to. */
  readonly next: string;
}

export interface WeekRow {
  /** Its Monday. */
  readonly from: string;
  /** How many of its days the reports and the log have. */
  readonly days: number;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly redirected: number;
}

/** What the lines of a fix do to the log if there are no others. A URL that two fixes change counts for both. */
export interface FixTotals {
  /** Duplicates that they remove: all merged URLs except the one with the most hits. */
  readonly urls: number;
  readonly hits: number;
  readonly bytes: number;
  readonly botHits: number;
  /** Server time for these hits; absent if the log does not have it. */
  readonly ms?: number;
  /** URLs that they change, whether or not the form is in the log. */
  readonly redirected: { readonly urls: number; readonly hits: number; readonly botHits: number };
}

/** Applied rules that together make one change to a site. */
export interface Fix extends FixTotals {
  /** What to do, in a few words. */
  readonly title: string;
  /** Other changes that belong to this fix because they affect the same URLs. */
  readonly parts: readonly string[];
  readonly site: string;
  /** The ranks of its rules. */
  readonly rules: readonly number[];
  /** How many of its rules no web server's lines express; absent if there are none. They count for nothing here. */
  readonly left?: number;
  /** True if pages or a user have confirmed all of its rules. */
  readonly isProven: boolean;
  /** True if it removes parameters that scripts of the page may count campaigns by. */
  readonly dropsCampaigns?: boolean;
  /** The least confidence of its rules. */
  readonly confidence: number;
  /** Requests for URLs that its lines change which the server redirects already: a later report does not count them as done. */
  readonly already: number;
  /** True if its examples are documents; false for pictures, styles and other files. */
  readonly isOfDocuments: boolean;
  /** URLs of the log and their canonical forms. */
  readonly examples: readonly (readonly [string, string])[];
  /** Lines that make software apply the rules. All lines of a page can be used together. */
  readonly lines: readonly FixLines[];
}

/** A fix that is not proposed, because it would redirect many pages away from their only address. */
export interface UnproposedFix extends Pick<Fix, 'title' | 'site' | 'rules'> {
  /** For its rule that changes the most: distinct URLs that it changes, and how many fewer URLs that leaves. */
  readonly touched: number;
  readonly saved: number;
}

/** What pages could still prove, with the confidence of the log alone. */
export interface UnprovenFix extends UnproposedFix {
  readonly confidence: number;
}

/** The classes by which Google counts complaints about crawling. */
export type CrawlSpaceKind = 'facets' | 'actions' | 'irrelevant' | 'calendars' | 'endless';

export interface CrawlSpace {
  readonly kind: CrawlSpaceKind;
  /** The parameters of the class, most hits first; empty for endless paths. */
  readonly parameters: readonly SpaceParameter[];
  /** Only for endless paths. */
  readonly endless?: { readonly urls: number; readonly hits: number; readonly examples: readonly string[] };
}

export interface SpaceParameter {
  readonly site: string;
  readonly name: string;
  /** Distinct URLs with the parameter, and hits on these. */
  readonly urls: number;
  readonly hits: number;
  /** Its most common values; for an action, the values that name it. */
  readonly values: readonly string[];
  /** True if the class is about these values only, and other values mean something else. */
  readonly isByValue: boolean;
  /** Groups of URLs that differ in this parameter alone and show that it matters. */
  readonly different: number;
  /** Where the applied rules remove or set it, and the rank of the first of them. */
  readonly changed: 'everywhere' | 'in places' | 'nowhere';
  readonly rule?: number;
  /** True if pages or a user have decided on that rule. */
  readonly isProven?: boolean;
}

export interface TriedLines {
  /** Without referrers it is not known which pages have visits from search. */
  readonly hasReferrers: boolean;
  readonly proposals: readonly (Proposal & { readonly site: string })[];
}

export interface ChoiceLists {
  /** Inside of one part of a URL: a value, a segment, a repeated parameter, a path. */
  readonly inside: readonly ListFacts[];
  /** In several parameters. */
  readonly across: readonly FieldChoices[];
  /** Only if the URLs are very many: the share of them that was looked at. Counts are of these. */
  readonly share?: number;
}

/** A parameter that changes nothing, which links of the site's own pages carry on. */
export interface EchoRow {
  readonly name: string;
  /** Distinct links that were followed from pages with it, and those of them that had it too, with the same value. */
  readonly followed: number;
  readonly carried: number;
  /** How many other URLs with it a page with it makes. */
  readonly growth: number;
  /** Shapes of the pages that do so, most links first. */
  readonly templates: readonly string[];
  /** A page, and where a link of it leads. */
  readonly example: readonly [string, string];
}

/** Addresses of one shape: `/catalogue/{words}_{n}/`. */
export interface TemplateRow {
  readonly site: string;
  readonly template: string;
  /** Distinct URLs, pages that are named by one of them, and URLs that were requested once. */
  readonly urls: number;
  readonly pages: number;
  readonly once: number;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly bytes: number;
  /** Hits by group of visitors. */
  readonly groups: Readonly<Partial<Record<AgentGroup, { readonly hits: number; readonly duplicateHits: number }>>>;
}

export interface FixLines {
  /** A target of `export --to`. */
  readonly target: string;
  readonly text: string;
  /** The number of rules that the target cannot express; absent if there are none. */
  readonly left?: number;
}

/** What a parameter does, in the words that Google's URL parameter tool had. */
export type ParameterClass = 'changes' | 'sorts' | 'narrows' | 'irrelevant' | 'unknown';

export interface ParameterRow {
  readonly site: string;
  readonly name: string;
  /** Distinct URLs with the parameter, and hits on these. */
  readonly urls: number;
  readonly hits: number;
  /** The number of distinct values; if `areMore`, counting stopped there. */
  readonly values: number;
  readonly areMore: boolean;
  readonly commonest: readonly string[];
  /**
   * Groups of URLs that differ in this parameter alone, by their sizes or sketches: these agree, differ, or say
   * nothing.
   */
  readonly groups: { readonly same: number; readonly different: number; readonly silent: number };
  /** The median of largest over smallest size in a group; null if sizes are unknown. */
  readonly sizeRatio: number | null;
  readonly class: ParameterClass;
  /** The reason for the class, in a few words. */
  readonly reason: string;
  /** The rank of an applied rule that removes or sets it. */
  readonly rule?: number;
}

/** The name under which all fields that are bare numbers count as one parameter. */
export const BARE_NUMBERS = '(bare numbers)';

/**
 * How certain are the duplicates of a report? `proven` or `likely`; `nothing` if no rule is applied and pages have
 * decided on none.
 */
export type Asked = 'proven' | 'likely' | 'nothing';

export function askedOf({ rules }: ReportModel): Asked {
  const applied = rules.filter(({ isApplied, isGrouping }) => isApplied || isGrouping);
  if (applied.some(({ rule }) => !accepts(rule, 'valid', 'key'))) return 'likely';
  return applied.length > 0 || rules.some(({ rule }) => rule.verdict !== undefined) ? 'proven' : 'nothing';
}
