import { describe, expect, it } from 'vitest';
import { isOfBase, Origins } from '../../../src/validate/permission/origins.js';
import { evidenceOf, readBy } from './requests.js';

describe('with a base', () => {
  it.each([
    ['http://www.h.test', 'https://www.h.test', true],
    ['http://www.h.test', 'http://h.test', true],
    ['https://h.test', 'http://www.h.test:80', true],
    ['https://h.test', 'https://h.test:443', true],
    ['http://h.test', 'http://h.test:8080', false],
    ['http://h.test', 'http://admin.h.test', false],
    ['http://h.test', 'http://vpn.h.test:8443', false],
    ['http://h.test:8080', 'http://h.test:8080', true],
    ['http://h.test:8080', 'http://www.h.test:8080', true],
    ['http://h.test:8080', 'http://h.test', false],
    ['http://h.test:8080', 'https://h.test:8080', false],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:9200', false],
    ['http://h.test', 'http://h.test.', true],
    ['http://h.test', 'http://h.test@evil.test', false],
  ])('%s: %s is asked: %s', (base, origin, isAsked) => expect(isOfBase(base)(origin)).toBe(isAsked));
});

describe('without a base, a host needs its share', () => {
  const people = Array.from({ length: 30 }, (_, k) => `p${k}`);
  const own = people.flatMap((by) => Array.from({ length: 100 }, () => readBy('http://www.h.test/', by)).flat());
  const evidence = evidenceOf([
    ...own,
    ...Array.from({ length: 40 }, () => readBy('http://docs.h.test/', 'p1')).flat(),
    ...people.slice(0, 8).flatMap((by) => readBy('http://old.h.test/', by)),
    ...Array.from({ length: 8 }, () => readBy('http://admin.h.test/', 'p1')).flat(),
    ...Array.from({ length: 82 }, () => readBy('http://www.h.test:9200/', 'p1')).flat(),
    ...Array.from({ length: 2 }, () => readBy('http://elsewhere.test/', 'p1')).flat(),
  ]);

  it.each([
    ['www.h.test', true],
    ['docs.h.test', true],
    ['old.h.test', true],
    ['admin.h.test', false],
    ['www.h.test:9200', false],
    ['elsewhere.test', false],
    ['never.h.test', false],
  ])('%s: %s', (host, isOwn) => expect(evidence.isOwnHost(host)).toBe(isOwn));

  it('but each of many hosts has one', () => {
    const origins = new Origins();
    const reader = { isCrawler: false, address: 0, agent: 0 };
    for (let k = 0; k < 5000; k++) origins.add(`h${k}.test`, reader);
    expect(origins.isOwn('h17.test')).toBe(true);
  });
});
