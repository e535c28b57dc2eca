// Which of the rules found for a form can really change it? The index finds rules by one text each, so most of the
// rules it finds for a URL with a query do not apply: the URL has no empty field, its fields are sorted, or a condition
// is not met. Trying a rule costs a view of the form and usually the fields of its query. Here all rules share that
// work: fields are split once, and a condition that several rules have is tested once.
//
// Only the commands use it; browsers try all rules (./every-rule).
import { QUESTION, SEMICOLON, SLASH } from '../base/ascii.js';
import { isDigit, isText, sameRange } from '../base/bytes.js';
import type { CompiledRule } from '../rule/apply.js';
import { isMet, UNSPLIT, type CompiledCondition } from '../rule/condition.js';
import { isInScope, type FieldEdit } from '../rule/parameter.js';
import { compareNames, mayChange, type StepEdit } from '../rule/step.js';
import { isEscape } from '../rule/unescape.js';
import { emptyFields, hasName, splitFields } from '../url/fields.js';

export interface Choice {
  /** The rules without their conditions, which were tested when the rules were chosen. */
  readonly rules: readonly CompiledRule[];
  /**
   * Writes those of found[0, count) that may change the form bytes[start, end), whose path begins at `path`, to
   * `chosen` and returns how many.
   */
  choose(found: Int32Array, count: number, bytes: Uint8Array, start: number, path: number, end: number): number;
  readonly chosen: Int32Array;
}

/** Numbers of conditions. */
interface Where {
  readonly only: readonly number[] | undefined;
  readonly not: readonly number[];
}

export function createChoice(rules: readonly CompiledRule[]): Choice {
  const conditions: CompiledCondition[] = [];
  const numbers = new Map<string, number>();
  const where = rules.map(({ limits }): Where | undefined => {
    if (limits?.conditions === undefined) return undefined;
    const { only, not } = limits.conditions;
    return { only: only?.map(numberOf), not: not.map(numberOf) };
  });
  /** For each condition: the number of the last form that it was tested on, and the result. */
  const testedOn = new Float64Array(conditions.length);
  const isTrue = new Uint8Array(conditions.length);
  const chosen = new Int32Array(rules.length);
  const fields = emptyFields();
  let forms = 0;
  let form: Uint8Array = new Uint8Array(0);
  let start = 0;
  let path = 0;
  let end = 0;

  function numberOf(condition: CompiledCondition): number {
    const key = `${condition.part} ${condition.count} ${condition.is.join()}`;
    const number = numbers.get(key) ?? conditions.push(condition) - 1;
    numbers.set(key, number);
    return number;
  }

  function isMetBy(number: number): boolean {
    if (testedOn[number] !== forms) {
      testedOn[number] = forms;
      isTrue[number] = isMet(conditions[number]!, form, start, path, end, fields) ? 1 : 0;
    }
    return isTrue[number] === 1;
  }

  function isWithin({ only, not }: Where): boolean {
    for (let at = 0; at < not.length; at++) if (isMetBy(not[at]!)) return false;
    if (only === undefined) return true;
    for (let at = 0; at < only.length; at++) if (isMetBy(only[at]!)) return true;
    return false;
  }

  function split(): void {
    if (fields.count < 0) splitFields(form, fields, path, end);
  }

  /** False if the rule cannot change the form. Ignores its conditions. */
  function mayMatch(rule: CompiledRule): boolean {
    switch (rule.kind) {
      case 'parameter':
        return mayEdit(rule);
      case 'step':
        return mayTake(rule);
      default:
        return true;
    }
  }

  function mayEdit(edit: FieldEdit): boolean {
    const { name, value } = edit;
    split();
    let first = -1;
    for (let at = 0; at < fields.count; at++) {
      if (!hasName(form, fields, at, name)) continue;
      if (edit.action === 'remove' || first >= 0) return isInScope(edit, form, start, end);
      first = at;
    }
    if (first < 0 || !isInScope(edit, form, start, end)) return false;
    const nameEnd = fields.nameEnd[first]!;
    const valueEnd = fields.end[first]!;
    if (value === null) return nameEnd < valueEnd;
    return nameEnd === valueEnd || !isText(form, nameEnd + 1, valueEnd, value);
  }

  function mayTake(edit: StepEdit): boolean {
    switch (edit.step) {
      case 'fold-slashes':
        return hasSlashes();
      case 'drop-end-slash':
        split();
        return endsInSlash();
      case 'lower-case':
        split();
        return edit.text.length > 0 ? hasCapital(path, end) : hasCapital(path, fields.queryStart);
      case 'drop-empty-fields':
        split();
        return hasEmptyField();
      case 'drop-number-fields':
        split();
        return hasNumberField();
      case 'drop-repeated-fields':
        split();
        return mayRepeat();
      case 'sort-fields':
        split();
        return isUnsorted();
      case 'sort-values':
        split();
        return hasSameName();
      default:
        return mayChange(edit, form, path, end);
    }
  }

  function hasSlashes(): boolean {
    for (let at = path + 1; at < end && form[at] !== QUESTION; at++)
      if (form[at] === SLASH && form[at - 1] === SLASH) return true;
    return false;
  }

  /** True if the path ends in a slash and has more than one segment. */
  function endsInSlash(): boolean {
    let slash = fields.queryStart - 1;
    while (slash > path && form[slash] !== SLASH) slash--;
    return slash > path && (slash + 1 === fields.queryStart || form[slash + 1] === SEMICOLON);
  }

  /** True if there is a capital outside of escapes. */
  function hasCapital(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const byte = form[at]!;
      if (byte > 0x5a) continue;
      if (byte >= 0x41) return true;
      if (isEscape(form, at, to)) at += 2;
    }
    return false;
  }

  function hasEmptyField(): boolean {
    for (let at = fields.firstInQuery; at < fields.count; at++)
      if (fields.end[at]! - fields.start[at]! === 0 || fields.end[at]! - fields.nameEnd[at]! === 1) return true;
    return false;
  }

  function hasNumberField(): boolean {
    if (fields.isBareQuery) return false;
    for (let at = fields.firstInQuery; at < fields.count; at++) {
      const stop = fields.end[at]!;
      let place = fields.start[at]!;
      if (place === stop) continue;
      while (place < stop && isDigit(form[place]!)) place++;
      if (place === stop) return true;
    }
    return false;
  }

  /** True if two fields may be equal, or there are too many to compare. */
  function mayRepeat(): boolean {
    if (fields.count - fields.firstInQuery > 12) return true;
    for (let b = fields.firstInQuery + 1; b < fields.count; b++) {
      const length = fields.end[b]! - fields.start[b]!;
      for (let a = fields.firstInQuery; a < b; a++) {
        const isAsLong = fields.end[a]! - fields.start[a]! === length;
        if (isAsLong && length > 0 && sameRange(form, fields.start[a]!, form, fields.start[b]!, length)) return true;
      }
    }
    return false;
  }

  /**
   * True if two fields may have the same name. Only neighbours are compared; with three or more fields the answer is
   * true.
   */
  function hasSameName(): boolean {
    const first = fields.firstInQuery;
    if (fields.count - first > 2) return true;
    return fields.count - first === 2 && compareNames(form, fields, first, first + 1) === 0;
  }

  function isUnsorted(): boolean {
    for (let at = fields.firstInQuery + 1; at < fields.count; at++)
      if (compareNames(form, fields, at - 1, at) > 0) return true;
    return false;
  }

  return {
    rules: rules.map(unconditional),
    chosen,
    choose(found, count, bytes, formStart, pathStart, formEnd) {
      forms++;
      form = bytes;
      start = formStart;
      path = pathStart;
      end = formEnd;
      fields.count = UNSPLIT;
      let length = 0;
      for (let at = 0; at < count; at++) {
        const index = found[at]!;
        if (!mayMatch(rules[index]!)) continue;
        const limits = where[index];
        if (limits === undefined || isWithin(limits)) chosen[length++] = index;
      }
      return length;
    },
  };
}

function unconditional(rule: CompiledRule): CompiledRule {
  if (rule.limits === undefined) return rule;
  const { limits, ...kind } = rule;
  return limits.except.size === 0 ? kind : { ...kind, limits: { ...limits, conditions: undefined } };
}
