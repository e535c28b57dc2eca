// Which rules of classes of hosts go into the file of a part of the sites? Those that hold on one of its hosts, and name
// no others. A rule for all hosts but some holds for hosts that nobody mined, so each part has it whole.
import { encodeText } from '../../base/bytes.js';
import type { Condition, Rule } from '../../rule/rule.js';
import type { SiteOf } from '../../table/url-list.js';
import type { Part } from '../part-text.js';
import { hasSite } from '../part.js';
import type { ClassRule } from './pool.js';

/** With their ranks among all rules of classes, by which `joinClasses` finds their order. */
export function classRulesOf(rules: readonly ClassRule[], part: Part, siteOf: SiteOf): Rule[] {
  const isIn = ({ is }: Condition) => {
    const url = encodeText(`http://${is}/`);
    return hasSite(part, siteOf(url, 0, url.length));
  };
  return rules.flatMap((rule, at): Rule[] => {
    const ranked = { rank: at + 1, ...rule };
    if (rule.only === undefined) return [ranked];
    const only = rule.only.filter(isIn);
    return only.length === 0 ? [] : [{ ...ranked, only }];
  });
}
