// `canonize -r FOLDER`: the rules of all parts of the sites, one part in memory at a time.
import type { Effects } from '../../../base/effects.js';
import type { SpillOptions } from '../../../base/spill.js';
import { ByParts, type KeyOf, type RulesOfPart } from '../../../canonize/by-parts.js';
import { createBlockCanonizer, createCanonizer } from '../../../canonize/canonizer.js';
import type { Keeping, LineOptions } from '../../../canonize/lines.js';
import { keysBy } from '../../../canonize/named-groups.js';
import { roomFor } from '../../../memory-plan.js';
import { partOfSite } from '../../../mine/part.js';
import { createSiteOf } from '../../../url/public-suffix.js';
import type { CanonizeFlags } from '../../flags/canonize.js';
import type { LoadedRules } from '../rules/in-use.js';
import { PartedRules } from '../rules/parted.js';

export interface OpenedParts {
  /** What all parts have in common, without rules. */
  readonly common: LoadedRules;
  way(lines: LineOptions, keepingBy: (keyOf: KeyOf | undefined) => Promise<Keeping>, room: SpillOptions): ByParts;
}

/** Throws a UserError if the folder does not have all parts of a run. */
export async function openPartedRules(flags: CanonizeFlags, effects: Effects): Promise<OpenedParts> {
  const parted = await PartedRules.open(flags, effects);
  const { common } = parted;
  const siteOf = createSiteOf(common.options.sitePolicy);
  async function rulesOf(k: number): Promise<RulesOfPart> {
    const { rules, keyed, options } = await parted.load(k);
    if (k === parted.length) parted.refuseNothing();
    const keys =
      flags.unique === true && keyed !== undefined ? createCanonizer(keyed, { ...options, use: 'key' }) : null;
    return { canonizer: createBlockCanonizer(rules, options), keyOf: keys === null ? undefined : keysBy(keys) };
  }
  return {
    common,
    way(lines, keepingBy, room) {
      const { length } = parted;
      const partOf = (url: Uint8Array, start: number, end: number) => partOfSite(siteOf(url, start, end), length);
      const own = roomFor('canonize/parts', room);
      return new ByParts({ length, options: common.options, partOf, rulesOf }, lines, keepingBy, own);
    },
  };
}
