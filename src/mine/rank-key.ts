// The order of likely rules: by score, support, sides and site. Rows sort by these bytes, both in the external sort of
// a run and when files of several runs are merged.
import { encodeText } from '../base/bytes.js';
import type { RowWriter } from '../base/row.js';
import type { ParameterRule, StepRule, SubstringRule } from '../rule/rule.js';
import { putSide, type Pair } from '../table/pair.js';
import { likelinessIn, rankScore, type RankOrder } from './rank.js';

/** The parts of a substring rule's key beside its pair. */
export interface Ranked {
  readonly site: Uint8Array;
  readonly likeliness: number;
  readonly order: RankOrder;
}

/** Writes the key of a substring rule into a cleared row. */
export function putPairKey(
  row: RowWriter,
  { from, to, anchor, low, against }: Pick<Pair, 'from' | 'to' | 'anchor' | 'low' | 'against'>,
  { site, likeliness, order }: Ranked,
): RowWriter {
  row.descending(rankScore(low, against, likeliness, order)).descending(low);
  return putSide(putSide(row, from, anchor), to, anchor).raw(site);
}

type MinedRule = Omit<ParameterRule, 'rank'> | Omit<SubstringRule, 'rank'> | Omit<StepRule, 'rank'>;

/** Writes the key of a rule into a cleared row. */
export function putRuleKey(row: RowWriter, rule: MinedRule, order: RankOrder): RowWriter {
  if (rule.kind === 'parameter') return putParameterKey(row, rule, order);
  const pair = pairOf(rule);
  return putPairKey(row, pair, { site: encodeText(rule.site), likeliness: likelinessIn(rule), order });
}

/** A mined step adds slashes, as `ε → /` at the end does, or is about the items of a list, which its text names. */
function pairOf(rule: Omit<SubstringRule, 'rank'> | Omit<StepRule, 'rank'>) {
  const { against } = rule;
  if (rule.kind === 'step') {
    const to = rule.step === 'add-end-slash' ? '/' : `${rule.step} ${rule.text}`;
    return { from: encodeText(''), to: encodeText(to), anchor: 'end', low: rule.support.urls, against } as const;
  }
  return { from: encodeText(rule.from), to: encodeText(rule.to), anchor: rule.anchor, low: rule.support.low, against };
}

/**
 * Writes the key of a parameter rule. A group counts as an instance does. Of equal rules the parameter rule comes
 * first: no side of a pair sorts as low as a 0.
 */
function putParameterKey(row: RowWriter, rule: Omit<ParameterRule, 'rank'>, order: RankOrder): RowWriter {
  const { site, name, path, support, against } = rule;
  row
    .descending(rankScore(support.groups, against, likelinessIn(rule), order))
    .descending(support.groups)
    .byte(0);
  return putSide(putSide(row, encodeText(name), 'none'), encodeText(path), 'none').raw(encodeText(site));
}
