// The links of a page, resolved.
import { expect, test } from 'vitest';
import { linksOf } from '../../src/pages/sketching.js';

const links = (html: string) => linksOf('http://h.example/docs/a?b=1', Buffer.from(html));

test.each<[string, string[]]>([
  ['<a href="b">x</a><area href=/c#d><iframe src="?e=1&amp;f">', ['docs/b', 'c', 'docs/a?e=1&f']],
  ['<base href="/x/"><base href="/y/"><a href=z>', ['x/z']],
  ['<a href="../%7eu/./v">', ['~u/v']],
  ['<a href=b><A HREF=b#c><a href="b " href=d>', ['docs/b']],
  ['<a href="#top"><a href=""><a href="a?b=1"><a name=n>', []],
  ['<a href="javascript:x()"><a href="mailto:a@b.example"><a href="ftp://h.example/">', []],
  ['<template><a href=b></template><!--<a href=c>--><script>"<a href=d>"</script><link href=e><img src=f>', []],
  ['<a href="b" ', []],
])('%s', (html, paths) => expect(links(html)).toEqual(paths.map((path) => `http://h.example/${path}`)));

test('a page of nothing but links takes linear time', () => {
  expect(links(Array.from({ length: 50_000 }, (_, k) => `<a href=${k % 5000}>`).join(''))).toHaveLength(5000);
});
