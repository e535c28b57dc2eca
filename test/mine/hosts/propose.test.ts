// What do two URLs of near pages suggest?
import { describe, expect, test } from 'vitest';
import { encodeText, decodeText } from '../../../src/base/bytes.js';
import { sayingFor } from '../../../src/mine/hosts/propose.js';
import { keyOf, statementOf } from '../../../src/mine/hosts/statement.js';

const removal = (...names: string[]) => ({ kind: 'removal', names });
const step = (name: string, text = '') => ({ kind: 'step', step: name, text });
const becomes = (from: string, to: string, anchor = 'none') => ({ kind: 'substring', from, to, anchor });

describe('two URLs', () => {
  test.each([
    ['http://a.test/x?sid=1', 'http://a.test/x', removal('sid')],
    ['http://a.test/x?sid=1&id=7', 'http://a.test/x?id=7&sid=2', removal('sid')],
    ['http://a.test/x;jsessionid=1', 'http://a.test/x', removal('jsessionid')],
    ['http://a.test/x?b=1&a=2', 'http://a.test/x', removal('a', 'b')],
    ['http://www.a.test/x', 'http://a.test/x', becomes('//www.', '//')],
    ['http://m.a.test/x', 'http://www.a.test/x', becomes('//www.', '//m.')],
    ['http://a.test/x', 'https://a.test/x', becomes('http', 'https', 'start')],
    ['https://a.test/x', 'http://a.test/x', becomes('http', 'https', 'start')],
    ['http://a.test//x', 'http://a.test/x', step('fold-slashes')],
    ['http://a.test/x/?q=1', 'http://a.test/x?q=1', step('drop-end-slash')],
    ['http://a.test/X', 'http://a.test/x', step('lower-case')],
    ['http://a.test/d/home.html?q=1', 'http://a.test/d/?q=1', step('drop-last-segment', 'home.html')],
    ['http://a.test/x.html', 'http://a.test/x', becomes('.html', '', 'end')],
    ['http://a.test/story?id=7', 'http://a.test/story_7', becomes('?id=', '_')],
    ['http://a.test/web/x', 'http://a.test/x', becomes('/web/', '/')],
  ] as const)('%s and %s suggest one statement, in either order', (one, other, saying) => {
    expect(sayingFor(one, other)).toEqual(saying);
    expect(keyOf(sayingFor(other, one)!)).toBe(keyOf(saying as never));
    const { image } = statementOf(sayingFor(one, other)!, [[one, other]]);
    const [a, b] = [one, other].map((url) => decodeText(image(encodeText(url))));
    expect(a).toBe(b);
  });

  test.each([
    ['http://a.test/page/2', 'http://a.test/page/3', 'numbers of a series'],
    ['http://a.test/x', 'https://www.a.test/x', 'scheme and host at once'],
    ['http://a.test/x?a=1&b=1&c=1&d=1&e=1', 'http://a.test/x', 'more parameters than a campaign has'],
    ['http://a.test/x', 'http://a.test/x', 'nothing'],
  ])('%s and %s suggest nothing: they differ in %s', (one, other) => {
    expect(sayingFor(one, other)).toBeUndefined();
  });

  test('an order, a language or a number needs contents, however near the sizes are', () => {
    const needs = (one: string, other: string) => statementOf(sayingFor(one, other)!, [[one, other]]).needsContents;
    expect(needs('http://a.test/x?sort=up', 'http://a.test/x')).toBe(true);
    expect(needs('http://a.test/de/x', 'http://a.test/x')).toBe(true);
    expect(needs('http://a.test/x?page=2', 'http://a.test/x')).toBe(true);
    expect(needs('http://a.test/x?sid=2', 'http://a.test/x')).toBe(false);
  });
});
