// How wide may a table on standard output be? As wide as COLUMNS says, else as the terminal is; a file or a pipe sets no
// limit, so that a rule stays on one line there.
import type { Effects } from '../../base/effects.js';

/** Narrower is of no use. */
const LEAST = 20;

export function widthOf({ env, stdout }: Pick<Effects, 'env' | 'stdout'>): number {
  const given = /^[1-9]\d{0,4}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : 0;
  const { isTTY = false, columns = 0 } = stdout as { readonly isTTY?: boolean; readonly columns?: number };
  const width = given > 0 ? given : isTTY ? columns : 0; // some terminals say 0
  return width > 0 ? Math.max(width, LEAST) : Infinity;
}

/** For text that goes to `output`: a file has no width. */
export function widthFor(output: string, effects: Pick<Effects, 'env' | 'stdout'>): number {
  return output === '-' ? widthOf(effects) : Infinity;
}
