// Where does a rule hold, as addresses of sed (rule/condition)? There is no lookahead, so a condition is one or several
// expressions that begin at the start of the line. They are tested once, before the commands of the rule.
import type { Condition, Rule } from '../rule/rule.js';
import { block, HTTP, literal, ORIGIN } from './sed-text.js';

/** `commands` for the URLs that the rule holds for. */
export function whereItHolds(
  { only, not }: Pick<Rule, 'only' | 'not'>,
  commands: readonly string[],
): readonly string[] {
  const address = (conditions: readonly Condition[]) => `\\,${conditions.flatMap(expressionsOf).join('|')},`;
  const kept = not === undefined ? commands : block(`${address(not)}!`, commands);
  return only === undefined ? kept : block(address(only), kept);
}

const BEGIN = `^${ORIGIN}/`;
const FOLDERS = '([^?]*/)?';
const NAME_END = '([/;?]|$)';
const PATH_END = '(;[^/?]*)?(\\?|$)';
const EMPTY_PATH = `^(${HTTP}[^/?]*)?(\\?|$)`;
const EMPTY_SEGMENTS = '(/(;[^/?]*)?)*';
const QUERY = '^[^?]*\\?';

function expressionsOf({ part, is }: Condition): readonly string[] {
  const isEmpty = is === '' ? [EMPTY_PATH] : [];
  const text = literal(String(is));
  switch (part) {
    case 'host':
      return [`^${HTTP}([^/?]*@)?${text}([/?]|$)`, ...(is === '' ? ['^/'] : [])];
    case 'first':
      return [`${BEGIN}${text}${NAME_END}`, ...isEmpty];
    case 'last':
      return [`${BEGIN}${FOLDERS}${text}${PATH_END}`, ...isEmpty];
    case 'segment':
      return [`${BEGIN}${FOLDERS}${text}${NAME_END}`, ...isEmpty];
    case 'extension':
      if (is !== '') return [`${BEGIN}${FOLDERS}[^/;?]+\\.${text}${PATH_END}`];
      return [`${BEGIN}${FOLDERS}([^/;?][^/;?.]*|[^/;?]+\\.)?${PATH_END}`, ...isEmpty];
    case 'depth':
      return [`^${ORIGIN}${EMPTY_SEGMENTS}(/[^/;?][^/?]*${EMPTY_SEGMENTS}){${is}}(\\?|$)`];
    case 'fields':
      if (is === 0) return ['^[^?]*(\\?[&;]*)?$'];
      return [`${QUERY}[&;]*[^&;]+([&;]+[^&;]+){${is - 1}}[&;]*$`];
    case 'parameter':
      return [
        ...(/[/?]/.test(is) ? [] : [`${BEGIN}[^?]*;${text}=`]),
        `${QUERY}(.*[&;])?${text}=`,
        // A bare name counts only if there is another field in the query.
        `${QUERY}(.*[&;])?${text}[&;].*[^&;]`,
        `${QUERY}.*[^&;].*[&;]${text}([&;]|$)`,
      ];
    case 'field':
      return [
        ...(/^[^/?=]+=[^/?]*$/.test(is) ? [`${BEGIN}[^?]*;${text}([;/?]|$)`] : []),
        `${QUERY}(.*[&;])?${text}([&;]|$)`,
      ];
    case 'query':
      return [`${QUERY}.*${text}`];
    case 'text':
      return [`^${ORIGIN}[/?].*${text}`];
    default:
      return part satisfies never;
  }
}
