import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { visitorOf } from '../../src/robots/agent.js';
import { readRobots } from '../../src/robots/file.js';
import { decidedBy, RuleGroups, ruleFor } from '../../src/robots/groups.js';

const named = (...names: string[]) =>
  new RuleGroups(readRobots(Buffer.from(names.map((name) => `User-agent: ${name}\nDisallow: /${name}`).join('\n'))));

it.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', ['*', 'googlebot'], 'googlebot'],
  ['Googlebot-Image/1.0', ['*', 'googlebot'], 'googlebot'],
  ['Googlebot-Image/1.0', ['*', 'googlebot', 'googlebot-image'], 'googlebot-image'],
  ['Mozilla/5.0 (compatible; bingbot/2.0)', ['*', 'googlebot'], '*'],
  ['Mozilla/5.0 (compatible; bingbot/2.0)', ['*', 'mozilla', 'compatible'], '*'],
  ['Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)', ['*', 'MJ12bot'], 'mj12bot'],
  ['Mozilla/5.0 (compatible; YandexImages/3.0)', ['*', 'Yandex'], 'yandex'],
  ['Screaming Frog SEO Spider/19.2', ['*', 'Screaming Frog SEO Spider'], 'screaming'],
  ['AdsBot-Google (+http://www.google.com/adsbot.html)', ['*'], ''],
  ['AdsBot-Google (+http://www.google.com/adsbot.html)', ['*', 'AdsBot-Google'], 'adsbot-google'],
  ['', ['*'], '*'],
])('the group for %j of %j is that for %j', (agent, names, name) => {
  expect(named(...names).nameFor(agent)).toBe(name);
});

it('names without a group have no rules, and names with the same rules share them', () => {
  const groups = new RuleGroups(readRobots(Buffer.from('User-agent: a\nUser-agent: b\nDisallow: /x')));
  expect(groups.setOf('a')).toBe(groups.setOf('b'));
  expect(groups.sets[groups.setOf('*')]!.rules).toEqual([]);
  expect(groups.sets.length).toBe(2);
});

it('the rule that decides is known with the one that would decide without it', () => {
  const groups = new RuleGroups(readRobots(Buffer.from('User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*c')));
  const set = groups.sets[groups.setOf('*')]!;
  const lines = (path: string) => [decidedBy(set, path).rule?.line, decidedBy(set, path).next?.line];
  expect(['/x', '/a', '/a/b', '/a/bc'].map(lines)).toEqual([
    [undefined, undefined],
    [2, undefined],
    [3, 2],
    [3, 4],
  ]);
  expect(ruleFor(set, '/a/bc')?.line).toBe(3);
  expect(ruleFor(groups.sets[groups.setOf('*')]!, '/robots.txt')).toBeUndefined();
});

it.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'search'],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)', 'GPTBot', 'ai-training'],
  ['Mozilla/5.0 (compatible; Examplebot/2.1; +http://www.example.com/bot.html)', 'Examplebot', 'other-bot'],
  ['Mozilla/5.0+(compatible;+Examplebot/2.1;++http://www.example.com/bot.html)', 'Examplebot', 'other-bot'],
  ['example-scan/1.0 (+https://example.com/spider)', 'example-scan', 'other-bot'],
  ['ddg_win', 'ddg_win', 'other-bot'],
  ['Fuzz Faster U Fool v2.1.0-dev', 'unnamed bots', 'other-bot'],
  ['-', 'without a name', 'unknown'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
    'people',
    'person',
  ],
])('who is %j?', (agent, name, group) => expect(visitorOf(agent)).toEqual({ name, group }));
