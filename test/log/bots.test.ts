import { Buffer } from 'node:buffer';
import { isbot } from 'isbot';
import { expect, test } from 'vitest';
import { BotJudge } from '../../src/log/bots.js';

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
