import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFew } from '../amount.js';
import { lineAndColumn, syntaxErrorAt } from '../../src/rule/json.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

describe('the place of a JSON syntax error', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{}', 2],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['[1,,2]', 3],
    ['{a:1}', 1],
    ['[01]', 2],
    ['[1.]', 2],
    ['[+1]', 1],
    ['[nul]', 1],
    ['"a\nb"', 2],
    ['"\\q"', 1],
    ['"\\u12"', 1],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['1 2', 2],
    ['"abc', 4],
    [' \t\r\n[ ] \n', 9],
  ])('of %j is %i', (text, place) => expect(syntaxErrorAt(text)).toBe(place));

  it.skipIf(isFew)('is found exactly if JSON.parse refuses, and the text before it is a valid prefix', () => {
    const edit = fc.record({
      at: fc.nat(200),
      cut: fc.nat(3),
      put: fc.constantFrom('', ',', '}', ']', '"', '\\', ':', '1', 'x', ' ', '{', '-', '.'),
    });
    let broken = 0;
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), edit, (json, { at, cut, put }) => {
        const text = json.slice(0, at) + put + json.slice(at + cut);
        const place = syntaxErrorAt(text);
        if (isJson(text)) expect(place).toBe(text.length);
        else broken++;
        if (place < text.length) expect(isJson(text)).toBe(false);
        expect(syntaxErrorAt(text.slice(0, place))).toBe(place);
      }),
      { numRuns: 10_000, seed: 3 },
    );
    expect(broken).toBeGreaterThan(2000);
  });

  it('is given as line and column, from 1', () => {
    expect(lineAndColumn('a\nbc', 0)).toBe('1:1');
    expect(lineAndColumn('a\nbc', 3)).toBe('2:2');
  });

  it('is found however deep the nesting', () => expect(syntaxErrorAt('['.repeat(1_000_000))).toBe(1_000_000));
});
