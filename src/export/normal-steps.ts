// Compiles steps of normalization to steps of expressions (rule/step). Each finds one place in the path, or in the
// query, and removes something there. What an expression cannot do is left out: folding case, comparing fields, sorting
// them.
import type { Condition, StepRule } from '../rule/rule.js';
import { BARE_SIGNS } from '../rule/unescape.js';
import { escapePattern } from './escape-pattern.js';
import { pathStartPattern } from './condition-pattern.js';
import type { Expression, ExpressionOptions, Step, Unsaid } from './step.js';
import { removeFromQuery } from './parameter-steps.js';

/** `conditions` has everything that must hold for the URL, after `^`. */
export function normalSteps(rule: StepRule, conditions: string, options: ExpressionOptions): Expression | Unsaid {
  if (!canAskAgain(rule)) return left('would have to ask anew where it holds while it changes that');
  const steps = stepsOf(rule, conditions, options);
  if (typeof steps === 'string') return left(steps);
  if ((rule.except ?? []).length > 0 && (steps.length > 1 || steps.some(({ repeat }) => repeat)))
    return left('could come by one of the URLs that it leaves alone');
  return { kind: 'steps', steps };
}

function left(reason: string): Unsaid {
  return { kind: 'left', reason };
}

function stepsOf({ step, text }: StepRule, when: string, options: ExpressionOptions): readonly Step[] | string {
  const { literal, end, any } = options.dialect;
  const path = `${pathStartPattern(options)}/`;
  const pathEnd = `(?=(?:;[^/?]*)?(?:\\?|${end}))`;
  const nameEnd = `(?=[/;?]|${end})`;
  const begin = `${path}(?:[^?]*/)?`;
  const once = (find: string, put = ''): Step => ({ find: `^${when}${find}`, put, repeat: false });
  const each = (find: string, put = ''): Step => ({ find: `^${when}${find}`, put, repeat: true });
  switch (step) {
    case 'fold-slashes':
      // All of a run at once: what is before it ends with its first slash.
      return [each(`(${path}(?:[^?]*[^/?]/)?)/+`)];
    case 'drop-end-slash':
      return [once(`(${begin}[^/;?][^/?]*)/+${pathEnd}`)];
    case 'add-end-slash':
      return [once(`(${begin}[^/;?.]+)${pathEnd}`, '/')];
    case 'drop-segment': {
      const origin = path.slice(0, -1);
      const name = `/${literal(text)}`;
      return [
        each(`(${origin})${name}(?=/)`),
        once(`(${origin})${name}(?=[;?]|${end})`, '/'),
        each(`(${path}[^?]*?)${name}${nameEnd}`),
      ];
    }
    case 'drop-last-segment':
      return [once(`(${begin})${literal(text)}${pathEnd}`)];
    case 'lower-case':
      return 'folds case, which an expression cannot';
    case 'drop-empty-fields': {
      const field = '(?:[^&;=]*=)?';
      return [
        once(`([^?]*)\\?${field}(?:[&;]${field})*${end}`),
        once(`([^?]*\\?)(?:${field}[&;])+`),
        each(`([^?]*\\?${any}*?)(?:[&;]${field})+(?=[&;]|${end})`),
      ];
    }
    case 'drop-number-fields': {
      const field = '[0-9]+';
      const notBare = `(?=${any}*=|[&;]*[^&;]+[&;]+[^&;])`;
      return removeFromQuery({ when, name: field, field, fieldEnd: `(?=[&;]|${end})`, notBare, any, end });
    }
    case 'drop-repeated-fields':
    case 'sort-fields':
    case 'sort-values':
      return 'compares fields, which an expression cannot';
    case 'one-separator':
      return [each('([^?]*\\?[^;]*);', '&')];
    case 'unescape':
      return Array.from(BARE_SIGNS, (sign) =>
        each(`(${pathStartPattern(options)}[/?]${any}*?)${escapePattern(sign)}`, sign),
      );
    case 'trim-end':
      return [each(trimPattern(path.slice(0, -1), options))];
    default:
      return step satisfies never;
  }
}

const always = '"|\'|,|;|\\x5c|`|[(\\[{<]|%(?:2[278Cc]|3[BbCc]|5[CcBb]|60|7[Bb]|20|09|0[AaDd])';
const pairs = [
  ['\\)|%29', '\\(|%28'],
  ['\\]|%5[Dd]', '\\[|%5[Bb]'],
  ['\\x7d|%7[Dd]', '\\x7b|%7[Bb]'],
  ['>|%3[Ee]', '<|%3[Cc]'],
] as const;

/** A closing bracket is junk unless one opens before it. */
function trimPattern(origin: string, { dialect: { any, end } }: ExpressionOptions): string {
  const junk = quoted(always);
  const begin = `${origin}[/?]`;
  const closing = pairs.map(([close, open]) => `${begin}(?:(?!${quoted(open)})${any})*(?=(?:${close})\\.*${end})`);
  const unit = `${junk}|${pairs.map(([close]) => close).join('|')}`;
  return `(${begin}${any}*?(?=(?:(?:${junk})\\.*)+${end})|${closing.join('|')})(?:(?:${unit})\\.*)+${end}`;
}

/** Without quotes and braces, which have a meaning in configuration files. */
function quoted(pattern: string): string {
  return pattern.replace(/["'`{<]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
}

/** The conditions that do not change while the steps of a rule are applied: only these may be tested before each. */
function canAskAgain({ step, only, not }: StepRule): boolean {
  return [...(only ?? []), ...(not ?? [])].every((condition) => staysUnder(step, condition));
}

function staysUnder(step: StepRule['step'], { part, is }: Condition): boolean {
  switch (step) {
    case 'fold-slashes':
      return part !== 'first' && !(part === 'segment' && is === '') && !(part === 'last' && is === '');
    case 'drop-segment':
      return part === 'host' || part === 'parameter' || part === 'field' || part === 'fields' || part === 'query';
    case 'drop-empty-fields':
    case 'drop-number-fields':
      return !['parameter', 'field', 'fields', 'query', 'text'].includes(part);
    case 'one-separator':
      return part !== 'text';
    case 'unescape':
      return part === 'host' || part === 'depth' || part === 'fields';
    case 'trim-end':
      return part === 'host';
    case 'drop-end-slash':
    case 'add-end-slash':
    case 'drop-last-segment':
    case 'lower-case':
    case 'drop-repeated-fields':
    case 'sort-fields':
    case 'sort-values':
      return true;
    default:
      return step satisfies never;
  }
}
