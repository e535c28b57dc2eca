// Are hosts of one software found together?
import { expect, test } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import { addWords, NO_GROUP, Software } from '../../../src/mine/hosts/software.js';

function wordsOf(urls: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const url of urls) addWords(encodeText(url), words);
  return words;
}

const wiki = (k: number) =>
  wordsOf([`http://w${k}.test/doku.php?id=page${k}&do=diff`, `http://w${k}.test/doku.php?id=own${k}&rev=${k}`]);
const forum = (k: number) =>
  wordsOf([`http://f${k}.test/viewtopic.php?t=${k}&start=10`, `http://f${k}.test/viewforum.php?f=${k}`]);
const other = (k: number) => wordsOf([`http://o${k}.test/${'abcdefghij'[k % 10]}thing${k}`, `http://o${k}.test/`]);

const many = (of: (k: number) => Set<string>, count: number) => Array.from({ length: count }, (_, k) => of(k));

test('hosts with the same words in their URLs are one group, named by them', () => {
  const software = Software.of([...many(wiki, 40), ...many(forum, 40), ...many(other, 40)]);
  const [wikis, forums] = [wiki, forum].map((of) => software.groupOf(of(1000)));
  expect(wikis).not.toBe(NO_GROUP);
  expect(forums).not.toBe(NO_GROUP);
  expect(forums).not.toBe(wikis);
  expect(software.groups[wikis!]).toMatchObject({ hosts: 40 });
  expect(software.groups[wikis!]!.name).toMatch(/\bid=|\bdo=|doku\.php|rev=/);
  expect(software.groupOf(other(1000))).toBe(NO_GROUP);
});

test('a few hosts are no group', () => {
  const software = Software.of([...many(wiki, 5), ...many(other, 40)]);
  expect(software.groupOf(wiki(1000))).toBe(NO_GROUP);
});
