// The order of likely rules: by score, support, sides and site. Rows sort by these bytes, in the external sort of a run
// and when the files of several runs are merged.
import { encodeText } from '../base/bytes.js';
import type { RowWriter } from '../base/row-writer.js';
import type { ParameterRule } from '../rule/rule.js';
import { putSide, type Pair } from '../table/pair.js';
import { rankScore, type RankOrder } from './rank.js';

/** What the key of a substring rule is made of beside its pair. */
export interface Ranked {
  readonly site: Uint8Array;
  readonly confidence: number;
  readonly order: RankOrder;
}

/** Writes the key of a substring rule into a cleared row. */
export function putPairKey(
  row: RowWriter,
  { from, to, anchor, low, against }: Pick<Pair, 'from' | 'to' | 'anchor' | 'low' | 'against'>,
  { site, confidence, order }: Ranked,
): RowWriter {
  row.descending(rankScore(low, against, confidence, order)).descending(low);
  return putSide(putSide(row, from, anchor), to, anchor).raw(site);
}

/**
 * The same for a parameter rule. A group counts as an instance does. Of equals the parameter rule comes first: no side
 * of a pair sorts as low as a 0.
 */
export function putParameterKey(
  row: RowWriter,
  rule: Pick<ParameterRule, 'site' | 'name' | 'path' | 'support' | 'against' | 'confidence'>,
  order: RankOrder,
): RowWriter {
  const { site, name, path, support, against, confidence } = rule;
  row
    .descending(rankScore(support.groups, against, confidence, order))
    .descending(support.groups)
    .byte(0);
  return putSide(putSide(row, encodeText(name), 'none'), encodeText(path), 'none').raw(encodeText(site));
}
