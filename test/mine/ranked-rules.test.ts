// Rules in ranked order, as JSON in memory or on disk, are for everybody what an array of them is.
import fc from 'fast-check';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { collectGarbage } from '../../src/base/garbage.js';
import { RankedRules } from '../../src/mine/ranked-rules.js';
import { likelyWords } from '../../src/report/render.js';
import { rulesTable } from '../../src/report/rules-table.js';
import { writeRules } from '../../src/rule/file.js';
import type { Rule } from '../../src/rule/rule.js';
import { amount } from '../amount.js';
import { sampleFile, sampleParameter, sampleRule } from '../rule/sample.js';

const text = fc.string({ maxLength: 3, unit: fc.constantFrom('a', '/', 'ä', '"', '\n') });
const site = fc.constantFrom('a.example', 'shop.co.uk', '*');
const confidence = fc.constantFrom(0.3, 0.9);
const rule: fc.Arbitrary<Rule> = fc
  .tuple(text, text, fc.record({ site, confidence }), fc.boolean())
  .map(([from, to, more, isParameter]) =>
    isParameter
      ? sampleParameter(`p${from}`, { ...more, status: 'likely' })
      : sampleRule(`x${from}`, to, { ...more, status: 'likely', examples: [[`http://a/${from}`, `http://a/${to}`]] }),
  );

function listed(rules: readonly Rule[], memoryBytes: number): RankedRules {
  const list = new RankedRules({ memoryBytes, tmpdir: tmpdir() });
  for (const { rank: _rank, ...unranked } of rules) {
    const bytes = encodeText(`key${JSON.stringify(unranked)}`);
    list.add({ bytes, keyStart: 0, keyEnd: 3, end: bytes.length });
  }
  return list;
}

test('they are written, shown and counted as an array is', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), fc.integer({ min: 1, max: 2000 }), (some, memoryBytes) => {
      const rules = some.map((one, at) => ({ ...one, rank: at + 1 }));
      const list = listed(rules, memoryBytes);
      expect([...list]).toEqual(rules);
      const file = sampleFile(rules);
      expect([...writeRules({ ...file, rules: list })]).toEqual([...writeRules(file)]);
      for (const limit of [0, 1, 3, 100])
        expect(rulesTable(list, { top: limit })).toBe(rulesTable(rules, { top: limit }));
      expect(likelyWords(list)).toBe(likelyWords(rules));
      list.close();
    }),
    { numRuns: amount(300) },
  );
});

test('20,000 of them take hardly any memory of JavaScript, and little beside it', () => {
  const rules = Array.from({ length: 20_000 }, (_, k) =>
    sampleRule(`/page/${k}`, `/seite/${k}`, { rank: k + 1, examples: [[`http://a/page/${k}`, `http://a/seite/${k}`]] }),
  );
  const asObjects = takenBy(() => rules.map((one) => JSON.parse(JSON.stringify(one)) as Rule));
  const asList = takenBy(() => listed(rules, 1 << 20));
  expect(asList.kept.length).toBe(asObjects.kept.length);
  // Other tests share the heap, and leave some.
  expect(asList.heap).toBeLessThan(asObjects.heap / 4);
  expect(asList.beside).toBeLessThan(3 << 20);
  asList.kept.close();
});

/** What is made, and the memory that it takes. */
function takenBy<T>(make: () => T): { readonly kept: T; readonly heap: number; readonly beside: number } {
  collectGarbage();
  const before = process.memoryUsage();
  const kept = make();
  collectGarbage();
  const after = process.memoryUsage();
  return { kept, heap: after.heapUsed - before.heapUsed, beside: after.arrayBuffers - before.arrayBuffers };
}
