// What does a validation need to know, whichever command runs it?
import type { Rule, RulesFile } from '../../../rule/rule.js';
import { ONE_SITE } from '../../../url/site.js';
import type { TrackerList } from '../../../validate/ask/trackers.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { Stamp } from '../rules/kept-back.js';
import type { ValidationFlags } from '../../flags/validation.js';
import { siteOfPages } from './page-source.js';
import type { Readership } from '../input/readership.js';

export interface Run {
  readonly file: RulesFile;
  readonly plans: readonly SitePlan[];
  readonly base: string | null;
  readonly tmpdir: string;
  /** Where the rules go; `-` is standard output, which is written once, at the end. */
  readonly output: string;
  /** What was there when the rules were read; what is there now, if it is not given. */
  readonly stamp?: Stamp;
  readonly flags: ValidationFlags & { readonly quiet?: boolean; readonly verbose?: boolean; readonly json?: boolean };
  /** Who reads the site, by the log; undefined if the site itself is not asked. */
  readonly readership?: Readership | undefined;
  /** What `--trackers` names. */
  readonly trackers?: TrackerList | undefined;
  /** The command that runs it. */
  readonly command: 'mine' | 'validate';
  /**
   * Rules of the file that already have a verdict and are revisited, as they were: the verdict stands until it changes.
   */
  readonly visited: ReadonlyMap<Rule, Rule>;
  /** The night under which validations are recorded in the rules' histories; none for files without history. */
  readonly night: string | undefined;
  /** With `--budget`: the rules of the file whose verdicts are worth another look, most urgent first. */
  readonly due?: readonly Rule[];
  /** Marks rules that were found during the run. */
  readonly remark: (file: RulesFile) => RulesFile;
}

/**
 * The site whose hosts may be fetched for the rules of a site, whatever host a rule or the list names: that of the base
 * for a log without hosts and for rules of everything; for these, the hosts of `--one-site`, or else any site if there
 * is no base.
 */
export function siteAsked(
  site: string,
  { file, base, flags }: Pick<Run, 'file' | 'base'> & { readonly flags: Pick<ValidationFlags, 'oneSite'> },
): (url: string) => string {
  if (site !== '' && site !== '*') return () => site;
  if (flags.oneSite !== undefined) return () => ONE_SITE;
  const siteOf = siteOfPages(file);
  if (base === null) return siteOf;
  const siteOfBase = siteOf(`${base}/`);
  return () => siteOfBase;
}

/** `--stop fixed` is the paper's procedure, which asks nothing of its own and goes rule by rule. */
export function isAsking({ stop, auditAlone }: Pick<ValidationFlags, 'stop' | 'auditAlone'>): boolean {
  return auditAlone === true || stop === 'sequential';
}
