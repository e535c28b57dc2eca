import { expect, it } from 'vitest';
import { agreeing, many } from '../../src/base/amounts.js';

it.each([
  [0, '0 lines'],
  [1, '1 line'],
  [2, '2 lines'],
])('%d: %s', (count, said) => {
  expect(many(count, 'line')).toBe(said);
});

it.each([
  [0, '0 copies are'],
  [1, '1 copy is'],
  [2, '2 copies are'],
])('%d: %s', (count, said) => {
  expect(`${many(count, 'copy', 'copies')} ${agreeing(count, 'is', 'are')}`).toBe(said);
});
