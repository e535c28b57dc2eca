import { expect, it } from 'vitest';
import { BlockList, isIP } from 'node:net';
import { isInRanges, joinedRanges, readAddress, readPrefix } from '../../../src/log/agents/address-ranges.js';
import { Forgeries, forgedOf, isForged } from '../../../src/log/agents/addresses.js';
import { agentOf, LISTED_BOTS, visitorOfAgent } from '../../../src/log/agents/agents.js';

const GOOGLE = visitorOfAgent('Googlebot/2.1');
const BING = visitorOfAgent('bingbot/2.0');
const forgeries = new Forgeries([
  { bot: 'Bingbot', prefixes: ['157.55.39.0/24'] },
  { bot: 'Googlebot', prefixes: ['66.249.64.0/27', '2001:4860:4801:10::/64'] },
]);

function judged(visitor: number, address: string): number {
  const bytes = Buffer.from(`x${address}x`);
  return forgeries.judge(visitor, bytes, 1, bytes.length - 1);
}

it.each([
  ['66.249.64.1', false],
  ['66.249.64.31', false],
  ['66.249.64.32', true],
  ['66.249.64.1:55432', false],
  ['66.249.64.1, 10.0.0.1', false],
  ['10.0.0.1', true],
  ['157.55.39.1', true],
  ['2001:4860:4801:10::abcd', false],
  ['[2001:4860:4801:10::1]:443', false],
  ['2001:4860:4801:11::1', true],
  ['::ffff:66.249.64.1', false],
  ['crawl-66-249-64-1.googlebot.com', false],
  ['5f4dcc3b5aa765d61d8327deb882cf99', false],
  ['', false],
])('Googlebot from %s is forged: %s', (address, forged) => {
  for (const _ of [1, 2]) expect(isForged(judged(GOOGLE, address))).toBe(forged);
});

it('says whose name was taken, and leaves bots without ranges and people alone', () => {
  expect([forgedOf(judged(BING, '1.1.1.1')), forgedOf(judged(GOOGLE, '1.1.1.1'))]).toEqual([0, 1]);
  expect(agentOf(judged(GOOGLE, '1.1.1.1'))).toEqual({ name: 'forged bots', group: 'other-bot' });
  for (const agent of ['GPTBot/1', 'Mozilla/5.0 (X11) Firefox/1', 'some-spider'])
    expect(judged(visitorOfAgent(agent), '1.1.1.1')).toBe(visitorOfAgent(agent));
  expect(LISTED_BOTS.every((_, place) => !isForged(place + 3))).toBe(true);
});

it('stays bounded and right with a hundred thousand addresses', () => {
  for (let k = 0; k < 100_000; k++) judged(GOOGLE, `10.${k >> 16}.${(k >> 8) & 255}.${k & 255}`);
  expect(isForged(judged(GOOGLE, '66.249.64.1'))).toBe(false);
  expect(isForged(judged(GOOGLE, `66.249.64.1${'0'.repeat(100_000)}`))).toBe(false);
});

it.each(['1.2.3.4', '1.2.3.4/33', '1.2.3.4/', '1.2.3/8', '::1/129', '1.2.3.4/8/8', 'x/8', '1.2.3.4/-1', ''])(
  '%s is no prefix',
  (prefix) => {
    expect(readPrefix(prefix)).toBeUndefined();
  },
);

it('reads addresses as Node does, and finds them in the ranges that it does', () => {
  const parts = ['', '0', '1', 'ffff', 'abcd', '12345', 'g', '1.2.3.4', '255'];
  const random = seeded();
  let [addresses, inside] = [0, 0];
  const prefixes = [
    '10.0.0.0/8',
    '10.128.0.0/9',
    '1.2.3.4/32',
    '192.0.2.7/27',
    '2001:db8::/32',
    '2001:db8:1::/48',
    'ff::/8',
  ];
  const list = new BlockList();
  for (const prefix of prefixes) {
    const [address, bits] = prefix.split('/') as [string, string];
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  const ranges = joinedRanges(prefixes.flatMap((prefix) => readPrefix(prefix) ?? []));
  for (let k = 0; k < 20_000; k++) {
    const text = drawn(random, parts);
    const family = isIP(text);
    const address = readAddress(text);
    expect([text, address !== undefined]).toEqual([text, family !== 0]);
    if (address === undefined) continue;
    addresses++;
    const found = isInRanges(ranges, address);
    if (found) inside++;
    expect([text, found]).toEqual([text, list.check(text, family === 4 ? 'ipv4' : 'ipv6')]);
  }
  expect(addresses > 2000 && inside > 100).toBe(true);
});

function seeded(): (most: number) => number {
  let state = 7;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

function drawn(random: (most: number) => number, parts: readonly string[]): string {
  if (random(2) === 0)
    return Array.from({ length: random(40) === 0 ? 3 : 4 }, (_, k) =>
      k === 0 ? [10, 1, 192, 256][random(4)] : random(258),
    ).join('.');
  const start = random(3) === 0 ? ['2001', 'db8'] : [];
  const middle = Array.from({ length: 1 + random(8) }, () => parts[random(parts.length)]!);
  return [...start, ...middle].join(':');
}
