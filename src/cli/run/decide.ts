// What `dustbuster pin`, `veto` and `turn` do: rules named on the command line -> entries of the local rules.
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { namedRule } from '../../report/named-rule.js';
import { decided, hasOtherWay, turned, undecided, type Decision } from '../../rule/decide.js';
import { idOf } from '../../rule/id.js';
import { sayingKey } from '../../rule/identity.js';
import { asRule, type LocalEntry } from '../../rule/local.js';
import { applyLocalRules } from '../../rule/marks.js';
import type { Rule, RulesFile } from '../../rule/rule.js';
import { isInsertion } from '../../rule/standing.js';
import { ruleMention } from '../../rule/words/sentence.js';
import type { DecideFlags } from '../flags/decide.js';
import { decisionsFile, lockDecisions, readDecisions, writeDecisions } from './rules/decisions-file.js';
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
  return lockDecisions(local, `dustbuster ${decision}`, effects, async () => {
    const before = await readDecisions(local, flags.local === undefined, effects);
    // With the pins: a rule that was turned is found under the id that tables show.
    const known = before === undefined ? file : applyLocalRules(file, before).file;
    const candidates = [...new Map([...file.rules, ...known.rules].map(byId)).values()];
    const rules = names.map((one) => namedRule(candidates, one, otherWays(candidates)));
    const entries = rules.reduce(
      (all, rule) => (flags.undo === true ? undecided(all, rule) : decided(all, rule, decision, flags.note)),
      before?.entries ?? [],
    );
    const after = applyLocalRules(file, await writeDecisions(local, entries, before, effects)).file;
    for (const rule of rules) {
      const replaced = flags.undo === true ? '' : replacedWords(before?.entries ?? [], rule, decision);
      report(decision, rule, after, { flags, local, replaced }, effects);
    }
    return 0;
  });
}

/** A rule that was turned for good is also found under the id that it had before. */
function otherWays(rules: readonly Rule[]): readonly Rule[] {
  return rules.flatMap((rule) => (hasOtherWay(rule) ? [turned(rule)] : []));
}

/** `, in place of the veto "not here"`, if something else was decided on the rule before. */
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
