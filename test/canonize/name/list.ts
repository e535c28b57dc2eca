// Lists with hits, and the canonizer that names are chosen by in tests.
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import { Census, hitList, type CanonizerOf, type HitList } from '../../../src/canonize/name/census.js';
import type { Rule } from '../../../src/rule/rule.js';
import type { CanonizerOptions } from '../../../src/canonize/rounds.js';

const options: CanonizerOptions = {
  normalize: 'safe',
  accept: 'likely',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'all',
};

export const canonizerOf: CanonizerOf = (rules) => createCanonizer(rules, options);

export function listOf(hits: Readonly<Record<string, number>>, moved: readonly string[] = []): HitList {
  return hitList(Object.keys(hits), Object.values(hits), moved);
}

export function censusOf(rules: readonly Rule[], list: HitList): Census {
  return new Census(list, rules, canonizerOf);
}
