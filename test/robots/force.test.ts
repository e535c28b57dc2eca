import { expect, it } from 'vitest';
import { inForce } from '../../src/robots/force.js';
import { bound, Forbidden } from '../../src/robots/obedience.js';

const sizes = (...all: number[]) => all.map((size, time) => ({ time, status: 200, size }));

it.each([
  ['from the first answer of its size on', [10, 10], [{ from: 0, to: Infinity }]],
  ['after another file', [7, 10], [{ from: 1, to: Infinity }]],
  ['until the last answer before another file', [10, 10, 7], [{ from: 0, to: 1 }]],
  [
    'twice',
    [10, 20, 10],
    [
      { from: 0, to: 0 },
      { from: 2, to: Infinity },
    ],
  ],
  ['whatever a packed answer says, if it comes and goes', [10, 6, 10, 6, 10, 6, 10], [{ from: 0, to: Infinity }]],
  [
    'not as a smaller file that came once',
    [10, 6, 10],
    [
      { from: 0, to: 0 },
      { from: 2, to: Infinity },
    ],
  ],
  ['never, by other sizes', [6, 7], []],
  ['never, without sizes', [-1, 0], []],
])('a file of ten bytes is in force %s', (_name, all, stretches) => {
  expect(inForce(sizes(...all), 10)).toEqual(stretches);
  expect(inForce(sizes(...all).reverse(), 10)).toEqual(stretches);
});

it('an answer that is no file changes nothing', () => {
  const answers = [...sizes(10, 10), { time: 5, status: 304, size: 0 }, { time: 6, status: 404, size: 7 }];
  expect(inForce(answers, 10)).toEqual([{ from: 0, to: Infinity }]);
});

it('a bot is bound a minute after it has read the file, in each stretch anew', () => {
  const stretches = [
    { from: 0, to: 500_000 },
    { from: 700_000, to: Infinity },
  ];
  expect(bound([100_000, 50_000, 600_000], stretches)).toEqual([{ from: 110_000, to: 500_000 }]);
  expect(bound([600_000], stretches)).toEqual([]);
  expect(bound([NaN], stretches)).toEqual([]);
  const forbidden = new Forbidden();
  for (let at = 0; at < 100; at++) forbidden.add(at * 10_000, at);
  forbidden.add(NaN, 7);
  expect([...forbidden.within(bound([50_000], stretches))]).toEqual(Array.from({ length: 40 }, (_, at) => at + 11));
});
