// What does a validation need to know, for `validate` and for `mine`? It also reads the lists of `--trackers`.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemName } from '../../../base/file-name.js';
import type { Audit, Rule, RulesFile } from '../../../rule/rule.js';
import type { RefutedQuestions } from '../../../state/refuted.js';
import { ONE_SITE } from '../../../url/public-suffix.js';
import { allTrackers, parseTrackers, type TrackerList } from '../../../validate/ask/trackers.js';
import type { HostPlanner } from '../../../validate/hosts/plan.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { Settlement } from '../../../validate/settlement.js';
import { unreadable } from '../../files.js';
import type { ValidationFlags } from '../../flags/validation.js';
import type { Readership } from '../input/readership.js';
import type { RulesOutput } from '../rules/kept-back.js';
import { siteOfPages } from './page-source.js';

/** Questions that were refuted; `keep` writes them, those of this run too. */
export interface AskedBefore {
  readonly refuted: RefutedQuestions;
  readonly keep: () => Promise<void>;
}

/** Rules of a site after its answer. */
export interface SiteOutcome {
  /** Rules in use, in the order in which they are applied. */
  readonly first: readonly Rule[];
  /** What became of rules of the file. */
  readonly settled: readonly (readonly [before: Rule, after: readonly Rule[]])[];
  readonly settlements: readonly Settlement[];
  readonly audit: Audit | undefined;
}

export interface Run {
  readonly file: RulesFile;
  readonly plans: readonly SitePlan[];
  /** What the list has for the rules of classes of hosts. */
  readonly hosts?: HostPlanner | undefined;
  readonly base: string | null;
  readonly tmpdir: string;
  /** The rules file to write. Standard output is written once, at the end. */
  readonly output: RulesOutput;
  readonly flags: ValidationFlags & {
    readonly memory: string;
    readonly quiet?: boolean;
    readonly verbose?: boolean;
    readonly json?: boolean;
  };
  /** Who reads the site, learned from the log; undefined if the live site is not requested. */
  readonly readership?: Readership | undefined;
  /** The parameters from the lists of `--trackers`. */
  readonly trackers?: TrackerList | undefined;
  /** True if the list was mined in this run, or is that of a state. */
  readonly isWholeList?: boolean;
  /** What executors found for each site; undefined if sites are asked here. */
  readonly elsewhere?: Iterable<{ readonly site: string; readonly outcome: SiteOutcome }>;
  /** The command that runs it. */
  readonly command: 'mine' | 'validate';
  /**
   * Maps each rule that has a verdict and is visited again to its earlier state, which holds until the verdict changes.
   */
  readonly visited: ReadonlyMap<Rule, Rule>;
  /** The night that is written into histories; undefined for a file without histories. */
  readonly night: string | undefined;
  /** With `--budget`: the rules whose verdicts should be checked again, the most urgent first. */
  readonly due?: readonly Rule[];
  /** With `--budget` and a state: what the site refutes, and how it is kept. */
  readonly asked?: AskedBefore | undefined;
  /** Applies the user's decisions to rules that were found during the run. */
  readonly remark: (file: RulesFile) => RulesFile;
}

/**
 * The site whose hosts may be requested for the rules of `site`, whatever host a rule or the list names. For a log
 * without hosts, and for rules of all sites, this is the site of the base. `--one-site` makes its hosts this site. With
 * neither, rules of all sites may request any site.
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

/** False for `--stop fixed`, the procedure of the paper: it goes rule by rule and asks no questions of its own. */
export function isAsking({ stop, auditAlone }: Pick<ValidationFlags, 'stop' | 'auditAlone'>): boolean {
  return auditAlone === true || stop === 'sequential';
}

/** The parameters of the lists; undefined if no list is named. Throws a UserError for a list that cannot be read. */
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
