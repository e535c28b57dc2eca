import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { htmlText } from '../../../src/sketch/html.js';

const words = (html: string) => htmlText(html).split(/\s+/).filter(Boolean).join(' ');

describe('what a reader sees', () => {
  test.each([
    ['', ''],
    ['plain', 'plain'],
    ['<b>a</b>b', 'ab'],
    ['<p>a</p>b', 'a b'],
    ['a<br>b<wbr>c<BR/>d', 'a bc d'],
    ['<td>a<td>b', 'a b'],
    ['<my-element>a</my-element>b', 'ab'],
    ['a<!-- b -->c<!--> d', 'ac d'],
    ['a<!-- b', 'a'],
    ['a &lt; b &amp; c &eacute;t&eacute &#x4e2d;&#20013; &nosuch; &#0;', 'a < b & c été 中中 &nosuch; \ufffd'],
    ['a < b <3 c', 'a < b <3 c'],
    ['<a title="t" href="h">l</a>', 'l'],
    ['a<img src=x alt="b &amp; c">d', 'a b & c d'],
    ["a<IMG ALT=b>c<img alt>d<img alt='e'/>f", 'a b c d e f'],
    ['a<area alt=b><input type=submit value=v><input type=hidden value=v>', 'a b'],
    ['<head><title>T &gt; t</title><meta name=d content=m><base href=x></head><body>b', 'T > t b'],
    ['<script>x<b>y</script>a<style>p{}</style>b', 'ab'],
    ['<SCRIPT>"</scripty>"</SCRIPT >a', 'a'],
    ['<script>x', ''],
    ['a<noscript>on <p>please</noscript>b', 'a b'],
    ['a<noscript><noscript>b</noscript>c', 'a c'],
    ['a<template>b<template>c</template>d</template>e', 'ae'],
    ['a<template>b', 'a'],
    ['a</template></noscript>b', 'a b'],
    ['<iframe>a</iframe><noframes>b</noframes><datalist><option>c</datalist>d', 'd'],
    ['<textarea>a</textarea><select><option>b<option>c</select><button>d</button>', 'a b c d'],
    ['<svg><title/><style>t{}</style><text>a</text><text>b</text></svg>c', 'a b c'],
    ['<svg><style/><path d=x/></svg>a', 'a'],
    ['<svg><text>a</text><style/><text>b</text></svg>c', 'a b c'],
    ['<svg><![CDATA[a]]></svg>b<![CDATA[c]]>d', 'a bd'],
    ['<svg><p>a<script>b<i></script>c', 'ac'],
    ['<svg><foreignObject><div>a</div></foreignObject><style/><text>b</text></svg><div/>c', 'a b c'],
    ['<plaintext>a<b>', 'a<b>'],
    ['<ruby>漢<rt>かん</rt></ruby>', '漢 かん'],
    ['a</p>b</x>c', 'a bc'],
  ])('%s → %s', (html, text) => expect(words(html)).toBe(text));
});

// Trees of elements, written with insignificant white space.
const { tree } = fc.letrec<{ tree: string[]; node: string[] }>((tie) => ({
  tree: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.flat()),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('ord', 'kål', '&amp;', 'x<b>y</b>z').map((text) => ['<p', '>', text, '</p', '>']),
    fc
      .tuple(fc.constantFrom('div', 'ul', 'li', 'table', 'script', 'noscript', 'template', 'h1'), tie('tree'))
      .map(([name, inner]) => [`<${name}`, ' class="a b"', '>', ...inner, `</${name}`, '>']),
    fc.constant<string[]>(['<br', '>']),
    fc.constant<string[]>(['<img', ' alt="et billede"', '>']),
  ),
}));

test('white space in tags and between blocks changes no word', () => {
  let longest = 0;
  fc.assert(
    fc.property(tree, fc.constantFrom(' ', '\n', '\t\r\n  '), (parts, space) => {
      const spaced = parts.map((part) => (part === '>' ? `${space}>${space}` : part)).join('');
      expect(words(spaced)).toBe(words(parts.join('')));
      longest = Math.max(longest, words(spaced).length);
    }),
    { numRuns: 300, seed: 3 },
  );
  expect(longest).toBeGreaterThan(40);
});

test('any string is accepted as a page', () => {
  const unit = fc.constantFrom(
    ...Array.from('<>/!-="\'& ;#x[]'),
    '<svg',
    '<template',
    'script',
    'CDATA',
    'alt',
    '\u0000',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (html) => typeof htmlText(html) === 'string'),
    { numRuns: 3000 },
  );
});

describe('hostile pages take linear time', () => {
  // In quadratic time, cases of this size would exceed the test's time limit.
  const times = 100_000;
  test.each([
    ['deep nesting', `${'<div>'.repeat(times)}a`, 'a'],
    ['end tags of nothing in deep nesting', `${'<b>'.repeat(times)}${'</x>'.repeat(times)}a`, 'a'],
    ['forms in forms', `${'<form>'.repeat(times)}a`, 'a'],
    ['templates in templates', `${'<template>'.repeat(times)}a`, ''],
    ['drawings in drawings', `${'<svg>'.repeat(times)}a`, 'a'],
    ['a huge attribute', `<a b="${'x'.repeat(10 * times)}">a`, 'a'],
    ['an attribute that does not end', `a<a b="${'x'.repeat(10 * times)}`, 'a'],
    ['a huge name', `<${'x'.repeat(10 * times)}>a`, 'a'],
    ['many attributes', `<a ${'b=c '.repeat(2 * times)}>a`, 'a'],
    ['comments that do not end', `a${'<!--'.repeat(3 * times)}`, 'a'],
    ['scripts that do not end', `a<script>${'</scrip'.repeat(2 * times)}`, 'a'],
    ['a number that does not end', `a <p>&#${'1'.repeat(10 * times)}`, 'a \ufffd'],
  ])('%s', (_, html, text) => expect(words(html)).toBe(text));

  test('a megabyte of <', () => expect(htmlText('<'.repeat(1 << 20))).toBe('<'.repeat(1 << 20)));
});
