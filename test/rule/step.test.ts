import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { compileStep, faultOfStep, mayChange, stepKey, takeStep } from '../../src/rule/step.js';
import type { StepName } from '../../src/rule/rule.js';
import { isUrl, pathStart } from '../../src/url/form.js';
import { somePlaces, stepNames, stepText } from './sample.js';
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
  ['sort-items', '/?tags=b,a', '/?tags=a,b', '?tags ,'],
  ['sort-items', '/?tags=c%2Ca,b%2c%61', '/?tags=%61%2Ca,b%2cc', '?tags ,'],
  ['sort-items', '/?tags=%7A,b,%C3%A9', '/?tags=b,%7A,%C3%A9', '?tags ,'],
  ['sort-items', '/?tags=b,,a', '/?tags=b,,a', '?tags ,'],
  ['sort-items', '/;tags=b,a/x?tags=2,10&tags=b,a&stags=b,a', '/;tags=a,b/x?tags=10,2&tags=a,b&stags=b,a', '?tags ,'],
  ['sort-items', '/?tags=b,a,b&q=?tags=b,a', '/?tags=a,b,b&q=?tags=b,a', '?tags ,'],
  ['sort-items', '/?f[0]=b-a&f[11]=d-c&f%5B2%5D=b-a', '/?f[0]=a-b&f[11]=c-d&f%5B2%5D=b-a', '?f[] -'],
  ['sort-items', '/?f%5B0%5D=b&x=1&f%5b1%5d=a&f%5B1%5D=a', '/?f%5B0%5D=a&x=1&f%5b1%5d=a&f%5B1%5D=b', '?f%5B%5D &'],
  ['sort-items', '/?tag=b&x=2;tag=%61&tag', '/?tag&x=2;tag=%61&tag=b', '?tag &'],
  ['sort-items', '/;tag=b?tag=a', '/;tag=b?tag=a', '?tag &'],
  ['sort-items', '/filter/b41,c15,b2/x,a?b,a', '/filter/b2,b41,c15/x,a?b,a', '/filter/ ,'],
  ['sort-items', '/filter/filter/b,a', '/filter/filter/b,a', '/filter/ ,'],
  ['sort-items', '/filter/b,a;v=1', '/filter/b,a;v=1', '/filter/ ,'],
  ['sort-items', '/filter/b;a', '/filter/a;b', '/filter/ ;'],
  ['sort-items', 'http://h/catalog/b/a/?c', 'http://h/catalog/a/b/?c', '/catalog/ /'],
  ['sort-items', '/x/catalog/b/a', '/x/catalog/b/a', '/catalog/ /'],
  ['sort-items', '/catalog/', '/catalog/', '/catalog/ /'],
  ['sort-items', '/b/a%2Fc', '/a%2Fc/b', '/ /'],
  ['sort-items', '/?a=b/a%2Fc', '/?a=a/b%2Fc', '?a /'],
  ['sort-items', '/c/shoes/size/m/color/red/dark/', '/c/shoes/color/red/dark/size/m/', '/c/ / color size'],
  ['sort-items', '/?q=Brand-X-Color-Red', '/?q=Brand-X-Color-Red', '?q - Color Brand'],
  ['sort-items', '/?q=x-Color-Red-A%20b-Y', '/?q=x-A%20b-Y-Color-Red', '?q - Color A%20b'],
  ['drop-repeated-items', '/?tags=b,a,%62,b', '/?tags=b,a', '?tags ,'],
  ['drop-repeated-items', '/?tags=b,a', '/?tags=b,a', '?tags ,'],
  ['drop-repeated-items', '/filter/filter,filter/b,b', '/filter/filter/b,b', '/filter/ ,'],
  ['drop-repeated-items', '/c/size/m/color/red/size/m', '/c/size/m/color/red', '/c/ / color size'],
  ['drop-repeated-items', '/?tag=b&&tag=a;tag=b&x&tag=%61', '/?tag=b&&tag=a&x', '?tag &'],
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

/** What is wrong with a text, as a place of items. */
const strangePlaces = [
  [
    '',
    'tags ,',
    '?tags',
    '?tags  ,',
    '?tags .',
    '?tags ,,',
    '?a=b ,',
    '?a;b ,',
    '?a/b ,',
    '? ,',
    '?tags & a',
    '?tags , ',
  ],
  [
    '/filter ,',
    'filter ,',
    '/a/b/ ,',
    '// ,',
    '/filter/ &',
    '/a;b/ ,',
    '/filter/',
    '/shop /',
    '/a?b/ /',
    '/ , /',
    'shop/ /',
  ],
].flat();

describe('a step', () => {
  it.each(rows.map(([step, from, to, text = '']) => ({ step, from, to, text })))(
    '$step makes of $from $to',
    ({ step, from, to, text }) => expect(take(step, from, text)).toBe(to),
  );

  it('returns the same object if nothing changes', () => {
    const url = encodeText('http://h/a?b=1');
    for (const step of stepNames)
      if (step !== 'add-end-slash')
        expect(takeStep(compileStep({ step, text: stepText(step, 'x', '?b ,') }), url), step).toBe(url);
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
    for (const step of stepNames.filter((one) => !one.endsWith('-items'))) {
      const takesText = ['drop-segment', 'drop-last-segment', 'lower-case'].includes(step);
      expect(faultOfStep({ step, text: 'a' }) === undefined, step).toBe(takesText);
      expect(faultOfStep({ step, text: '/;&' }), step).toBeDefined();
      expect(faultOfStep({ step, text: '' }) === undefined, step).toBe(!takesText || step === 'lower-case');
    }
  });

  it.each(strangePlaces)('about items does not take %j', (text) => {
    expect(faultOfStep({ step: 'sort-items', text })).toMatch(/such as "\?tags ,"/);
    for (const place of somePlaces) expect(faultOfStep({ step: 'drop-repeated-items', text: place })).toBeUndefined();
  });

  const piece = fc.constantFrom(
    '/',
    '/',
    '-',
    '%2D',
    'b-a-%61',
    '&b=x&b=a&b=a',
    '&a=b-a-a',
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
    .tuple(fc.constantFrom(...stepNames), fc.constantFrom('a', 'B', '7', ''), fc.constantFrom(...somePlaces))
    .map(([step, word, place]) => ({ step, text: stepText(step, word, place) }))
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
      { numRuns: amount(60_000, 8), seed: 13 },
    );
    for (const step of stepNames) expect(changed.get(step), step).toBeGreaterThan(amount(30, 20));
    expect(avoided).toBeGreaterThan(amount(3000));
  });
});
