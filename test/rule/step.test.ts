import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { compileStep, faultOfStep, mayChange, stepKey, takeStep } from '../../src/rule/step.js';
import type { StepName } from '../../src/rule/rule.js';
import { isUrl, pathStart } from '../../src/url/form.js';
import { stepNames } from './sample.js';
import { amount } from '../amount.js';

function take(step: StepName, url: string, text = ''): string {
  return decodeText(takeStep(compileStep({ step, text }), encodeText(url)));
}

const rows: readonly (readonly [step: StepName, from: string, to: string, text?: string])[] = [
  ['fold-slashes', '//a///b', '/a/b'],
  ['fold-slashes', 'http://h//a/b//?c//d', 'http://h/a/b/?c//d'],
  ['fold-slashes', '/a;b=//c', '/a;b=/c'],
  ['drop-end-slash', '/a/?q', '/a?q'],
  ['drop-end-slash', '/a/;v=1?q', '/a;v=1?q'],
  ['drop-end-slash', '/a;v=1/', '/a;v=1'],
  ['drop-end-slash', '/a///', '/a'],
  ['drop-end-slash', '/', '/'],
  ['drop-end-slash', 'http://h/?q=/', 'http://h/?q=/'],
  ['drop-end-slash', 'http://h//', 'http://h//'],
  ['drop-end-slash', '/a/;v=1/', '/a/;v=1/'],
  ['add-end-slash', '/a?q', '/a/?q'],
  ['add-end-slash', '/a;v=1.2?q', '/a/;v=1.2?q'],
  ['add-end-slash', '/a.b', '/a.b'],
  ['add-end-slash', '/a.b/c', '/a.b/c/'],
  ['add-end-slash', 'http://h?q', 'http://h?q'],
  ['add-end-slash', '/a/', '/a/'],
  ['drop-segment', '/a/x/b', '/a/b', 'x'],
  ['drop-segment', '/a/x', '/a', 'x'],
  ['drop-segment', '/x/x/a/x?x', '/a?x', 'x'],
  ['drop-segment', 'http://x/x', 'http://x/', 'x'],
  ['drop-segment', '/x;v=1?q', '/;v=1?q', 'x'],
  ['drop-segment', '/a/x;v=1/b', '/a;v=1/b', 'x'],
  ['drop-segment', '/ax/xa/b/X', '/ax/xa/b/X', 'x'],
  ['drop-last-segment', '/a/x?q', '/a/?q', 'x'],
  ['drop-last-segment', '/x/x', '/x/', 'x'],
  ['drop-last-segment', '/index.html;s=1', '/;s=1', 'index.html'],
  ['drop-last-segment', '/x/', '/x/', 'x'],
  ['drop-last-segment', '/ax', '/ax', 'x'],
  ['lower-case', 'http://H/A%2FÉ;B=C?D', 'http://H/a%2FÉ;b=c?D'],
  ['lower-case', '/A?q=B%2F&Q=C&q=D&q', '/A?q=b%2F&Q=C&q=d&q', 'q'],
  ['lower-case', '/A;q=B/C', '/A;q=b/C', 'q'],
  ['drop-empty-fields', '/?a=&&b=1', '/?b=1'],
  ['drop-empty-fields', '/?a=', '/'],
  ['drop-empty-fields', '/?', '/'],
  ['drop-empty-fields', '/?=&a=b=', '/?a=b='],
  ['drop-empty-fields', '/;v=?a', '/;v=?a'],
  ['drop-number-fields', '/?id=x&1717000', '/?id=x'],
  ['drop-number-fields', '/?17;id=x', '/?id=x'],
  ['drop-number-fields', '/?17&18', '/'],
  ['drop-number-fields', '/title.cgi?2172', '/title.cgi?2172'],
  ['drop-number-fields', '/?a=17&1a', '/?a=17&1a'],
  ['drop-repeated-fields', '/?a=1&b&a=1&b&a=2', '/?a=1&b&a=2'],
  ['drop-repeated-fields', '/?a=1&a=2&a=1', '/?a=1&a=2&a=1'],
  ['drop-repeated-fields', '/?a=1&a=2;b&a=2&a=1;a=1&b', '/?a=1&a=2;b&a=1'],
  ['drop-repeated-fields', '/?a=1&a&&a&=x&&=x&a=1', '/?a=1&a&=x&a=1'],
  ['drop-repeated-fields', '/?a&&b&', '/?a&&b&'],
  ['drop-repeated-fields', '/;a=1?a=1', '/;a=1?a=1'],
  ['sort-fields', '/?b=1&a=2&b=0', '/?a=2&b=1&b=0'],
  ['sort-fields', '/?b;a=2', '/?a=2;b'],
  ['sort-fields', '/?c&b;a', '/?c&b;a'],
  ['sort-fields', '/?ab&a=&A', '/?A&a=&ab'],
  ['sort-values', '/?a=2&b=0&a=1;a', '/?a&b=0&a=1;a=2'],
  ['sort-values', '/?a=10&a=1', '/?a=1&a=10'],
  ['sort-values', '/?b=2&a=1&b=2&a=0&b=1', '/?b=1&a=0&b=2&a=1&b=2'],
  ['sort-values', '/?b=1&a=2&ab=0', '/?b=1&a=2&ab=0'],
  ['sort-values', '/;a=2;a=1?&b&', '/;a=2;a=1?&b&'],
  ['one-separator', '/;v=1?a=1;b=2&c;', '/;v=1?a=1&b=2&c&'],
  ['unescape', '/%28a%29?b=%3a%2C', '/(a)?b=:,'],
  ['unescape', '/%2528%2F%3F%26%28', '/%2528%2F%3F%26('],
  ['unescape', '/%%2828%2', '/%(28%2'],
  ['unescape', 'http://%28/a', 'http://%28/a'],
  ['trim-end', '/a").', '/a'],
  ['trim-end', '/a%22%3E', '/a'],
  ['trim-end', '/a.', '/a.'],
  ['trim-end', '/a.,', '/a.'],
  ['trim-end', '/a,..', '/a'],
  ['trim-end', '/a_(b)', '/a_(b)'],
  ['trim-end', '/a_%28b%29', '/a_%28b%29'],
  ['trim-end', '/a_b)', '/a_b'],
  ['trim-end', '/a_(', '/a_'],
  ['trim-end', '/a?q="%20', '/a?q='],
  ['trim-end', '/"', '/'],
  ['trim-end', 'http://h,?', 'http://h,?'],
  ['trim-end', '/a%2', '/a%2'],
];

describe('a step', () => {
  it.each(rows.map(([step, from, to, text = '']) => ({ step, from, to, text })))(
    '$step makes of $from $to',
    ({ step, from, to, text }) => expect(take(step, from, text)).toBe(to),
  );

  it('returns the same object if nothing changes', () => {
    const url = encodeText('http://h/a?b=1');
    for (const step of stepNames)
      if (step !== 'add-end-slash') expect(takeStep(compileStep({ step, text: 'x' }), url), step).toBe(url);
  });

  it.each(rows.map(([step, from, to, text = '']) => ({ step, from, to, text })))(
    '$step leaves the bytes of $from as they are, in a Buffer too',
    ({ step, from, to, text }) => {
      const url = Buffer.from(encodeText(from));
      expect(decodeText(takeStep(compileStep({ step, text }), url))).toBe(to);
      expect(decodeText(url)).toBe(from);
    },
  );

  it('that is about a segment or a parameter has a text that can be one; others have none', () => {
    for (const step of stepNames) {
      const takesText = ['drop-segment', 'drop-last-segment', 'lower-case'].includes(step);
      expect(faultOfStep({ step, text: 'a' }) === undefined, step).toBe(takesText);
      expect(faultOfStep({ step, text: '/;&' }), step).toBeDefined();
      expect(faultOfStep({ step, text: '' }) === undefined, step).toBe(!takesText || step === 'lower-case');
    }
  });

  const piece = fc.constantFrom(
    '/',
    '/',
    'a',
    'B',
    ';',
    '?',
    '&',
    '=',
    '.',
    '"',
    '%22',
    '%C3',
    '%28',
    '%',
    '(',
    ')',
    '7',
    '//',
    '/a',
    '?a&7',
    '&a&a',
    '&a=1&a&a=1',
    '&7',
    '&B=',
    'é',
    '\udce9',
  );
  const someUrl = fc
    .tuple(
      fc.constantFrom('/', 'http://h/', 'https://B.a', 'http://a?'),
      fc.array(piece, { maxLength: 10 }).map((parts) => parts.join('')),
    )
    .map((parts) => parts.join(''))
    .filter((url) => isUrl(encodeText(url)));
  const someStep = fc
    .tuple(fc.constantFrom(...stepNames), fc.constantFrom('a', 'B', '7', ''))
    .map(([step, text]) => ({ step, text }))
    .filter((step) => faultOfStep(step) === undefined);

  it('is idempotent, gives a URL, keeps scheme and host, makes no URL longer, needs its key, and is tried', () => {
    const changed = new Map<string, number>();
    let avoided = 0;
    fc.assert(
      fc.property(someStep, someUrl, (step, text) => {
        const url = encodeText(text);
        const compiled = compileStep(step);
        const image = takeStep(compiled, url);
        expect(decodeText(takeStep(compiled, image))).toBe(decodeText(image));
        const inBlock = encodeText(`"A?1&&${text}\n?a=/.;`);
        const start = 6;
        const isTried = mayChange(compiled, inBlock, start + pathStart(url), start + url.length);
        if (image === url) return void (avoided += isTried ? 0 : 1);
        expect(isTried).toBe(true);
        changed.set(step.step, (changed.get(step.step) ?? 0) + 1);
        expect(decodeText(image)).not.toBe(text);
        expect(isUrl(image)).toBe(true);
        const path = pathStart(url);
        expect(pathStart(image)).toBe(path);
        expect(decodeText(image, 0, path)).toBe(decodeText(url, 0, path));
        if (step.step !== 'add-end-slash') expect(image.length).toBeLessThanOrEqual(url.length);
        expect(decodeText(url, path)).toContain(decodeText(stepKey(compiled)));
      }),
      { numRuns: amount(20_000, 5), seed: 13 },
    );
    for (const step of stepNames) expect(changed.get(step), step).toBeGreaterThan(amount(30, 20));
    expect(avoided).toBeGreaterThan(amount(3000));
  });
});
