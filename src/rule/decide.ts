// Turns a user's decision on a rule into an entry of the local rules, and removes entries that it replaces.
import { UserError } from '../base/error.js';
import { subjectKey } from './identity.js';
import { asRule, type LocalEntry } from './local.js';
import { isOfHosts } from './of-hosts.js';
import type { Rule } from './rule.js';

export type Decision = 'pin' | 'veto' | 'turn';

/** The entries with this decision, which replaces earlier ones about the same rule. */
export function decided(entries: readonly LocalEntry[], rule: Rule, decision: Decision, note?: string): LocalEntry[] {
  const entry = decision === 'veto' ? vetoOf(rule) : pinOf(decision === 'turn' ? turned(rule) : rule);
  return [...undecided(entries, rule), { ...entry, ...(note !== undefined && { note }) }];
}

/** The entries without those about this rule alone: its pins, in either direction, and its veto. */
export function undecided(entries: readonly LocalEntry[], rule: Rule): LocalEntry[] {
  const veto = keyOf(vetoOf(rule));
  const turnedVeto = rule.kind === 'substring' ? keyOf(vetoOf({ ...rule, from: rule.to, to: rule.from })) : veto;
  const subject = subjectKey(rule);
  return entries.filter((entry) => {
    if (entry.pin === true) return subjectKey(asRule(entry)) !== subject;
    return keyOf(entry) !== veto && keyOf(entry) !== turnedVeto;
  });
}

/** The entries with a veto of every rule for this parameter, on any site and in any place, also of later nights. */
export function vetoedParameter(entries: readonly LocalEntry[], name: string, note?: string): LocalEntry[] {
  const veto = { ...vetoOfParameter(name), ...(note !== undefined && { note }) };
  return [...unvetoedParameter(entries, name), veto];
}

/** The entries without that veto. */
export function unvetoedParameter(entries: readonly LocalEntry[], name: string): LocalEntry[] {
  const veto = keyOf(vetoOfParameter(name));
  return entries.filter((entry) => keyOf(entry) !== veto);
}

function vetoOfParameter(name: string): LocalEntry {
  return { veto: true, kind: 'parameter', name };
}

/** False for a rule that `turned` refuses. */
export function hasOtherWay(rule: Rule): boolean {
  if (rule.kind === 'step') return rule.step === 'drop-end-slash' || rule.step === 'add-end-slash';
  return rule.kind !== 'pattern';
}

/** The reversed rule: sides exchanged, or its parameter set instead of removed. */
export function turned(rule: Rule): Rule {
  switch (rule.kind) {
    case 'substring':
      return { ...rule, from: rule.to, to: rule.from };
    case 'parameter':
      return { ...rule, action: rule.action === 'remove' ? 'set' : 'remove' };
    case 'step':
      if (rule.step === 'drop-end-slash') return { ...rule, step: 'add-end-slash' };
      if (rule.step === 'add-end-slash') return { ...rule, step: 'drop-end-slash' };
      throw new UserError(`the step ${rule.step} cannot be turned; expected a rule with two sides. Veto it instead`);
    case 'pattern':
      throw new UserError('a pattern cannot be turned; expected a rule with two sides. Veto it instead');
    default:
      return rule satisfies never;
  }
}

/** A pin: the whole rule. */
function pinOf(rule: Rule): LocalEntry {
  return { pin: true, site: rule.site, ...sayingOf(rule), ...whereOf(rule) };
}

/** A veto: a pattern that matches the rule, whatever its direction, action and value, and the hosts of a class. */
function vetoOf(rule: Rule): LocalEntry {
  const { action: _action, value: _value, ...what } = sayingOf(rule);
  return { veto: true, kind: rule.kind, site: rule.site, ...what, ...(isOfHosts(rule) ? {} : whereOf(rule)) };
}

function sayingOf(rule: Rule): LocalEntry {
  switch (rule.kind) {
    case 'substring':
      return { from: rule.from, to: rule.to, anchor: rule.anchor };
    case 'parameter': {
      const { name, action, value, scope, path } = rule;
      return { name, action, value, scope, path };
    }
    case 'step':
      return { step: rule.step, text: rule.text };
    case 'pattern':
      return { pattern: rule.pattern, template: rule.template, use: 'write' };
    default:
      return rule satisfies never;
  }
}

function whereOf({ only, not }: Rule): Pick<LocalEntry, 'only' | 'not'> {
  return { ...(only !== undefined && { only }), ...(not !== undefined && { not }) };
}

function keyOf({ note: _note, ...entry }: LocalEntry): string {
  return JSON.stringify(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One entry on each line, so that the file can be read and compared. */
export function writeLocalRules(entries: readonly LocalEntry[], note?: string): string {
  const rows = entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  const head = `{\n  "format": "dustbuster-local",\n  "version": 1,\n`;
  const remark = note === undefined ? '' : `  "note": ${JSON.stringify(note)},\n`;
  return `${head}${remark}  "rules": [${rows === '' ? '' : `\n${rows}\n  `}]\n}\n`;
}
