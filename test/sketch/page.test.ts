import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Boilerplate } from '../../src/sketch/boilerplate.js';
import { type Document, KEPT_FINGERPRINTS } from '../../src/sketch/document.js';
import {
  compareDocuments,
  documentOf,
  documentOfRecord,
  documentOfSketch,
  packText,
  sketchOf,
} from '../../src/sketch/page.js';
import { fingerprints } from '../../src/sketch/shingle.js';
import { createSketch, formatSketch } from '../../src/sketch/sketch.js';
import { createSpotMaker, formatSpots } from '../../src/sketch/spots.js';
import { veiled } from '../../src/sketch/veil.js';
import { htmlDocument, seeded, textDocument, wordsOf } from './sample.js';

const bodyOf = (text: string) => Buffer.from(text);

/** Both ways round, as the verdict must not depend on it. */
function verdict(a: Document, b: Document, boilerplate?: Boilerplate): string {
  const found = compareDocuments(a, b, boilerplate);
  expect(compareDocuments(b, a, boilerplate)).toBe(found);
  return found;
}

describe('the document of a body', () => {
  test('is its digest, and the fingerprints of its veiled text', () => {
    const body = bodyOf('<p>one two\n 3 four; 5 hours ago');
    const text = veiled('one two 3 four; \ufdd05 hours ago\ufdd1');
    const document = documentOf(body, 'text/html');
    const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
    const expected = { kind: 'text', digest, fingerprints: fingerprints(text), isComplete: true };
    expect(document).toEqual({ ...expected, packedText: packText(text) });
    expect(documentOf(body, 'image/png')).toEqual({ kind: 'bytes', digest });
  });

  test.each(['', ' ', '<img src=a.png>', '<frameset><frame src=a></frameset>', '<script>a b c d</script>'])(
    'without words is its bytes: %j',
    (html) => expect(documentOf(bodyOf(html), 'text/html').kind).toBe('bytes'),
  );

  test('keeps the smallest fingerprints if there are many', () => {
    const words = wordsOf('w', KEPT_FINGERPRINTS + 100);
    const all = fingerprints(veiled(words));
    const document = textDocument(words);
    expect(document.isComplete).toBe(false);
    expect(document.fingerprints).toEqual(all.slice(0, KEPT_FINGERPRINTS));
    const exactly = textDocument(wordsOf('w', KEPT_FINGERPRINTS + 3));
    expect([exactly.isComplete, exactly.fingerprints.length]).toEqual([true, KEPT_FINGERPRINTS]);
  });
});

describe('the document of a sketch column', () => {
  test('is text if it is a sketch of ours', () => {
    for (const count of [30, 131, 1000]) {
      const page = textDocument(wordsOf('w', count));
      const document = documentOfSketch(formatSketch(sketchOf(page)))!;
      expect(document).toMatchObject({ kind: 'text', isComplete: count === 30 });
      expect(document.kind === 'text' && sketchOf(document)).toEqual(sketchOf(page));
      expect(verdict(document, page)).toBe('alike');
    }
  });

  test('is a digest if it is anything else, also a sketch of other shingles', () => {
    const other = formatSketch(createSketch(fingerprints(wordsOf('w', 30), 7), 7));
    const spots = formatSpots(createSpotMaker({ kind: 'spotsigs', chain: 1, long: 20, words: 4 })('the a b c d')!);
    for (const text of ['sha1:A', '', other, spots]) {
      expect(documentOfSketch(text)).toEqual({ kind: 'bytes', digest: `log:${text}` });
    }
  });

  test('is unknown if a signature is damaged, whatever the digest of the record is', () => {
    const whole = formatSketch(createSketch(fingerprints(wordsOf('w', 30))));
    for (const text of [whole.slice(0, -1), `${whole}A`, 'db1-4-128-1-', 'db1-', 'sp1-spotsigs.1-1-0-A']) {
      expect(documentOfSketch(text)).toBeUndefined();
      expect(documentOfRecord('sha1:A', text)).toBeUndefined();
    }
    expect(documentOfRecord('sha1:A', undefined)).toEqual({ kind: 'bytes', digest: 'log:sha1:A' });
  });
});

describe('two documents', () => {
  const page = textDocument(wordsOf('w', 400));
  const almost = textDocument(wordsOf('w', 390));
  const other = textDocument(wordsOf('v', 400));
  const picture = documentOf(bodyOf('GIF'), 'image/gif');
  const [logged, loggedOther] = [documentOfSketch('sha1:A')!, documentOfSketch('sha1:B')!];
  const sketched = documentOfSketch(formatSketch(sketchOf(page)))!;
  const sketchedOther = documentOfSketch(formatSketch(sketchOf(other)))!;

  test.each([
    [page, page, 'same'],
    [page, htmlDocument(wordsOf('w', 400)), 'same'],
    [page, htmlDocument(`<b>${wordsOf('W', 400)}</b>`), 'alike'],
    [page, almost, 'alike'],
    [page, other, 'different'],
    [page, picture, 'different'],
    [picture, documentOf(bodyOf('GIF'), 'image/gif'), 'same'],
    [picture, documentOf(bodyOf('PNG'), 'image/png'), 'different'],
    [htmlDocument('<img src=a>'), htmlDocument('<img src=b>'), 'different'],
    [logged, documentOfSketch('sha1:A')!, 'same'],
    [logged, loggedOther, 'different'],
    [logged, page, 'unknown'],
    [logged, picture, 'unknown'],
    [logged, sketched, 'unknown'],
    [sketched, documentOfSketch(formatSketch(sketchOf(page)))!, 'same'],
    [sketched, page, 'alike'],
    [sketched, other, 'different'],
    [sketched, sketchedOther, 'different'],
    [sketched, picture, 'different'],
  ] as const)('%#: %o, %o are %s', (a, b, expected) => expect(verdict(a, b)).toBe(expected));

  test('a digest of a log never equals that of a body', () => {
    expect(verdict(documentOfSketch(page.digest)!, page)).toBe('unknown');
  });
});

describe('boilerplate', () => {
  const menu = wordsOf('menu', 300);
  const boilerplate = new Boilerplate();
  for (let k = 0; k < 60; k++) boilerplate.add(htmlDocument(menu, wordsOf(`content${k}n`, 12)));

  test('is set aside: small pages of one template differ', () => {
    const [a, b] = [
      textDocument(menu, 'Blue kettle for two litres, 20 pounds'),
      textDocument(menu, 'Bread from a stone oven'),
    ];
    expect(verdict(a, b)).toBe('alike');
    expect(verdict(a, b, boilerplate)).toBe('different');
    expect(verdict(a, textDocument(`<i>${menu}</i>`, 'blue kettle FOR two litres: 20 pounds!'), boilerplate)).toBe(
      'alike',
    );
  });

  test('is compared if both pages are nothing else', () => {
    const words = menu.split(' ');
    const part = (start: number, end: number) => textDocument(words.slice(start, end).join(' '));
    expect(verdict(part(0, 200), part(0, 195), boilerplate)).toBe('alike');
    expect(verdict(part(0, 200), part(100, 300), boilerplate)).toBe('different');
  });

  test('is all of a page if none of its fingerprints is left', () => {
    const kept = { ...textDocument(menu), isComplete: false };
    expect(sketchOf(kept, boilerplate)).toEqual(createSketch(new Float64Array(0)));
  });

  test('makes a page of nothing else differ from one with other text', () => {
    expect(verdict(textDocument(menu), textDocument(menu, 'sold out today only'), boilerplate)).toBe('different');
    expect(verdict(textDocument(menu), textDocument(menu, 'sold out today only'))).toBe('alike');
  });

  test('set aside in a truncated sketch leaves a prefix of the sketch of the rest', () => {
    const random = seeded(3);
    let [whole, smaller] = [0, 0];
    for (let k = 0; k < 60; k++) {
      const own = wordsOf(`own${k}n`, Math.floor(random() * 400) + 1);
      const all = fingerprints(`${menu} ${own}`);
      const rest = all.filter((value) => !boilerplate.has(value));
      const expected = createSketch(rest);
      const page = { kind: 'text', digest: '', fingerprints: all, isComplete: true } as const;
      expect(sketchOf(page, boilerplate)).toEqual(expected);
      const kept = Math.floor(random() * all.length);
      const found = sketchOf({ ...page, fingerprints: all.slice(0, kept), isComplete: false }, boilerplate);
      expect(found.minima).toEqual(expected.minima.slice(0, found.minima.length));
      if (found.minima.length === 0) continue;
      // An incomplete page fills its sketch, however small: what is not in it may still be in the page.
      expect(found.s).toBe(found.minima.length);
      if (found.s === 128) whole++;
      else smaller++;
    }
    expect(Math.min(whole, smaller)).toBeGreaterThan(5);
  });
});
