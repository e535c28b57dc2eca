import { describe, expect, test } from 'vitest';
import { xmlText } from '../../src/sketch/xml.js';

const words = (xml: string) => xmlText(xml).split(/\s+/).filter(Boolean).join(' ');

describe('what a reader sees', () => {
  test.each([
    ['', ''],
    ['<a>b</a>c', 'b c'],
    ['<rss><title>A &amp; B</title><link>http://h/7</link></rss>', 'A & B http://h/7'],
    ['<feed><link href="/f?ref=x" rel="self"/><title type="text">a</title></feed>', 'a'],
    ['<rss><d>&lt;p&gt;new &lt;b&gt;s&lt;/b&gt;tuff&lt;script&gt;x&lt;/script&gt;</d></rss>', 'new stuff'],
    ['<rss><d><![CDATA[<p>a<img alt="b" src="c">]]></d></rss>', 'a b'],
    ['<rss><d><![CDATA[a]]]]><![CDATA[>b]]></d></rss>', 'a]]>b'],
    ['<?xml version="1.0"?><?pi a?><!DOCTYPE x><!-- c --><x>a</x>', 'a'],
    ['<opml><outline text="News" xmlUrl="http://h/f"/></opml>', 'News'],
    ['<x at="7 &lt; 8" id="i" url="u" see="/p?q" xmlns:y="z">a</x>', '7 < 8 a'],
    ['<urlset><url><loc>http://h/</loc></url></urlset>', 'http://h/'],
    ['<a>b', 'b'],
    ['<a b="c', ''],
    ['a < b', 'a < b'],
    ['<a>\u0000</a>', '\u0000'],
  ])('%s', (xml, text) => expect(words(xml)).toBe(text));
});

describe('hostile documents take linear time', () => {
  const times = 100_000;
  test.each([
    ['deep nesting', `${'<a>'.repeat(times)}b`, 'b'],
    ['end tags of nothing', `${'</a>'.repeat(times)}b`, 'b'],
    ['sections that do not end', `a${'<![CDATA['.repeat(times)}`, /^a/],
    ['HTML in every element', '<rss>'.concat('<d>&lt;b&gt;a</d>'.repeat(times / 10)), /^a( a)+$/],
    ['a huge attribute', `<a b="${'x'.repeat(10 * times)}">c</a>`, /^x+ c$/],
    ['entities of entities', `<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "&b;&b;">]><a>&b;</a>`, /&b;/],
  ])('%s', (_, xml, text) => expect(words(xml)).toMatch(text));
});
