import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { javascript, pcre } from '../../src/export/dialect.js';
import { expressionOf } from '../../src/export/expression.js';
import type { ExpressionOptions, Step } from '../../src/export/step.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import type { Rule } from '../../src/rule/rule.js';
import { isUrl, pathStart } from '../../src/url/form.js';
import { anchors, sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';
import { condition, step } from './arbitrary.js';
import { doSteps, doStepsOnBytes } from './step.js';
import { amount } from '../amount.js';

const defaults: ExpressionOptions = {
  dialect: pcre,
  urlForm: 'absolute',
  sitePolicy: 'domain',
  normalization: 'safe',
  urls: 'absolute',
};

function stepsOf(rule: Rule, options: Partial<ExpressionOptions> = {}): readonly Step[] | undefined {
  const expression = expressionOf(rule, { ...defaults, ...options });
  return expression.kind === 'steps' ? expression.steps : undefined;
}

const bytes = (text: string) => Buffer.from(encodeText(text)).toString('latin1');

function imageBytes(rule: Rule, url: string, origin = 0): string {
  return Buffer.from(imageOf(compileRule(rule), encodeText(url), origin)).toString('latin1');
}

const piece = fc.constantFrom(...'a b - . / é \udce9 // ? & ; = : h http https ://'.split(' '));
const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));
const origins = fc.constantFrom('http://h', 'https://a.b', 'http://a-b/', 'http://h:80');
const absolute = fc.tuple(origins, fc.constantFrom('', '/'), text(10)).map((parts) => parts.join(''));
const path = text(10).map((rest) => `/${rest}`);
const anchor = fc.constantFrom(...anchors);

describe('a substring rule as an expression', () => {
  it.each([
    ['absolute', absolute],
    ['path', path],
  ] as const)('gives every %s URL the image that the rule gives it', (urls, url) => {
    let changed = 0;
    const law = fc.property(text(3), text(3), anchor, fc.array(url, { minLength: 12, maxLength: 12 }), (...args) => {
      const [from, to, where, list] = args;
      const rule = sampleRule(from, to, { anchor: where });
      const steps = stepsOf(rule, { urls, urlForm: urls });
      if (steps === undefined) return;
      // Includes URLs that the rule matches.
      const near = list.flatMap((one) => [one, one + from, one.replace(/[ab]/, from), one.replace(/[ab-]/, to)]);
      // A URL with an empty host cannot be requested.
      const asked = near.filter((one) => isUrl(encodeText(one)) && !/^https?:\/\/(?:[/?]|$)/.test(one));
      for (const one of asked) {
        const image = imageBytes(rule, one);
        if (image !== bytes(one)) changed++;
        expect([one, doStepsOnBytes(steps, one)]).toEqual([one, image]);
      }
    });
    fc.assert(law, { numRuns: amount(400, 8) });
    expect(changed).toBeGreaterThan(amount(300, 20));
  });

  it('leaves the origin of an absolute URL alone if rules are about paths', () => {
    let changed = 0;
    const law = fc.property(text(3), text(3), anchor, absolute, path, (from, to, where, ...urls) => {
      const rule = sampleRule(from, to, { anchor: where });
      const steps = stepsOf(rule, { urls: 'any', urlForm: 'path' });
      if (steps === undefined || where === 'both') return;
      for (const url of urls.flatMap((one) => [one, one + from])) {
        if (!isUrl(encodeText(url)) || !/^(https?:\/\/[^/?]*)?\//.test(url)) continue;
        const image = imageBytes(rule, url, pathStart(encodeText(url)));
        if (image !== bytes(url)) changed++;
        expect([url, doStepsOnBytes(steps, url)]).toEqual([url, image]);
      }
    });
    fc.assert(law, { numRuns: amount(2000) });
    expect(changed).toBeGreaterThan(amount(200, 20));
  });

  it.each([
    ['', 'http:', 'start'],
    ['', 'x', 'none'],
    ['a', 'b c', 'none'],
    ['a', 'b#c', 'none'],
  ] as const)('is none for %j → %j (%s), which no expression can be sure of', (from, to, where) => {
    expect(stepsOf(sampleRule(from, to, { anchor: where }), { urls: 'path', urlForm: 'path' }) ?? []).toEqual([]);
  });

  it('has the same meaning for characters', () => {
    const rule = sampleRule('é', 'über', {});
    const steps = stepsOf(rule, { dialect: javascript })!;
    expect(doSteps(steps, 'http://h/é/é')).toBe('http://h/über/é');
    expect(doSteps(steps, 'http://h/né')).toBe('http://h/né');
    expect(stepsOf(sampleRule('\udce9', 'e'), { dialect: javascript })).toBeUndefined();
  });

  it('leaves the exceptions of the rule alone', () => {
    const steps = stepsOf(sampleRule('b', 'a', { except: ['http://h/b', 'http://h/b.b'] }))!;
    const images = ['http://h/b', 'http://h/b.b', 'http://h/b.', 'http://h/bb/b'].map((url) => doSteps(steps, url));
    expect(images).toEqual(['http://h/b', 'http://h/b.b', 'http://h/a.', 'http://h/bb/a']);
  });

  it.each([
    ['example.com', 'domain', ['example.com', 'a.example.com', 'example.com.', 'u@a.example.com:8080'], 'http://h'],
    [
      'example.com',
      'domain',
      [],
      'http://anexample.com http://example.com.evil http://example.com@evil http://e/example.com',
    ],
    ['10.0.0.1', 'domain', ['10.0.0.1'], 'http://x.10.0.0.1'],
    ['example.com:8080', 'host', ['example.com:8080'], 'http://example.com http://a.example.com:8080'],
    ['example.com', 'host', ['example.com', 'u@example.com'], 'http://example.com:8080 http://a.example.com'],
  ] as const)('is for the site %s by %s and no other', (site, sitePolicy, own, others) => {
    const steps = stepsOf(sampleRule('b', 'a', { site }), { sitePolicy })!;
    for (const host of own) expect(doSteps(steps, `http://${host}/b`)).toBe(`http://${host}/a`);
    for (const url of others.split(' ')) expect(doSteps(steps, `${url}/b`)).toBe(`${url}/b`);
  });
});

describe('a parameter rule as expressions', () => {
  const name = fc.constantFrom('a', 'sid', 'b.c');
  const field = fc.constantFrom(
    'a',
    'a=',
    'a=1',
    'a=x',
    'sid=1',
    'sid',
    'b.c=/',
    'bxc=1',
    '',
    '',
    'x',
    '=',
    'aa=1',
    'a==',
    '?a=1',
  );
  const separator = fc.constantFrom('&', ';');
  const fields = fc.array(fc.tuple(separator, field), { maxLength: 6 }).map((list) =>
    list
      .map(([mark, one]) => mark + one)
      .join('')
      .slice(1),
  );
  const pathFields = fc.constantFrom('', '', ';a=1', ';sid=1/x', ';a=1;sid=2', ';a/b;a=x', '/;a=1.html', '&a=1');
  const query = fc.oneof(
    fc.constant(''),
    fields.map((list) => `?${list}`),
  );

  it.each([
    ['absolute', 'http://h.example'],
    ['path', ''],
  ] as const)('give every %s URL the image that the rule gives it', (urls, origin) => {
    let changed = 0;
    const rule = fc.record({
      name,
      action: fc.constantFrom('remove', 'set'),
      value: fc.constantFrom(null, '', '1', 'x'),
      place: fc.constantFrom(
        { scope: 'site', path: '' } as const,
        { scope: 'prefix', path: '/p/' } as const,
        { scope: 'path', path: '/p/q' } as const,
        { scope: 'prefix', path: '//h.example/p' } as const,
      ),
    });
    const law = fc.property(
      rule,
      fc.array(fc.tuple(pathFields, query), { minLength: 8 }),
      ({ place, ...says }, list) => {
        const parameter = sampleParameter(says.name, { ...says, ...place } as Parameters<typeof sampleParameter>[1]);
        const steps = stepsOf(parameter, { urls, urlForm: urls });
        if (steps === undefined) return;
        for (const [inPath, behind] of list) {
          const url = `${origin}/p/q${inPath}${behind}`;
          const image = imageBytes(parameter, url);
          if (image !== url) changed++;
          expect([url, doStepsOnBytes(steps, url)]).toEqual([url, image]);
        }
      },
    );
    fc.assert(law, { numRuns: amount(400, 8) });
    expect(changed).toBeGreaterThan(amount(300, 20));
  });
});

describe('a step of normalization as expressions', () => {
  const odd = fc.constantFrom(
    ...'/ / // a b a-b A ; ;a=1 ? & ; = a=1 b= a&7 ?7 && . .b " %22 ) ( %5d %28 %2a , é \udce9'.split(' '),
  );
  const rest = fc.array(odd, { maxLength: 9 }).map((parts) => parts.join(''));

  it.each([
    ['absolute', 'http://h.com', 'absolute'],
    ['path', '', 'path'],
    ['any', '', 'path'],
    ['any', 'http://h.com', 'path'],
    ['any', '', 'mixed'],
    ['any', 'http://h.com', 'mixed'],
  ] as const)(
    'gives every %s URL that begins with %j the image that it gives it, in %s form',
    (urls, origin, urlForm) => {
      const changed = new Set<string>();
      let held = 0;
      const law = fc.property(step, fc.array(rest, { minLength: 10 }), (rule, list) => {
        const steps = stepsOf({ ...rule, site: '*' }, { urls, urlForm });
        if (steps === undefined) return;
        for (const one of list.flatMap((text) => [`/${text}`, `?${text}`, `/${text}/${rule.text}`])) {
          const url = `${origin}${one}`;
          if (!isUrl(encodeText(url)) || rule.except?.includes(url) === true) continue;
          const image = imageBytes(rule, url);
          if (image !== bytes(url)) changed.add(rule.step);
          if (image !== bytes(url) && rule.only !== undefined) held++;
          expect([rule, url, doStepsOnBytes(steps, url)]).toEqual([rule, url, image]);
        }
      });
      fc.assert(law, { numRuns: amount(600, 2), seed: 13 });
      expect([...changed].sort()).toEqual([
        'add-end-slash',
        'drop-empty-fields',
        'drop-end-slash',
        'drop-last-segment',
        'drop-number-fields',
        'drop-segment',
        'fold-slashes',
        'one-separator',
        'trim-end',
        'unescape',
      ]);
      expect(held).toBeGreaterThan(amount(20, 20));
    },
  );
});

it.each([
  ['www.h.com', 'domain'],
  ['h.com:8080', 'domain'],
  ['H.com', 'domain'],
  ['H.com', 'host'],
] as const)('a rule for %s is of no URL where sites are by %s', (site, sitePolicy) => {
  expect(stepsOf(sampleRule('b', 'a', { site }), { sitePolicy })).toBeUndefined();
});

it('every byte at the end of a URL, escaped or not, is trimmed by the expression as by the step', () => {
  const rule = sampleStep('trim-end', '', { site: '*' });
  const steps = stepsOf(rule, { urls: 'path', urlForm: 'path' })!;
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  for (let byte = 0; byte < 256; byte++) {
    const bare = byte < 128 ? [String.fromCharCode(byte)] : [];
    for (const unit of [...bare, `%${hex(byte)}`, `%${hex(byte).toUpperCase()}`]) {
      for (const url of [`/c${unit}`, `/c${unit}${unit}.`, `/(c${unit}`, `/c?q=%28${unit}`]) {
        if (isUrl(encodeText(url))) expect([url, doStepsOnBytes(steps, url)]).toEqual([url, imageBytes(rule, url)]);
      }
    }
  }
});

describe('a condition as an expression', () => {
  it.each([
    ['absolute', fc.tuple(origins, text(8)).map((parts) => parts.join(''))],
    ['path', path],
  ] as const)('is met by every %s URL that meets it', (urls, url) => {
    const seen = { met: 0, not: 0 };
    const law = fc.property(condition, fc.array(url, { minLength: 20 }), (one, list) => {
      const rule = sampleRule('', '/~end', { anchor: 'end', only: [one] });
      const steps = stepsOf(rule, { urls, urlForm: urls });
      if (steps === undefined) return;
      for (const from of list.filter((some) => isUrl(encodeText(some)))) {
        const image = imageBytes(rule, from);
        seen[image === bytes(from) ? 'not' : 'met']++;
        expect([one, from, doStepsOnBytes(steps, from)]).toEqual([one, from, image]);
      }
    });
    fc.assert(law, { numRuns: amount(500, 8), seed: 13 });
    expect(seen.met).toBeGreaterThan(amount(500, 20));
    expect(seen.not).toBeGreaterThan(amount(500, 20));
  });
});
