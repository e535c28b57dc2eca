// Is the page readable? Contrast as in WCAG 2, for every colour on every background that it is used on.
import { describe, expect, test } from 'vitest';
import { DARK, LIGHT } from '../../../src/report/page/style.js';

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

test('contrast is computed as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('in %s', (_, palette) => {
  const colour = (name: string) => palette[name]!;

  test.each(['ink', 'muted', 'link', 'good', 'bad', 'warn', 'odd'])('%s is readable on both backgrounds', (name) => {
    expect(contrast(colour(name), colour('ground'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colour(name), colour('panel'))).toBeGreaterThanOrEqual(4.5);
  });

  test('text under a mark is readable', () =>
    expect(contrast(colour('ink'), colour('mark'))).toBeGreaterThanOrEqual(4.5));

  test('bars and curves stand out, also from the pale bar behind them', () => {
    for (const name of ['one', 'two']) {
      expect(contrast(colour(name), colour('ground'))).toBeGreaterThanOrEqual(3);
      expect(contrast(colour(name), colour('pale'))).toBeGreaterThanOrEqual(3);
    }
  });
});
