// A tour visits the strata (corners) that a draw has missed, the home page first; the draw does not depend on the port.
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import { drawNumber } from '../../../src/validate/sample.js';
import { cornerOf, tourOf } from '../../../src/validate/ask/strata.js';
import type { Change } from '../../../src/validate/ask/site-forms.js';

const changeOf = (text: string): Change => {
  const bytes = encodeText(text);
  return { form: { text, bytes, origin: 0, number: drawNumber(bytes, 1), urls: 1 }, image: `${text}x` };
};

describe('a tour', () => {
  const changes = [
    ...Array.from({ length: 30 }, (_, k) => `http://h/en/page${k}`),
    ...Array.from({ length: 20 }, (_, k) => `http://h/en/mod${k}/`),
    ...Array.from({ length: 10 }, (_, k) => `http://h/de/page${k}`),
    'http://h/en/',
  ].map(changeOf);

  test('begins at the home page, though its corner is that of other folders', () => {
    expect(cornerOf('http://h/en/', new Set())).toBe(cornerOf('http://h/en/mod1/', new Set()));
    const tour = tourOf(changes, [], new Set()).map(({ form }) => form.text);
    expect(tour[0]).toBe('http://h/en/');
    expect(new Set(tour).size).toBe(tour.length);
  });

  test('recognizes a home page by the name of an index', () => {
    const pages = ['dso', 'index', 'a/b', 'index?x=1'].map((page) => changeOf(`http://h/da/${page}`));
    expect(tourOf(pages, [], new Set())[0]!.form.text).toBe('http://h/da/index');
  });

  test('visits each unknown corner once', () => {
    const known = [changes.find(({ form }) => form.text === 'http://h/en/')!, changes[0]!];
    const tour = tourOf(changes, known, new Set());
    expect(tour.map(({ form }) => cornerOf(form.text, new Set()))).toEqual(['http:// h de a']);
  });

  test('of nothing is empty', () => {
    expect(tourOf([], [], new Set())).toEqual([]);
  });
});

describe('a draw', () => {
  const numberOf = (url: string, seed = 1) => drawNumber(encodeText(url), seed);

  test('is the same on every port, and differs by host, path and seed', () => {
    for (const path of ['', '/', '/a:80/b', '?x=1:2'])
      expect(numberOf(`http://h:8080${path}`)).toBe(numberOf(`http://h:31337${path}`));
    expect(numberOf('http://h:8080/a')).toBe(numberOf('http://h/a'));
    expect(numberOf('http://g:8080/a')).not.toBe(numberOf('http://h:8080/a'));
    expect(numberOf('http://h:8080/a')).not.toBe(numberOf('http://h:8080/b'));
    expect(numberOf('http://h/a:80')).not.toBe(numberOf('http://h/a:81'));
    expect(numberOf('/a:80/b')).not.toBe(numberOf('/a:81/b'));
    expect(numberOf('/a', 2)).not.toBe(numberOf('/a'));
  });
});
