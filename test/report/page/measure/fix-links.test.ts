import { expect, it } from 'vitest';
import { encodeText } from '../../../../src/base/bytes.js';
import { FixLinks } from '../../../../src/report/page/measure/fix-links.js';
import type { Rule } from '../../../../src/rule/rule.js';
import { sampleParameter, sampleRule } from '../../../rule/sample.js';

const how = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'host',
} as const;

it.each([10, 300])('joins fixes of which one has work for another, and no others, of %i pairs', (pairs) => {
  const numbers = Array.from({ length: pairs }, (_, k) => k);
  const rules: Rule[] = numbers.flatMap((k) => [
    sampleRule(`/old${k}/`, `/new${k}/`, { rank: 2 * k + 1 }),
    sampleRule(`/new${k}/index.html`, `/new${k}/`, { rank: 2 * k + 2 }),
  ]);
  // One with more rules than are tried one by one.
  const ids = Array.from({ length: 20 }, (_, k) => sampleParameter(`s${k}`, { rank: 2 * pairs + k + 1 }));
  const links = new FixLinks([...rules.map((rule) => ({ rules: [rule] })), { rules: ids }], how);
  for (const k of [...numbers, ...numbers]) {
    links.add(encodeText(`http://h/old${k}/x?s${k % 20}=1`), [rules[2 * k]!, ids[k % 20]!]);
    if (k % 3 > 0) links.add(encodeText(`http://h/old${k}/index.html`), [rules[2 * k]!, rules[2 * k + 1]!]);
  }
  const alone = numbers.flatMap((k) => (k % 3 > 0 ? [[2 * k, 2 * k + 1]] : [[2 * k], [2 * k + 1]]));
  expect([...links.joined().values()]).toEqual([...alone, [2 * pairs]]);
});
