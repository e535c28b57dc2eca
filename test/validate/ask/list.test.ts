// Which URLs of a site are used for questions: all, or a sample that says that it is one.
import { expect, test } from 'vitest';
import { listToAsk } from '../../../src/validate/ask/list.js';
import { siteUrlsOf } from '../../url-list.js';
import { many } from './asked.js';

test('a list that is cut says so, as it cannot tell which rules no URL needs', () => {
  const urls = siteUrlsOf(many(200, (k) => ({ url: `http://h/p${k}` })));
  const [whole, part] = [listToAsk(urls), listToAsk(urls, 20)];
  expect([whole.urls.length, whole.isSample]).toEqual([200, undefined]);
  expect(part.urls.length).toBeLessThanOrEqual(20);
  expect(part.isSample).toBe(true);
});
