// What `dustbuster pin`, `veto` and `turn` do: rules named on the command line -> entries of the local rules.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { systemCode, UserError } from '../../base/error.js';
import { writeFileWhole } from '../../base/output.js';
import { namedRule } from '../../report/named-rule.js';
import { ruleLine } from '../../report/render.js';
import { decided, turned, undecided, writeLocalRules, type Decision } from '../../rule/decide.js';
import { idOf } from '../../rule/id.js';
import { sayingKey } from '../../rule/identity.js';
import { readLocalRules, type LocalRules } from '../../rule/local.js';
import { applyLocalRules } from '../../rule/marks.js';
import type { Rule, RulesFile } from '../../rule/rule.js';
import { isInsertion } from '../../rule/standing.js';
import type { DecideFlags } from '../flags/decide.js';
import { localFileBeside } from '../flags/local.js';
import { distrust, refuseReplacing, unreadable } from '../files.js';
import { guardingOutput } from '../terminal/signals.js';
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
  if (name === '-' && flags.local === undefined) {
    throw new UserError('rules from standard input have no folder for decisions; name the file for them with --local');
  }
  const local = flags.local ?? localFileBeside(name);
  refuseReplacing(name, local, effects);
  const file = await loadRules(name, effects);
  const before = await readEntries(local, flags.local === undefined, effects);
  // With the pins: a rule that was turned is found under the id that tables show.
  const known = before === undefined ? file : applyLocalRules(file, before).file;
  const candidates = [...new Map([...file.rules, ...known.rules].map(byId)).values()];
  const rules = names.map((one) => namedRule(candidates, one));
  const entries = rules.reduce(
    (all, rule) => (flags.undo === true ? undecided(all, rule) : decided(all, rule, decision, flags.note)),
    before?.entries ?? [],
  );
  const text = writeLocalRules(entries, before?.note);
  await guardingOutput(() => writeFileWhole(local, [text], effects));
  const after = applyLocalRules(file, readLocalRules(Buffer.from(text), printable(local))).file;
  for (const rule of rules) report(decision, rule, after, { flags, local }, effects);
  return 0;
}

function byId(rule: Rule): [string, Rule] {
  return [idOf(rule), rule];
}

/** Undefined if there is no such file yet. One that strangers may write is not added to. */
async function readEntries(name: string, isDefault: boolean, effects: Effects): Promise<LocalRules | undefined> {
  const path = resolve(effects.cwd, name);
  const reason = isDefault ? await distrust(path) : undefined;
  if (reason !== undefined) {
    throw new UserError(`${printable(name)} is not changed: ${reason}. --local ${printable(name)} changes it`);
  }
  try {
    return readLocalRules(await readFile(path), printable(name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadable(error, name, 'Name another with --local');
  }
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
