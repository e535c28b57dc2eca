// What is carried over to tonight's rules of classes of hosts? Verdicts belong to hosts, and each night has other hosts.
// So a class is what its rule says without them.
//
//     last night                 tonight's mining           tonight's file
//     remove sid, valid a b      remove sid, likely a b d   remove sid, valid a b     pages decided, the log agrees
//     remove sid, invalid c                                 remove sid, invalid c     not tried again every night
//     remove sid, likely e                                  remove sid, likely d      no page has spoken for d
import { withoutConditions } from './condition.js';
import { subjectKey, type RuleSaying } from './identity.js';
import { laterNight } from './night.js';
import { isOfHosts } from './of-hosts.js';
import type { Condition, Rule } from './rule.js';

export interface CarriedHosts<R> {
  /** Earlier rules as they stand tonight. */
  readonly previous: readonly Rule[];
  /** Tonight's rules without hosts that have a verdict; those of which no host is left are gone. */
  readonly mined: readonly R[];
}

/**
 * Has earlier verdicts decide on their hosts. A rule that is mined tonight, on whatever hosts, supports the earlier rules
 * that say the same. Rules that are of no class stay as they are.
 */
export function carryHosts<R extends RuleSaying>(
  previous: readonly Rule[],
  mined: readonly R[],
  night: string,
): CarriedHosts<R> {
  const decided = new Map<string, Decided>();
  for (const rule of previous) if (isDecidedOnHosts(rule)) decidedOf(decided, rule).add(rule);
  if (decided.size === 0) return { previous, mined };
  const supported = new Map<string, string>();
  for (const rule of mined.filter(isOfHosts)) {
    const seen = rule.status === 'likely' ? night : (rule.history?.lastSupported ?? night);
    supported.set(keyOf(rule), laterNight(supported.get(keyOf(rule)) ?? seen, seen));
  }
  return {
    previous: previous.map((rule) => (isDecidedOnHosts(rule) ? supportedOn(rule, supported.get(keyOf(rule))) : rule)),
    mined: mined.flatMap((rule) => (isOfHosts(rule) ? (decided.get(keyOf(rule))?.restOf(rule) ?? [rule]) : [rule])),
  };
}

/** True for a rule of a class on the hosts for which pages have decided. */
export function isDecidedOnHosts(rule: Rule): boolean {
  return isOfHosts(rule) && rule.status !== 'likely';
}

/** Equal for rules of one class, whatever their hosts: what they are about, and the software. */
export function classKey(rule: RuleSaying): string {
  return `${keyOf(rule)} ${rule.hosts?.software ?? ''}`;
}

/** The same for both directions, and for hosts of all software. */
function keyOf(rule: RuleSaying): string {
  return subjectKey(withoutConditions(rule));
}

function decidedOf(all: Map<string, Decided>, rule: Rule): Decided {
  const key = keyOf(rule);
  let decided = all.get(key);
  if (decided === undefined) all.set(key, (decided = new Decided()));
  return decided;
}

/** The hosts on which pages have decided about a class. */
class Decided {
  readonly #hosts = new Set<string>();
  readonly #refuted = new Map<string, Condition>();
  /** Hosts without a verdict, if all others have one. */
  #others: ReadonlySet<string> | undefined;

  add({ status, only, not = [] }: Rule): void {
    if (only === undefined) this.#others = new Set(not.map(({ is }) => String(is)));
    for (const condition of only ?? []) {
      this.#hosts.add(String(condition.is));
      if (status === 'invalid') this.#refuted.set(String(condition.is), condition);
    }
  }

  /** The rule on the other hosts. */
  restOf<R extends RuleSaying>(rule: R): R[] {
    if (rule.only === undefined) return this.#others === undefined ? [this.#exceptRefuted(rule)] : [];
    const only = rule.only.filter(({ is }) => !this.#has(String(is)));
    if (only.length === 0) return [];
    return [only.length === rule.only.length ? rule : { ...rule, only }];
  }

  #has(host: string): boolean {
    return this.#hosts.has(host) || (this.#others !== undefined && !this.#others.has(host));
  }

  /** A rule for all hosts but some stays one. */
  #exceptRefuted<R extends RuleSaying>(rule: R): R {
    if (this.#refuted.size === 0) return rule;
    const not = new Map([...(rule.not ?? []).map((one) => [String(one.is), one] as const), ...this.#refuted]);
    return { ...rule, not: [...not.keys()].sort().map((host) => not.get(host)!) };
  }
}

function supportedOn(rule: Rule, night: string | undefined): Rule {
  const { history } = rule;
  if (history === undefined || night === undefined) return rule;
  return { ...rule, history: { ...history, lastSupported: laterNight(history.lastSupported, night) } };
}
