// Tables whose last column is text, at any width.
import { describe, expect, test } from 'vitest';
import { textTable, wrapped } from '../../src/report/text-table.js';

describe('a table at the width of the terminal', () => {
  const text = 'The parameter `a_rather_long_name_of_a_parameter` is dropped on every page, except under `/x/`.';
  const shape = { head: ['id', 'hits', 'rule'], right: new Set([1]) };
  const rows = [{ cells: ['9714rk03', '169'], texts: [text, '/x?a=1 → /x'] }];

  test.each([60, 70, 80, 100, 200])('of %i has no longer line, and cuts no name', (width) => {
    const lines = textTable(rows, { ...shape, width })
      .trimEnd()
      .split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines.join('\n')).toContain('`a_rather_long_name_of_a_parameter`');
    expect(lines.join(' ').replace(/ +/g, ' ')).toContain(`169 ${text} /x?a=1 → /x`);
  });

  test('has the text below the figures where there is no room beside them', () => {
    expect(textTable(rows, { ...shape, width: 40 })).toBe(
      'id        hits\n9714rk03   169\n    The parameter\n    `a_rather_long_name_of_a_parameter`\n    is dropped on every page, except\n    under `/x/`.\n    /x?a=1 → /x\n',
    );
  });

  test('is one line for each text where there is no terminal', () => {
    expect(textTable(rows, { ...shape, width: Infinity }).split('\n')).toHaveLength(4);
    expect(wrapped(text, Infinity)).toEqual([text]);
  });

  test('leaves a word whole that is longer than the line', () => {
    expect(wrapped('a bcdefgh i', 4)).toEqual(['a', 'bcdefgh', 'i']);
  });
});
