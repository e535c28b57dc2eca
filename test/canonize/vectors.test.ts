// Every engine of this program gives the known answers.
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createBlockCanonizer, createCanonizer, type CanonizerOptions } from '../../src/canonize/canonizer.js';
import { createLineMapper } from '../../src/canonize/lines.js';
import { createTextCanonizer } from '../../src/canonize/text.js';
import { UniqueLines } from '../../src/canonize/unique.js';
import type { Rule } from '../../src/rule/rule.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { sampleFile } from '../rule/sample.js';
import { vectors } from '../vectors.js';
import { naiveCanonize } from './twin.js';

const options: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'absolute',
  sitePolicy: 'domain',
};

type Engine = (rules: readonly Rule[]) => (urls: readonly string[]) => readonly string[];

/** A block of lines, and the lines that come out. */
const byLines: Engine = (rules) => (urls) => {
  const unique = new UniqueLines({ memoryBytes: Infinity, tmpdir: tmpdir() });
  const mapper = createLineMapper(createBlockCanonizer(rules, options), {}, unique);
  const pieces = [...mapper.push(encodeText(urls.map((url) => `${url}\n`).join('')))].map((piece) => decodeText(piece));
  for (const piece of mapper.end()) pieces.push(decodeText(piece));
  return pieces.join('').split('\n').slice(0, -1);
};

const engines: readonly (readonly [name: string, engine: Engine])[] = [
  ['the twin that reads as SPEC 8 does', (rules) => (urls) => urls.map((url) => naiveCanonize(url, rules, options))],
  [
    'the index',
    (rules) => {
      const canonizer = createCanonizer(rules, options);
      return (urls) => urls.map((url) => decodeText(canonizer.canonize(encodeText(url))));
    },
  ],
  [
    'the canonizer for browsers',
    (rules) => {
      const file = sampleFile(rules, { urlForm: 'absolute' });
      const { canonize } = createTextCanonizer(file, createSiteOf('domain'));
      return (urls) => urls.map((url) => canonize(url));
    },
  ],
  ['the sweep over lines', byLines],
];

describe.each(engines)('%s', (name, engine) => {
  it.each(vectors().filter(isMeantFor(name)))('$name', ({ rules, forms }) => {
    const urls = forms.map(([url]) => url);
    const given = engine(rules)(urls);
    expect(urls.map((url, at) => [url, given[at]])).toEqual(forms);
  });
});

/** The twin applies what it is given, and leaves it to others which rules are applied. */
function isMeantFor(engine: string): (vector: { readonly name: string }) => boolean {
  return ({ name }) => !(engine.includes('twin') && name.includes('without the word'));
}
