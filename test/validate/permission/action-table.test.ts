// Which share of URLs that do something by GET is refused by its words, and which of documents that look near? The tables
// are made from what manuals and documentations of software say (columns: target, language, software or convention, what
// it does). The words of the guard were chosen with one half of each at hand; nobody looked at the other half before it was
// first measured, on 2026-11-27: 399 of 434 actions and 11 of 167 documents.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createActionTest } from '../../../src/validate/permission/actions.js';

const actionOf = createActionTest();

function shareRefused(name: string): number {
  const text = readFileSync(new URL(`../../../fixtures/actions/${name}.tsv`, import.meta.url), 'utf8');
  const targets = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0]!);
  expect(targets.length).toBeGreaterThan(160);
  return targets.filter((target) => actionOf(target) !== undefined).length / targets.length;
}

test.each([
  ['actions-tuned', 0.99, 1],
  ['actions-set-aside', 0.91, 1],
  ['ordinary-tuned', 0, 0.012],
  ['ordinary-set-aside', 0, 0.066],
])('of %s between %f and %f are refused', (name, least, most) => {
  const share = shareRefused(name);
  expect(share).toBeGreaterThanOrEqual(least);
  expect(share).toBeLessThanOrEqual(most);
});
