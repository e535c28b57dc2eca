// Which rules does a validation visit, and which night is recorded for that?
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { unlessRefused } from '../../../base/error.js';
import { released } from '../../../rule/held-back.js';
import { newHistory, nightAfterAll } from '../../../rule/history.js';
import { nightOf } from '../../../rule/night.js';
import type { NightRules, Rule, RulesFile } from '../../../rule/rule.js';
import { isKey, isAnsweringKey, isVetoed } from '../../../rule/standing.js';
import { dueRules } from '../../../validate/budget.js';
import { withoutAnswer } from '../../../validate/key.js';
import type { NightFlags } from '../../flags/history.js';
import type { ValidationFlags } from '../../flags/validation.js';
import type { Run } from './run.js';

/**
 * How old cached answers may be in a run with a budget, in seconds: the questions of a site may take weeks of nights.
 */
const NIGHTS_SECONDS = 30 * 86_400;

/** With `--budget`, that is the limit of requests, and cached answers are used for longer. */
export function spendingBudget<F extends ValidationFlags>(flags: F): F {
  const { budget, maxFetches, maxAge } = flags;
  if (budget === undefined) return flags;
  return { ...flags, maxFetches: Math.min(budget, maxFetches), maxAge: Math.max(maxAge, NIGHTS_SECONDS) };
}

interface NightPlace {
  /** The name of the rules file, for the message about the last night in it. */
  readonly name: string;
  /** True if the rules get a history even if they had none. */
  readonly hasHistory: boolean;
}

/** The night of a run, if the rules have a history or get one. Warns if the clock was turned back. */
export function nightOfRun(
  file: Pick<RulesFile, 'night'> | null,
  { now }: NightFlags,
  effects: Effects,
  { name, hasHistory }: NightPlace,
): string | undefined {
  if (!hasHistory && file?.night === undefined) return undefined;
  const today = now ?? nightOf(effects.now());
  const night = nightAfterAll(file, today);
  if (night !== today) {
    const line = lineOfNight(resolve(effects.cwd, name));
    effects.stderr.write(
      `dustbuster: ${printable(name)}${line === undefined ? '' : `, line ${line}`}: today is ${today}, but the rules are ` +
        `already of ${night}: using ${night}. If that day was wrong, correct "night" there, and the later days in the ` +
        'histories\n',
    );
  }
  return night;
}

/** The line of the file that has the night. Undefined if it cannot be read, or was not written line by line. */
function lineOfNight(path: string): number | undefined {
  const text = unlessRefused(() => readFileSync(path, 'utf8')) ?? '';
  const at = text.search(/^ *"night":/m);
  return at < 0 ? undefined : text.slice(0, at).split('\n').length;
}

/**
 * Prepares the file: rules to visit become likely, and `visited` keeps their earlier state. Without other flags these
 * are the rules without a verdict; with `--again`, all. With `--budget` verdicts stay, and the due ones are checked
 * again.
 */
export function toVisit<F extends NightRules>(
  given: F,
  { again, budget }: { readonly again?: boolean; readonly budget?: number },
  night: string | undefined,
): Pick<Run, 'visited' | 'night' | 'due'> & { readonly file: F } {
  const loaded = released(given);
  const visited = new Map<Rule, Rule>();
  if (night === undefined) {
    const file = again === true ? { ...loaded, rules: loaded.rules.map(forgotten) } : loaded;
    return { file, visited, night };
  }
  const before = loaded.rules.map((rule) => ({ ...rule, history: rule.history ?? newHistory(night) }));
  const rules = before.map((rule) => {
    if (rule.status === 'likely' || isVetoed(rule) || again !== true) return rule;
    const pending = forgotten(rule);
    visited.set(pending, rule);
    return pending;
  });
  const file = { ...loaded, night, rules };
  if (budget === undefined) return { file, visited, night };
  return { file, visited, night, due: dueRules(rules, night).filter(({ status }) => status !== 'likely') };
}

/** The rule without its verdict and exceptions, which are searched for again. */
function forgotten(rule: Rule): Rule {
  if (isVetoed(rule)) return rule;
  const { except: _except, ...bare } = isKey(rule) && !isAnsweringKey(rule) ? withoutAnswer(rule) : undecided(rule);
  return bare;
}

function undecided(rule: Rule): Rule {
  const { verdict: _verdict, otherWay: _otherWay, ...bare } = rule;
  return { ...bare, status: 'likely' };
}
