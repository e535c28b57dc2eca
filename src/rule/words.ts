// Describes a step and the conditions of a rule in words, with raw text from the log: callers that show it escape it.
import type { Condition, Rule, StepRule } from './rule.js';

/** `drop segment "start" at the end`. */
export function stepWords({ step, text }: Pick<StepRule, 'step' | 'text'>): string {
  switch (step) {
    case 'fold-slashes':
      return 'fold slashes';
    case 'drop-end-slash':
      return 'drop slash at the end';
    case 'add-end-slash':
      return 'add slash at the end';
    case 'drop-segment':
      return `drop segment "${text}"`;
    case 'drop-last-segment':
      return `drop segment "${text}" at the end`;
    case 'lower-case':
      return text === '' ? 'lower-case path' : `lower-case values of "${text}"`;
    case 'drop-empty-fields':
      return 'drop empty fields';
    case 'drop-number-fields':
      return 'drop fields that are numbers';
    case 'drop-repeated-fields':
      return 'drop repeated fields';
    case 'sort-fields':
      return 'sort fields';
    case 'sort-values':
      return 'sort values of repeated fields';
    case 'one-separator':
      return 'separate fields by &';
    case 'unescape':
      return 'unescape signs';
    case 'trim-end':
      return 'trim junk at the end';
    default:
      return step satisfies never;
  }
}

/** `only under /feed/, not where the last segment is "rss"`; '' of a rule that holds everywhere. */
export function whereWords({ only, not }: Pick<Rule, 'only' | 'not'>): string {
  const say = (word: string, conditions: readonly Condition[] | undefined) =>
    conditions === undefined || conditions.length === 0
      ? []
      : [`${word} ${conditions.map(conditionWords).join(' or ')}`];
  return [...say('only', only), ...say('not', not)].join(', ');
}

function conditionWords({ part, is }: Condition): string {
  switch (part) {
    case 'host':
      return is === '' ? 'without host' : `on ${is}`;
    case 'first':
      return is === '' ? 'where the first segment is empty' : `under /${is}/`;
    case 'last':
      return is === '' ? 'where the path ends in a slash' : `where the last segment is "${is}"`;
    case 'segment':
      return is === '' ? 'where a segment is empty' : `where a segment is "${is}"`;
    case 'extension':
      return is === '' ? 'without extension' : `where the extension is "${is}"`;
    case 'depth':
      return `at depth ${is}`;
    case 'fields':
      return is === 0 ? 'without query' : `with ${is} ${is === 1 ? 'field' : 'fields'} in the query`;
    case 'parameter':
      return `with parameter "${is}"`;
    case 'field':
      return `with field "${is}"`;
    case 'query':
      return is === '' ? 'with a query' : `with "${is}" in the query`;
    case 'text':
      return `with "${is}" in it`;
    default:
      return part satisfies never;
  }
}
