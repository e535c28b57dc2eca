// What does a rule of a class of hosts say about one host? On how many hosts it holds, and how this host stands:
//
//     held on 1,893 of 1,901 hosts that say something, so on at least 99.3 % of such hosts (software: doku.php, do=)
//     a.example is among the hosts where it holds
import { withoutConditions } from '../rule/condition.js';
import { printable } from '../base/bytes.js';
import { agreeing } from '../base/amounts.js';
import { compileRule, imageOf } from '../rule/apply.js';
import { hostOf, isOfHosts } from '../rule/of-hosts.js';
import { sayingKey } from '../rule/identity.js';
import type { Rule } from '../rule/rule.js';
import { accepts, isVetoed, type Accept } from '../rule/standing.js';
import { ruleWords } from '../rule/words/sentence.js';

/** Undefined for a rule that is of no class of hosts. */
export function classWords({ status, hosts }: Rule): string | undefined {
  if (hosts === undefined) return undefined;
  const { holds, of, least, software } = hosts;
  const heard = status === 'likely' ? 'that say something' : 'that were asked';
  const which = software === undefined ? '' : ` (software: ${printable(software)})`;
  return `holds on ${holds.toLocaleString('en')} of ${counted(of)} ${heard}, so on at least ${percent(least)} of such hosts${which}`;
}

function counted(hosts: number): string {
  return `${hosts.toLocaleString('en')} ${agreeing(hosts, 'host', 'hosts')}`;
}

/** Rounded down, as it is a bound. */
function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

/** How the host of a URL stands with a class rule that was applied to it. */
export function hostWords({ only, not }: Rule, host: string): string {
  const name = printable(host);
  if (only !== undefined) return `${name} is among the hosts where it holds`;
  return not === undefined
    ? `it holds on all hosts, so on ${name} too`
    : `nothing speaks against it on ${name}: it is none of the ${counted(not.length)} where it fails`;
}

/** A class rule that would change a form, but is not applied on this host. */
export interface Elsewhere {
  readonly rule: Rule;
  readonly host: string;
  /** `fails`: on this host; `unknown`: it is not known to hold there. */
  readonly standing: 'fails' | 'unknown';
}

export function elsewhereWords({ rule, host, standing }: Elsewhere): string {
  const name = printable(host);
  const where = `${name} is ${standing === 'fails' ? 'among the hosts where it does not hold' : 'not among the hosts where it holds'}`;
  return `is not applied: ${where}: ${printable(ruleWords(withoutConditions(rule)))}`;
}

/** Finds the class rules that would change one of these forms, but are not applied on its host; one a statement. */
export function elsewhereOf(
  rules: readonly Rule[],
  accept: Accept,
): (forms: readonly Uint8Array[], applied: ReadonlySet<Rule>) => readonly Elsewhere[] {
  const classes = rules.filter((rule) => isOfHosts(rule) && !isVetoed(rule)).map((rule) => ({ rule, ...bareOf(rule) }));
  return (forms, applied) => {
    const done = new Set(classes.filter(({ rule }) => applied.has(rule)).map(({ statement }) => statement));
    const found = new Map<string, Elsewhere>();
    for (const { rule, statement, compiled } of classes) {
      const form = done.has(statement) ? undefined : forms.find((one) => imageOf(compiled, one, 0) !== one);
      if (form === undefined) continue;
      const host = hostOf(form);
      const standing = isRefutedOn(rule, host) ? 'fails' : 'unknown';
      const known = found.get(statement);
      if (known === undefined || (known.standing === 'unknown' && (standing === 'fails' || accepts(rule, accept))))
        found.set(statement, { rule, host, standing });
    }
    return [...found.values()];
  };
}

function bareOf(rule: Rule) {
  const bare = withoutConditions(rule);
  return { statement: sayingKey(bare), compiled: compileRule(bare) };
}

function isRefutedOn({ status, only = [], not = [] }: Rule, host: string): boolean {
  return (status === 'invalid' ? only : not).some(({ is }) => is === host);
}
