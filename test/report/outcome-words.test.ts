import { expect, it } from 'vitest';
import { lostPages, unjudgedLines } from '../../src/report/outcome-words.js';

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

it('knows what is of the way to the site, as a base at a port that is never asked', () => {
  expect(lostPages({ 'u: not-http': 9, 'v: network': 1, 'soft-error': 2, 'u: too-large': 1 })).toEqual({
    'u: not-http': 9,
    'v: network': 1,
  });
});
