// What does a validation have to go by, whichever command runs it?
import type { Rule, RulesFile } from '../../../rule/rule.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { Stamp } from '../rules/kept-back.js';
import type { ValidationFlags } from '../../flags/validation.js';
import { siteOfPages } from './page-source.js';

export interface Run {
  readonly file: RulesFile;
  readonly plans: readonly SitePlan[];
  readonly base: string | null;
  readonly tmpdir: string;
  /** Where the rules go; `-` is standard output, which is written once, at the end. */
  readonly output: string;
  /** What was there when the rules were read; what is there now, if it is not given. */
  readonly stamp?: Stamp;
  readonly flags: ValidationFlags & { readonly quiet?: boolean; readonly json?: boolean };
  /** The command that runs it. */
  readonly command: 'mine' | 'validate';
  /** Rules of the file that have a verdict already and are visited again, as they stand until it turns. */
  readonly visited: ReadonlyMap<Rule, Rule>;
  /** The night that validations are written under in the rules' histories; none for files that keep no history. */
  readonly night: string | undefined;
  /** With `--budget`: the rules of the file that are worth a visit, most urgent first. */
  readonly due?: readonly Rule[];
  /** Marks rules that were found on the way. */
  readonly remark: (file: RulesFile) => RulesFile;
}

/**
 * The site whose hosts may be asked for the rules of a site, whatever host a rule or the list names: that of the base for a
 * log without hosts and for rules of everything, for which it is any where there is no base.
 */
export function siteAsked(site: string, { file, base }: Run): (url: string) => string {
  if (site !== '' && site !== '*') return () => site;
  const siteOf = siteOfPages(file);
  if (base === null) return siteOf;
  const siteOfBase = siteOf(`${base}/`);
  return () => siteOfBase;
}
