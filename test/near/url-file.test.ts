// The first URL of each class is found wherever it is in the file.
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { UrlFile } from '../../src/near/folding.js';
import { seeded } from '../bench/input/random.js';

test.each([1, 2, 3, 4, 5, 6])('short and long URLs, of few and many in a class, %i', (seed) => {
  const random = seeded(seed);
  const longest = [20, 300, 5000, 70_000][seed % 4]!;
  const classes = Array.from({ length: longest > 5000 ? 40 : 1500 }, (_, number) =>
    Array.from({ length: random() < 0.02 ? 300 : 1 + Math.floor(random() * 2) }, (__, k) => {
      const length = random() < 0.1 ? Math.floor(random() * longest) : 10;
      return `http://h.example/${number}/${k}/${'x'.repeat(length)}`;
    }),
  );
  const file = new UrlFile(tmpdir());
  classes.forEach((urls, number) => {
    for (const url of urls) {
      const bytes = encodeText(` ${url}`);
      file.add(number, bytes, 1, bytes.length);
    }
  });
  file.freeze();
  const numbers = classes.map((_, number) => number);
  expect(numbers.map((number) => decodeText(file.firstOf(number)))).toEqual(classes.map(([first]) => first));
  const last = numbers.at(-1)!;
  expect(decodeText(file.firstOf(last))).toBe(classes[last]![0]);
  const all: string[] = [];
  for (const { number, url } of file.each()) all.push(`${number} ${decodeText(url)}`);
  expect(all).toEqual(classes.flatMap((urls, number) => urls.map((url) => `${number} ${url}`)));
  file.close();
});
