// Where does a rule hold, as a condition at the start of a regular expression (rule/condition)? It is a lookahead,
// which consumes nothing:
//
//     only   (?=this|or that)       of the URL, from its first byte on
//     not    (?!this|or that)
import type { Condition, Rule } from '../rule/rule.js';
import type { ExpressionOptions } from './step.js';
import { httpPattern, originPattern } from './site-pattern.js';

/** '' for a rule that holds everywhere; undefined if that depends on a host, and URLs here have none. */
export function conditionPattern(
  { only, not }: Pick<Rule, 'only' | 'not'>,
  options: ExpressionOptions,
): string | undefined {
  const asked = [...(only ?? []), ...(not ?? [])];
  if (options.urlForm === 'path' && asked.some(({ part }) => part === 'host')) return undefined;
  const any = (conditions: readonly Condition[]) =>
    conditions.flatMap((condition) => patternsOf(condition, options)).join('|');
  const must = only === undefined ? '' : `(?=${any(only)})`;
  return not === undefined || not.length === 0 ? must : `${must}(?!${any(not)})`;
}

/** What precedes the path: all of it, as a slash follows. */
export function pathStartPattern(options: ExpressionOptions): string {
  if (options.urls === 'path') return '';
  return options.urls === 'any' ? originPattern(options) : `${httpPattern(options.normalization)}[^/?]*`;
}

/** Each of them is one way to meet the condition. */
function patternsOf(condition: Condition, options: ExpressionOptions): readonly string[] {
  const { part, is } = condition;
  const { literal, end, any } = options.dialect;
  const origin = pathStartPattern(options);
  const nameEnd = `(?:[/;?]|${end})`;
  const pathEnd = `(?:;[^/?]*)?(?:\\?|${end})`;
  const isEmpty = is === '' && options.urls !== 'path' ? [`${origin}(?:\\?|${end})`] : [];
  switch (part) {
    case 'host':
      return hostPatterns(is, options);
    case 'first':
      return [`${origin}/${literal(is)}${nameEnd}`, ...isEmpty];
    case 'last':
      return [`${origin}/(?:[^?]*/)?${literal(is)}${pathEnd}`, ...isEmpty];
    case 'segment':
      return [`${origin}/(?:[^?]*/)?${literal(is)}${nameEnd}`, ...isEmpty];
    case 'extension':
      if (is !== '') return [`${origin}/(?:[^?]*/)?[^/;?]+\\.${literal(is)}${pathEnd}`];
      return [`${origin}/(?:[^?]*/)?(?:[^/;?][^/;?.]*|[^/;?]+\\.)?${pathEnd}`, ...isEmpty];
    case 'depth': {
      const empty = '(?:/(?:;[^/?]*)?)*';
      return [`${origin}${empty}(?:/[^/;?][^/?]*${empty}){${is}}(?:\\?|${end})`];
    }
    case 'fields':
      if (is === 0) return [`[^?]*(?:\\?[&;]*)?${end}`];
      return [`[^?]*\\?[&;]*[^&;]+(?:[&;]+[^&;]+){${is - 1}}[&;]*${end}`];
    case 'parameter': {
      const name = literal(is);
      const field = `[^?]*\\?(?:${any}*[&;])?${name}`;
      return [
        ...(/[/?]/.test(is) ? [] : [`${origin}/[^?]*;${name}=`]),
        `${field}=`,
        // A bare name counts only if there is another field in the query.
        `${field}[&;]${any}*[^&;]`,
        `[^?]*\\?[&;]*[^&;]${any}*[&;]${name}(?:[&;]|${end})`,
      ];
    }
    case 'field':
      return [
        ...(/^[^/?=]+=[^/?]*$/.test(is) ? [`${origin}/[^?]*;${literal(is)}(?:[;/?]|${end})`] : []),
        `[^?]*\\?(?:${any}*[&;])?${literal(is)}(?:[&;]|${end})`,
      ];
    case 'query':
      return [`[^?]*\\?${any}*${literal(is)}`];
    case 'text':
      return [`${origin}[/?]${any}*${literal(is)}`];
    default:
      return part satisfies never;
  }
}

function hostPatterns(
  is: string,
  { urls, normalization, dialect: { literal, end } }: ExpressionOptions,
): readonly string[] {
  const http = httpPattern(normalization);
  const here = `${http}(?:[^/?]*@)?${literal(is)}(?:[/?]|${end})`;
  if (is !== '' || urls === 'absolute') return [here];
  return urls === 'path' ? [''] : [here, `(?!${http})`];
}
