import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes, decodeText, encodeText } from '../../src/base/bytes.js';
import {
  createBlockCanonizer,
  createCanonizer,
  type Canonizer,
  type CanonizerOptions,
} from '../../src/canonize/canonizer.js';
import { everyRule } from '../../src/canonize/every-rule.js';
import { createLineMapper } from '../../src/canonize/lines.js';
import { createRounds } from '../../src/canonize/rounds.js';
import type { PatternRule, Rule } from '../../src/rule/rule.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { amount, isFew } from '../amount.js';
import {
  sampleParameter,
  samplePattern,
  sampleRule,
  sampleStep,
  somePlaces,
  stepNames,
  stepText,
} from '../rule/sample.js';
import { anyRules, someCondition, someOptions, someStep, someUrl } from './arbitrary.js';

const absolute: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'mixed',
  sitePolicy: 'host',
};

/** How lines end: passed over, settled with their own or with another form, left to the rounds. */
interface Ends {
  passed: number;
  same: number;
  changed: number;
  left: number;
}

const noEnds = (): Ends => ({ passed: 0, same: 0, changed: 0, left: 0 });

/** Expects of each line what the rounds make of it, if the sweep settles it. */
function expectForms(
  urls: readonly string[],
  rules: readonly Rule[],
  options: CanonizerOptions,
  ends = noEnds(),
): Ends {
  const swept = createBlockCanonizer(rules, options);
  const rounds = createRounds(rules, options, createSiteOf(options.sitePolicy), everyRule);
  const formOf = (bytes: Uint8Array) => decodeText(rounds.canonize(bytes));
  const block = concatBytes(urls.flatMap((url) => [encodeText(url), encodeText('\n')]));
  // So that the hosts are known, also those that rules lead to.
  for (const url of urls) {
    swept.canonize(encodeText(url));
    for (const { form } of rounds.explain(encodeText(url)).steps) swept.canonize(form);
  }
  const { sweep } = swept.swept!;
  const { bytes, found } = sweep;
  const isFound = new Map<string, number>();
  sweep.begin(block);
  for (let from = sweep.start; from < sweep.end;) {
    from = sweep.look(from);
    const before = found.slice(0, sweep.foundLength);
    for (let at = 0; at < sweep.foundLength;) at = sweep.settle(at);
    for (let at = 0; at < sweep.foundLength; at += 5 + found[at + 4]!) {
      const start = found[at]!;
      const end = found[at + 1]!;
      if (end === 0 || found[at + 2]! >= 0) {
        ends.left++;
        expect(found.slice(at, at + 5)).toEqual(before.slice(at, at + 5));
        if (end > 0) isFound.set(decodeText(bytes, start, end), at);
        else isFound.set(decodeText(bytes, start, bytes.indexOf(10, start)), at);
        continue;
      }
      const url = bytes.slice(start, end);
      isFound.set(decodeText(url), at);
      const form = decodeText(bytes, -found[at + 2]!, found[at + 3]);
      const expected = formOf(url);
      const isSame = -found[at + 2]! === start;
      // One by one they would take longer than the sweep.
      if (form !== expected || (form === decodeText(url)) !== isSame)
        expect({ url: decodeText(url), rules, form, isSame }).toEqual({
          form: expected,
          isSame: expected === decodeText(url),
        });
      if (isSame) ends.same++;
      else ends.changed++;
    }
  }
  for (const url of urls) {
    if (isFound.has(url)) continue;
    ends.passed++;
    expect(formOf(encodeText(url))).toBe(url);
  }
  return ends;
}

/** How a single URL ends. */
function endOf(url: string, rules: readonly Rule[], options: Partial<CanonizerOptions> = {}): keyof Ends {
  const ends = expectForms([url], rules, { ...absolute, ...options });
  return (Object.keys(ends) as (keyof Ends)[]).find((end) => ends[end] > 0)!;
}

const fields = fc
  .array(
    fc.constantFrom('a=1', 'a=2', 'b=1', 'B=%2F', '17', 'a', '', 'a=', 'a=B', 'A=X%C3', '%C3=1', 'b=a=1', 'a%20=x'),
    { maxLength: 6 },
  )
  .chain((list) => fc.constantFrom('&', '&', ';').map((separator) => list.join(separator)));
const segments = fc
  .array(fc.constantFrom('a', 'b', 'A', '', 'a.b', '%C3', '%28b', 'a;b=1', ';A', '.a', 'a-b', 'b).'), { maxLength: 5 })
  .map((list) => `/${list.join('/')}`);
/** Nearly all are plain. */
const plainUrl = fc
  .tuple(fc.constantFrom('', 'http://h', 'http://i', 'https://h:8'), segments, fc.option(fields))
  .map(([host, path, query]) => `${host}${path}${query === null ? '' : `?${query}`}`)
  .filter((url) => !/[\n\r]/.test(url));
const manySteps = fc
  .array(someStep, { minLength: 1, maxLength: 8 })
  .map((list) => list.map((step, at) => ({ ...step, rank: at + 1 })));

/** So that rules that add text are applied too. */
const word = { word: 'redirect' } as const;

describe('a canonizer by the kernel', () => {
  it('gives each single URL the form of all rules in turn, and says the same changes', { timeout: 60_000 }, () => {
    let byKernel = 0;
    let changes = 0;
    const lineEnds = fc.constantFrom('', '', '', '', '\n', '\r', '\na', 'x\r\n/a');
    const urls = fc.array(
      fc.tuple(fc.oneof(someUrl, plainUrl, plainUrl), lineEnds).map(([url, end]) => url + end),
      { minLength: 5, maxLength: 20 },
    );
    fc.assert(
      fc.property(fc.oneof(anyRules, anyRules, manySteps), someOptions, urls, (rules, options, list) => {
        const canonizer = createBlockCanonizer(rules, options);
        const twin = createRounds(rules, options, createSiteOf(options.sitePolicy), everyRule);
        for (const text of list) {
          const url = encodeText(text);
          const [got, expected]: string[][] = [[], []];
          const ending = canonizer.trace(url, (round, rule) => got!.push(`${round} ${rule?.rank}`));
          const form = formOf(canonizer, url);
          if (canonizer.way === 'kernel') byKernel++;
          const expectedEnding = twin.trace(url, (round, rule) => expected!.push(`${round} ${rule?.rank}`));
          const expectedForm = decodeText(formOf(twin, url));
          expect([ending, decodeText(form), canonizer.canonical.isUrl, got]).toEqual([
            expectedEnding,
            expectedForm,
            twin.canonical.isUrl,
            expected,
          ]);
          if (decodeText(canonizer.canonize(url)) !== expectedForm) expect.fail(`canonize gives ${text} another form`);
          if (canonizer.way === 'kernel') changes += got!.length;
        }
        expect(canonizer.unsettled).toBe(twin.unsettled + list.filter((url) => isUnsettled(twin, url)).length);
      }),
      { numRuns: amount(750, 2.5), seed: 19 },
    );
    expect(byKernel).toBeGreaterThan(amount(3000, 2.5));
    expect(changes).toBeGreaterThan(amount(500, 2.5));
  });

  it('has the kernel only where it pays: many URLs, more than three rules', () => {
    const rules = ['a', 'b', 'c', 'd'].map((text, at) => sampleRule(text, `${text}x`, { rank: at + 1, ...word }));
    const waysOf = (some: readonly Rule[]) => {
      const canonizer = createCanonizer(some, absolute);
      return Array.from({ length: 2100 }, () => {
        canonizer.canonize(encodeText('/e'));
        return canonizer.way;
      });
    };
    expect(new Set(waysOf(rules.slice(0, 3)))).toEqual(new Set(['all rules']));
    const ways = waysOf(rules);
    expect([ways[0], ways.at(-1)]).toEqual(['all rules', 'kernel']);
  });
});

function formOf({ canonical }: Canonizer, url: Uint8Array): Uint8Array {
  return canonical.isChanged ? canonical.bytes.slice(canonical.start, canonical.end) : url;
}

const isUnsettled = (canonizer: Canonizer, url: string) => canonizer.trace(encodeText(url), () => {}) === 'unsettled';

describe('the rounds of a sweep', () => {
  it('lead to the forms of the other rounds', { timeout: 120_000 }, () => {
    const ends = noEnds();
    const urls = fc.array(fc.oneof(someUrl, plainUrl, plainUrl), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(fc.oneof(anyRules, anyRules, manySteps), someOptions, urls, (rules, options, list) => {
        expectForms(
          list.filter((url) => !/[\n\r]/.test(url)),
          rules,
          options,
          ends,
        );
      }),
      { numRuns: amount(800, 2), seed: 15 },
    );
    for (const end of ['passed', 'same', 'changed', 'left'] as const)
      expect(ends[end], end).toBeGreaterThan(amount(500, 2.5));
  });

  it.skipIf(isFew)('do each step, and each parameter rule, wherever it holds', { timeout: 120_000 }, () => {
    const changed = new Map<string, number>();
    const left: string[] = [];
    const texts = fc.constantFrom('a', 'a', 'b', 'A');
    const step = fc
      .tuple(fc.constantFrom(...stepNames), texts, fc.constantFrom(...somePlaces))
      .map(([name, text, place]): [string, Rule] => {
        return [name, sampleStep(name, stepText(name, name === 'lower-case' ? '' : text, place), word)];
      });
    const lower = texts.map((text): [string, Rule] => ['lower-case of', sampleStep('lower-case', text)]);
    const parameter = fc
      .tuple(texts, fc.constantFrom('remove' as const, 'set' as const), fc.constantFrom(null, '', '1', '%C3'))
      .chain(([name, action, value]) =>
        fc
          .constantFrom(
            { scope: 'site', path: '' } as const,
            { scope: 'prefix', path: '//h/' } as const,
            { scope: 'prefix', path: '/' } as const,
            {
              scope: 'path',
              path: '/a',
            } as const,
          )
          .map((where): [string, Rule] => [
            `${action} ${value === null} ${where.scope}`,
            sampleParameter(name, { action, value, ...where }),
          ]),
      );
    fc.assert(
      fc.property(
        fc.oneof(step, step, lower, parameter),
        fc.array(
          fc.oneof(
            plainUrl,
            plainUrl,
            fields.map((query) => `/a?${query}`),
            fields.map((query) => `/a?a=B&${query}`),
            fields.map((query) => `/a/b-a-b/b/b?a=b-a%2Db&b=2&b=1&b=1&${query}`),
          ),
          { maxLength: 20 },
        ),
        ([name, rule], urls) => {
          const ends = expectForms(urls, [rule], absolute);
          changed.set(name, (changed.get(name) ?? 0) + ends.changed);
          if (ends.left > 0) left.push(name);
        },
      ),
      { numRuns: amount(1500, 1), seed: 16 },
    );
    expect([...changed].filter(([, count]) => count === 0)).toEqual([]);
    expect(changed.size).toBe(stepNames.length + 1 + 12);
  });

  it('test every condition as the rule does', { timeout: 60_000 }, () => {
    const ends = noEnds();
    const conditions = fc.array(someCondition, { minLength: 1, maxLength: 3 });
    const some = fc.constantFrom('only' as const, 'not' as const);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(some, conditions), { minLength: 1, maxLength: 4 }),
        fc.array(plainUrl),
        (list, urls) => {
          const rules = list.map(([which, are], at) =>
            sampleRule('/', `/x${at}-`, { rank: at + 1, [which]: are, anchor: 'end', ...word }),
          );
          const steps = list.map(([which, are], at) =>
            sampleStep('add-end-slash', '', { rank: 20 + at, [which]: are, ...word }),
          );
          expectForms(urls, [...rules, ...steps], absolute, ends);
        },
      ),
      { numRuns: amount(1000, 5), seed: 17 },
    );
    expect(Math.min(ends.same, ends.changed)).toBeGreaterThan(amount(200, 5));
  });

  it.skipIf(isFew)('take a URL of any length, and leave the longest forms', () => {
    const long = (length: number) => `http://h/${'x'.repeat(length - 9)}`;
    const rules = [sampleRule('http://h/x', 'http://h/yy', { anchor: 'start' }), sampleRule('a', 'b')];
    for (let length = 10; length < 90; length++) {
      expect(endOf(`/a/${'x'.repeat(length)}`, rules)).toBe('changed');
      expect(endOf(`/${'x'.repeat(length)}/a`, rules)).toBe('changed');
      expect(
        endOf(`/a/${'x'.repeat(length)}?a=${'y'.repeat(length)}/a`, [sampleRule('a', ''), sampleParameter('a')]),
      ).toBe('changed');
    }
    expect(endOf(`${long(4094)}/a`, rules)).toBe('changed');
    expect(endOf(`${long(4095)}/a`, rules)).toBe('left');
    const grows = [sampleRule('a', 'bb')];
    expect([4094, 4095, 4096].map((length) => endOf(`/a/${'x'.repeat(length - 3)}`, grows))).toEqual([
      'changed',
      'changed',
      'left',
    ]);
  });

  it('leave what is rare: cycles, many rounds, many fields, unknown rules, many exceptions, long texts', () => {
    const circle = [sampleRule('a', 'b'), sampleRule('c', 'a', { rank: 2 }), sampleRule('b', 'c', { rank: 3 })];
    expect(
      endOf('/a', [sampleRule('c', 'a'), sampleRule('b', 'c', { rank: 2 }), sampleRule('a', 'b', { rank: 3 })]),
    ).toBe('left');
    expect(endOf('/x', circle)).toBe('passed');
    expect(endOf('/a////////b', [sampleRule('//', '/')], { maxIterations: 3 })).toBe('left');
    expect(endOf('/a////////b', [sampleRule('//', '/')], { maxIterations: 16 })).toBe('changed');
    expect(endOf(`/${'/'.repeat(16)}`, [sampleRule('//', '/')], { maxIterations: 100 })).toBe('left');
    const query = (count: number) => `/?${Array.from({ length: count }, (_, k) => `a${k}=1`).join('&')}`;
    expect(endOf(query(64), [sampleParameter('a3')])).toBe('changed');
    expect(endOf(query(65), [sampleParameter('a3')])).toBe('left');
    const pattern: PatternRule = samplePattern('/{1:word}/a', '/{1}', {});
    expect(endOf('/b/a', [pattern])).toBe('left');
    expect(endOf('/b/a', [{ ...pattern, only: [{ part: 'host', is: 'h' }] }])).toBe('same');
    const many = Array.from({ length: 100 }, (_, k) => `/${'x'.repeat(40)}/${100 + k}`);
    expect(endOf('/a', [sampleRule('a', 'b', { except: many })])).toBe('left');
    expect(endOf('/c', [sampleRule('a', 'b', { except: many })])).toBe('passed');
    for (const [length, end] of [
      [256, 'changed'],
      [257, 'left'],
    ] as const) {
      expect(endOf('/a', [sampleRule('a', 'b'.repeat(length))])).toBe(end);
      expect(endOf(`/${'b'.repeat(length)}`, [sampleRule('b'.repeat(length), 'a')])).toBe(end);
      expect(endOf('/?a=1', [sampleParameter('a', { action: 'set', value: 'b'.repeat(length) })])).toBe(end);
      const far = { part: 'text', is: 'b'.repeat(length) } as const;
      expect(endOf('/a', [sampleRule('a', 'b', { not: [far] })])).toBe(end);
    }
    expect(endOf('/a', [sampleRule('a', '%41')])).toBe('left');
    expect(endOf('/a', [sampleRule('a', 'b c')])).toBe('same');
  });

  it('leave local pins that must not lead to another site', () => {
    const pin = sampleRule('a.test/x', 'b.test/y', { site: '*', pin: 'local' });
    const inside = sampleRule('/c', '/d', { site: '*', pin: 'local', rank: 2 });
    const options: CanonizerOptions = { ...absolute, sitePolicy: 'domain', pinsStay: true };
    const urls = ['http://b.test/y', 'http://a.test/c', 'http://a.test/x'];
    const byLines = (how: CanonizerOptions) => {
      const mapper = createLineMapper(createBlockCanonizer([pin, inside], how));
      const pieces = [...mapper.push(encodeText(urls.map((url) => `${url}\n`).join('')))].map((one) => decodeText(one));
      return [...pieces, ...Array.from(mapper.end(), (one) => decodeText(one))].join('').split('\n').slice(0, -1);
    };
    expect(byLines(options)).toEqual(['http://b.test/y', 'http://a.test/d', 'http://a.test/x']);
    expect(byLines({ ...options, pinsStay: false }).at(-1)).toBe('http://b.test/y');
  });

  it('leave the exceptions of a rule as they are', () => {
    const except = sampleRule('a', 'b', { except: ['/c/a', '/é/a', `/${'x'.repeat(300)}/a`] });
    const other = sampleRule('/c', '/d', { rank: 2 });
    expect(endOf('/a', [except])).toBe('changed');
    expect(endOf('/c', [except])).toBe('passed');
    expect(endOf('/c/a', [except])).toBe('same');
    expect(endOf('/c/a', [except, other])).toBe('changed');
    expect(endOf('/é/a', [except], { normalize: 'none' })).not.toBe('changed');
    expect(endOf(`/${'x'.repeat(300)}/a`, [except])).toBe('same');
    expect(endOf(`/${'x'.repeat(299)}y/a`, [except])).toBe('changed');
  });

  it('lose no last word of a name', () => {
    const rules = [sampleStep('drop-repeated-fields')];
    expect(endOf('/?a=1&a=2&a=1', rules)).toBe('same');
    expect(endOf('/?a=1&a=1&a=2', rules)).toBe('changed');
    const urls = ['/?a=1&b&a=1&b', '/?a=1&a=2;b&a=2&a=1;a=1&b', '/?a=1&a&&a&=x&&=x&a=1', '/?a&a', '/?=&=&a=&a='];
    expect(expectForms(urls, rules, absolute).left).toBe(0);
  });

  it('end in time, however long each URL takes', () => {
    // Each rule is found for each URL, and compares it at every byte.
    const rules = Array.from({ length: 60 }, (_, k) =>
      sampleRule(`${'a-'.repeat(120)}${'b'.repeat(k + 1)}`, 'c', {
        rank: k + 1,
        not: [{ part: 'text', is: `${'a-'.repeat(100)}${k}` }],
      }),
    );
    const steps = stepNames.map((name, k) =>
      sampleStep(name, stepText(name, name === 'lower-case' ? '' : 'b', '/ /'), { rank: 100 + k }),
    );
    const url = `http://h/${'a-'.repeat(1900)}?b`;
    const swept = createBlockCanonizer([...rules, ...steps], absolute);
    swept.canonize(encodeText(url));
    const { sweep } = swept.swept!;
    sweep.begin(encodeText(`${url}\n`.repeat(60)));
    sweep.look(sweep.look(sweep.start));
    let slowest = 0;
    for (let at = 0; at < sweep.foundLength;) {
      const begin = performance.now();
      at = sweep.settle(at);
      slowest = Math.max(slowest, performance.now() - begin);
    }
    expect(slowest).toBeLessThan(1000);
  });

  it('keep forms until the next look, and leave lines for which there is no room', () => {
    const rules = [sampleRule('a', 'b'.repeat(200))];
    const lines = Array.from({ length: 4000 }, (_, k) => `http://h/a/${k}`);
    const ends = expectForms(lines, rules, absolute);
    expect(ends.changed).toBeGreaterThan(2000);
    expect(ends.left).toBeGreaterThan(100);
    expect(ends.changed + ends.left).toBe(4000);
  });
});
