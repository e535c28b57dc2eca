// The flags for rules that are mined night after night.
import type { Command } from 'commander';
import { UserError } from '../base/error.js';
import { FORGET_DAYS } from '../rule/history.js';
import { isNight } from '../rule/night.js';
import { parseDuration } from './validate-flags.js';

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
