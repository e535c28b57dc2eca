// What does a parameter rule say as steps (SPEC 7)? Fields are those of url/fields:
//
//     path     ;name=value   up to the next `;` or `/`, all of them before the first `?`
//     query    name or name=value, between `&` or `;`; a query of one field without `=` (`?2172`) has no parameter
//
// To take a parameter out of a query takes more than one look: where a field goes, empty ones go too (so that
// `?&&sid=1&a` is `?a`), those that are left stay behind the separator that they had, and the first behind `?`. In
// their order: empty fields at the start, at the end, in between; then a query of nothing but that parameter, a run of
// it at the start, runs of it further on. Nearly every URL needs one of these steps only, but all of them are asked.
import type { ParameterRule } from '../rule/rule.js';
import type { Expression, ExpressionOptions, Step, Unsaid } from './step.js';
import { httpPattern, originPattern } from './site-pattern.js';
import { unwritable } from './unwritable.js';

/** The pieces that the expressions for one name are put together from. */
interface Pieces extends QueryPieces {
  /** What stands before the path. */
  readonly origin: string;
  /** False for a name that cannot stand in a path. */
  readonly canBeInPath: boolean;
}

interface QueryPieces {
  /** Everything that has to hold of the URL, behind `^`. */
  readonly when: string;
  readonly name: string;
  /** A field of that name in a query, with or without value; what has to follow it. */
  readonly field: string;
  readonly fieldEnd: string;
  /** Stands behind the `?` of a query that can have parameters. */
  readonly notBare: string;
  readonly any: string;
  readonly end: string;
}

export function parameterSteps(
  rule: ParameterRule,
  conditions: string,
  options: ExpressionOptions,
): Expression | Unsaid {
  const { dialect } = options;
  // What is taken out of the path would take the URL out of the scope, in the middle of the rule.
  if (rule.path.includes(';')) return { kind: 'left', reason: 'is for a place with path parameters' };
  if (rule.name === '' || /[&;=#]/.test(rule.name)) return { kind: 'left', reason: 'has a name that no parameter has' };
  const set = rule.action === 'set' ? (rule.value ?? '') : '';
  const harm = unwritable(set);
  if (harm !== undefined) return { kind: 'left', reason: harm };
  // In a path such a value would end early, and be put in again and again.
  if (/[&;?/]/.test(set)) return { kind: 'left', reason: 'sets a value with a separator in it' };
  const scope = scopePattern(rule, options);
  if (scope === undefined) return { kind: 'left', reason: 'is for a host, and URLs here have none' };
  const { any, end } = dialect;
  const name = dialect.literal(rule.name);
  const pieces: Pieces = {
    when: conditions + scope,
    origin: pathOrigin(options),
    name,
    field: `${name}(?:=[^&;]*)?`,
    fieldEnd: `(?=[&;]|${end})`,
    notBare: `(?=${any}*=|[&;]*[^&;]+[&;]+[^&;])`,
    any,
    end,
    canBeInPath: !/[/?]/.test(rule.name),
  };
  const value = rule.value === null ? undefined : { text: rule.value, pattern: dialect.literal(rule.value) };
  return { kind: 'steps', steps: rule.action === 'remove' ? removeAll(pieces) : setFirst(pieces, value) };
}

/** What the path stands behind: at least one `/`, so that nothing of a host can pass for a path parameter. */
function pathOrigin(options: ExpressionOptions): string {
  if (options.urls === 'path') return '';
  if (options.urls === 'any') return originPattern(options);
  return `${httpPattern(options.normalization)}[^/?]*/`;
}

function scopePattern({ scope, path }: ParameterRule, options: ExpressionOptions): string | undefined {
  if (scope === 'site') return '';
  const { dialect, urls, normalization } = options;
  const http = httpPattern(normalization);
  const stop = scope === 'path' ? `(?:[;?]|${dialect.end})` : '';
  const text = dialect.literal(path) + stop;
  if (path.startsWith('//')) return urls === 'path' ? undefined : `(?=${http.slice(0, -2)}${text})`;
  if (urls === 'path') return `(?=${text})`;
  return urls === 'absolute' ? `(?=${http}[^/?]*${text})` : `(?=${originPattern(options)}${text})`;
}

function removeAll(pieces: Pieces): readonly Step[] {
  const { when, origin, name, canBeInPath } = pieces;
  // Last, and from behind: a path without `;sid=1/x` may be one that the rule is not for.
  const inPath = { find: `^${when}(${origin}[^?]*);${name}=[^;/?]*`, put: '', repeat: true };
  return [...removeFromQuery(pieces), ...(canBeInPath ? [inPath] : [])];
}

/** Takes all such fields out of the query, and empty ones where one goes. */
export function removeFromQuery(pieces: QueryPieces): readonly Step[] {
  const { when, name, field, fieldEnd, notBare, any, end } = pieces;
  const has = `(?=[^?]*\\?${notBare}(?:${any}*[&;])?${field}${fieldEnd})`;
  return [
    ...dropEmpty(when + has, pieces),
    { find: `^${when}([^?]*)\\?(?!${name}${end})${field}(?:[&;]${field})*${end}`, put: '', repeat: false },
    { find: `^${when}([^?]*\\?)${notBare}(?:${field}[&;])+`, put: '', repeat: false },
    { find: `^${when}([^?]*\\?${notBare}${any}*?)(?:[&;]${field})+${fieldEnd}`, put: '', repeat: true },
  ];
}

/** Empty fields of the query: all that stand first, all that stand last, then those of one place after another. */
function dropEmpty(when: string, { any, end }: QueryPieces): readonly Step[] {
  return [
    { find: `^${when}([^?]*\\?)[&;]+`, put: '', repeat: false },
    { find: `^${when}([^?]*\\?${any}*?)[&;]+${end}`, put: '', repeat: false },
    { find: `^${when}([^?]*\\?${any}*?)[&;]+(?=[&;])`, put: '', repeat: true },
  ];
}

/** The first such parameter, which is one of the path if it has any, takes the value; further ones go. */
function setFirst(pieces: Pieces, value: { text: string; pattern: string } | undefined): readonly Step[] {
  const { when, origin, name, field, fieldEnd, notBare, any, end, canBeInPath } = pieces;
  const put = value === undefined ? '' : `=${value.text}`;
  const pathEnd = `(?=[;/?]|${end})`;
  const isInPath = `${origin}[^?]*?;${name}=`;
  const pathSteps: readonly Step[] = [
    ...removeFromQuery({ ...pieces, when: `${when}(?=${isInPath})` }),
    { find: `^${when}(${isInPath}[^;/?]*[^?]*);${name}=[^;/?]*`, put: '', repeat: true },
    {
      find: `^${when}(${origin}[^?]*?;${name})${value === undefined ? '' : `(?!=${value.pattern}${pathEnd})`}=[^;/?]*`,
      put,
      repeat: false,
    },
  ];
  const whenOnlyThere = canBeInPath ? `${when}(?!${isInPath})` : when;
  const twice = `(?=[^?]*\\?(?:${any}*[&;])?${field}[&;](?:${any}*[&;])?${field}${fieldEnd})`;
  const first = `[^?]*\\?${notBare}(?:(?!${field}${fieldEnd})[^&;]*[&;])*${name}`;
  const old = value === undefined ? '=[^&;]*' : `(?!=${value.pattern}${fieldEnd})(?:=[^&;]*)?`;
  return [
    ...(canBeInPath ? pathSteps : []),
    ...dropEmpty(whenOnlyThere + twice, pieces),
    { find: `^${whenOnlyThere}(${first})${old}${fieldEnd}`, put, repeat: false },
    {
      find: `^${whenOnlyThere}([^?]*\\?(?:${any}*?[&;])?${field}(?:[&;]${any}*?)?)[&;]${field}${fieldEnd}`,
      put: '',
      repeat: true,
    },
  ];
}
