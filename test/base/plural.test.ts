import { expect, it } from 'vitest';
import { many } from '../../src/base/plural.js';

it.each([
  [0, '0 lines'],
  [1, '1 line'],
  [2, '2 lines'],
])('%d: %s', (count, said) => {
  expect(many(count, 'line')).toBe(said);
});
