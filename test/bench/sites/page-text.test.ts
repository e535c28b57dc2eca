// The visible text of a page.
import { expect, test } from 'vitest';
import { textOf } from './page-text.js';

test.each([
  [
    'text/html',
    '<title>T</title><style>a{}</style><p>A &amp; <b>B</b><!-- c --><script>if (a<b) x()</script>',
    'T A & B',
  ],
  ['application/rss+xml', '<rss><title>T</title><d><![CDATA[<p>A &lt;B&gt;</p>]]></d><link/></rss>', 'T A <B>'],
  ['application/json', '{"a": "B"}', '{"a": "B"}'],
])('%s', (type, body, text) => {
  expect(textOf(type, Buffer.from(body))).toBe(text);
});

test('pictures are no text', () => {
  expect(textOf('image/png', Buffer.from([137, 80]))).toBeNull();
});
