// Which patterns say the same, each about a text of its own?
//
//     /boards/4/topics/{1:digits}?r={value}  ->  /boards/4/topics/{1}
//     /boards/7/topics/{1:digits}?r={value}  ->  /boards/7/topics/{1}
//     /boards/{2:digits}/topics/{1:digits}?r={value}  ->  /boards/{2}/topics/{1}       the general pattern
//
//     //money.a.com/{1:digits}, //sports.a.com/{1:digits}     and for parts that move from the host into the path:
//     //{2:label}.a.com/{1:digits}  ->  //www.a.com/{2}/{1}
//
// A token is literal in a pattern of one cluster if many clusters have it, so each large forum or repository has a pattern
// of its own. The general one says it once, for small and for future ones too. A number names a thing, not a part of the
// site: if clusters refute the general pattern, those with single numbers only had no counter-example yet.
import { addTo } from '../base/group-by.js';
import { faultOfPattern } from '../rule/pattern.js';
import type { PatternRule } from '../rule/rule.js';

type Saying = Omit<PatternRule, 'rank'>;

export interface General {
  readonly rule: Saying;
  /** The patterns that it says at once. */
  readonly cases: readonly Saying[];
  /** True if they differ in a number. */
  readonly isOfNumbers: boolean;
}

/** A pattern with one token left out. */
interface Gap {
  readonly token: string;
  /** Before and behind the token, in pattern and template. */
  readonly around: readonly [string, string, string, string];
  readonly rule: Saying;
}

/** The most copies of a pattern. */
const MOST_COPIES = 9;

/** General patterns for patterns that differ in one token. */
export function generalPatterns(rules: readonly Saying[]): General[] {
  const found = new Map<string, Gap[]>();
  for (const rule of rules) {
    for (const gap of gapsOf(rule)) {
      const key = JSON.stringify([rule.site, rule.only ?? [], gap.around]);
      addTo(found, key, gap);
    }
  }
  return [...found.values()].filter((gaps) => gaps.length > 1).flatMap((gaps) => generalOf(gaps) ?? []);
}

/** Each token of host and path, if it occurs once in the pattern and once in the template. */
function gapsOf(rule: Saying): Gap[] {
  return tokensOf(rule.pattern).flatMap(([token, at]) => {
    const there = tokensOf(rule.template).filter(([other]) => other === token);
    const isAlone = tokensOf(rule.pattern).filter(([other]) => other === token).length === 1;
    if (!isAlone || there.length !== 1) return [];
    const place = there[0]![1];
    const end = at + token.length;
    const around = [
      rule.pattern.slice(0, at),
      rule.pattern.slice(end),
      rule.template.slice(0, place),
      rule.template.slice(place + token.length),
    ] as const;
    return [{ token, around, rule }];
  });
}

/** The literal tokens of host and path, with where they begin. */
function tokensOf(text: string): [string, number][] {
  const [head = ''] = text.split('?', 1);
  return Array.from(head.matchAll(/\{[^}]*\}|[0-9A-Za-z\u0080-\uffff]+/g), ({ 0: token, index }) =>
    token.startsWith('{') ? undefined : ([token, index] as [string, number]),
  ).filter((one) => one !== undefined);
}

function isInHost(before: string): boolean {
  return /^\/\/[^/]*$/.test(before);
}

function generalOf(gaps: readonly Gap[]): General | undefined {
  const { around, rule } = gaps[0]!;
  const copies = (rule.pattern.match(/\{[1-9]:/g) ?? []).length;
  if (copies === MOST_COPIES) return undefined;
  const isOfNumbers = gaps.every(({ token }) => /^[0-9]+$/.test(token));
  const [before, behind, left, right] = around;
  const takes = isOfNumbers ? 'digits' : isInHost(before) || isInHost(left) ? 'label' : 'word';
  const pattern = `${before}{${copies + 1}:${takes}}${behind}`;
  const template = `${left}{${copies + 1}}${right}`;
  if (faultOfPattern({ pattern, template }) !== undefined) return undefined;
  const clusters = gaps.reduce((sum, gap) => sum + gap.rule.support.clusters, 0);
  const said = { ...rule, pattern, template, support: { ...rule.support, clusters } };
  return { rule: said, cases: gaps.map((gap) => gap.rule), isOfNumbers };
}
