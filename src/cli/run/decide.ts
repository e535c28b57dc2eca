// `dustbuster pin`, `veto` and `turn`: writes rules named on the command line into the local rules. --list shows all
// decisions, and which of them have an effect.
import { many } from '../../base/amounts.js';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { createSink, pour } from '../../base/output.js';
import { type NamedRules, namedRules } from '../../report/named-rule.js';
import { type TextRow, textTable } from '../../report/text-table.js';
import {
  decided,
  type Decision,
  hasOtherWay,
  turned,
  undecided,
  unvetoedParameter,
  vetoedParameter,
} from '../../rule/decide.js';
import { idOf } from '../../rule/id.js';
import { sayingKey } from '../../rule/identity.js';
import { asRule, describeVeto, type LocalEntry, rulesMeant } from '../../rule/local.js';
import { applyLocalRules } from '../../rule/marks.js';
import type { Rule, RulesFile } from '../../rule/rule.js';
import { accepts, isInsertion, isVetoed } from '../../rule/standing.js';
import { ruleMention, ruleSentence } from '../../rule/words/sentence.js';
import type { DecideFlags } from '../flags/rules-files.js';
import { widthOf } from '../terminal/stream.js';
import { loadRules } from './rules/load.js';
import {
  decisionsFile,
  findLocalRules,
  lockDecisions,
  markRules,
  readDecisions,
  writeDecisions,
} from './rules/local.js';
import { noEffect } from './rules/no-effect.js';

/** Returns the exit code. Writes nothing if one of the rules is not found. */
export async function decide(
  decision: Decision,
  name: string,
  names: readonly string[],
  flags: DecideFlags,
  effects: Effects,
): Promise<number> {
  if (names.length === 0) {
    throw new UserError(
      `${decision}: got no rule; expected ids of rules, or rules as tables write them (--list shows decisions)`,
    );
  }
  const local = decisionsFile(name, flags.local, effects);
  const file = await loadRules(name, effects, { takesParts: true });
  return lockDecisions(local, `dustbuster ${decision}`, effects, async () => {
    const before = await readDecisions(local, flags.local === undefined, effects);
    // Applies earlier pins first: tables show a turned rule under its new id, which must be found here.
    const known = before === undefined ? file : applyLocalRules(file, before).file;
    const candidates = [...new Map([...file.rules, ...known.rules].map(byId)).values()];
    const named = names.map((one) => wantedOf(decision, namedRules(candidates, one, otherWays(candidates))));
    const rules = named.flatMap((one) => one.rules);
    const entries = named.reduce((all, one) => withDecision(all, one, decision, flags), before?.entries ?? []);
    const after = applyLocalRules(file, await writeDecisions(local, entries, before, effects)).file;
    for (const rule of rules) {
      const replaced = flags.undo === true ? '' : replacedWords(before?.entries ?? [], rule, decision);
      report(decision, rule, after, { flags, local, replaced }, effects);
    }
    return 0;
  });
}

/** Only a veto is about all rules that change a field of the parameter; pins are of the rules for the parameter itself. */
function wantedOf(decision: Decision, named: NamedRules): NamedRules {
  const own = named.rules.filter(({ kind }) => kind === 'parameter');
  return decision === 'veto' || named.parameter === undefined || own.length === 0 ? named : { ...named, rules: own };
}

/** A parameter that is vetoed by its name stays vetoed, whatever rules later nights mine for it. */
function withDecision(
  entries: readonly LocalEntry[],
  { rules, parameter }: NamedRules,
  decision: Decision,
  { undo, note }: DecideFlags,
): LocalEntry[] {
  const bare = rules.reduce(undecided, [
    ...(parameter === undefined ? entries : unvetoedParameter(entries, parameter)),
  ]);
  if (undo === true) return bare;
  if (decision !== 'veto' || parameter === undefined)
    return rules.reduce((some, rule) => decided(some, rule, decision, note), bare);
  const others = rules.filter(({ kind }) => kind !== 'parameter');
  const all = others.reduce((some, rule) => decided(some, rule, decision, note), bare);
  return vetoedParameter(all, parameter, note);
}

/** The rules before they were turned, so that the earlier ids of rules that were turned for good are found too. */
function otherWays(rules: readonly Rule[]): readonly Rule[] {
  return rules.flatMap((rule) => (hasOtherWay(rule) ? [turned(rule)] : []));
}

/** Such as `, in place of the veto "not here"`, if the rule had another decision before. */
function replacedWords(entries: readonly LocalEntry[], rule: Rule, decision: Decision): string {
  const left = new Set(undecided(entries, rule));
  const saying = decision === 'veto' ? undefined : sayingKey(decision === 'turn' ? turned(rule) : rule);
  const before = entries.find(
    (entry) => !left.has(entry) && (entry.pin === true ? sayingKey(asRule(entry)) : undefined) !== saying,
  );
  if (before === undefined) return '';
  const what = before.pin !== true ? 'veto' : decision === 'veto' ? 'pin' : 'pin the other way';
  return `, in place of the ${what}${before.note === undefined ? '' : ` "${printable(before.note)}"`}`;
}

function byId(rule: Rule): [string, Rule] {
  return [idOf(rule), rule];
}

function report(
  decision: Decision,
  rule: Rule,
  file: RulesFile,
  { flags, local, replaced }: { readonly flags: DecideFlags; readonly local: string; readonly replaced: string },
  effects: Effects,
): void {
  const standing = decision === 'turn' && flags.undo !== true ? turned(rule) : rule;
  const done = decision === 'turn' ? `turned, and pinned (${idOf(rule)} is its other way)` : DONE[decision];
  const what = flags.undo === true ? 'no longer decided' : done;
  if (flags.quiet !== true) {
    effects.stderr.write(`${ruleMention(standing)}: ${what}${replaced}, in ${printable(local)}\n`);
  }
  if (flags.undo === true || decision === 'veto') return;
  if (decision === 'turn' && isInsertion(standing)) {
    const advice = `say where it holds, with "only" or "not" in ${printable(local)}`;
    effects.stderr.write(`dustbuster: ${ruleMention(standing)} adds text to every URL that it matches: ${advice}\n`);
  }
  if (decision === 'turn' && standing.kind === 'parameter' && standing.action === 'set') {
    effects.stderr.write(
      `dustbuster: ${ruleMention(standing)} gives the parameter this value in all URLs that have it: where pages need ` +
        `theirs, veto ${idOf(rule)} instead\n`,
    );
  }
  const pinned = file.rules.find((one) => sayingKey(one) === sayingKey(standing));
  const reason = pinned === undefined ? undefined : noEffect(pinned, file);
  if (reason !== undefined)
    effects.stderr.write(`dustbuster: the pin of ${ruleMention(standing)} has no effect: ${reason}\n`);
}

const DONE = { pin: 'pinned', veto: 'vetoed' } as const;

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
    throw new UserError(`--list takes no rules, as it shows all decisions; got ${printable(other)} with it`);
  const file = await loadRules(name, effects, { takesParts: true });
  const local = await findLocalRules(name, flags, effects);
  const marked = markRules(file, local, effects, true);
  const { vetoes, entries } = local.kind === 'file' ? local.rules : { vetoes: [], entries: [] };
  const pins = entries.filter(({ pin }) => pin === true);
  const notes = new Map(pins.map((entry) => [sayingKey(asRule(entry)), entry.note]));
  // Vetoes that stand in the rules file itself, or that it has kept as a copy of another file.
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

/** A row for a veto. If it matches one rule, the row shows that rule; otherwise the veto as written. */
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
