// Clusters are those of single linkage over all pairs, compared one by one.
import { expect, test } from 'vitest';
import { areNear, clustersOf } from './clusters.js';
import { randomBy } from './random.js';

function shingles(text: string): Set<string> {
  const words = text.split(' ');
  return new Set(words.slice(0, Math.max(1, words.length - 3)).map((_, k) => words.slice(k, k + 4).join(' ')));
}

function jaccard(a: Set<string>, b: Set<string>): number {
  const both = [...a].filter((one) => b.has(one)).length;
  return both / (a.size + b.size - both);
}

test('texts are joined as a comparison of all pairs joins them', () => {
  const random = randomBy('clusters');
  const texts: string[] = [];
  for (let page = 0; page < 12; page++) {
    const words = Array.from({ length: 200 }, () => `w${random.below(5_000)}`);
    for (let copy = 0; copy < 8; copy++) {
      // One to five places that differ: of 197 shingles 4 to 20 are others.
      const changed = [...words];
      for (let k = 0; k < copy % 6; k++) changed[random.below(200)] = `x${random.below(5_000)}`;
      texts.push(changed.join(' '));
    }
  }
  const distinct = [...new Set(texts)];
  const sets = distinct.map(shingles);
  const names = distinct.map((_, k) => k);
  let [near, far] = [0, 0];
  for (let i = 0; i < sets.length; i++) {
    for (let j = i + 1; j < sets.length; j++) {
      const share = jaccard(sets[i]!, sets[j]!);
      if (share >= 0.9) near++;
      else if (share > 0.5) far++;
      if (share < 0.9 || names[i] === names[j]) continue;
      const [from, to] = [names[j]!, names[i]!];
      names.forEach((name, k) => (names[k] = name === from ? to : name));
    }
  }
  const order = new Map([...new Set(names)].map((name, k) => [name, k]));
  expect(clustersOf(distinct)).toEqual(names.map((name) => order.get(name)));
  expect([near > 50, far > 50]).toEqual([true, true]);
});

test('two texts are near as their overlap says', () => {
  const words = Array.from({ length: 103 }, (_, k) => `w${k}`);
  // Of 100 shingles each, 96 in common: .92; with two words of 103 that differ 92: .85.
  expect(areNear(words.join(' '), words.with(50, 'x').join(' '))).toBe(true);
  expect(areNear(words.join(' '), words.with(50, 'x').with(20, 'y').join(' '))).toBe(false);
});

test('what is no text is like nothing else', () => {
  expect(clustersOf([null, null, 'a b', 'a b c'])).toEqual([0, 1, 2, 3]);
});
