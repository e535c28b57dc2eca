// What `dustbuster pin`, `veto` and `turn` do: rules named on the command line -> entries of the local rules.
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { namedRule } from '../../report/named-rule.js';
import { ruleLine } from '../../report/render.js';
import { decided, turned, undecided, type Decision } from '../../rule/decide.js';
import { idOf } from '../../rule/id.js';
import { sayingKey } from '../../rule/identity.js';
import { applyLocalRules } from '../../rule/marks.js';
import type { Rule, RulesFile } from '../../rule/rule.js';
import { isInsertion } from '../../rule/standing.js';
import type { DecideFlags } from '../flags/decide.js';
import { decisionsFile, readDecisions, writeDecisions } from './rules/decisions-file.js';
import { loadRules } from './rules/load.js';
import { noEffect } from './rules/no-effect.js';

/** Returns the exit code. Nothing is written if one of the rules is not found. */
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
  const file = await loadRules(name, effects);
  const before = await readDecisions(local, flags.local === undefined, effects);
  // With the pins: a rule that was turned is found under the id that tables show.
  const known = before === undefined ? file : applyLocalRules(file, before).file;
  const candidates = [...new Map([...file.rules, ...known.rules].map(byId)).values()];
  const rules = names.map((one) => namedRule(candidates, one));
  const entries = rules.reduce(
    (all, rule) => (flags.undo === true ? undecided(all, rule) : decided(all, rule, decision, flags.note)),
    before?.entries ?? [],
  );
  const after = applyLocalRules(file, await writeDecisions(local, entries, before, effects)).file;
  for (const rule of rules) report(decision, rule, after, { flags, local }, effects);
  return 0;
}

function byId(rule: Rule): [string, Rule] {
  return [idOf(rule), rule];
}

function report(
  decision: Decision,
  rule: Rule,
  file: RulesFile,
  { flags, local }: { readonly flags: DecideFlags; readonly local: string },
  effects: Effects,
): void {
  const standing = decision === 'turn' && flags.undo !== true ? turned(rule) : rule;
  const what = flags.undo === true ? 'no longer decided' : DONE[decision];
  if (flags.quiet !== true) {
    effects.stderr.write(`${idOf(standing)} ${ruleLine(standing)}: ${what}, in ${printable(local)}\n`);
  }
  if (flags.undo === true || decision === 'veto') return;
  if (decision === 'turn' && isInsertion(standing)) {
    const advice = `say where it holds, with "only" or "not" in ${printable(local)}`;
    effects.stderr.write(`dustbuster: ${ruleLine(standing)} adds text to every URL that it matches: ${advice}\n`);
  }
  const pinned = file.rules.find((one) => sayingKey(one) === sayingKey(standing));
  const reason = pinned === undefined ? undefined : noEffect(pinned, file);
  if (reason !== undefined)
    effects.stderr.write(`dustbuster: the pin ${ruleLine(standing)} has no effect: ${reason}\n`);
}

const DONE: Readonly<Record<Decision, string>> = { pin: 'pinned', veto: 'vetoed', turn: 'turned, and pinned' };
