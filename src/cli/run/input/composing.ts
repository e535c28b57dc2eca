// How are URLs of a list composed for the rules of a file?
import type { MineOptions, Normalization, RulesFile } from '../../../rule/rule.js';

export interface Composing extends Pick<MineOptions, 'base' | 'scheme' | 'maxUrlLength'> {
  readonly normalize: Normalization;
}

export function composingOf({ options, normalization }: RulesFile): Composing {
  const { base, scheme, maxUrlLength } = options;
  return { base, scheme, maxUrlLength, normalize: normalization };
}
