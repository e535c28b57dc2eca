// What is carried over from night to night? For rules that are mined again and again.
import { UserError } from '../../base/error.js';
import { FORGET_DAYS, isNight } from '../../rule/night.js';
import { type FlagsOf, group } from './option.js';
import { parseDuration } from './parse.js';
import type { LocalFlags } from './rules.js';
import type { PreferFlags } from './wishes.js';

const HEADING = 'Night after night:';

export const NIGHT_OPTIONS = group(HEADING, {
  now: {
    kind: 'parsed',
    flags: '--now <day>',
    text: 'the date of this night instead of today (UTC), such as 2026-11-21',
    parse: parseNight,
  },
});

export const HISTORY_OPTIONS = {
  ...group(HEADING, {
    history: {
      kind: 'text',
      flags: '--history <file>',
      mayBeReplaced: true,
      text: 'the rules file of earlier nights: its verdicts and histories are carried over',
    },
    /** In days. */
    forget: {
      kind: 'parsed',
      flags: '--forget <time>',
      text: `with --history: how long a proven rule is kept that the log no longer supports (default: ${FORGET_DAYS}d)`,
      parse: (text, name) => parseDuration(text, name) / 86_400,
    },
    check: {
      kind: 'switch',
      flags: '--check',
      text: 'write nothing, and exit with 1 if what the rules say would change, not only their figures',
    },
    failOnChange: {
      kind: 'switch',
      flags: '--fail-on-change',
      text: 'write the file, and exit with 1 if the rules have changed',
    },
  }),
  ...NIGHT_OPTIONS,
};

export type NightFlags = FlagsOf<typeof NIGHT_OPTIONS>;
type HistoryFlags = FlagsOf<typeof HISTORY_OPTIONS>;

export type LedgerFlags = HistoryFlags &
  LocalFlags &
  PreferFlags & {
    readonly output?: string;
    readonly quiet?: boolean;
    readonly budget?: number;
    readonly stage?: string;
    readonly state?: string;
  };

function parseNight(text: string, name: string): string {
  if (isNight(text)) return text;
  throw new UserError(`${name}: got "${text}", expected a day as in 2026-11-21`);
}

/** Throws a UserError for flags that contradict each other. */
export function checkHistoryFlags(flags: LedgerFlags, isValidating: boolean): void {
  const { check, failOnChange, output, history, forget, stage, state, budget } = flags;
  if (check === true && isValidating)
    throw new UserError(
      '--check: got it with a validation, which writes the file while it runs; leave one of them out',
    );
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
    throw new UserError('--forget: got no --history to forget from; expected --history FILE or --state FOLDER with it');
}
