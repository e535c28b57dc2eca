// The flags for rules that are mined night after night.
import type { Command } from 'commander';
import { UserError } from '../../base/error.js';
import { FORGET_DAYS, isNight } from '../../rule/night.js';
import type { LocalFlags } from './local.js';
import { parseDuration } from './validation.js';

export interface NightFlags {
  /** A day by UTC. */
  readonly now?: string;
}

export interface HistoryFlags extends NightFlags {
  readonly history?: string;
  /** Days. */
  readonly forget?: number;
  readonly check?: boolean;
  readonly failOnChange?: boolean;
}

export type LedgerFlags = HistoryFlags &
  LocalFlags & {
    readonly output?: string;
    readonly quiet?: boolean;
    readonly budget?: number;
    readonly stage?: string;
    readonly state?: string;
  };

export function addHistoryOptions(command: Command): void {
  command
    .optionsGroup('Night after night:')
    .option('--history <file>', 'the rules file of the nights before: its verdicts and histories are carried over')
    .option(
      '--forget <time>',
      `with --history: how long a proven rule is kept that the log does not speak for any more (default: ${FORGET_DAYS}d)`,
      parseDays,
    )
    .option('--check', 'write nothing, and end with 1 if the rules in the file would change in what they say or do')
    .option('--fail-on-change', 'write the file, and end with 1 if they have changed so');
  addNightOption(command);
}

export function addNightOption(command: Command): void {
  command
    .optionsGroup('Night after night:')
    .option('--now <day>', 'the day of histories instead of today (UTC), as in 2026-11-21', parseNight)
    .optionsGroup('');
}

function parseNight(text: string): string {
  if (isNight(text)) return text;
  throw new UserError(`--now: got "${text}", expected a day as in 2026-11-21`);
}

function parseDays(text: string): number {
  return parseDuration(text, '--forget') / 86_400;
}

/** Throws a UserError for flags that contradict each other. */
export function checkHistoryFlags(flags: LedgerFlags, isValidating: boolean): void {
  const { check, failOnChange, output, history, forget, stage, state, budget } = flags;
  if (check === true && isValidating)
    throw new UserError('--check: got it with a validation, which writes as it goes; leave one out');
  if ((check === true || failOnChange === true) && output === '-') {
    const name = check === true ? '--check' : '--fail-on-change';
    throw new UserError(`${name}: got standard output, expected a file with -o that can be compared`);
  }
  if (stage !== undefined && (history !== undefined || check === true || failOnChange === true)) {
    throw new UserError(`--stage ${stage} writes no rules: leave it out, or --history, --check and --fail-on-change`);
  }
  if (budget !== undefined && !isValidating)
    throw new UserError('--budget: got nothing to fetch for, expected --fetch with it');
  if (forget !== undefined && history === undefined && state === undefined)
    throw new UserError('--forget: got no --history to forget from');
}
