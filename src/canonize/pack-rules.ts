// Compiled rules as the columns that the sweep has in its memory (kernel/layout/rule):
//
//     | rules | conditions | when tested, 8 bytes each | lists of numbers | texts |
import { bytesOf, charsOf, concatBytes, encodeText } from '../base/bytes.js';
import * as RULE from '../kernel/layout/rule.js';
import type { CompiledRule } from '../rule/apply.js';
import type { CompiledCondition, Conditions } from '../rule/condition.js';
import { findsNothingMore } from '../rule/own-result.js';
import { unescaped } from '../rule/byte-text.js';
import { readPlace, type ItemsPlace } from '../rule/items-place.js';
import type { StepName } from '../rule/rule.js';
import type { StepEdit } from '../rule/step.js';
import { isClean } from '../url/form.js';

export interface PackedRules {
  readonly bytes: Uint8Array;
  /** Addresses, if the bytes are placed at `base`. */
  readonly rules: number;
  readonly conditions: number;
  readonly tested: number;
}

const KIND_OF_STEP: Readonly<Record<StepName, number>> = {
  'fold-slashes': RULE.FOLD_SLASHES,
  'drop-end-slash': RULE.DROP_END_SLASH,
  'add-end-slash': RULE.ADD_END_SLASH,
  'drop-segment': RULE.DROP_SEGMENT,
  'drop-last-segment': RULE.DROP_LAST_SEGMENT,
  'lower-case': RULE.LOWER_CASE,
  'drop-empty-fields': RULE.DROP_EMPTY_FIELDS,
  'drop-number-fields': RULE.DROP_NUMBER_FIELDS,
  'drop-repeated-fields': RULE.DROP_REPEATED_FIELDS,
  'sort-fields': RULE.SORT_FIELDS,
  'sort-values': RULE.SORT_VALUES,
  'sort-items': RULE.SORT_ITEMS,
  'drop-repeated-items': RULE.DROP_REPEATED_ITEMS,
  'one-separator': RULE.ONE_SEPARATOR,
  unescape: RULE.UNESCAPE,
  'trim-end': RULE.TRIM_END,
};

const NUMBER_OF_PART: Readonly<Record<CompiledCondition['part'], number>> = {
  host: RULE.OF_HOST,
  first: RULE.OF_FIRST,
  last: RULE.OF_LAST,
  segment: RULE.OF_SEGMENT,
  extension: RULE.OF_EXTENSION,
  depth: RULE.OF_DEPTH,
  fields: RULE.OF_FIELDS,
  parameter: RULE.OF_PARAMETER,
  field: RULE.OF_FIELD,
  text: RULE.OF_TEXT,
  query: RULE.OF_QUERY,
};

const RULE_WORDS = 2 ** (RULE.RULE_SHIFT - 2);
const CONDITION_WORDS = 2 ** (RULE.CONDITION_SHIFT - 2);
const SLOT_FLAGS: Readonly<Record<ItemsPlace['slot'], number>> = {
  parameter: RULE.IN_VALUE,
  after: RULE.IN_SEGMENT,
  below: RULE.IN_SEGMENTS,
  repeated: 0,
};
const SCOPE_FLAGS = { site: 0, prefix: RULE.IN_PREFIX, path: RULE.ON_PATH } as const;

/** The row of a rule, without its conditions. */
interface Row {
  readonly kind: number;
  readonly flags?: number;
  readonly text?: Uint8Array;
  readonly other?: Uint8Array;
  /** The value of a rule that sets a parameter; null to set it without a value. */
  readonly value?: Uint8Array | null;
  readonly list?: readonly number[];
}

const unknown: Row = { kind: RULE.UNKNOWN };

/** `isForRounds`: rules that the kernel is not to know. */
export function packRules(
  rules: readonly CompiledRule[],
  base: number,
  isForRounds: readonly boolean[] = [],
): PackedRules {
  const conditions = new Numbered();
  const rows = rules.map((rule, at) => (isForRounds[at] === true ? unknown : rowOf(rule)));
  const where = rules.map(({ limits }) => numbersOf(limits?.conditions, conditions));
  const lists = new Pool<readonly number[]>(4);
  const texts = new Pool<Uint8Array>(1);
  const excepts = rules.map(({ limits }) => exceptionsOf(limits?.except));
  for (const except of excepts) if (except !== undefined) texts.place(except);
  for (const { text, other, value, list } of rows) {
    for (const one of [text, other, value]) if (one != null) texts.place(one);
    if (list !== undefined) lists.place(list);
  }
  for (const { only, not } of where) for (const list of [only, not]) if (list !== undefined) lists.place(list);
  for (const { is } of conditions.list) texts.place(is);

  const conditionsAt = base + 4 * RULE_WORDS * rows.length;
  const tested = conditionsAt + 4 * CONDITION_WORDS * conditions.list.length;
  lists.base = tested + 8 * conditions.list.length;
  texts.base = lists.base + lists.used;
  const bytes = new Uint8Array(texts.base + texts.used - base);
  const words = new Int32Array(bytes.buffer, 0, (texts.base - base) / 4);
  const put = (address: number, more: Readonly<Record<number, number>>) => {
    for (const [offset, value] of Object.entries(more)) words[(address - base + Number(offset)) / 4] = value;
  };
  for (const [at, { kind, flags = 0, text, other, value, list }] of rows.entries()) {
    const { only, not } = where[at]!;
    const except = excepts[at];
    put(base + 4 * RULE_WORDS * at, {
      [RULE.KIND]: kind,
      [RULE.FLAGS]:
        flags |
        (findsNothingMore(rules[at]!) ? RULE.DONE_AT_ONCE : 0) |
        (except === undefined ? RULE.HAS_MANY_EXCEPT : 0),
      [RULE.TEXT]: texts.of(text),
      [RULE.TEXT_LENGTH]: text?.length ?? 0,
      [RULE.OTHER]: texts.of(other),
      [RULE.OTHER_LENGTH]: other?.length ?? 0,
      [RULE.LIST]: list === undefined ? texts.of(value ?? undefined) : lists.of(list),
      [RULE.LIST_COUNT]: list?.length ?? value?.length ?? -1,
      [RULE.ONLY]: lists.of(only),
      [RULE.ONLY_COUNT]: only?.length ?? -1,
      [RULE.NOT]: lists.of(not),
      [RULE.NOT_COUNT]: not.length,
      [RULE.EXCEPT]: texts.of(except),
      [RULE.EXCEPT_END]: except === undefined ? 0 : texts.of(except) + except.length,
    });
  }
  for (const [at, { part, is, count }] of conditions.list.entries())
    put(conditionsAt + 4 * CONDITION_WORDS * at, {
      [RULE.PART]: NUMBER_OF_PART[part],
      [RULE.IS]: texts.of(is),
      [RULE.IS_LENGTH]: is.length,
      [RULE.NUMBER]: count,
    });
  for (const [list, at] of lists.places) words.set(list, (lists.base + at - base) / 4);
  for (const [text, at] of texts.places) bytes.set(text, texts.base + at - base);
  return { bytes, rules: base, conditions: conditionsAt, tested };
}

/** Stores arrays end to end. */
class Pool<T extends ArrayLike<number>> {
  readonly places = new Map<T, number>();
  readonly #width: number;
  base = 0;
  used = 0;

  constructor(width: number) {
    this.#width = width;
  }

  place(one: T): void {
    if (this.places.has(one)) return;
    this.places.set(one, this.used);
    this.used += this.#width * one.length;
  }

  /** The address of an array that was placed; 0 for undefined. */
  of(one: T | undefined): number {
    return one === undefined ? 0 : this.base + this.places.get(one)!;
  }
}

/** Numbers conditions; equal conditions get the same number. */
class Numbered {
  readonly list: CompiledCondition[] = [];
  readonly #numbers = new Map<string, number>();

  of(condition: CompiledCondition): number {
    const key = `${condition.part} ${condition.count} ${condition.is.join()}`;
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.list.push(condition) - 1));
    return number;
  }
}

interface Where {
  readonly only: readonly number[] | undefined;
  readonly not: readonly number[];
}

function numbersOf(conditions: Conditions | undefined, numbered: Numbered): Where {
  if (conditions === undefined || !areShort(conditions)) return { only: undefined, not: [] };
  const numbers = (list: readonly CompiledCondition[]) => list.map((one) => numbered.of(one));
  return { only: conditions.only && numbers(conditions.only), not: numbers(conditions.not) };
}

/** URLs as the sweep reads them; undefined if there are too many. */
function exceptionsOf(urls: ReadonlySet<string> = new Set()): Uint8Array | undefined {
  const texts = Array.from(urls, encodeText);
  return texts.reduce((sum, { length }) => sum + 2 + length, 0) > RULE.MOST_EXCEPT ? undefined : lengthsAndTexts(texts);
}

/** Texts, each preceded by its length in two bytes. */
function lengthsAndTexts(texts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(texts.flatMap((text) => [Uint8Array.of(text.length & 255, text.length >> 8), text]));
}

function areShort({ only = [], not }: Conditions): boolean {
  return [...only, ...not].every(({ is }) => is.length <= RULE.MOST_TEXT);
}

function rowOf(rule: CompiledRule): Row {
  if (rule.limits?.conditions !== undefined && !areShort(rule.limits.conditions)) return unknown;
  const row = rowOfKind(rule);
  const isShort = [row.text, row.other, row.value].every((text) => text == null || text.length <= RULE.MOST_TEXT);
  return isShort && (row.list?.length ?? 0) <= RULE.MOST_INSIDE ? row : unknown;
}

function rowOfKind(rule: CompiledRule): Row {
  switch (rule.kind) {
    case 'substring': {
      const { from, to, atStart, atEnd, inside } = rule;
      if ((from.length === 0 && !atStart && !atEnd) || !isClean(to)) return { kind: RULE.NEVER };
      const flags = (atStart ? RULE.AT_START : 0) | (atEnd ? RULE.AT_END : 0);
      return { kind: RULE.SUBSTRING, flags, text: from, other: to, list: inside };
    }
    case 'parameter': {
      const { name, action, value, scope, path } = rule;
      const more = { flags: SCOPE_FLAGS[scope], text: name, other: path };
      return action === 'remove' ? { kind: RULE.REMOVE, ...more } : { kind: RULE.SET, ...more, value };
    }
    case 'step':
      return rowOfStep(rule);
    case 'pattern':
      return unknown;
    default:
      return rule satisfies never;
  }
}

function rowOfStep({ step, text }: StepEdit): Row {
  const kind = KIND_OF_STEP[step];
  if (kind !== RULE.SORT_ITEMS && kind !== RULE.DROP_REPEATED_ITEMS) return { kind, text };
  const { slot, name, separator, heads } = readPlace(charsOf(text));
  const other = lengthsAndTexts(heads.map((head) => bytesOf(unescaped(head))));
  return { kind, flags: SLOT_FLAGS[slot], text: bytesOf(name), other, list: [separator.charCodeAt(0)] };
}
