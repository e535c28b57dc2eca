// The rules of all parts of the sites, of which one part is in memory at a time.
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import { holdingBack } from '../../../rule/held-back.js';
import type { RulesFile } from '../../../rule/rule.js';
import type { RuleFlags } from '../../flags/rules.js';
import { inUseOf, type LoadedRules } from './in-use.js';
import { findLocalRules, type FoundLocal, markRules } from './local.js';
import { loadPart, partsIn } from './parts.js';

export class PartedRules {
  readonly #names: readonly string[];
  readonly #first: RulesFile;
  readonly #local: FoundLocal;
  readonly #flags: RuleFlags;
  readonly #effects: Effects;
  /** How many rules of the parts that were loaded are in use. */
  used = 0;

  /** Throws a UserError if `flags.rules` is no folder with all parts of a run. */
  static async open(flags: RuleFlags, effects: Effects): Promise<PartedRules> {
    const names = await partsIn(flags.rules, effects);
    const local = await findLocalRules(flags.rules, flags, effects);
    return new PartedRules(names, await loadPart(names[0]!, undefined, effects), local, flags, effects);
  }

  private constructor(
    names: readonly string[],
    first: RulesFile,
    local: FoundLocal,
    flags: RuleFlags,
    effects: Effects,
  ) {
    this.#names = names;
    this.#first = { ...first, rules: [] };
    this.#local = local;
    this.#flags = flags;
    this.#effects = effects;
  }

  get length(): number {
    return this.#names.length;
  }

  /** What all parts have in common, without rules. */
  get common(): LoadedRules {
    return inUseOf(this.#first, this.#flags);
  }

  /** Part k, from 1. The local rules are those beside the folder. */
  async load(k: number): Promise<LoadedRules> {
    const file = await loadPart(this.#names[k - 1]!, this.#first, this.#effects);
    const loaded = inUseOf(holdingBack(markRules(file, this.#local, this.#effects, true)), this.#flags);
    this.used += loaded.rules.length;
    return loaded;
  }

  /** Throws a UserError if no rule of any part is in use, once all were loaded. */
  refuseNothing(): void {
    if (this.used > 0 || this.#flags.accept !== 'valid') return;
    throw new UserError(
      `no valid rule in ${printable(this.#flags.rules)}. Expected rules that passed validation: run dustbuster validate on each ` +
        'part, or say --accept confident, which uses those that the log itself makes nearly sure',
    );
  }
}
