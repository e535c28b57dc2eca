// Which URLs are one page, by rules that are written and by keys? Keys group what no server merges:
//
//   URL ─ written rules ─→ form ─────────→ written groups    curve, fixes
//                            └─ keys ────→ groups            duplicates, sites, groups, visitors
//
// Without keys in use the two are one meter. A group is named by its URL with the most hits, also a group of a key.
import { encodeText } from '../../../base/bytes.js';
import type { SpillRoom } from '../../../base/spill.js';
import { type Canonizer, type CanonizerOptions, createCanonizer } from '../../../canonize/canonizer.js';
import type { Rule } from '../../../rule/rule.js';
import { accepts, isKey } from '../../../rule/standing.js';
import type { ByKeys, DuplicateGroup, SiteRow } from '../model.js';
import { NO_FIX } from './group.js';
import { type GroupFacts, GroupMeter, type GroupOptions } from './groups.js';
import type { LadderForm } from './ladder.js';
import type { TemplateMeter } from './templates.js';
import type { VisitedUrl } from './visits.js';

type KeyedFacts = GroupFacts & { readonly byKeys?: ByKeys };

/** Build (`addUrl`, `addForm`), then read (`finish`). */
export class KeyedGroups {
  readonly #written: GroupMeter;
  readonly #keyed: { readonly meter: GroupMeter; readonly canonizer: Canonizer } | undefined;
  readonly #canonize: (url: Uint8Array) => Uint8Array;

  constructor(rules: readonly Rule[], how: CanonizerOptions, options: GroupOptions, room: SpillRoom) {
    this.#canonize = (url) => options.canonize(url);
    if (!rules.some((rule) => isGrouping(rule, how.accept))) {
      this.#written = new GroupMeter(options, room);
      return;
    }
    const half = { ...room, memoryBytes: Math.floor(room.memoryBytes / 2) };
    this.#written = new GroupMeter({ ...options, visitors: undefined, top: 0 }, half);
    this.#keyed = {
      meter: new GroupMeter({ ...options, steps: 0, fixes: 0 }, half),
      canonizer: createCanonizer(rules, { ...how, use: 'key' }),
    };
  }

  /** A distinct URL of the log, its written form, and the number of the fix that changes it first, or NO_FIX. */
  addUrl(visited: VisitedUrl, form: LadderForm, fix: number): void {
    this.#written.addUrl(visited, form, fix);
    if (this.#keyed === undefined) return;
    const { meter, canonizer } = this.#keyed;
    const bytes = canonizer.canonize(form.bytes.subarray(form.start, form.end));
    meter.addUrl(visited, { bytes, start: 0, end: bytes.length, steps: 0 }, NO_FIX);
  }

  /** Adds a form that a URL has at some steps of the ladder, but not at the last. */
  addForm(form: LadderForm): void {
    this.#written.addForm(form);
  }

  /** `templates` receives all URLs, and the names of groups. */
  finish(templates: TemplateMeter): KeyedFacts {
    if (this.#keyed === undefined) return this.#written.finish(templates);
    const written = this.#written.finish();
    const { formsAt, saved } = written;
    const keyed = this.#keyed.meter.finish(templates);
    const groups = keyed.groups.map((group) => (this.#isOfKey(group) ? { ...group, isOfKey: true as const } : group));
    return { ...keyed, groups, formsAt, saved, byKeys: onlyByKeys(written.all, keyed.all) };
  }

  /** True if the written rules leave several forms of the members that are listed. */
  #isOfKey({ canonical, members }: DuplicateGroup): boolean {
    const form = encodeText(canonical);
    return members.some(({ url }) => Buffer.compare(this.#canonize(encodeText(url)), form) !== 0);
  }
}

/** True for a key in use. */
export function isGrouping(rule: Rule, accept: CanonizerOptions['accept']): boolean {
  return isKey(rule) && accepts(rule, accept ?? 'valid', 'key');
}

function onlyByKeys(written: SiteRow, keyed: SiteRow): ByKeys {
  return {
    urls: written.urlsAfter - keyed.urlsAfter,
    hits: keyed.duplicateHits - written.duplicateHits,
    bytes: keyed.duplicateBytes - written.duplicateBytes,
    botHits: keyed.duplicateBotHits - written.duplicateBotHits,
  };
}
