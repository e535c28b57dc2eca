// The flags of validation, for `validate` and for `mine --fetch`, each checked as it is read.
import { Option, type Command } from 'commander';
import { UserError } from '../../base/error.js';
import { choice, numberOption } from './parse.js';

export interface ValidationFlags {
  readonly pages?: readonly string[];
  readonly bySketch?: boolean;
  readonly stop: 'sequential' | 'fixed';
  readonly N: number;
  readonly epsilon: number;
  readonly minSamples: number;
  readonly seed: number;
  readonly maxFetches: number;
  readonly budget?: number;
  /** URLs of the audit at the end; 0 for none. */
  readonly audit: number;
  /** Nothing but the audit: `validate --audit N`. */
  readonly auditAlone?: boolean;
  readonly rate: number;
  readonly userAgent?: string;
  readonly fetchCache?: string;
  readonly maxAge: number;
  readonly allowPrivate?: boolean;
  readonly action?: readonly string[];
  readonly resolve?: readonly string[];
  readonly dryRun?: boolean;
}

export function addValidationOptions(command: Command): void {
  command
    .optionsGroup('Validating:')
    .option('--pages <file...>', 'take pages from WARC files instead of the network')
    .option('--by-sketch', 'compare the sketches or digests that the URL list has, and fetch nothing')
    .addOption(choice('--stop <rule>', 'when a rule is settled', ['sequential', 'fixed'], 'sequential'))
    .option('--N <n>', 'samples for one rule at most', numberOption('--N', { min: 1, max: 100_000 }), 100)
    .option(
      '--epsilon <share>',
      'refutation threshold of --stop fixed',
      numberOption('--epsilon', { min: 0, max: 1, integer: false }),
      0.05,
    )
    .option('--min-samples <n>', 'fewer leave a rule likely', numberOption('--min-samples', { min: 1 }), 3)
    .option('--seed <n>', 'of the draw of samples', numberOption('--seed', { min: 0, max: 0xffff_ffff }), 1)
    .option('--max-fetches <n>', 'requests in all', numberOption('--max-fetches', { min: 0 }), 10_000)
    .option(
      '--budget <n>',
      'visit the rules whose verdicts most likely turned, with at most so many requests',
      numberOption('--budget', { min: 1 }),
    )
    .option(
      '--audit <n>',
      'URLs of the list that are asked for with their canonical forms at the end; 0 for none',
      numberOption('--audit', { min: 0, max: 100_000 }),
      300,
    )
    .option(
      '--rate <n>',
      'requests a second to one host',
      numberOption('--rate', { min: 0.001, max: 10_000, integer: false }),
      1,
    )
    .option('--user-agent <text>', 'what to call oneself; robots.txt is asked for dustbuster all the same')
    .option('--fetch-cache <folder>', 'where pages are remembered between runs; "none" forgets them')
    .addOption(
      new Option('--max-age <time>', 'how long a remembered page is taken as it was, as in 12h, 7d')
        .argParser((text: string) => parseDuration(text))
        .default(7 * 86_400, '7d'),
    )
    .option('--allow-private', 'fetch from private and loopback addresses too')
    .option('--action <word...>', 'more words that make a URL an action, which is never fetched')
    .option('--resolve <host=address...>', 'where a host is, instead of asking a name server')
    .option('--dry-run', 'list the URLs that would be fetched, and fetch none')
    .optionsGroup('');
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of `90s`, `12h`, `7d`. */
export function parseDuration(text: string, option = '--max-age'): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new UserError(`${option}: got "${text}", expected a time as in 90s, 12h, 7d`);
  return Number(number) * units[unit!]!;
}
