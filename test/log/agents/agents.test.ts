import { expect, test } from 'vitest';
import { agentOf, groupOfAgent, LISTED_BOTS, visitorOfAgent } from '../../../src/log/agents/agents.js';

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'search'],
  ['Googlebot-Image/1.0', 'Googlebot', 'search'],
  ['SAMSUNG-SGH-E250/1.0 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)', 'Googlebot', 'search'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/1 Safari/537',
    'Bingbot',
    'search',
  ],
  ['Mozilla/5.0+(compatible;+bingbot/2.0;++http://www.bing.com/bingbot.htm)', 'Bingbot', 'search'],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'GPTBot',
    'ai-training',
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36; compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot',
    'OAI-SearchBot',
    'ai-search',
  ],
  ['Mozilla/5.0 (compatible; Claude-SearchBot/1.0; +https://www.anthropic.com)', 'Claude-SearchBot', 'ai-search'],
  ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'AhrefsBot', 'seo'],
  ['Screaming Frog SEO Spider/19.2', 'Screaming Frog', 'seo'],
  ['Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)', 'Pingdom', 'monitoring'],
  ['Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)', 'UptimeRobot', 'monitoring'],
  ['Feedly/1.0 (+http://www.feedly.com/fetcher.html; 12 subscribers)', 'Feedly', 'feed'],
  ['curl/8.5.0', 'curl', 'other-bot'],
  ['SomethingNobodyKnows-crawler/0.1', 'unlisted bots', 'other-bot'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'people', 'person'],
  ['', 'unknown', 'unknown'],
  ['-', 'unknown', 'unknown'],
])('%s', (agent, name, group) => {
  expect(groupOfAgent(agent)).toMatchObject({ name, group });
});

test('each listed bot is found by its own token, in the case that logs have it in', () => {
  for (const { token, name, group } of LISTED_BOTS) {
    expect(groupOfAgent(`Mozilla/5.0 (compatible; ${token.toLowerCase()}/1.0)`)).toMatchObject({ name, group });
  }
});

test('the number of a visitor fits into a byte with room to spare, and stands for the same agent', () => {
  expect(LISTED_BOTS.length).toBeLessThan(220);
  for (const agent of ['', 'Mozilla/5.0 (X11) Firefox/1', 'x-spider', 'Googlebot/2.1', 'Scrapy/2'])
    expect(agentOf(visitorOfAgent(agent))).toBe(groupOfAgent(agent));
});

test('a token inside of another word is no bot, and neither are names of objects', () => {
  for (const agent of ['NotGooglebot/1 Mozilla/5.0', 'Mozilla/5.0 constructor __proto__ (X11)'])
    expect(groupOfAgent(agent).name).not.toBe('Googlebot');
  expect(groupOfAgent('__proto__ Mozilla/5.0 (X11; Linux) Firefox/1').group).toBe('person');
});

test('a hostile agent of a megabyte is judged by its beginning', () => {
  const long = 'a-'.repeat(500_000);
  expect(groupOfAgent(`Mozilla/5.0 (compatible; Googlebot/2.1) ${long}`).name).toBe('Googlebot');
  expect(groupOfAgent(`${long} Googlebot/2.1`).name).not.toBe('Googlebot');
});
