import { Buffer } from 'node:buffer';
import { isbot } from 'isbot';
import { expect, test } from 'vitest';
import { BotJudge } from '../../src/log/bots.js';
import { VISITOR } from '../../src/log/record.js';

test('a cached answer for a user agent is never given for another one, however many there are', () => {
  const judge = new BotJudge();
  const agents = Array.from(
    { length: 6000 },
    (_, k) => `${k % 3 === 0 ? 'GoogleBot' : 'Mozilla/5'} (X11) ${100_000 + k} ${'x'.repeat(k % 20 === 0 ? 600 : 0)}`,
  );
  const said = [...agents, ...agents].map((agent) => {
    const bytes = Buffer.from(`"${agent}"`);
    return judge.isBot(bytes, 1, bytes.length - 1);
  });
  expect(said.slice(0, agents.length)).toEqual(agents.map((agent) => isbot(agent)));
  expect(said.slice(agents.length)).toEqual(said.slice(0, agents.length));
  expect(new Set(said).size).toBe(2);
});

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots) 100%',
  'Dalvik/2.1.0 (Linux; U; Android 13; SM-A536B Build/TP1A.220624.014)',
  'MyApp/1.0 CFNetwork/1410.0.3 Darwin/22.6.0',
  'curl/8.5.0',
];

test.each([
  ['IIS', (agent: string) => agent.replaceAll(' ', '+')],
  ['CloudFront', (agent: string) => agent.replaceAll('%', '%25').replaceAll(' ', '%20')],
  ['Akamai', (agent: string) => encodeURIComponent(agent).replaceAll('%20', '+')],
  ['CloudFront, twice', (agent: string) => agent.replaceAll('%', '%25').replaceAll(' ', '%2520')],
])('an agent that %s escaped is who it is without its escapes', (_, escaped) => {
  const judge = new BotJudge();
  const visitorOf = (agent: string) => judge.visitorOf(Buffer.from(agent), 0, agent.length);
  expect(AGENTS.map((agent) => visitorOf(escaped(agent)))).toEqual(AGENTS.map(visitorOf));
  expect(new Set(AGENTS.map(visitorOf)).size).toBe(4); // persons, two bots by name, another
});

test('a bot that is not listed has a name of its own, the same from the cache', () => {
  const judge = new BotJudge();
  const nameOf = (agent: string) => {
    expect(judge.visitorOf(Buffer.from(agent), 0, agent.length)).toBe(VISITOR.bot);
    return judge.unlisted;
  };
  const agents = ['Mozilla/5.0 (compatible; Ezooms/1.0; help@moz.test)', `Longbot/1.0 ${'x'.repeat(600)}`];
  for (let round = 0; round < 2; round++) expect(agents.map(nameOf)).toEqual(['Ezooms', 'Longbot']);
});
