// What is an export target? Each is one file: a name, a description, and a function from rules to text. A rule is
// exported only if the software then gives URLs the form that `canonize` gives them by the exported rules, or leaves them
// alone; what it cannot express is left out, with the reason.
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
  /** True for a target that patterns can be written for. */
  readonly hasPatterns?: true;
  /** True for software that takes URLs for one page and writes none: a cache, or a crawler that remembers what it has. */
  readonly isKey?: true;
  /** True for a web server, which sends redirects. */
  readonly isServer?: true;
  write(request: ExportRequest): Exported;
  /** For software that makes edits of a URL: its form, one char per byte. */
  formsBy?(request: ExportRequest): (url: string) => string;
  /**
   * For software that leaves the URLs of other sites as they are: is a normalized one of the sites of the rules that are
   * exported? Undefined if these are for all URLs.
   */
  homeOf?(request: ExportRequest, carried: readonly Rule[]): ((form: Uint8Array) => boolean) | undefined;
  /** What an earlier export, its text, says and these rules do not, or the other way round: a line each. */
  check?(request: ExportRequest, text: string): readonly string[];
}

/** The rules in use, in rank order, and what a canonizer needs from the file they come from. */
export interface ExportRequest {
  readonly rules: readonly Rule[];
  readonly normalization: Normalization;
  readonly urlForm: UrlForm;
  readonly sitePolicy: SitePolicy;
  readonly maxIterations: number;
  /** The sites that the rules are for (`scope`); missing if they are for all. */
  readonly scope?: readonly string[];
  /** Of the redirects of a server; 301 if missing. */
  readonly status?: RedirectStatus;
  /** For a server: of lower-case letters and digits, so that several exports can be used together (`named`). */
  readonly name?: string;
  /** For a server: the form is announced in a `Link` header (RFC 6596), and nothing is redirected. */
  readonly isLink?: boolean;
  /** For the comment at the top: of how many URLs of a list the form is not that of `canonize`. */
  readonly differing?: Differing;
  /** Rules that failed when the export was rehearsed, or that are only keys, for the comment at the top. */
  readonly takenOut?: readonly LeftOut[];
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
  readonly carried: readonly Rule[];
  readonly left: readonly LeftOut[];
}

export interface LeftOut {
  readonly rule: Rule;
  /**
   * Without the rule's own text, so that equal reasons are counted together: `Clean-param takes whole parameters only`.
   */
  readonly reason: string;
}
