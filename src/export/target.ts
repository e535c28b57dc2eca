// What is an export target? A file with a name, a description, and a function from rules to text. A rule is exported
// only if the software then gives a URL either the form that `canonize` gives by the exported rules, or no new form. A
// rule that the software cannot express is left out, with the reason.
import type { Normalization, Rule, SitePolicy, UrlForm } from '../rule/rule.js';

export const REDIRECT_STATUSES = ['301', '302', '307', '308'] as const;

/** 301 and 308 are kept by browsers; 307 and 308 keep the method. */
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];

export interface Target {
  /** The word after `--to`. */
  readonly name: string;
  /** One line for the list of targets. */
  readonly summary: string;
  /** Where to put the text and how to use it, for the help and the man page: a few lines. */
  readonly usage: string;
  /** True for a target that can express patterns. */
  readonly hasPatterns?: true;
  /** For a target that finds a host among thousands at once: in all conditions, or in `only`. */
  readonly longLists?: 'all' | 'only';
  /**
   * True for software that treats several URLs as one page, but writes no URLs: a cache, or a crawler's list of seen
   * pages.
   */
  readonly isKey?: true;
  /** True for an export that is no text. */
  readonly isBinary?: true;
  /** True for a web server. */
  readonly isServer?: true;
  /** True for software that sends redirects. */
  readonly redirects?: true;
  write(request: ExportRequest): Exported;
  /** Only for software that makes edits: the form of a URL, with one char per byte on both sides. */
  formsBy?(request: ExportRequest): (url: string) => string;
  /**
   * Only for software that leaves URLs of other sites alone: returns a test whether a normalized URL belongs to a site
   * of the exported rules, or undefined if these hold for all URLs.
   */
  homeOf?(request: ExportRequest, carried: readonly Rule[]): ((form: Uint8Array) => boolean) | undefined;
  /** Compares an earlier export (`text`) with these rules. Each line is a difference. */
  check?(request: ExportRequest, text: string): readonly string[];
}

/** The rules in use, in rank order, and what a canonizer needs from the file they come from. */
export interface ExportRequest {
  readonly rules: readonly Rule[];
  readonly normalization: Normalization;
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
  readonly maxIterations: number;
  /** The sites that the rules are for (`scope`); missing if they are for all URLs. */
  readonly scope?: readonly string[];
  /** Status of a server's redirects; 301 if missing. */
  readonly status?: RedirectStatus;
  /** For a server: of lower-case letters and digits, so that several exports can be used together (`named`). */
  readonly name?: string;
  /** For a server: a `Link` header (RFC 6596) announces the form, and nothing is redirected. */
  readonly isLink?: boolean;
  /** How many URLs of a list get another form here than by `canonize`; for the comment at the top. */
  readonly differing?: Differing;
  /** Rules that failed in a rehearsal of the export, and rules that are only keys; for the comment at the top. */
  readonly takenOut?: readonly LeftOut[];
  /** What the export does with the keys in use, for the comment at the top; missing if there are none. */
  readonly aboutKeys?: string;
  /** Name of the rules file, and the program's name and version, for the comment at the top. */
  readonly source: string;
  readonly generator: string;
}

/** How many URLs of a list get another form, and a few of them. */
export interface Differing {
  readonly urls: number;
  readonly differing: number;
  readonly examples: readonly (readonly [url: string, here: string, canonical: string])[];
}

export interface Exported {
  /** The whole file, including its comment with the rules left out, if the format has comments. */
  readonly text: string;
  /** The whole file in place of `text`, if it is no text. */
  readonly bytes?: Uint8Array;
  readonly carried: readonly Rule[];
  readonly left: readonly LeftOut[];
}

export interface LeftOut {
  readonly rule: Rule;
  /**
   * The reason without the rule's own text, so that equal reasons can be counted together: `Clean-param takes whole
   * parameters only`.
   */
  readonly reason: string;
}
