import { expect, it } from 'vitest';
import { unjudgedLines } from '../../src/report/outcome-words.js';

it('says of each status what it means, most frequent first', () => {
  expect(unjudgedLines({ 'u: status 404': 3, 'u: status 429': 1, 'v: status 429': 1, 'u: status 403': 1 })).toEqual([
    'not compared, status 404, 3: the page is gone; a newer log has fewer of such',
    'not compared, status 429, 2: the server asks for patience; try again later, or with a lower --rate',
    'not compared, status 403, 1: the server refuses it; allow dustbuster there if the site is yours',
  ]);
  expect(unjudgedLines({ 'v: status 502': 1 })).toEqual([
    'not compared, status 502, 1: the server fails; try again later',
  ]);
});
