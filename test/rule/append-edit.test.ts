// The fast path of applying a rule agrees with the general one, or does not apply.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../src/base/buffer.js';
import { encodeText } from '../../src/base/bytes.js';
import { appendEdit } from '../../src/rule/append-edit.js';
import { appendImage, compileRule, imageOf } from '../../src/rule/apply.js';
import { compileParameter } from '../../src/rule/parameter.js';
import type { Rule } from '../../src/rule/rule.js';
import { pathStart } from '../../src/url/form.js';
import { anchors, sampleParameter, sampleRule } from './sample.js';
import { amount } from '../amount.js';

function append(rule: Rule, url: string): string | undefined {
  const bytes = encodeText(`\udcff${url}&a=1`);
  const end = bytes.length - 4;
  const out = new ByteBuffer(4);
  const places = { origin: 1, path: pathStart(bytes, 1, end) };
  if (!appendImage(compileRule(rule), bytes, 1, end, places, out)) return undefined;
  return Buffer.from(out.bytes.subarray(0, out.used)).toString('latin1');
}

describe('the appended image', () => {
  it.each([
    ['/a?x=1&b=2', sampleParameter('x'), '/a?b=2'],
    ['/a?b=2&x=1', sampleParameter('x'), '/a?b=2'],
    ['/a?b=2;x=1&c', sampleParameter('x'), '/a?b=2&c'],
    ['/a?x=1', sampleParameter('x'), '/a'],
    ['/a?x=1&b', sampleParameter('x', { action: 'set', value: 'yes' }), '/a?x=yes&b'],
    ['/a?b&x=1', sampleParameter('x', { action: 'set' }), '/a?b&x'],
    ['/a/story.html', sampleRule('/story', '/st'), '/a/st.html'],
    ['/a/story.html', sampleRule('story', 'tale'), '/a/tale.html'],
  ])('of %s is right', (url, rule, image) => {
    expect(append(rule, url)).toBe(image);
  });

  it.each(['/a?x=1&x=1', '/a;x=1?b', '/a?x', '/a?x=1&', '/a?&x=1'])('of %s is left to the general path', (url) => {
    const bytes = encodeText(url);
    const edit = compileParameter(sampleParameter('x'));
    expect(appendEdit(edit, bytes, 0, bytes.length, 0, new ByteBuffer(9))).toBeUndefined();
  });

  it('is the image, for every rule and every URL', () => {
    const part = fc.constantFrom('a', 'b', 'aa', '=', '&', ';', '?', '/', 'a=1', 'b=', '&a=2', '?a=', ';b=1', '//h/');
    const text = (most: number) => fc.array(part, { maxLength: most }).map((parts) => parts.join(''));
    const url = fc.tuple(fc.constantFrom('/', 'http://h', 'http://h/'), text(7)).map((parts) => parts.join(''));
    const parameter = fc.record({
      name: fc.constantFrom('a', 'b', 'aa', 'a?', ''),
      action: fc.constantFrom('remove' as const, 'set' as const),
      value: fc.constantFrom(null, '', '1', '=2'),
      scope: fc.constantFrom('site' as const, 'prefix' as const, 'path' as const),
      path: fc.constantFrom('/', '//h/', '/a', '//h/a'),
    });
    const substring = fc.record({ from: text(2), to: text(2), anchor: fc.constantFrom(...anchors) });
    const except = fc.constantFrom(undefined, undefined, ['/?a=1', 'http://h/?a=1']);
    let images = 0;
    fc.assert(
      fc.property(url, fc.oneof(parameter, substring), except, (text, says, leaves) => {
        const more = leaves === undefined ? {} : { except: leaves };
        const rule =
          'name' in says ? sampleParameter('', { ...says, ...more }) : sampleRule('', '', { ...says, ...more });
        const bytes = encodeText(text);
        const image = imageOf(compileRule(rule), bytes, 0);
        expect(append(rule, text)).toBe(image === bytes ? undefined : Buffer.from(image).toString('latin1'));
        if (image !== bytes) images++;
      }),
      { numRuns: amount(20_000), seed: 3 },
    );
    expect(images).toBeGreaterThan(amount(1000, 20));
  });
});
