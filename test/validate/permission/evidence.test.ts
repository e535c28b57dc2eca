import { describe, expect, it } from 'vitest';
import { evidenceOf, readBy, type Request } from './requests.js';

const people = ['ann', 'bob', 'cy', 'dee', 'eve'];
const visits = people.flatMap((by) => readBy('http://h.test/', by));

describe('what is read commonly', () => {
  const evidence = evidenceOf([
    ...visits,
    ...readBy('http://h.test/forum/topic/7?page=2', 'bot'),
    ...readBy('http://h.test/forum/topic/8/print', 'ann', 'bob', 'cy'),
    ...readBy('http://h.test/forum/topic/9/delete', 'ann', 'bob', 'bob', 'ann'),
    ...readBy('http://h.test/list?do=show&sort=price', 'bot'),
    ...readBy('http://h.test/list?do=remove', 'ann', 'ann', 'bob'),
    ...readBy('http://h.test/list?remove=7', 'ann'),
    ...Array.from({ length: 40 }, (_, k) =>
      readBy(`http://h.test/news/story-of-${'abcdefghij'[k % 10]}${'klmn'[k >> 3]}`, people[k % 5]!),
    ).flat(),
  ]);
  const isRead = (path: string) => evidence.isReadCommonly(`http://h.test${path}`);

  it.each([
    ['/forum/topic/12', 'other numbers, without the field'],
    ['/forum/topic/12?page=9', 'what a crawler read'],
    ['/forum/topic/12/print?page=1', 'words that several clients and a crawler used'],
    ['/list?sort=price&do=show', 'fields in another order'],
    ['/FORUM/Topic/7', 'another case'],
    ['/news/whatever-it-may-be', 'a title in a folder of titles'],
    ['/forum/topic/12?utm_source=x&PHPSESSID=q2v8ksd0f9a7s6d5f4g3h2j1k0', 'trackers and sessions are no words'],
  ])('%s: %s', (path) => expect(isRead(path)).toBe(true));

  it.each([
    ['/forum/topic/9/delete', 'two clients are not several, however often they come'],
    ['/forum/delete/9', 'in another place'],
    ['/list?do=remove', 'a value that few chose'],
    ['/list?remove=7', 'a field that few used'],
    ['/list?do=purge', 'a value that nobody chose'],
    ['/admin', 'a folder that nobody read'],
  ])('not %s: %s', (path) => expect(isRead(path)).toBe(false));

  it('says the kind of a URL with its titles left open', () => {
    expect(evidence.kindOf('http://h.test/news/story-of-al?b=1&a=2')).toBe('h.test/news/*?a&b');
    expect(evidence.kindOf('http://h.test/forum/topic/12')).toBe('h.test/forum/topic/#');
  });

  it('learns from what it read itself', () => {
    expect(evidence.isReadCommonly('http://h.test/terms')).toBe(false);
    evidence.learn('http://h.test/terms');
    expect(evidence.isReadCommonly('http://h.test/terms')).toBe(true);
  });

  it('of one site says nothing about another', () => {
    const two = evidenceOf([...readBy('http://a.test/x', 'bot'), ...readBy('http://b.test/y', 'bot')]);
    expect(two.isReadCommonly('http://a.test/x')).toBe(true);
    expect(two.isReadCommonly('http://b.test/x')).toBe(false);
    expect(two.isReadCommonly('http://www.a.test/x')).toBe(true);
  });

  it('of lines without hosts holds for the site of the base', () => {
    const paths = evidenceOf(readBy('/x/y', 'bot'));
    expect(paths.isReadCommonly('http://h.test:8080/x/y')).toBe(true);
    expect(paths.isReadCommonly('http://h.test:8080/x/z')).toBe(false);
  });
});

describe('who the clients are', () => {
  const through = (address: string, agents: readonly string[]): Request[] =>
    agents.map((agent) => ({ url: '/a/b', by: address, agent }));

  it('behind a proxy, those with other agents', () => {
    expect(evidenceOf(through('proxy', ['x', 'y', 'z'])).isReadCommonly('/a/b')).toBe(true);
    expect(evidenceOf(through('proxy', ['x', 'y', 'x'])).isReadCommonly('/a/b')).toBe(false);
  });

  it('else those at other addresses, whatever they call themselves', () => {
    const many = people.flatMap((by) => readBy('/', by, by));
    expect(evidenceOf([...many, ...through('ann', ['x', 'y', 'z'])]).isReadCommonly('/a/b')).toBe(false);
    expect(evidenceOf([...many, ...readBy('/a/b', 'ann', 'bob', 'cy')]).isReadCommonly('/a/b')).toBe(true);
  });

  it('are not known in a list of URLs, nor in a log of one or two', () => {
    expect(evidenceOf(readBy('/a', '')).hasReaders).toBe(false);
    expect(evidenceOf(readBy('/a', 'ann', 'bob', 'ann')).hasReaders).toBe(false);
    expect(evidenceOf(readBy('/a', 'ann', 'bob', 'cy')).hasReaders).toBe(true);
    expect(evidenceOf(readBy('/a', 'bot')).hasReaders).toBe(true);
    expect(evidenceOf([]).hasReaders).toBe(true);
  });
});

it('does not depend on the order of the requests', () => {
  const requests = Array.from({ length: 300 }, (_, k): Request => {
    const word = (n: number) => 'abcdefghijklmnopqrstuvwxyz'[n % 26]!;
    if (k % 60 === 0) return { url: `/once/${word(k / 60)}q`, by: people[0]! };
    return {
      url: `/${word(k)}/${word(k * 7)}${word(k * 3)}/${word(k % 5)}?${word(k % 9)}=${word(k % 3)}`,
      by: people[k % 5]!,
    };
  });
  const shuffled = requests.map((_, k) => requests[(k * 131) % 300]!);
  const [one, other] = [evidenceOf(requests), evidenceOf(shuffled)];
  const verdicts = requests.map(({ url }) => one.isReadCommonly(url));
  expect(requests.map(({ url }) => other.isReadCommonly(url))).toEqual(verdicts);
  expect(new Set(verdicts).size).toBe(2);
});

describe('whose the values are', () => {
  const hex = (k: number) => `${(k * 0x9e3779b1) >>> 0}`.padStart(10, '7').slice(0, 10) + 'a1b2c3d4e5f6a7b8';
  const value = (name: string, k: number) => ({ name, text: hex(k), start: 0, end: 0 });
  const sessions = Array.from({ length: 20 }, (_, k) => [
    ...readBy(`/a?x=${hex(k)}`, people[k % 5]!),
    ...readBy(`/b?x=${hex(k)}`, people[k % 5]!),
  ]).flat();
  const commits = Array.from({ length: 20 }, (_, k) =>
    readBy(`/c?h=${hex(k)}`, people[k % 5]!, people[(k + 1) % 5]!),
  ).flat();
  const links = [0, 1].flatMap((k) => readBy(`/d?t=${hex(k)}`, people[k]!));
  const crawled = Array.from({ length: 4 }, (_, k) => readBy(`/e?u=${hex(k)}`, 'bot')).flat();
  const evidence = evidenceOf([...sessions, ...commits, ...links, ...crawled]);

  it('each of one client: personal', () => {
    expect(evidence.isPersonal(value('x', 0), '')).toBe(true);
    expect(evidence.isPersonal(value('h', 0), '')).toBe(false);
    expect(evidence.isPersonal(value('t', 0), '')).toBe(false);
  });

  it('with one URL, and no crawler that found others: a token', () => {
    expect(evidence.isToken(value('t', 0), '')).toBe(true);
    expect(evidence.isToken(value('x', 0), '')).toBe(false);
    expect(evidence.isToken(value('u', 0), '')).toBe(false);
    expect(evidence.isToken(value('t', 99), '')).toBe(false);
  });
});
