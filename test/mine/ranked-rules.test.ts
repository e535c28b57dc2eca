// Rules in ranked order, as JSON in memory or on disk, are for everybody what an array of them is.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { RankedRules } from '../../src/mine/ranked-rules.js';
import { likelyWords } from '../../src/report/render.js';
import { rulesTable } from '../../src/report/rules-table.js';
import { writeRules } from '../../src/rule/file.js';
import type { Rule } from '../../src/rule/rule.js';
import { amount } from '../amount.js';
import { sampleFile, sampleParameter, sampleRule } from '../rule/sample.js';

const dist = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;

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

/** In MiB, 20,000 rules as `made` keeps them: in JavaScript's heap and beside it, in a process that does nothing else. */
function takenBy(made: string): { readonly heap: number; readonly beside: number } {
  const script = `
    import { tmpdir } from 'node:os';
    import { collectGarbage } from '${dist('src/base/garbage.js')}';
    import { RankedRules } from '${dist('src/mine/ranked-rules.js')}';
    import { sampleRule } from '${dist('test/rule/sample.js')}';
    const jsonOf = (k) => JSON.stringify(
      sampleRule('/page/' + k, '/seite/' + k, { examples: [['http://a/page/' + k, 'http://a/seite/' + k]] }));
    const numbers = Array.from({ length: 20_000 }, (_, k) => k);
    const list = new RankedRules({ memoryBytes: 1 << 20, tmpdir: tmpdir() });
    function add(k) {
      const bytes = Buffer.from('key' + jsonOf(k));
      list.add({ bytes, keyStart: 0, keyEnd: 3, end: bytes.length });
    }
    collectGarbage();
    const before = process.memoryUsage();
    ${made}
    collectGarbage();
    const after = process.memoryUsage();
    console.log(JSON.stringify([after.heapUsed - before.heapUsed, after.arrayBuffers - before.arrayBuffers]));
    if (kept.length !== numbers.length) throw new Error('got ' + kept.length + ' rules');
    list.close();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const [heap, beside] = (JSON.parse(stdout) as [number, number]).map((bytes) => bytes / 2 ** 20);
  return { heap: heap!, beside: beside! };
}

test('20,000 of them take hardly any memory of JavaScript, and little beside it', () => {
  const asObjects = takenBy('const kept = numbers.map((k) => JSON.parse(jsonOf(k)));');
  const asList = takenBy('numbers.forEach(add); const kept = list;');
  expect(asObjects.heap).toBeGreaterThan(4);
  expect(asList.heap).toBeLessThan(1);
  expect(asList.beside).toBeLessThan(3);
});
