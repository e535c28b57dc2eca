import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { ENGINES, engineOf, PAGE, REDIRECTED, targetIn, Visits } from '../../src/robots/visits.js';

it.each([
  ['https://www.google.com/', 'Google'],
  ['https://www.google.co.uk/search?q=x', 'Google'],
  ['http://google.de:80/url?sa=t', 'Google'],
  ['https://images.google.com/', 'Google'],
  ['https://www.bing.com/search?q=x', 'Bing'],
  ['https://duckduckgo.com/', 'Bing'],
  ['https://search.yahoo.com/', 'Bing'],
  ['https://yandex.ru/', 'Yandex'],
  ['https://m.baidu.com/s', 'Baidu'],
  ['https://search.brave.com/', 'others'],
  ['https://mail.google.com/', undefined],
  ['https://notgoogle.com/', undefined],
  ['https://www.example.com/?from=www.google.com', undefined],
  ['-', undefined],
  ['', undefined],
])('a visitor with the referrer %j comes from %s', (referrer, name) => {
  expect(ENGINES[engineOf(referrer)]?.name).toBe(name);
});

it.each([
  ['http://h.test/a?b#c', '/a?b'],
  ['http://h.test', '/'],
  ['http://h.test?b', '/?b'],
  ['/a?b', '/a?b'],
  ['http://h.test/\xe9', '/\xe9'],
])('the target of %j is %j', (url, target) => {
  const bytes = Buffer.from(`xx${url}xx`, 'latin1');
  expect(targetIn(bytes, 2, bytes.length - 2)).toBe(target);
});

it('a row has the facts of all answers, and no more rows than memory', () => {
  const visits = new Visits(20_000);
  const rows = ['http://a.test/1', 'http://b.test/1', 'http://a.test/1', 'http://a.test:8080/2.png'].map((url) => {
    const bytes = Buffer.from(url);
    const row = visits.rowOf(bytes, 0, bytes.length);
    for (const status of [404, 302, 200]) visits.noteAnswer(row, status, bytes, 0, bytes.length);
    visits.addRequest(row);
    return row;
  });
  expect(rows).toEqual([0, 1, 0, 2]);
  expect([0, 1, 2].map((row) => visits.facts.get(row))).toEqual([PAGE | REDIRECTED, PAGE | REDIRECTED, REDIRECTED]);
  expect([...visits.hosts]).toEqual([
    ['a.test', 3],
    ['b.test', 1],
  ]);
  for (let at = 0; at < 1000; at++) {
    const bytes = Buffer.from(`/${at}`);
    visits.rowOf(bytes, 0, bytes.length);
  }
  expect(visits.length).toBeLessThan(400);
  expect(visits.length + visits.unlisted).toBe(1003);
  const first = Buffer.from('http://a.test/1');
  expect(visits.rowOf(first, 0, first.length)).toBe(0);
});

it('a URL is moved away unless a page has its path and query', () => {
  const visits = new Visits(1 << 20);
  const answers: (readonly [string, number])[] = [
    ['http://h.test/gone?sid=1', 301],
    ['http://old.test/list?sort=a', 308],
    ['http://h.test/list/?sort=a', 200],
    ['http://h.test/cart?add=1', 302],
    ['http://h.test/both', 301],
    ['http://h.test/both', 200],
  ];
  for (const [url, status] of answers) {
    const bytes = Buffer.from(url);
    visits.noteAnswer(visits.rowOf(bytes, 0, bytes.length), status, bytes, 0, bytes.length);
  }
  expect([...visits.movedAway]).toEqual([0]);
});
