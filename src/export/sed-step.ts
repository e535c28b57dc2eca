// Compiles a step of normalization to sed commands on the URL in the pattern space (rule/step). A newline marks the
// beginning of a query, and a `&` after it gives the first field a separator like the others.
import type { StepRule } from '../rule/rule.js';
import { BARE_SIGNS } from '../rule/unescape.js';
import { escapePattern } from './escape-pattern.js';
import { literal, NEWLINE, ORIGIN } from './sed-text.js';

/** Commands, or why there are none. Labels are made from `id`. */
export function stepCommands({ step, text }: Pick<StepRule, 'step' | 'text'>, id: number): readonly string[] | string {
  const name = `/${literal(text)}`;
  switch (step) {
    case 'fold-slashes':
      return loop(`f${id}`, `s,^(${BEGIN})/+,\\1,`);
    case 'drop-end-slash':
      return [`s,^(${BEGIN}[^/;?][^/?]*)/+(;[^/?]*)?(\\?|$),\\1\\4\\5,`];
    case 'add-end-slash':
      return [`s,^(${BEGIN}[^/;?.]+)(;[^/?]*)?(\\?|$),\\1/\\4\\5,`];
    case 'drop-segment':
      return [
        ...loop(`f${id}`, `s,^${ORIGIN}${name}/,\\1/,`),
        `s,^${ORIGIN}${name}([;?]|$),\\1/\\2,`,
        ...loop(`l${id}`, `s,^(${ORIGIN}/[^?]*)${name}([/;?]|$),\\1\\3,`),
      ];
    case 'drop-last-segment':
      return [`s,^(${BEGIN})${literal(text)}(;[^/?]*)?(\\?|$),\\1\\4\\5,`];
    case 'drop-empty-fields':
      return inQuery(`s,(\\n.*)[&;]([^&;=]*=)?([&;]|$),\\1\\3,`, id);
    case 'drop-number-fields':
      return [
        '\\,^[^?]*\\?(.*[&;])?[0-9]+([&;]|$),{',
        '\\,^[^?]*\\?[&;]*[0-9]+[&;]*$,!{',
        ...inQuery('s,(\\n.*)[&;][0-9]*([&;]|$),\\1\\2,', id),
        '}',
        '}',
      ];
    case 'one-separator':
      return loop(`f${id}`, 's,^([^?]*\\?[^;]*);,\\1\\&,');
    case 'unescape':
      return Array.from(BARE_SIGNS).flatMap((sign, at) =>
        loop(`f${id}x${at}`, `s,^(${ORIGIN}[/?].*)${escapePattern(sign)},\\1${sign === ',' ? '\\,' : sign},`),
      );
    case 'trim-end':
      return trim(id);
    case 'lower-case':
      return 'folds case, which sed of POSIX cannot';
    case 'drop-repeated-fields':
    case 'sort-fields':
    case 'sort-values':
      return 'compares fields, which sed of POSIX cannot';
    default:
      return step satisfies never;
  }
}

const BEGIN = `${ORIGIN}/([^?]*/)?`;

/** Repeats until it finds nothing more. The last `t` has reset the flag for changes, so something is changed. */
function loop(label: string, command: string): readonly string[] {
  return [`:${label}`, command, `t ${label}`, 's,^,,'];
}

function inQuery(drop: string, id: number): readonly string[] {
  return ['\\,\\?,{', `s,\\?,?${NEWLINE}\\&,`, ...loop(`f${id}`, drop), 's,\\?\\n$,,', 's,\\n[&;],,', '}'];
}

/** Commas are not in brackets, as commas delimit. */
const JUNK = '(["\';<({[`]|\\,|\\\\|%(2[278Cc]|3[BbCc]|5[CcBb]|60|7[Bb]|20|09|0[AaDd]))';
const PAIRS = [
  ['([)]|%29)', '([(]|%28)'],
  ['([]]|%5[Dd])', '([[]|%5[Bb])'],
  ['([}]|%7[Dd])', '([{]|%7[Bb])'],
  ['(>|%3[Ee])', '(<|%3[Cc])'],
] as const;

/** A closing bracket is junk unless one opens before it: any at all, once other junk was removed after it. */
function trim(id: number): readonly string[] {
  const cut = (junk: string) => `s,^(${ORIGIN}[/?].*)${junk}\\.*$,\\1,`;
  return [
    `:f${id}`,
    cut(JUNK),
    `t f${id}`,
    ...PAIRS.flatMap(([close, open]) => [`\\,^${ORIGIN}[/?].*${open},!${cut(close)}`, `t f${id}`]),
    's,^,,',
  ];
}
