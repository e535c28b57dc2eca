// What a rule says. Strings are text as `base/bytes` decodes it; START and END stand in `anchor` only (SPEC 6).

import type { InputSummary } from '../log/record.js';
import type { Normalization } from '../url/normalize.js';
import type { UrlForm } from '../url/parse.js';
import type { SitePolicy } from '../url/site.js';

export type { InputSummary, Normalization, SitePolicy, UrlForm };

export type Anchor = 'none' | 'start' | 'end' | 'both';
export type RuleStatus = 'likely' | 'valid' | 'invalid';

/** Replace `from` by `to` (a substring substitution rule, paper §3). */
export interface SubstringRule {
  readonly rank: number;
  /** Registrable domain or host; '' is the nameless site of a log without hosts; '*' is everything (`--site all`). */
  readonly site: string;
  readonly kind: 'substring';
  readonly from: string;
  readonly to: string;
  readonly anchor: Anchor;
  readonly status: RuleStatus;
  readonly support: { readonly low: number; readonly high: number };
  readonly against: number;
  /** Lower end of the 95 % Wilson interval of low / (low + against). */
  readonly confidence: number;
  /** Up to three pairs of URLs of the log that the rule maps one to the other. */
  readonly examples: readonly (readonly [string, string])[];
}

/** A union, closed by `satisfies never` where it is taken apart. More kinds follow: parameter, pattern. */
export type Rule = SubstringRule;

/** The options that decide what is mined; what only decides how (memory, threads, folders) stays out of the file. */
export interface MineOptions {
  readonly S: number;
  readonly T_low: number;
  readonly T_high: number;
  readonly MRD: number;
  readonly MAD: number;
  readonly MW: number;
  readonly MS: number;
  readonly rank: 'confidence' | 'support';
  readonly similarity: boolean;
  readonly site: SitePolicy;
  readonly minSiteUrls: number;
  readonly scheme: 'http' | 'https';
  readonly base: string | null;
  readonly maxUrlLength: number;
}

export interface RulesFile {
  readonly format: 'dustbuster-rules';
  readonly version: 1;
  /** Version of the program that wrote the file. */
  readonly generator: string;
  /** ISO 8601, only with `--stamp`. */
  readonly created?: string;
  readonly options: MineOptions;
  readonly inputs: readonly InputSummary[];
  readonly urls: number;
  readonly sites: { readonly mined: number; readonly skipped: number };
  readonly urlForm: UrlForm;
  readonly normalization: Normalization;
  readonly rules: readonly Rule[];
}
