import { describe, expect, it } from 'vitest';
import { numberQuestionsOf } from '../../../src/validate/ask/numbered-words.js';
import { partsOf } from '../../../src/validate/ask/parts.js';
import { many } from './asked.js';
import { askServer, type Answers } from './loopback.js';

const patternsOf = (urls: readonly string[]) =>
  numberQuestionsOf('*', urls.map(partsOf)).flatMap(({ rules }) =>
    rules.flatMap((rule) => (rule.kind === 'pattern' ? [[rule.pattern, rule.template]] : [])),
  );
const words = (k: number) => ['how-to-sow', 'sowing', 'when-to-sow'][k % 3]!;
const each = (of: (words: string, number: number) => string) => many(12, (k) => of(words(k), 17 + Math.floor(k / 3)));

describe('words beside a number', () => {
  it.each<[string, string[], string[][]]>([
    ['in a folder', each((w, n) => `/t/${w}_${n}/`), [['/t/{label}_{1:digits}/?{*}', '/t/{1}/?{*}']]],
    [
      'before other segments',
      each((w, n) => `/t/${w}_${n}/all`),
      [['/t/{label}_{1:digits}/{2:path}?{*}', '/t/{1}/{2}?{*}']],
    ],
    ['in a file', each((w, n) => `/t/${w}.${n}.html`), [['/t/{label}.{1:digits}.html?{*}', '/t/{1}.html?{*}']]],
    ['behind it', each((w, n) => `/t/${n}-${w}`), [['/t/{1:digits}-{segment}?{*}', '/t/{1}?{*}']]],
    ['in a value', each((w, n) => `/t?id=${n}-${w}`), [['/t?id={1:digits}-{value}&{*}', '/t?id={1}&{*}']]],
    ['that are the same everywhere', each((_, n) => `/t/sowing_${n}/`), []],
    ['of which each number has its own', each((w, n) => `/t/${w}_${n}${w.length}/`), []],
    ['beside two numbers', each((w, n) => `/t/${w}_2_${n}/`), []],
  ])('%s', (_, urls, patterns) => expect(patternsOf(urls)).toEqual(patterns));
});

describe('a site of topics', () => {
  const paths = many(60, (k) => `/t/${words(k)}_${17 + Math.floor(k / 3)}/`);
  const numberOf = (url: URL) => /(\d+)\/$/.exec(url.pathname)?.[1] ?? '';
  const formOfFirst = async (answers: Answers) => (await askServer(answers, paths)).formOf(paths[0]!);

  it('that looks at the number only is called by the number', async () => {
    expect(await formOfFirst((url) => `topic ${numberOf(url)}`)).toBe('/t/17/');
  });

  it('that looks at the words keeps its names', async () => {
    expect(await formOfFirst((url) => url.pathname)).toBe(paths[0]);
  });

  it('that has no page without words keeps its names', async () => {
    expect(await formOfFirst((url) => (/\/\d/.test(url.pathname) ? 404 : `topic ${numberOf(url)}`))).toBe(paths[0]);
  });

  it('that redirects to the right words keeps its names', async () => {
    const right = (url: URL) => `/t/${words(0)}_${numberOf(url)}/`;
    const answers: Answers = (url) => (url.pathname === right(url) ? url.pathname : { to: right(url) });
    expect(await formOfFirst(answers)).toBe(paths[0]);
  });
});
