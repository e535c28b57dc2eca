// Rules of classes of hosts are validated first, by a few pairs of each host; then the sites with rules of their own.
import { many } from '../../../base/amounts.js';
import { isOfHosts } from '../../../rule/of-hosts.js';
import type { RuleSaying } from '../../../rule/identity.js';
import type { Rule } from '../../../rule/rule.js';
import { isOpen, isPinned } from '../../../rule/standing.js';
import { settleRule } from '../../../rule/visit.js';
import { askClasses, statementOf } from '../../../validate/hosts/ask.js';
import { HostPlanner } from '../../../validate/hosts/plan.js';
import { figureOf, settlementOf } from '../../../validate/hosts/settle.js';
import { sketchOf, type PlanOptions, type SitePlan } from '../../../validate/plan.js';
import type { Settlement } from '../../../validate/settlement.js';
import type { PageSource } from '../../../validate/source.js';
import { isAsking, type Run, siteAsked } from './run.js';

/** Of a night's budget, as sites have rules of their own. */
const SHARE_OF_NIGHT = 0.5;

/** Draws pairs for those of the rules that are of classes of hosts. */
export function hostPlanner(
  rules: readonly RuleSaying[],
  { withSketches, asStranger }: Pick<PlanOptions, 'withSketches' | 'asStranger'>,
): HostPlanner {
  const ofHosts = rules.filter(isOfHosts);
  return new HostPlanner(ofHosts, { asStranger, ...(withSketches && { sketchOf }) });
}

/** The rules of the run that are asked host by host. */
export function classesOf({ file, hosts, flags }: Pick<Run, 'file' | 'hosts' | 'flags'>): readonly Rule[] {
  if (hosts === undefined || !isAsking(flags) || flags.auditAlone === true) return [];
  return file.rules.filter((rule) => isOfHosts(rule) && isOpen(rule) && !isPinned(rule));
}

/** The plans without rules that are asked host by host. */
export function plansOfSites(plans: readonly SitePlan[], run: Pick<Run, 'hosts' | 'flags'>): SitePlan[] {
  if (run.hosts === undefined || !isAsking(run.flags)) return [...plans];
  return plans.flatMap((plan) => {
    const rules = plan.rules.filter(({ rule }) => !isOfHosts(rule));
    return rules.length === 0 && plan.rules.length > 0 && plan.site === '*' ? [] : [{ ...plan, rules }];
  });
}

/** For people, before the requests. Empty without such rules. */
export function hostsLine(run: Run): string {
  const classes = classesOf(run);
  const sites = new Set(run.hosts?.plansOf(classes).flatMap((one) => one.sites.map(({ site }) => site)));
  return classes.length === 0
    ? ''
    : `Rules of classes of hosts: ${classes.length}, asked on ${many(sites.size, 'site')}\n`;
}

export interface SettledClasses {
  /** The run with what became of these rules in its file. */
  readonly run: Run;
  readonly settlements: readonly Settlement[];
}

interface Settling {
  readonly source: PageSource;
  readonly signal: AbortSignal;
  /** Called before pages are asked for that are known by these sketches. */
  readonly hold?: ((sketches: ReadonlyMap<string, string>) => void) | undefined;
}

export async function settleClasses(run: Run, { source, signal, hold }: Settling): Promise<SettledClasses> {
  const { file, flags, visited, night } = run;
  const classes = classesOf(run);
  if (classes.length === 0) return { run, settlements: [] };
  const { N, epsilon, minSamples, seed, budget, maxFetches } = flags;
  const proved = new Set(file.rules.filter(isProved).map(statementOf));
  const maxRequests = budget === undefined ? Infinity : Math.floor(SHARE_OF_NIGHT * maxFetches);
  const asking = { N, epsilon, minSamples, seed, pathOnly: false, source, signal, maxRequests, proved };
  const siteOf = siteAsked('*', run);
  hold?.(run.hosts!.sketches);
  const answers = await askClasses(run.hosts!.plansOf(classes), { ...asking, siteOf });
  const settlements = answers.map((answer) => settlementOf(answer, source.name));
  const settled = new Map(
    settlements
      .filter(({ outcome }) => outcome !== 'unasked')
      .map(({ before, after }) => [before, settleRule(visited.get(before) ?? before, after, night)]),
  );
  const rules = file.rules.flatMap((rule) => settled.get(rule) ?? [rule]);
  return { run: { ...run, file: { ...file, rules: joined(rules) } }, settlements };
}

function isProved(rule: Rule): boolean {
  return isOfHosts(rule) && rule.status === 'valid' && rule.only !== undefined;
}

/** Hosts of a later night join the rule of an earlier one. */
function joined(rules: readonly Rule[]): Rule[] {
  const first = new Map<string, number>();
  const all: Rule[] = [];
  for (const rule of rules) {
    const at = isProved(rule) ? first.get(statementOf(rule)) : undefined;
    if (at !== undefined) all[at] = withHostsOf(all[at]!, rule);
    else {
      if (isProved(rule)) first.set(statementOf(rule), all.length);
      all.push(rule);
    }
  }
  return all;
}

function withHostsOf(rule: Rule, other: Rule): Rule {
  const only = [...new Map([...rule.only!, ...other.only!].map((one) => [one.is, one])).values()].sort((a, b) =>
    a.is < b.is ? -1 : 1,
  );
  const [a, b] = [rule.hosts!, other.hosts!];
  const [was, now] = [rule.verdict!, other.verdict!];
  const verdict = { ...now, positive: was.positive + now.positive };
  return { ...rule, only, hosts: figureOf(a, a.holds + b.holds, a.of + b.of), verdict };
}
