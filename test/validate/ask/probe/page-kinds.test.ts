// Kinds of pages, by the shape of their paths.
import { expect, test } from 'vitest';
import { partsOf } from '../../../../src/validate/ask/parts.js';
import { Grammar } from '../../../../src/validate/ask/probe/grammar.js';
import { otherKindsOfPages } from '../../../../src/validate/ask/probe/page-kinds.js';

const paths = [
  '/2024/03/a-post/',
  '/2023/11/other/',
  '/tag/arcade/page/2/',
  '/tag/games/page/10/',
  '/tag/games/',
  '/a/comment-page-2/',
  '/about/?q=1',
];

test('are told apart by numbers and the words at them, the commonest first, without what was seen', () => {
  const urls = paths.map((path) => `http://h${path}`);
  const kinds = otherKindsOfPages([partsOf('http://h/tag/music/')], new Grammar(urls));
  const pathsOf = (kind: readonly string[]) => kind.map((url) => url.slice('http://h'.length));
  expect(kinds.map(pathsOf)).toEqual([paths.slice(0, 2), paths.slice(2, 4), ['/a/comment-page-2/']]);
});
