// The canonical URL of a page, if the head or the header gives exactly one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalLink } from '../../src/pages/canonical-link.js';

const URL = 'http://h.example/a/b?c=d';
const found = (html: string, link?: string, contentType = 'text/html') =>
  canonicalLink({ url: URL, body: Buffer.from(html), contentType, link });

describe('the canonical link of a page', () => {
  test.each([
    ['<link rel=canonical href="/x">', 'http://h.example/x'],
    ['<html><head><LINK HREF="y?z=1&amp;k=2" REL="nofollow Canonical" /></head>', 'http://h.example/a/y?z=1&k=2'],
    ['<head><base href="/q/"><link rel="canonical" href="r#top">', 'http://h.example/q/r'],
    ['<link rel="canonical" href="//H.example:80/%7Ex">', 'http://h.example/~x'],
    ['<link rel="canonical" href="/x"><link rel="canonical" href="http://h.example/x">', 'http://h.example/x'],
    ['<link rel="canonical" href="/x"><link rel="canonical" href="/y">', undefined],
    ['<link rel="canonical" href="">', undefined],
    ['<link rel="canonical">', undefined],
    ['<link rel="alternate" href="/x">', undefined],
    ['<link rel="canonical" href="javascript:alert(1)">', undefined],
    ['<link rel="canonical" href="mailto:a@b">', undefined],
    ['<body><link rel="canonical" href="/x">', undefined],
    ['<head></head><link rel="canonical" href="/x">', undefined],
    ['<title>a</title><p>b</p><link rel="canonical" href="/x">', undefined],
    ['<!-- <link rel="canonical" href="/x"> -->', undefined],
    ['<script>"<link rel=canonical href=/x>"</script>', undefined],
    ['<template><link rel="canonical" href="/x"></template>', undefined],
    ['<link rel="canonical" rel="x" href="/x" href="/y">', 'http://h.example/x'],
    ['<link rel="canonical" href="http://other.example/">', 'http://other.example/'],
    ['<link rel="canonical" href=" /a&#10;b c\td&#27;e ">', 'http://h.example/ab%20cd%1Be'],
  ])('%s', (html, url) => expect(found(html)).toBe(url));

  test.each([
    ['</x>; rel="canonical"', 'http://h.example/x'],
    ['</s.css>; rel=preload; as=style, <x>;rel=canonical', 'http://h.example/a/x'],
    ['<x>; title="a, <y>; rel=canonical"', undefined],
    ['<x>; rel="canonical", <y>; rel="canonical"', undefined],
    ['<x', undefined],
  ])('in a header: %s', (link, url) => {
    expect(found('', link)).toBe(url);
    expect(found('%PDF-1.4', link, 'application/pdf')).toBe(url);
  });

  test('is undefined if header and head disagree', () => {
    expect(found('<link rel=canonical href=/x>', '</y>; rel=canonical')).toBeUndefined();
    expect(found('<link rel=canonical href=/x>', '</x>; rel=canonical')).toBe('http://h.example/x');
  });

  test('is undefined for what is not HTML', () => {
    expect(found('<link rel=canonical href=/x>', undefined, 'application/json')).toBeUndefined();
    expect(found('<feed><link rel="canonical" href="/x"/></feed>', undefined, 'application/atom+xml')).toBeUndefined();
  });
});

test('any bytes and any header are accepted', () => {
  const unit = fc.constantFrom(
    '<link ',
    'rel=canonical ',
    'href=',
    '"',
    "'",
    '>',
    '<',
    '/',
    'x',
    '&amp;',
    '\0',
    '<head>',
  );
  const links = { some: 0, none: 0 };
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), fc.string({ unit }), (html, link) => {
      const url = found(html, link);
      expect(url ?? 'http://').toMatch(/^https?:\/\//);
      links[url === undefined ? 'none' : 'some']++;
    }),
    { numRuns: 5000 },
  );
  expect(links.none).toBeGreaterThan(100);
});

test('endless heads and headers take linear time', () => {
  const times = 100_000;
  for (const html of ['<link '.repeat(times), '<template>'.repeat(times), `<a b="${'x'.repeat(10 * times)}`]) {
    expect(found(html, '<'.repeat(times))).toBeUndefined();
  }
  expect(found('', `<x>; ${'rel='.repeat(times)}`)).toBeUndefined();
  expect(found(`<link rel=canonical href=/x>${'<link rel=canonical href=/x>'.repeat(times)}`)).toBe(
    'http://h.example/x',
  );
});
