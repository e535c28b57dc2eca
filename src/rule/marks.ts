// Which rules of a file do the local rules pin or veto?
//
// Marks of local rules are written into the rules file as `local`, so that a copy of the file does the same elsewhere.
// They are recomputed whenever local rules are available, so that deleting a local rule removes its mark. Marks with
// the value `true` were written by hand, and are left alone.
import { sayingKey, saidAs, subjectKey } from './identity.js';
import { newHistory } from './history.js';
import { describeVeto, rulesMeant, type LocalEntry, type LocalRules } from './local.js';
import { everySite, type NightRules, type Rule } from './rule.js';
import { isVetoed, usedAs } from './standing.js';

export interface Marked<F extends NightRules> {
  readonly file: F;
  /** Vetoes that match no rule, and are not of another rules file: perhaps a typing error. */
  readonly idleVetoes: readonly string[];
  /** Rules that are both pinned and vetoed; the veto wins. */
  readonly conflicts: readonly Rule[];
}

/** `file` with the marks of `local` in place of all earlier marks of local rules; null only removes these. */
export function applyLocalRules<F extends NightRules>(file: F, local: LocalRules | null): Marked<F> {
  if (local === null && file.rules.every(isAsItIs)) return { file, idleVetoes: [], conflicts: [] };
  const rules = pinAll(file.rules, local?.pins ?? [], file.night);
  const vetoes = local?.vetoes ?? [];
  const meant = rulesMeant(vetoes, rules);
  const vetoed = new Set([...new Set(meant.values())].flat());
  const marked = rules.map((rule) =>
    vetoed.has(rule) ? ({ ...rule, veto: rule.veto === true ? true : 'local' } as const) : rule,
  );
  return {
    file: { ...file, rules: marked.map((rule, at) => ({ ...rule, rank: at + 1 })) },
    idleVetoes: vetoes
      .filter((veto) => meant.get(veto)!.length === 0 && !isElsewhere(veto, file.rules))
      .map(describeVeto),
    conflicts: marked.filter((rule) => isVetoed(rule) && (rule.pin ?? false) !== false),
  };
}

/** True for a veto of a site that the file has no rules of: rules files of one folder share their decisions. */
function isElsewhere({ site }: LocalEntry, rules: readonly Rule[]): boolean {
  return site !== undefined && site !== everySite && rules.every((rule) => rule.site !== site);
}

/** True for a rule that is not changed and keeps its rank. */
function isAsItIs({ pin, veto, rank }: Rule, at: number): boolean {
  return pin === undefined && veto === undefined && rank === at + 1;
}

/** A pinned rule that is not in the file goes before the others: users take precedence. */
function pinAll(rules: readonly Rule[], pins: readonly Rule[], night: string | undefined): Rule[] {
  const byKey = new Map(pins.map((pin) => [sayingKey(pin), pin]));
  const exact = new Set(rules.map(sayingKey));
  const others = pins.filter((pin) => !exact.has(sayingKey(pin)));
  const bySubject = new Map(others.map((pin) => [subjectKey(pin), pin]));
  const found = new Set<Rule>();
  const left = rules.flatMap((rule) => {
    const pin = byKey.get(sayingKey(rule)) ?? bySubject.get(subjectKey(rule));
    if (pin === undefined || found.has(pin)) return isOnlyLocal(rule) ? [] : [withoutLocalMarks(rule)];
    found.add(pin);
    return [asPinned(withoutLocalMarks(rule), pin)];
  });
  const more = pins.filter((pin) => byKey.get(sayingKey(pin)) === pin && !found.has(pin));
  return [...more.map((pin) => (night === undefined ? pin : { ...pin, history: newHistory(night) })), ...left];
}

/** The rule in the direction or with the action of the pin. If these differ, it is another rule, without a verdict. */
function asPinned(found: Rule, pin: Rule): Rule {
  const rule = usedAs(found, pin);
  const mark = { pin: rule.pin === true ? true : ('local' as const) };
  if (sayingKey(rule) === sayingKey(pin)) return { ...rule, ...mark };
  const { verdict: _verdict, otherWay: _otherWay, except: _except, ...bare } = saidAs(rule, pin);
  return { ...bare, status: 'likely', ...mark };
}

function withoutLocalMarks({ pin, veto, ...rule }: Rule): Rule {
  const kept = {
    ...(pin !== undefined && pin !== 'local' && { pin }),
    ...(veto !== undefined && veto !== 'local' && { veto }),
  };
  return { ...rule, ...kept };
}

/** True for a rule that exists only because it was pinned, and was never mined. */
function isOnlyLocal(rule: Rule): boolean {
  return rule.pin === 'local' && (rule.kind === 'substring' ? rule.support.low : rule.support.urls) === 0;
}
