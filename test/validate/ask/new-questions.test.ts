// Questions to sites that nobody has looked at: each finds its rule where it holds, and none where it does not.
import { describe, expect, test } from 'vitest';
import { many } from './asked.js';
import { askServer } from './loopback.js';

describe('values of a field that is there several times', () => {
  const tags = ['red', 'blue', 'big', 'old', 'new', 'soft'];
  const paths = many(12, (k) => {
    const [a, b] = [tags[k % 6]!, tags[(k + 1 + (k % 4)) % 6]!];
    return [`/list?tag=${a}&page=${k % 3}&tag=${b}`, `/list?tag=${b}&page=${k % 3}&tag=${a}`];
  }).flat();

  test('are sorted where their order does not matter', async () => {
    const { formOf, answer } = await askServer(
      ({ searchParams }) => `${searchParams.getAll('tag').sort().join(' ')} ${searchParams.get('page')}`,
      paths,
    );
    expect(formOf('/list?tag=red&page=2&tag=blue')).toBe('/list?tag=blue&page=2&tag=red');
    expect(answer.accepted).toMatchObject([{ step: 'sort-values', only: [{ part: 'parameter', is: 'tag' }] }]);
  });

  test('stay where the last decides, or the first', async () => {
    for (const at of [0, -1]) {
      const { formOf } = await askServer(
        ({ searchParams }) => `${searchParams.getAll('tag').at(at)} ${searchParams.get('page')}`,
        paths,
      );
      const form = new URL(`http://h${formOf('/list?tag=red&page=2&tag=blue')}`).searchParams.getAll('tag');
      expect(form.at(at)).toBe(['red', 'blue'].at(at));
    }
  });
});
