// Which patterns say that paths ignore their query? Those that drop all fields and keep the rest:
//
//     /pixel.gif?{*} -> /pixel.gif        /p/{1:segment}/?{*} -> /p/{1}/
import type { PatternRule, Rule } from './rule.js';

/** Stands for one segment of the path. */
export const ANY_SEGMENT = '{1:segment}';
const QUERY = '?{*}';

/** For a path that may have {@link ANY_SEGMENT} once. */
export function queryDropping(path: string): Pick<PatternRule, 'pattern' | 'template'> {
  return { pattern: path + QUERY, template: path.replace(ANY_SEGMENT, '{1}') };
}

export function dropsQuery(rule: Rule): boolean {
  return rule.kind === 'pattern' && rule.pattern === rule.template.replace('{1}', ANY_SEGMENT) + QUERY;
}
