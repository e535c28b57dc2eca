// How are parameters removed? Parameters with the same conditions share their edits: one for a query that consists of
// nothing else, one for a run at the start, two for runs further on, and one for the path if the log has any there. A
// URL that still has one afterwards is not redirected.
//
//     ?sid=1&gclid=2                alone             (nothing)
//     ?sid=1&gclid=2&a=1            at the start      ?a=1
//     ?a=1&sid=1&b=2&gclid=2        a run, twice      ?a=1&b=2
//     /a;sid=1/b                    in the path       /a/b
import type { Condition, ParameterRule, Rule } from '../../rule/rule.js';
import { isInPaths } from '../in-paths.js';
import type { Edit, Put, Unit } from './edit.js';
import { literal, originPattern, partsOf, type Part, type Where } from './where.js';

/** Parameters that are removed at the same place. */
export interface ParameterUnit extends Unit {
  readonly kind: 'parameters';
  readonly rules: readonly ParameterRule[];
  readonly where: string;
  readonly origin: string;
}

export function parameterUnit(rule: ParameterRule, place: string, options: Where): Unit | string {
  if (rule.action === 'set') return 'sets a value';
  if (rule.name === '' || /[&;=#?/]/.test(rule.name)) return 'has a name that no parameter can have';
  if (rule.path.includes(';')) return 'holds for a path with path parameters';
  const { only = [], not = [] } = placeOf(rule);
  if ([...only, ...not].some(isAboutQuery)) return 'changes the query that its conditions test';
  const scope = scopePattern(rule, options);
  if (scope === undefined) return 'holds for a host, and these URLs have none';
  return unitOf([rule], place + scope, originPattern(options));
}

/** The only values with which the rule removes the parameter, such as `page=1`; undefined if it removes any value. */
function valuesOf({ name, only = [], not = [] }: ParameterRule): readonly string[] | undefined {
  if (only.length === 0 || not.length > 0) return undefined;
  const isOwn = ({ part, is }: Condition) => part === 'field' && String(is).startsWith(`${name}=`);
  return only.every(isOwn) ? only.map(({ is }) => String(is).slice(name.length + 1)) : undefined;
}

/** Site and conditions of a rule, without the conditions about the parameter's own value. */
export function placeOf(rule: ParameterRule): Pick<Rule, 'site' | 'only' | 'not'> {
  return valuesOf(rule) === undefined ? rule : { site: rule.site };
}

/**
 * An expression that excludes another value beside the removed one (`page=2` beside `page=1`): `canonize` would remove
 * both.
 */
function noOther(rule: ParameterRule): string {
  const values = valuesOf(rule);
  if (values === undefined) return '';
  const name = literal(rule.name);
  return `(?![^?]*\\?(?:.*[&;])?${name}(?!=${oneOf(values.map(literal))}(?:[&;]|$))(?:[=&;]|$))`;
}

function isAboutQuery({ part }: Condition): boolean {
  return part === 'parameter' || part === 'field' || part === 'fields' || part === 'query' || part === 'text';
}

/** Longest expression: nginx accepts words of up to 4,095 bytes. */
const LONGEST = 3500;

/**
 * One unit for the names of both units; undefined if they are at different places or the expression would be too long.
 */
export function joined(unit: Unit, other: Unit): Unit | undefined {
  if (!isParameters(unit) || !isParameters(other) || unit.where !== other.where) return undefined;
  if ([...unit.rules, ...other.rules].some((rule) => valuesOf(rule) !== undefined)) return undefined;
  const all = unitOf([...unit.rules, ...other.rules], unit.where, unit.origin);
  return [all.undone, ...all.edits.map(({ find }) => find)].some((find) => find.length > LONGEST) ? undefined : all;
}

function isParameters(unit: Unit): unit is ParameterUnit {
  return 'kind' in unit && unit.kind === 'parameters';
}

function scopePattern({ scope, path }: ParameterRule, { urlForm }: Where): string | undefined {
  if (scope === 'site') return '';
  const stop = scope === 'path' ? '(?:[;?]|$)' : '';
  if (path.startsWith('//')) return urlForm === 'path' ? undefined : `(?=https?:${literal(path)}${stop})`;
  return `(?=${originPattern({ urlForm, sitePolicy: 'all' })}${literal(path)}${stop})`;
}

function unitOf(rules: readonly ParameterRule[], where: string, origin: string): ParameterUnit {
  const values = valuesOf(rules[0]!)?.map(literal);
  const names = oneOf(rules.map(({ name }) => literal(name)));
  const valued = `${names}=${values === undefined ? '[^&;]*' : oneOf(values)}`;
  const inPaths = rules.filter(isInPaths).map(({ name }) => literal(name));
  const edit = (find: string, put: Put): Edit => ({ find: `^${where}${noOther(rules[0]!)}${find}`, put });
  const field = values === undefined ? `${names}(?:=[^&;]*)?` : valued;
  const further = edit(`([^?]*\\?.*?)(?:[&;]${field})+(?![^&;])(.*)$`, [1, 2]);
  const inPath: readonly Part[] = inPaths.length > 0 ? ['path'] : [];
  const there = edit(`(${origin}/[^?]*);${oneOf(inPaths)}=[^;/?]*(.*)$`, [1, 2]);
  return {
    kind: 'parameters',
    rules,
    where,
    origin,
    edits: [
      edit(`([^?]*)\\?(?:${valued}(?:[&;]|$))+$`, [1]),
      edit(`([^?]*\\?)(?:${field}[&;])+(.*)$`, [1, 2]),
      further,
      further,
      ...(inPaths.length > 0 ? [there] : []),
    ],
    // `?sid` alone is no parameter, but it may be what is left of a query after two removals.
    undone: `^${where}(?:[^?]*\\?(?:.*[&;])?|${origin}/[^?]*;)${values === undefined ? `${names}(?:[=&;]|$)` : `${valued}(?:[&;/]|$)`}`,
    isLimited: true,
    reads: new Set(['query', ...inPath, ...rules.flatMap(placeParts)]),
    changes: new Set(['query', ...inPath]),
  };
}

/** The parts of a URL that decide where the parameter is removed. */
function placeParts(rule: ParameterRule): readonly Part[] {
  const scope: readonly Part[] = rule.scope === 'site' ? [] : ['origin', 'path'];
  return [...partsOf(rule), ...scope];
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `(?:${names.join('|')})`;
}
