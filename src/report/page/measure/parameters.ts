// The parameter inventory: which parameters does a log have, and what does each do to the page?
//
//   URL  ->  fields  ->  values   (parameter-values)   how many URLs, hits, distinct values
//                    ->  groups   (parameter-groups)   URLs that are equal except for it: one page or several?
//                                 (parameter-class)    changes, sorts, narrows, irrelevant, unknown
//
// Fields that are bare numbers, each with a name of its own, are values of one parameter without a name.
import { decodeText, encodeText, type NewBytes } from '../../../base/bytes.js';
import type { SpillRoom } from '../../../base/spill.js';
import { roomFor } from '../../../memory-plan.js';
import { MAX_NAMES } from '../../../mine/parameter-scan.js';
import { everySite, type ParameterRule, type Rule } from '../../../rule/rule.js';
import { isInUse } from '../../../rule/standing.js';
import { emptyFields, hasName, isParameter, splitFields, withoutFields, type Fields } from '../../../url/fields.js';
import { hashOf } from './hash.js';
import { classify } from './parameter-class.js';
import type { GroupReading } from './parameter-chance.js';
import { BARE_NUMBER, isNumber } from './parameter-numbers.js';
import { ParameterGroups, type ParameterEvidence } from './parameter-groups.js';
import { ParameterValues, type FoundParameter } from './parameter-values.js';
import type { VisitedUrl } from './visits.js';
import type { ParameterRow } from '../model.js';

export interface InventoryOptions extends GroupReading {
  /** Parameters that are listed individually. */
  readonly top: number;
  /** The rules that URLs are canonized by, in rank order. */
  readonly applied: readonly Rule[];
  /** Whether the rules are for paths, and so for every site. */
  readonly isPathOnly: boolean;
}

/** Longer values are truncated. */
const MAX_VALUE_CHARS = 100;

/** Build (`add`), then read (`finish`). */
export class ParameterInventory {
  readonly #options: InventoryOptions;
  readonly #values: ParameterValues;
  readonly #groups: ParameterGroups;
  readonly #fields = emptyFields();
  #place: Uint8Array = new Uint8Array(4096);
  /** A base is copied at once: every one is written in the same place. */
  readonly #inPlace: NewBytes = (length) => {
    if (length > this.#place.length) this.#place = new Uint8Array(2 * length);
    return this.#place;
  };
  /** Sites come in runs. */
  #site = '';
  #siteBytes: Uint8Array = new Uint8Array(0);

  constructor(options: InventoryOptions, room: SpillRoom) {
    this.#options = options;
    this.#values = new ParameterValues(roomFor('report-parameters/values', room));
    this.#groups = new ParameterGroups(roomFor('report-parameters/groups', room));
  }

  add(visited: VisitedUrl): void {
    const { url, hits } = visited;
    const fields = splitFields(url, this.#fields);
    this.#setSite(this.#options.siteOf(url, 0, url.length));
    this.#groups.addUrl(url, visited);
    const hash = hashOf(url);
    let names = 0;
    for (let field = 0; field < fields.count && names < MAX_NAMES; field++) {
      if (!isParameter(fields, field)) continue;
      const name = url.subarray(fields.start[field], fields.nameEnd[field]);
      if (firstOf(url, fields, name) < field) continue;
      names++;
      const base = withoutFields(url, fields, (one) => hasName(url, fields, one, name), this.#inPlace);
      const isBare = isBareNumber(url, fields, field);
      const value = isBare
        ? name
        : url.subarray(Math.min(fields.nameEnd[field]! + 1, fields.end[field]!), fields.end[field]);
      const called = isBare ? BARE_NUMBER : name;
      this.#values.add(this.#siteBytes, called, value, hits);
      this.#groups.addMember(base, called, value, hash, visited);
    }
  }

  #setSite(site: string): void {
    if (site === this.#site) return;
    this.#site = site;
    this.#siteBytes = encodeText(site);
  }

  finish(): { readonly parameters: readonly ParameterRow[]; readonly others: number } {
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

  /** The first that is certain, else the first. */
  #ruleFor(site: string, name: string): ParameterRule | undefined {
    const { applied, isPathOnly } = this.#options;
    const isOfSite = (rule: Rule) => isPathOnly || rule.site === everySite || rule.site === site;
    const rules = applied.filter(
      (rule): rule is ParameterRule => rule.kind === 'parameter' && rule.name === name && isOfSite(rule),
    );
    return rules.find(isInUse) ?? rules[0];
  }
}

/** `?a=1&1700000000`: a field that is a number, written against caches or by a counter. */
function isBareNumber(url: Uint8Array, { start, nameEnd, end }: Fields, field: number): boolean {
  return nameEnd[field] === end[field] && isNumber(url, start[field]!, end[field]!);
}

function firstOf(url: Uint8Array, fields: Fields, name: Uint8Array): number {
  for (let field = 0; field < fields.count; field++) if (hasName(url, fields, field, name)) return field;
  return -1;
}

function shownValue(value: Uint8Array): string {
  const text = decodeText(value);
  return text.length <= MAX_VALUE_CHARS ? text : `${text.slice(0, MAX_VALUE_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}
