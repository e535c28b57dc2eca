// The parameter inventory: which parameters does a log have, and what does each do to the page?
//
//   URL  ->  fields  ->  values   (parameter-values)   how many URLs, hits, distinct values
//                    ->  groups   (parameter-groups)   URLs that are equal except for it: one page or several?
//                                 (parameter-class)    changes, sorts, narrows, irrelevant, unknown
//
// Fields that are bare numbers, each with a name of its own, are values of one parameter without a name.
import { decodeText, encodeText } from '../../../base/bytes.js';
import { RowWriter } from '../../../base/row.js';
import type { SpillRoom } from '../../../base/spill.js';
import { roomFor } from '../../../memory-plan.js';
import { MAX_NAMES } from '../../../mine/parameter-scan.js';
import { everySite, type ParameterRule, type Rule } from '../../../rule/rule.js';
import { isInUse } from '../../../rule/standing.js';
import { emptyFields, type Fields, hasName, isParameter, splitFields, withoutFields } from '../../../url/fields.js';
import type { ParameterRow } from '../model.js';
import type { GroupReading } from './parameter-chance.js';
import { classify, isOfWholeSite } from './parameter-class.js';
import { type ParameterEvidence, ParameterGroups } from './parameter-groups.js';
import { BARE_NUMBER, type FoundParameter, hashOfParameter, isNumber, ParameterValues } from './parameter-values.js';
import type { VisitedUrl } from './visits.js';

interface InventoryOptions extends GroupReading {
  /** Parameters that are listed individually. */
  readonly top: number;
  /** The rules that URLs are canonized by, in rank order. */
  readonly applied: readonly Rule[];
  /** Whether the rules are for paths, and so for every site. */
  readonly isPathOnly: boolean;
}

/** Longer values are truncated. */
const MAX_VALUE_CHARS = 100;

export interface Inventory {
  readonly parameters: readonly ParameterRow[];
  /** How many more there are. */
  readonly others: number;
}

/** Build (`add`), then read (`finish`). */
export class ParameterInventory {
  readonly #options: InventoryOptions;
  readonly #values: ParameterValues;
  readonly #groups: ParameterGroups;
  readonly #fields = emptyFields();
  /** A base is copied at once: every one is written in the same place. */
  readonly #base = new RowWriter();
  /** Sites come in runs. */
  #site = '';
  #siteBytes: Uint8Array = new Uint8Array(0);

  constructor(options: InventoryOptions, room: SpillRoom) {
    this.#options = options;
    this.#values = new ParameterValues(roomFor('report-parameters/values', room));
    this.#groups = new ParameterGroups(roomFor('report-parameters/groups', room));
  }

  add(visited: VisitedUrl): void {
    const { url, hash, hits } = visited;
    const fields = splitFields(url, this.#fields);
    this.#setSite(this.#options.siteOf(url, 0, url.length));
    this.#groups.addUrl(visited);
    let names = 0;
    for (let field = 0; field < fields.count && names < MAX_NAMES; field++) {
      if (!isParameter(fields, field)) continue;
      const name = url.subarray(fields.start[field], fields.nameEnd[field]);
      if (firstOf(url, fields, name) < field) continue;
      names++;
      const isBare = isBareNumber(url, fields, field);
      const called = isBare ? BARE_NUMBER : name;
      const [nameEnd, end] = [fields.nameEnd[field]!, fields.end[field]!];
      const value = { bytes: url, start: isBare ? fields.start[field]! : Math.min(nameEnd + 1, end), end };
      this.#values.add(this.#siteBytes, called, value, hits);
      const parameter = hashOfParameter(this.#siteBytes, called);
      const base = this.#without(url, fields, name);
      this.#groups.addMember({ url: hash, parameter, base, value }, visited);
    }
  }

  #setSite(site: string): void {
    if (site === this.#site) return;
    this.#site = site;
    this.#siteBytes = encodeText(site);
  }

  /** `url` without the parameter `name`, valid until the next one. */
  #without(url: Uint8Array, fields: Fields, name: Uint8Array): Pick<RowWriter, 'bytes' | 'length'> {
    const field = onlyFieldOf(url, fields, name);
    if (field < 0) {
      const bytes = withoutFields(url, fields, (one) => hasName(url, fields, one, name));
      return { bytes, length: bytes.length };
    }
    const [start, end] = [fields.start[field]!, fields.end[field]!];
    // The next field takes the place of the first one, behind the same `?`.
    const isReplaced = field === fields.firstInQuery && end < url.length;
    const base = this.#base.clear().range(url, 0, isReplaced ? start : start - 1);
    return base.range(url, isReplaced ? end + 1 : end, url.length);
  }

  finish(): Inventory {
    const { top } = this.#options;
    const { found, others } = this.#values.finish(top);
    const evidence = this.#groups.finish(found, this.#options);
    const parameters = found.map((one, number) => this.#rowOf(one, evidence[number]!));
    return { parameters, others };
  }

  #rowOf({ site, name, urls, hits, values, commonest }: FoundParameter, evidence: ParameterEvidence): ParameterRow {
    const { same, different, silent, sizeRatio } = evidence;
    const rule = this.#ruleFor(site, name);
    return {
      site,
      name,
      urls,
      hits,
      values,
      areMore: false,
      commonest: commonest.map(shownValue),
      groups: { same, different, silent },
      sizeRatio,
      ...classify({ name, values, evidence, sizeRatio, rule }),
      ...(rule !== undefined && { rule: rule.rank }),
    };
  }

  /** The rule for a parameter: one that is certain on the whole site, else a certain one, else the first. */
  #ruleFor(site: string, name: string): ParameterRule | undefined {
    const { applied, isPathOnly } = this.#options;
    const isOfSite = (rule: Rule) => isPathOnly || rule.site === everySite || rule.site === site;
    const rules = applied.filter(
      (rule): rule is ParameterRule => rule.kind === 'parameter' && rule.name === name && isOfSite(rule),
    );
    return rules.find((rule) => isInUse(rule) && isOfWholeSite(rule)) ?? rules.find(isInUse) ?? rules[0];
  }
}

/** True for a field that is a number, such as a cache buster or counter: `?a=1&1700000000`. */
function isBareNumber(url: Uint8Array, { start, nameEnd, end }: Fields, field: number): boolean {
  return nameEnd[field] === end[field] && isNumber(url, start[field]!, end[field]!);
}

/**
 * The field with that name if removing it removes nothing else: no other field of the name, no empty field. Else -1.
 */
function onlyFieldOf(url: Uint8Array, fields: Fields, name: Uint8Array): number {
  let only = -1;
  for (let field = 0; field < fields.count; field++) {
    if (fields.start[field] === fields.end[field]) return -1;
    if (!hasName(url, fields, field, name)) continue;
    if (only >= 0) return -1;
    only = field;
  }
  return only;
}

function firstOf(url: Uint8Array, fields: Fields, name: Uint8Array): number {
  for (let field = 0; field < fields.count; field++) if (hasName(url, fields, field, name)) return field;
  return -1;
}

function shownValue(value: Uint8Array): string {
  const text = decodeText(value);
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}
