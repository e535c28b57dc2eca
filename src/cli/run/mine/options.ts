// The flags of `dustbuster mine` as options for mining and for reading.
import { UserError } from '../../../base/error.js';
import type { Filters } from '../../../log/filter.js';
import type { ReadOptions } from '../../../log/read.js';
import { recordedOptions } from '../../../rule/mine-options.js';
import type { MineOptions } from '../../../rule/rule.js';
import { recordedFilters } from '../input/filters.js';
import { DEFAULT_RULES_FILE } from '../../context.js';
import type { MineFlags } from '../../flags/mine.js';
import { preferenceOf } from '../../flags/prefer.js';
import { writeOf } from '../../flags/write.js';
import { formatOptions } from '../input/reading.js';

export function mineOptions(flags: MineFlags, filters: Filters | undefined): MineOptions {
  const { T_low, T_high } = flags;
  if (T_low > T_high)
    throw new UserError(`--T_low ${T_low} is larger than --T_high ${T_high}; expected at most as large`);
  const prefer = preferenceOf(flags);
  const write = writeOf(flags);
  return {
    ...recordedOptions({ ...flags, base: flags.base ?? null }),
    ...recordedFilters(filters),
    ...(prefer !== undefined && { prefer }),
    ...(write !== undefined && { write }),
  };
}

export function readOptions(flags: MineFlags, { base, scheme, maxUrlLength }: MineOptions): ReadOptions {
  return { base, scheme, normalize: flags.normalize, maxUrlLength, ...formatOptions(flags) };
}

export function outputOf({ output, stage }: MineFlags): string {
  return output ?? (stage === undefined ? DEFAULT_RULES_FILE : '-');
}
