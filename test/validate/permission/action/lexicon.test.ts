import { expect, it } from 'vitest';
import { createLexicon } from '../../../../src/validate/permission/action/lexicon.js';
import { LANGUAGES } from '../../../../src/validate/permission/action/table.js';
import { wordsOf } from '../../../../src/validate/permission/action/text.js';

const lexicon = createLexicon([]);

it.each([
  ['löschen', 'loschen loeschen'],
  ['удалить', 'удалить udalit'],
  ['выход', 'выход vyhod vykhod'],
  ['αποσύνδεση', 'αποσυνδεση aposyndesi'],
  ['tilføj', 'tilfoj tilfoej'],
])('%s is known as %s', (_word, spellings) => {
  for (const spelling of spellings.split(' ')) expect(lexicon.foreign.has(spelling), spelling).toBe(true);
});

it('every verb of the table is a word as URLs are cut into words, so that it can be found', () => {
  const known = [...lexicon.foreign, ...lexicon.things];
  expect(known.length).toBeGreaterThan(3_000);
  for (const word of known) expect(wordsOf(word), word).toEqual([word]);
});

it('every language has verbs, and things to act upon', () => {
  expect(Object.keys(LANGUAGES).length).toBeGreaterThan(30);
  for (const [language, { words, things }] of Object.entries(LANGUAGES)) {
    expect(words.trim().split(/\s+/).length, language).toBeGreaterThan(10);
    expect(things?.trim(), language).toBeTruthy();
  }
});
