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
 * How a control of the site uses what a rule drops: the site's forms send it (`form`), its pages have the same text but
 * another tab or filter (`state`), or it is a value that is not the field's default (`value`).
 */
export type Control = 'form' | 'state' | 'value';

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

/** What rules of every kind have. */
interface RuleBase {
  readonly rank: number;
  /** Only in files: `idOf` computes it, and reading leaves it out. */
  readonly id?: string;
  /** Registrable domain or host; '' is the nameless site of a log without hosts; '*' is everything (`--site all`). */
  readonly site: string;
  readonly status: RuleStatus;
  /**
   * `write`, also if missing: the images are URLs that answer. `key`: nobody knows, or what goes may mean money or choice
   * (`held-back`), so they only say which URLs are one page (`canonize --unique`).
   */
  readonly use?: Use;
  /** Up to three pairs of URLs of the log that the rule maps one to the other. */
  readonly examples: readonly (readonly [string, string])[];
  /** URLs that the rule does not apply to, as fetching showed that it is wrong for them. */
  readonly except?: readonly string[];
  /** If given: the rule holds only where the URL meets at least one of these … */
  readonly only?: readonly Condition[];
  /** … and never where it meets any of these. */
  readonly not?: readonly Condition[];
  /** The site itself confirms it: nearly all samples redirect to their image, or name it as their canonical link. */
  readonly word?: 'redirect' | 'canonical';
  /** What fetching found about the rule as it is. */
  readonly verdict?: Verdict;
  /** What fetching found about the rule turned around, or about its other action, if that was tried too. */
  readonly otherWay?: Verdict;
  /** The score that a mined rule is ranked by (mine/likeliness), if it differs from its confidence. */
  readonly likeliness?: number;
  /** Why the rule is only a key: the site's own controls use what it drops. */
  readonly control?: Control;
  /** Hits of the log on either side of the rule, by which its direction was chosen. */
  readonly hits?: Hits;
  /** A user wants the rule applied whatever its verdict, or never. A veto takes precedence. */
  readonly pin?: Mark;
  readonly veto?: Mark;
  /** A user's remark on the rule; it stays with it. */
  readonly note?: string;
  /** Only in files that are mined night after night. */
  readonly history?: History;
}

/** Hits at the URLs that the rule changes, and at their forms under all rules. */
export interface Hits {
  readonly kept: number;
  readonly given: number;
}

/**
 * `true` was written on the rule by hand; `local` comes from the file of local rules, and is removed when it is removed
 * there.
 */
export type Mark = boolean | 'local';

/** What earlier nights saw of a rule. Nights are days by UTC, as in `2026-11-21`. */
export interface History {
  readonly firstSeen: string;
  /** The last night on which the log supported the rule. */
  readonly lastSupported: string;
  /** The last night on which pages decided for or against it. */
  readonly lastValidated?: string;
  /** The last night on which pages were fetched without a result, if that was later. */
  readonly lastTried?: string;
  /** Since when the verdict is what it is. */
  readonly verdictSince?: string;
  /** Validations of the rule when it had a verdict before (N), and those that turned it (X). */
  readonly visits: number;
  readonly changes: number;
  /** Days between all these visits, summed. */
  readonly days: number;
  readonly retired?: Retirement;
}

/** A rule that was valid, and failed when pages were fetched again. Its status is `invalid`. */
export interface Retirement {
  readonly night: string;
  /** A URL, its image, and what differed. */
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
  /** The probability that at least 95 % of the instances are one page, by the evidence of the log (mine/confidence). */
  readonly confidence: number;
}

/** Removes a parameter, or gives it one value for all (a parameter substitution rule, paper §3, SPEC 9). */
export interface ParameterRule extends RuleBase {
  readonly kind: 'parameter';
  readonly name: string;
  readonly action: 'remove' | 'set';
  /** The most common value, which `set` writes; null is the bare name. `remove` keeps it for validation. */
  readonly value: string | null;
  readonly scope: 'site' | 'prefix' | 'path';
  /** '' for the site; else `//host/…`, or `/…` for any host, as in `rule/parameter.ts`. */
  readonly path: string;
  /**
   * Groups that support the rule, as their pages are as near as pages of one URL on this template; and URLs of the list
   * with the parameter.
   */
  readonly support: { readonly groups: number; readonly urls: number };
  /** Groups against it. */
  readonly against: number;
  /** Share of groups that would be for it if their pages were drawn from others of the same path template. */
  readonly chance: number;
  /** As for a substring rule. */
  readonly confidence: number;
}

/** One named step of normalization that holds for this site; `step.ts` says what each does. */
export interface StepRule extends RuleBase {
  readonly kind: 'step';
  readonly step: StepName;
  /**
   * drop-segment, drop-last-segment: the segment; lower-case: the parameter whose values are folded, '' for the path.
   * '' for the others.
   */
  readonly text: string;
  /** URLs of the list that it changes. */
  readonly support: { readonly urls: number };
  readonly against: number;
  readonly confidence: number;
}

/** Writes a URL by a template if it looks like a pattern; `pattern.ts` says what both may have. */
export interface PatternRule extends RuleBase {
  readonly kind: 'pattern';
  readonly pattern: string;
  readonly template: string;
  /** Clusters of duplicates in which URLs become one by it, and URLs of the list that it changes. */
  readonly support: { readonly clusters: number; readonly urls: number };
  /** URLs that it makes one with those of another cluster. */
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
  | 'one-separator'
  | 'unescape'
  | 'trim-end';

/** A union; matching code ends in `satisfies never`. */
export type Rule = SubstringRule | ParameterRule | StepRule | PatternRule;

/** Why a rule was fetched for and is still only likely. */
export type Undecided =
  /** Fewer than `--min-samples` URLs could be judged. */
  | 'few-samples'
  /** N samples, and the test could not decide. */
  | 'no-decision'
  /** `--max-fetches` was reached, or the run was interrupted. */
  | 'budget'
  | 'interrupted';

/** The result for a sample of pages, for a rule in one direction (paper §5.3, SPEC 10). */
export interface Verdict {
  /** `clusters`: no page was asked for, the labels of `mine --from-clusters` decided. */
  readonly source: 'live' | 'warc' | 'log' | 'clusters';
  readonly positive: number;
  readonly negative: number;
  /** Samples without a verdict, by cause: `u: status`, `v: robots`, `soft-error`, … */
  readonly unjudged: Readonly<Record<string, number>>;
  /** Only if the verdict leaves the rule likely. */
  readonly undecided?: Undecided;
  /** Up to three pairs of URL and image with similar documents. */
  readonly positives: readonly (readonly [string, string])[];
  /** Up to three pairs of URL and image with why they are evidence against the rule. */
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
  /** Missing in files from before audits, and if none was requested. */
  readonly audit?: Audit;
}

/** The result of a fresh uniform sample of the list for all rules together (SPEC 10). */
export interface Audit {
  /** URLs of the sample that could be judged. */
  readonly sample: number;
  /** Of these, URLs that the list lacks; missing if there are none. */
  readonly probes?: number;
  /** The size wanted, if requests ran out before. */
  readonly wanted?: number;
  /** Of the sample: forms that are another page, that are not there (4xx, 5xx), that redirect instead of answering. */
  readonly different: number;
  readonly dead: number;
  readonly redirecting: number;
  /** Asked for without a verdict, by reason. */
  readonly unjudged: Readonly<Record<string, number>>;
  /**
   * The upper end of the one-sided 95 % Clopper-Pearson interval of the share of failures: 0 of 300 is at most .00994.
   */
  readonly bound: number;
  /** Up to five failures: URL, form, and the cause. */
  readonly failures: readonly (readonly [string, string, string])[];
  /** URLs of the list and their forms; forms longer than their URL; URLs without a canonical form. */
  readonly urls: number;
  readonly forms: number;
  readonly longer: number;
  readonly unsettled: number;
  /** Rules that were narrowed or retired because of earlier rounds of the audit. */
  readonly narrowed: number;
  readonly retired: number;
}

/** The options that decide what is mined; those that only decide how (memory, threads, folders) are not in the file. */
export type MineOptions = RecordedOptions & {
  /** Which records were wanted; missing if all were. */
  readonly filters?: RecordedFilters;
  /** Which host and scheme canonical forms have, where a site answers at several; missing if nobody chose. */
  readonly prefer?: Preference;
  /** Parameters that may mean money or choice, and are rewritten all the same; missing if there are none. */
  readonly write?: readonly string[];
  /** With `--from-clusters`: what the clusters were compared by, and the options that decide what they teach. */
  readonly clusters?: string;
};

/** A host with its port, as in URLs. */
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
  readonly options: MineOptions;
  readonly inputs: readonly Omit<InputSummary, 'reason' | 'misfit' | 'firsts'>[];
  /** The folder of the state whose URLs were mined, as it was named; absent without one. */
  readonly state?: string;
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  readonly urlForm: UrlForm;
  readonly normalization: Normalization;
  /** Which part of the sites was mined: `k/n`, from 1; or of the list: `contents k/n`. Absent if all were. */
  readonly part?: string;
  /**
   * Lines of the public suffix list that decide which hosts belong to the sites of the rules, for callers without the
   * list itself; none for sites like `example.com`, `co.uk` for `example.co.uk`. Rewritten with every file.
   */
  readonly publicSuffixes?: readonly string[];
  /** Present once the rules were fetched for. */
  readonly validation?: Validation;
  /** The night of the rules' histories; only if there are any. */
  readonly night?: string;
  readonly rules: readonly Rule[];
}

/** Rules in order, which need not be in memory: each pass over them may make new objects. */
export interface RuleList extends Iterable<Rule> {
  readonly length: number;
}

/** A rules file to be written or shown. */
export type ListedFile = Omit<RulesFile, 'rules'> & { readonly rules: RuleList };
