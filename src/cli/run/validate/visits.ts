// Which rules does a validation visit, and under which night is that recorded?
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { unlessRefused } from '../../../base/error.js';
import { released } from '../../../rule/held-back.js';
import { newHistory, nightAfterAll } from '../../../rule/history.js';
import { nightOf } from '../../../rule/night.js';
import type { NightRules, Rule, RulesFile } from '../../../rule/rule.js';
import { isKey, isKeyByHits, isOpen, isVetoed } from '../../../rule/standing.js';
import { dueRules } from '../../../validate/budget.js';
import { withoutAnswer } from '../../../validate/key.js';
import type { NightFlags } from '../../flags/history.js';
import type { ValidationFlags } from '../../flags/validation.js';
import type { Run } from './run.js';

/** An older page says nothing new about a rule that was validated yesterday. */
const FRESH_SECONDS = 12 * 3600;

/** With `--budget` there are as many requests, and pages of earlier nights do not count. */
export function spendingBudget<F extends ValidationFlags>(flags: F): F {
  const { budget, maxFetches, maxAge } = flags;
  if (budget === undefined) return flags;
  return { ...flags, maxFetches: Math.min(budget, maxFetches), maxAge: Math.min(maxAge, FRESH_SECONDS) };
}

interface NightPlace {
  /** Where the rules are, to be named if their night is wrong. */
  readonly name: string;
  /** True if the rules get a history whether they have one or not. */
  readonly hasHistory: boolean;
}

/** The night of a run: only for rules that have a history, or get one. Warns if the clock was turned back. */
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

/** Undefined if it cannot be read, or is not one that was written line by line. */
function lineOfNight(path: string): number | undefined {
  const text = unlessRefused(() => readFileSync(path, 'utf8')) ?? '';
  const at = text.search(/^ *"night":/m);
  return at < 0 ? undefined : text.slice(0, at).split('\n').length;
}

/**
 * The file with the rules to visit as if they were only likely, and their state until the verdict changes. Visited are
 * rules without verdict; with `--again` all, with `--budget` all that are due.
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
  const due = budget === undefined ? undefined : dueRules(before, night);
  const isDue = new Set(due ?? (again === true ? before : []));
  const asVisited = new Map<Rule, Rule>();
  const rules = before.map((rule) => {
    if (rule.status === 'likely' || isVetoed(rule) || !isDue.has(rule)) return rule;
    const pending = again === true ? forgotten(rule) : undecided(rule);
    visited.set(pending, rule);
    asVisited.set(rule, pending);
    return pending;
  });
  const file = { ...loaded, night, rules };
  if (due === undefined) return { file, visited, night };
  return { file, visited, night, due: due.map((rule) => asVisited.get(rule) ?? rule).filter(isOpen) };
}

function undecided(rule: Rule): Rule {
  const { verdict: _verdict, otherWay: _otherWay, ...bare } = rule;
  if (isKey(rule) && !isKeyByHits(rule)) return withoutAnswer(rule);
  return { ...bare, status: 'likely' };
}

/** Exceptions are searched for anew, too. */
function forgotten(rule: Rule): Rule {
  if (isVetoed(rule)) return rule;
  const { except: _except, ...bare } = undecided(rule);
  return bare;
}
