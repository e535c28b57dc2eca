// Does a stream get colour? The first of these that is set decides:
//
//   --color always, never   the user, now
//   NO_COLOR                not empty: none (no-color.org)
//   FORCE_COLOR             not empty: some, but none for 0; CLICOLOR_FORCE likewise
//   TERM=dumb               none
//   a terminal              some, each stream by itself
import type { Effects } from '../../base/effects.js';
import { COLOURED, type Paint, PLAIN } from '../../base/paint.js';
import type { ColourChoice } from '../flags/terminal.js';

export function paintFor(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  choice: ColourChoice = 'auto',
): Paint {
  return hasColour(isTTY === true, env, choice) ? COLOURED : PLAIN;
}

/** Colours for text that goes to `output`: a file gets none. */
export function paintOf(output: string, { paint = PLAIN }: Pick<Effects, 'paint'>): Paint {
  return output === '-' ? paint : PLAIN;
}

function hasColour(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
  choice: ColourChoice,
): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'] || env['CLICOLOR_FORCE'];
  if (force) return force !== '0' && force !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}

/**
 * How wide may a table on standard output be? COLUMNS decides, or else the width of the terminal. A file or a pipe has
 * no limit, so that a rule stays on one line there. LEAST is the smallest useful width.
 */
const LEAST = 20;

export function widthOf({ env, stdout }: Pick<Effects, 'env' | 'stdout'>): number {
  const given = /^[1-9]\d{0,4}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;
  const { isTTY = false, columns = 0 } = stdout as { readonly isTTY?: boolean; readonly columns?: number };
  const width = given > 0 ? given : isTTY ? columns : 0; // some terminals say 0
  return width > 0 ? Math.max(width, LEAST) : Infinity;
}

/** The width for text that goes to `output`: a file has none. */
export function widthFor(output: string, effects: Pick<Effects, 'env' | 'stdout'>): number {
  return output === '-' ? widthOf(effects) : Infinity;
}
