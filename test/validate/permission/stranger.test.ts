import { expect, it } from 'vitest';
import { ofShape, Stranger } from '../../../src/validate/permission/stranger.js';
import { evidenceOf, readBy } from './requests.js';

it.each([
  'q2v8ksd0f9a7s6d5f4g3h2j1k0',
  '1A530637289A03B07199A44E8D531427',
  'd41d8cd98f00b204e9800998ecf8427e',
  '550e8400-e29b-41d4-a716-446655440000',
  'ann.lee%40example.org',
])('%s has its shape, and nothing else, in common with what is made up', (text) => {
  const made = ofShape(text, 3);
  const shape = (one: string) => one.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0');
  const isHex = /^[0-9a-f-]+$/i.test(text);
  expect(isHex ? made.replace(/[0-9a-f]/gi, 'x') : shape(made)).toBe(
    isHex ? text.replace(/[0-9a-f]/gi, 'x') : shape(text),
  );
  expect(made).not.toBe(text);
  expect(ofShape(text, 3)).toBe(made);
  expect(ofShape(text, 4)).not.toBe(made);
});

it('gives a value the same made-up one wherever it stands, and others other ones', () => {
  const stranger = new Stranger(undefined);
  const [a, b] = ['1A530637289A03B07199A44E8D531427', '2B530637289A03B07199A44E8D531428'];
  const one = stranger.url(`/x;jsessionid=${a}?id=7`);
  expect(one).toMatch(/^\/x;jsessionid=[0-9A-F]{32}\?id=7$/);
  expect(one).not.toContain(a);
  const made = /=([0-9A-F]+)/.exec(one)![1]!;
  expect(stranger.url(`/y?JSESSIONID=${a}`)).toBe(`/y?JSESSIONID=${made}`);
  expect(stranger.url(`/y?JSESSIONID=${b}`)).not.toContain(made);
});

it('knows what it made up', () => {
  const stranger = new Stranger(undefined);
  const given = '/x?PHPSESSID=q2v8ksd0f9a7s6d5f4g3h2j1k0&mail=ann@example.org';
  expect(stranger.isVisitors(given)).toBe(true);
  expect(stranger.isVisitors(stranger.url(given))).toBe(false);
});

it('leaves a commit that many read, and replaces a session under any name', () => {
  const people = ['ann', 'bob', 'cy', 'dee'];
  const id = (k: number) => `${'0123456789abcdef'[k]!.repeat(2)}5a4b3c2d1e0f9a8b7c6d`;
  const evidence = evidenceOf([
    ...Array.from({ length: 12 }, (_, k) => people.flatMap((by) => readBy(`/c?h=${id(k)}`, by))).flat(),
    ...Array.from({ length: 12 }, (_, k) =>
      ['/a', '/b'].flatMap((path) => readBy(`${path}?wiki=${id(k)}`, people[k % 4]!)),
    ).flat(),
  ]);
  const stranger = new Stranger(evidence);
  expect(stranger.url(`/c?h=${id(3)}`)).toBe(`/c?h=${id(3)}`);
  expect(stranger.url(`/a?wiki=${id(3)}`)).not.toContain(id(3));
});
