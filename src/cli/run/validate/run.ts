// What does a validation need to know, whichever command runs it? And what do its lists of `--trackers` say?
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemName } from '../../../base/file-name.js';
import type { Rule, RulesFile } from '../../../rule/rule.js';
import type { RefutedQuestions } from '../../../state/refuted.js';
import { ONE_SITE } from '../../../url/public-suffix.js';
import { allTrackers, parseTrackers, type TrackerList } from '../../../validate/ask/trackers.js';
import type { SitePlan } from '../../../validate/plan.js';
import { unreadable } from '../../files.js';
import type { ValidationFlags } from '../../flags/validation.js';
import type { Readership } from '../input/readership.js';
import type { Stamp } from '../rules/kept-back.js';
import { siteOfPages } from './page-source.js';

/** Questions that were refuted; `keep` writes them, those of this run too. */
export interface AskedBefore {
  readonly refuted: RefutedQuestions;
  readonly keep: () => Promise<void>;
}

export interface Run {
  readonly file: RulesFile;
  readonly plans: readonly SitePlan[];
  readonly base: string | null;
  readonly tmpdir: string;
  /** Where the rules go; `-` is standard output, which is written once, at the end. */
  readonly output: string;
  /** The stamp of the output when the rules were read; by default it is taken now. */
  readonly stamp?: Stamp;
  readonly flags: ValidationFlags & { readonly quiet?: boolean; readonly verbose?: boolean; readonly json?: boolean };
  /** Who reads the site, by the log; undefined if the site itself is not asked. */
  readonly readership?: Readership | undefined;
  /** What `--trackers` names. */
  readonly trackers?: TrackerList | undefined;
  /** True if the list was mined in this run, or is that of a state. */
  readonly isWholeList?: boolean;
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
  /** With `--budget` and a state: what the site refutes, and how it is kept. */
  readonly asked?: AskedBefore | undefined;
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

/** Undefined without a list. Throws a UserError for one that cannot be read. */
export async function readTrackers(
  names: readonly string[] | undefined,
  { cwd }: Pick<Effects, 'cwd'>,
): Promise<TrackerList | undefined> {
  if (names === undefined || names.length === 0) return undefined;
  return allTrackers(
    await Promise.all(names.map(async (name) => parseTrackers(await textOf(name, cwd), printable(name)))),
  );
}

async function textOf(name: string, cwd: string): Promise<string> {
  try {
    return await readFile(systemName(resolve(cwd, name)), 'utf8');
  } catch (error) {
    throw unreadable(error, name, '--trackers expects a list of ClearURLs or AdGuard');
  }
}
