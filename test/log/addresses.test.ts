// Reading a list takes the addresses that browsers take, as they read them, and rejects the others.
import { expect, test } from 'vitest';
import { addresses, readingOf } from '../addresses.js';
import { read } from './reading.js';

/** The URL that is read, or why there is none. */
async function readAs(line: string, normalize: 'safe' | 'none' = 'safe'): Promise<string> {
  const { rows, rejects } = await read(`${line}\n`, { format: 'urls', normalize });
  return rows[0]?.url ?? rejects[0]?.[1] ?? 'dropped';
}

/** User and password are cut off. */
const withoutUser = (address: string | undefined) => address?.replace(/^(\w+:\/\/)[^/]*@/, '$1');

// Text with a control character is no URL, although browsers drop tabs.
// eslint-disable-next-line no-control-regex -- that is the point
const known = addresses().filter(([input]) => !/[\x00-\x1f\x7f]/.test(input));

test('every address stays the one that browsers read', async () => {
  const taken = known.filter(([input, href]) => href !== null && URL.canParse(input));
  expect(taken.length).toBeGreaterThan(140);
  for (const [input] of taken) {
    const url = await readAs(input);
    expect([input, url, readingOf(url)]).toEqual([input, url, withoutUser(readingOf(input))]);
    expect(await readAs(url)).toBe(url);
  }
});

test.each(['safe', 'none'] as const)('what browsers refuse is rejected for its host (%s)', async (normalize) => {
  const refused = known.filter(([input, href]) => href === null && !URL.canParse(input));
  expect(refused.length).toBeGreaterThan(140);
  for (const [input] of refused) expect([input, await readAs(input, normalize)]).toEqual([input, 'bad-host']);
});

test.each([
  ['http://h/a b', 'http://h/a%20b'],
  ['http://h/a%20b', 'http://h/a%20b'],
  ['/a b ü ', '/a%20b%20%C3%BC'],
  ['http://h/\\..\\x', 'http://h/x'],
  ['http://127.0.0.1:28408/wiki/Alpha lamda', 'http://127.0.0.1:28408/wiki/Alpha%20lamda'],
  ['http://127.0.0.256/', 'bad-host'],
  ['http://xn--tda.de/ü', 'http://xn--tda.de/%C3%BC'],
  ['http://ü.de/ü', 'http://xn--tda.de/%C3%BC'],
])('%j is read as %j', async (line, url) => {
  expect(await readAs(line)).toBe(url);
});

test('without normalization raw text stays', async () => {
  for (const line of ['http://h/a b', '/ü', 'http://ü.de/\\a']) expect(await readAs(line, 'none')).toBe(line);
});
