// What does a rule say? Strings are text as `base/bytes` decodes it; START and END are only in `anchor` (SPEC 6).

import type { Filters } from '../log/filters.js';
import type { InputSummary } from '../log/record.js';
import type { Normalization } from '../url/normalize.js';
import type { UrlForm } from '../url/parse.js';
import type { SitePolicy } from '../url/site-finder.js';
import type { RecordedOptions } from './mine-options.js';

/** The site of rules that apply to every URL. */
export const everySite = '*';

export type { InputSummary, Normalization, SitePolicy, UrlForm };

export type Anchor = 'none' | 'start' | 'end' | 'both';
export type RuleStatus = 'likely' | 'valid' | 'invalid';
export type Use = 'write' | 'key';
/**
 * How a control of the site uses what a rule drops: a form sends it (`form`), or a page has the same text but another
 * tab or filter (`state`).
 */
export type Control = 'form' | 'state';

/**
 * A condition that a URL must meet, or must not meet, for a rule to hold (SPEC 7); `condition.ts` defines each part.
 */
export type Condition =
  | {
      readonly part: 'host' | 'first' | 'last' | 'segment' | 'extension' | 'parameter' | 'field' | 'query' | 'text';
      /** Raw text of the URL, compared byte by byte. */
      readonly is: string;
    }
  | { readonly part: 'depth' | 'fields'; readonly is: number };

/** The fields of every kind of rule. */
interface RuleBase {
  readonly rank: number;
  /** Only in files: `idOf` computes it, and reading leaves it out. */
  readonly id?: string;
  /** Registrable domain or host; '' is the nameless site of a log without hosts; '*' is everything (`--site all`). */
  readonly site: string;
  readonly status: RuleStatus;
  /**
   * `write`, also if missing: the images are URLs that answer. `key`: nobody knows whether they do, or the rule drops
   * something that may mean money or choice (`held-back`). A key only says which URLs are one page (`canonize
   * --unique`).
   */
  readonly use?: Use;
  /** Up to three pairs of URLs of the log; the rule maps one to the other. */
  readonly examples: readonly (readonly [string, string])[];
  /** URLs that the rule does not change, because fetching showed that it is wrong for them. */
  readonly except?: readonly string[];
  /** If given, the rule holds only for URLs that meet at least one of these … */
  readonly only?: readonly Condition[];
  /** … and never for URLs that meet any of these. */
  readonly not?: readonly Condition[];
  /** How the site confirms the rule: nearly all samples redirect to their image, or name it as their canonical link. */
  readonly word?: 'redirect' | 'canonical';
  /** Of a rule of a class of hosts: on how many of the hosts that say something it holds. */
  readonly hosts?: OfHosts;
  /** What fetching found about the rule. */
  readonly verdict?: Verdict;
  /** What fetching found about the turned rule, or about its other action, if that was tried too. */
  readonly otherWay?: Verdict;
  /** The score that a mined rule is ranked by (mine/likeliness), if it differs from its confidence. */
  readonly likeliness?: number;
  /** Why the rule is only a key: the site's own controls use what it drops. */
  readonly control?: Control;
  /** Hits of the log on both sides of the rule, which decided its direction. */
  readonly hits?: Hits;
  /** `pin`: a user wants the rule applied whatever its verdict. `veto`: never; it takes precedence. */
  readonly pin?: Mark;
  readonly veto?: Mark;
  /** A user's remark on the rule. */
  readonly note?: string;
  /** Only in files that are mined night after night. */
  readonly history?: History;
}

/** On how many hosts a rule holds (mine/hosts). */
export interface OfHosts {
  /** Hosts on which it holds, of those that say something. */
  readonly holds: number;
  readonly of: number;
  /** The least share of such hosts, with 95 % confidence. */
  readonly least: number;
  /** Words of URLs by which the software of these hosts is known. */
  readonly software?: string;
}

/** Hits at the URLs that the rule changes, and at their forms under all rules. */
export interface Hits {
  readonly kept: number;
  readonly given: number;
}

/**
 * `true` was written on the rule by hand. `local` comes from the file of local rules, and is removed together with its
 * entry there.
 */
export type Mark = boolean | 'local';

/** What earlier nights found about a rule. Nights are days in UTC, such as `2026-11-21`. */
export interface History {
  readonly firstSeen: string;
  /** The last night on which the log supported the rule. */
  readonly lastSupported: string;
  /** The last night on which pages decided for or against it. */
  readonly lastValidated?: string;
  /** The last night on which pages were fetched without a result, if that was later. */
  readonly lastTried?: string;
  /** The night since which the verdict is the same. */
  readonly verdictSince?: string;
  /** How often the rule was validated when it had a verdict (N), and how often that changed the verdict (X). */
  readonly visits: number;
  readonly changes: number;
  /** The sum of days between these visits. */
  readonly days: number;
  readonly retired?: Retirement;
}

/** A rule that was valid, but failed when pages were fetched again. Its status is `invalid`. */
export interface Retirement {
  readonly night: string;
  /** A URL, its image, and how they differed. */
  readonly pair?: readonly [string, string, string];
  /** Failures in a row, including the one that retired it. */
  readonly failures: number;
  /** The first night on which it may be tried again. */
  readonly retryFrom: string;
}

/** Replace `from` by `to` (a substring substitution rule, paper §3). */
export interface SubstringRule extends RuleBase {
  readonly kind: 'substring';
  readonly from: string;
  readonly to: string;
  readonly anchor: Anchor;
  readonly support: { readonly low: number; readonly high: number };
  readonly against: number;
  /**
   * The probability, by the evidence of the log, that at least 95 % of the instances are the same page
   * (mine/confidence).
   */
  readonly confidence: number;
}

/** Removes a parameter, or sets it to one value (a parameter substitution rule, paper §3, SPEC 9). */
export interface ParameterRule extends RuleBase {
  readonly kind: 'parameter';
  readonly name: string;
  readonly action: 'remove' | 'set';
  /** The most common value, which `set` writes; null is the name alone. `remove` keeps it for validation. */
  readonly value: string | null;
  readonly scope: 'site' | 'prefix' | 'path';
  /** '' for the whole site; otherwise `//host/…`, or `/…` for any host, as in `rule/parameter.ts`. */
  readonly path: string;
  /**
   * `groups` support the rule: their pages are as similar as pages of a single URL of this template. `urls` are those
   * of the list with the parameter.
   */
  readonly support: { readonly groups: number; readonly urls: number };
  /** Groups that contradict the rule. */
  readonly against: number;
  /**
   * The share of groups that would support the rule if their pages were drawn from others of the same path template.
   */
  readonly chance: number;
  /** See `SubstringRule.confidence`. */
  readonly confidence: number;
}

/** One named step of normalization that holds for this site; `step.ts` says what each does. */
export interface StepRule extends RuleBase {
  readonly kind: 'step';
  readonly step: StepName;
  /**
   * For drop-segment and drop-last-segment, the segment; for lower-case, the parameter whose values are folded, or ''
   * for the path; for sort-items and drop-repeated-items, where the list stands (`items-place.ts`). '' for all other
   * steps.
   */
  readonly text: string;
  /** URLs of the list that the rule changes. */
  readonly support: { readonly urls: number };
  readonly against: number;
  readonly confidence: number;
}

/** Writes a URL by a template if it matches a pattern; `pattern.ts` defines both. */
export interface PatternRule extends RuleBase {
  readonly kind: 'pattern';
  readonly pattern: string;
  readonly template: string;
  /** Clusters of duplicates in which the rule makes URLs one, and URLs of the list that it changes. */
  readonly support: { readonly clusters: number; readonly urls: number };
  /** URLs that the rule merges with URLs of another cluster. */
  readonly against: number;
  readonly confidence: number;
}

export type StepName =
  | 'fold-slashes'
  | 'drop-end-slash'
  | 'add-end-slash'
  | 'drop-segment'
  | 'drop-last-segment'
  | 'lower-case'
  | 'drop-empty-fields'
  | 'drop-number-fields'
  | 'drop-repeated-fields'
  | 'sort-fields'
  | 'sort-values'
  | 'sort-items'
  | 'drop-repeated-items'
  | 'one-separator'
  | 'unescape'
  | 'trim-end';

/** A union; matching code ends in `satisfies never`. */
export type Rule = SubstringRule | ParameterRule | StepRule | PatternRule;

/** Why a rule is still likely although pages were fetched for it. */
export type Undecided =
  /** Fewer than `--min-samples` URLs could be judged. */
  | 'few-samples'
  /** N samples were not enough for the test to decide. */
  | 'no-decision'
  /** `--max-fetches` was reached, or the run was interrupted. */
  | 'budget'
  | 'interrupted';

/** The result of fetching a sample of pages, for a rule in one direction (paper §5.3, SPEC 10). */
export interface Verdict {
  /** `clusters`: no page was fetched; the labels of `mine --from-clusters` decided. */
  readonly source: 'live' | 'warc' | 'log' | 'clusters';
  readonly positive: number;
  readonly negative: number;
  /** Samples without a verdict, by cause: `u: status`, `v: robots`, `soft-error`, … */
  readonly unjudged: Readonly<Record<string, number>>;
  /** Only if the verdict leaves the rule likely. */
  readonly undecided?: Undecided;
  /** Up to three pairs of URL and image with similar documents. */
  readonly positives: readonly (readonly [string, string])[];
  /** Up to three negative samples: URL, image, and the reason. */
  readonly negatives: readonly (readonly [string, string, string])[];
}

/** How the rules of a file were validated. */
export interface Validation {
  readonly source: Exclude<Verdict['source'], 'clusters'>;
  readonly stop: 'sequential' | 'fixed';
  readonly N: number;
  readonly epsilon: number;
  readonly minSamples: number;
  readonly seed: number;
  /** Missing if no audit was made, and in files of older versions. */
  readonly audit?: Audit;
}

/** The result of a fresh uniform sample of the list for all rules together (SPEC 10). */
export interface Audit {
  /** URLs of the sample that could be judged. */
  readonly sample: number;
  /** URLs of the sample that the list lacks; missing if there are none. */
  readonly probes?: number;
  /** The intended size of the sample, if requests ran out before. */
  readonly wanted?: number;
  /** Forms of the sample that are another page, that are dead (4xx, 5xx), and that redirect instead of answering. */
  readonly different: number;
  readonly dead: number;
  readonly redirecting: number;
  /** URLs that were requested without a verdict, by reason. */
  readonly unjudged: Readonly<Record<string, number>>;
  /**
   * The upper end of the one-sided 95 % Clopper-Pearson interval of the share of failures: 0 of 300 is at most .00994.
   */
  readonly bound: number;
  /** Up to five failures: URL, form, and the cause. */
  readonly failures: readonly (readonly [string, string, string])[];
  /** URLs of the list; their distinct forms; forms that are longer than their URL; URLs without a canonical form. */
  readonly urls: number;
  readonly forms: number;
  readonly longer: number;
  readonly unsettled: number;
  /** Rules that earlier rounds of the audit have narrowed or retired. */
  readonly narrowed: number;
  readonly retired: number;
}

/**
 * The options that decide what is mined. Options about the run itself (memory, threads, folders) are not in the file.
 */
export type MineOptions = RecordedOptions & {
  /** Which records count; missing if all do. */
  readonly filters?: RecordedFilters;
  /** The host and scheme of canonical forms, if the site answers at several; missing if nobody chose. */
  readonly prefer?: Preference;
  /** Parameters that rules may change although they may mean money or choice; missing if there are none. */
  readonly write?: readonly string[];
  /** With `--from-clusters`: what the clusters were compared by, and the options for learning from them. */
  readonly clusters?: string;
};

/** `host` includes its port, as in URLs. */
export interface Preference {
  readonly host?: string;
  readonly scheme?: 'http' | 'https';
}

/** Times are ISO 8601: not before `since`, and before `until`. Globs as `mine` takes them. */
export type RecordedFilters = Omit<Filters, 'since' | 'until'> & {
  readonly since?: string;
  readonly until?: string;
};

/** The part of a file that is carried from night to night. */
export type NightRules = Pick<RulesFile, 'rules' | 'night'>;

export interface RulesFile {
  readonly format: 'dustbuster-rules';
  readonly version: 1;
  /** Version of the program that wrote the file. */
  readonly generator: string;
  /** ISO 8601, only with `--stamp`. */
  readonly created?: string;
  /** Present until the run has come to its end: how many sites were judged so far, such as `312 of 7539 sites judged`. */
  readonly partial?: string;
  readonly options: MineOptions;
  readonly inputs: readonly Omit<InputSummary, 'reason' | 'misfit' | 'firsts' | 'unreadQuery' | 'misread'>[];
  /** The folder of the state whose URLs were mined, as the user named it; absent without a state. */
  readonly state?: string;
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  readonly urlForm: UrlForm;
  readonly normalization: Normalization;
  /**
   * The part of the sites that was mined, `k/n` from 1, or the part of the list, `contents k/n`. Absent if all was
   * mined.
   */
  readonly part?: string;
  /**
   * Lines of the public suffix list that decide which hosts belong to the sites of the rules, for callers without the
   * list. A site like `example.com` needs none, `example.co.uk` needs `co.uk`. Rewritten with every file.
   */
  readonly publicSuffixes?: readonly string[];
  /** Present once pages were fetched for the rules. */
  readonly validation?: Validation;
  /** The night of the rules' histories; absent without histories. */
  readonly night?: string;
  readonly rules: readonly Rule[];
}

/** Rules in order, which need not be in memory: each iteration may make new objects. */
export interface RuleList extends Iterable<Rule> {
  readonly length: number;
}

/** A rules file to be written or shown. */
export type ListedFile = Omit<RulesFile, 'rules'> & { readonly rules: RuleList };
