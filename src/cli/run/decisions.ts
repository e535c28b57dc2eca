// What `dustbuster pin --list` shows: the decisions on rules, and which of them have an effect.
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { createSink, pour } from '../../base/output.js';
import { many } from '../../base/plural.js';
import { textTable, type TextRow } from '../../report/text-table.js';
import { idOf } from '../../rule/id.js';
import { sayingKey } from '../../rule/identity.js';
import { asRule, describeVeto, rulesMeant, type LocalEntry } from '../../rule/local.js';
import type { Rule, RulesFile } from '../../rule/rule.js';
import { accepts, isVetoed } from '../../rule/standing.js';
import type { DecideFlags } from '../flags/decide.js';
import { ruleSentence } from '../../rule/words/sentence.js';
import { loadRules } from './rules/load.js';
import { widthOf } from '../terminal/width.js';
import { findLocalRules, markRules } from './rules/local.js';
import { noEffect } from './rules/no-effect.js';

const HEAD = ['decision', 'id', 'site', 'effect', 'note', 'rule'];

/** Returns the exit code. */
export async function listDecisions(
  name: string,
  names: readonly string[],
  flags: DecideFlags,
  effects: Effects,
): Promise<number> {
  const other = names[0] ?? (flags.undo === true ? '--undo' : flags.note === undefined ? undefined : '--note');
  if (other !== undefined)
    throw new UserError(`--list shows decisions and takes none; got ${printable(other)} with it`);
  const file = await loadRules(name, effects);
  const local = await findLocalRules(name, flags, effects);
  const marked = markRules(file, local, effects, true);
  const { vetoes, entries } = local.kind === 'file' ? local.rules : { vetoes: [], entries: [] };
  const pins = entries.filter(({ pin }) => pin === true);
  const notes = new Map(pins.map((entry) => [sayingKey(asRule(entry)), entry.note]));
  // Vetoes that were written in the rules file itself, or that a copy of it has kept.
  const marks = marked.rules.filter((rule) => isVetoed(rule) && (rule.veto === true || local.kind !== 'file'));
  const rows = [
    ...marked.rules
      .filter(({ pin = false }) => pin !== false)
      .map((rule) => pinRow(rule, marked, notes.get(sayingKey(rule)))),
    ...Array.from(rulesMeant(vetoes, marked.rules), ([veto, meant]) => vetoRow(veto, meant)),
    ...marks.map((rule) => rowOf('veto', rule, 'not applied')),
  ];
  const text =
    rows.length === 0
      ? 'No rule is pinned or vetoed.\n'
      : textTable(rows, { head: HEAD, right: new Set(), width: widthOf(effects) });
  await pour([text], createSink(effects.stdout));
  return 0;
}

function pinRow(rule: Rule, file: RulesFile, note: string | undefined): TextRow {
  const reason = noEffect(rule, file);
  if (reason !== undefined) return rowOf('pin', rule, `none: ${reason}`, note);
  const bare: Rule = { ...rule, pin: false };
  return rowOf('pin', rule, accepts(bare, 'valid') ? 'applied, as it would be without the pin' : 'applied', note);
}

/** A veto that matches one rule is shown as that rule, any other as it is written. */
function vetoRow(veto: LocalEntry, meant: readonly Rule[]): TextRow {
  const [rule] = meant;
  if (rule !== undefined && meant.length === 1) return rowOf('veto', rule, 'not applied', veto.note);
  const effect =
    rule === undefined ? 'none: it matches no rule of the file' : `${many(meant.length, 'rule')} not applied`;
  return { cells: ['veto', '', '', effect, printable(veto.note ?? '')], texts: [printable(describeVeto(veto))] };
}

function rowOf(decision: string, rule: Rule, effect: string, note = rule.note ?? ''): TextRow {
  const cells = [decision, idOf(rule), printable(rule.site), effect, printable(note)];
  return { cells, texts: [printable(ruleSentence(rule))] };
}
