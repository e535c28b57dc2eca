// Compiles parameter rules to steps (SPEC 7). Fields are those of url/fields:
//
//     path     ;name=value   up to the next `;` or `/`, all of them before the first `?`
//     query    name or name=value, between `&` or `;`; a query of one field without `=` (`?2172`) has no parameter
//
// Removing a parameter from a query takes several steps: with a field, empty ones are removed too (so that `?&&sid=1&a`
// becomes `?a`), those that are left keep their separator, and the first follows `?`. In order: empty fields at the
// start, at the end, in between; then a query of nothing but that parameter, a run of it at the start, runs of it
// further on. Nearly every URL needs only one of these steps, but all of them are tried.
import type { ParameterRule } from '../rule/rule.js';
import type { Expression, ExpressionOptions, Step, Unsaid } from './step.js';
import { httpPattern, originPattern } from './site-pattern.js';
import { unwritable } from './unwritable.js';

/** The pieces that the expressions for one name are assembled from. */
interface Pieces extends QueryPieces {
  /** What precedes the path. */
  readonly origin: string;
  /** False for a name that cannot occur in a path. */
  readonly canBeInPath: boolean;
}

interface QueryPieces {
  /** Everything that must hold for the URL, after `^`. */
  readonly when: string;
  readonly name: string;
  /** A field of that name in a query, with or without value; what has to follow it. */
  readonly field: string;
  readonly fieldEnd: string;
  /** Follows the `?` of a query that can have parameters. */
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
  // Removing it from the path would move the URL out of the scope, in the middle of the rule.
  if (rule.path.includes(';')) return { kind: 'left', reason: 'is for a place with path parameters' };
  if (rule.name === '' || /[&;=#]/.test(rule.name)) return { kind: 'left', reason: 'has a name that no parameter has' };
  const set = rule.action === 'set' ? (rule.value ?? '') : '';
  const harm = unwritable(set);
  if (harm !== undefined) return { kind: 'left', reason: harm };
  // In a path such a value would end early, and be inserted again and again.
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

/** What precedes the path parameter: at least one `/`, so that nothing in a host can pass for one. */
function pathOrigin(options: ExpressionOptions): string {
  if (options.urls === 'path') return '';
  if (options.urls === 'any') return originPattern(options);
  return `${httpPattern(options.normalization)}[^/?]*/`;
}

export function scopePattern({ scope, path }: ParameterRule, options: ExpressionOptions): string | undefined {
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
  // Last, and from the end: a path without `;sid=1/x` may be outside of the scope.
  const inPath = { find: `^${when}(${origin}[^?]*);${name}=[^;/?]*`, put: '', repeat: true };
  return [...removeFromQuery(pieces), ...(canBeInPath ? [inPath] : [])];
}

/** Removes all such fields from the query, and with one also the empty ones. */
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

/** Empty fields of the query: all at the start, all at the end, then those of one place after another. */
function dropEmpty(when: string, { any, end }: QueryPieces): readonly Step[] {
  return [
    { find: `^${when}([^?]*\\?)[&;]+`, put: '', repeat: false },
    { find: `^${when}([^?]*\\?${any}*?)[&;]+${end}`, put: '', repeat: false },
    { find: `^${when}([^?]*\\?${any}*?)[&;]+(?=[&;])`, put: '', repeat: true },
  ];
}

/** The first such parameter, which is in the path if it has any there, gets the value; further ones are removed. */
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
