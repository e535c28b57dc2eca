// A rule as one sentence in the words of the owner: what changes, where, and where not.
import { describe, expect, test } from 'vitest';
import type { Condition, Rule } from '../../../src/rule/rule.js';
import { STEP_NAMES } from '../../../src/rule/step.js';
import { exampleOf, withExamples } from '../../../src/rule/words/example.js';
import { ruleMention, ruleSentence } from '../../../src/rule/words/sentence.js';
import { sampleParameter, samplePattern, sampleRule, sampleStep } from '../sample.js';

const only = (...conditions: Condition[]) => ({ only: conditions });
const not = (...conditions: Condition[]) => ({ not: conditions });
const STARTS = { anchor: 'start' } as const;
const ENDS = { anchor: 'end' } as const;
const [ORIGIN, WWW] = ['http://a.test/', 'http://www.a.test/'] as const;

const PARAMETERS: [Rule, string][] = [
  [sampleParameter('utm_source'), 'The parameter `utm_source` is dropped on every page.'],
  [sampleParameter('s[]', { scope: 'prefix', path: '/wiki/' }), 'The parameter `s[]` is dropped below `/wiki/`.'],
  [sampleParameter('o', { scope: 'path', path: '//a.test/x' }), 'The parameter `o` is dropped on `a.test/x`.'],
  [
    sampleParameter('id', { action: 'set', value: 'start', scope: 'path', path: '/job.php' }),
    'The parameter `id` is always written as `id=start` on `/job.php`.',
  ],
  [sampleParameter('id', { action: 'set' }), 'The parameter `id` is always written without a value on every page.'],
  [sampleParameter('do', only({ part: 'field', is: 'do=show' })), '`do=show` is dropped on every page.'],
  [
    sampleParameter('do', only({ part: 'field', is: 'do=' }, { part: 'field', is: 'do=show' })),
    '`do=` and `do=show` are dropped on every page.',
  ],
  [
    sampleParameter('h', only({ part: 'parameter', is: 'id' })),
    'The parameter `h` is dropped on addresses with the parameter `id`.',
  ],
  [
    sampleParameter('a`b', not({ part: 'first', is: 'x' })),
    'The parameter `a%60b` is dropped on every page, except under `/x/`.',
  ],
];

const SUBSTRINGS: [Rule, string][] = [
  [sampleRule(WWW, ORIGIN, STARTS), 'The host `www.a.test` becomes `a.test`.'],
  [sampleRule(ORIGIN, 'https://a.test/', STARTS), '`http://a.test` becomes `https://a.test`.'],
  [sampleRule(`${ORIGIN}old/`, ORIGIN, STARTS), '`/old/` at the start of the path becomes `/`.'],
  [
    sampleRule(`${ORIGIN}old/`, `${WWW}x/`, STARTS),
    '`http://a.test/old/` at the start becomes `http://www.a.test/x/`.',
  ],
  [sampleRule('/index.html', '/', ENDS), '`/index.html` at the end is the folder itself (`/`).'],
  [sampleRule('.html', '', ENDS), '`.html` at the end is dropped.'],
  [sampleRule('', '/', ENDS), '`/` is added at the end.'],
  [sampleRule(';O=D', ';O=A', ENDS), '`;O=D` at the end becomes `;O=A`.'],
  [sampleRule(':', '/'), '`:` becomes `/` wherever it stands.'],
  [sampleRule('/new/', '/'), '`/new/` becomes `/` wherever it stands.'],
  [sampleRule('/x', '/y', { anchor: 'both' }), '`/x` as a whole becomes `/y`.'],
  [sampleRule('?do=a&do', '?do'), '`do=a&` is dropped between `?` and `do`.'],
  [sampleRule('doku.php?id=lib', 'lib'), '`doku.php?id=` is dropped before `lib`.'],
  [sampleRule('lib/old', 'lib', ENDS), '`/old` is dropped after `lib` at the end.'],
  [sampleRule(':', '/', only({ part: 'last', is: 'doku.php' })), '`:` becomes `/` where the path ends in `/doku.php`.'],
];

const STEPS: [Rule, string][] = [
  [sampleStep('fold-slashes'), 'Repeated slashes in the path become one on every page.'],
  [sampleStep('drop-end-slash'), 'A slash at the end of the path is dropped on every page.'],
  [
    sampleStep('add-end-slash'),
    'A slash is added at the end of the path, unless that is a file such as `a.html`, on every page.',
  ],
  [sampleStep('drop-segment', 'b'), 'The folder `b` is dropped from the path on every page.'],
  [sampleStep('drop-last-segment', 'start'), '`/start` at the end of the path is the folder itself (`/`).'],
  [sampleStep('lower-case'), 'Capital letters in the path become small on every page.'],
  [sampleStep('lower-case', 'q'), 'Capital letters in the parameter `q` become small on every page.'],
  [sampleStep('drop-empty-fields'), 'Parameters without a value are dropped on every page.'],
  [sampleStep('drop-number-fields'), 'Parameters that are only a number (`&123`) are dropped on every page.'],
  [
    sampleStep('drop-repeated-fields'),
    'A parameter whose value is that of the previous one of its name is dropped on every page.',
  ],
  [
    sampleStep('sort-fields'),
    'Parameters are put in the order of their names, equal ones as they stand, on every page.',
  ],
  [sampleStep('sort-values'), 'The values of a repeated parameter are put in order on every page.'],
  [
    sampleStep('sort-items', '?tags ,'),
    'The choices of the parameter `tags` (with `,` between them) are put in order on every page.',
  ],
  [
    sampleStep('sort-items', '/c/ / color size'),
    'The choices below `/c/` (each from `color` or `size` on) are put in order on every page.',
  ],
  [
    sampleStep('drop-repeated-items', '/filter/ ,'),
    'Repeated choices after `/filter/` (with `,` between them) are dropped on every page.',
  ],
  [
    sampleStep('drop-repeated-items', '?tag &'),
    'Repeated choices of the repeated parameter `tag` are dropped on every page.',
  ],
  [sampleStep('one-separator'), 'Parameters are separated by `&` instead of `;` on every page.'],
  [sampleStep('unescape'), 'Signs that need no escape are written plainly (`%28` as `(`) on every page.'],
  [sampleStep('trim-end'), 'Stray punctuation at the end of the address (`,` `"` `)`) is dropped on every page.'],
];

test.each([...PARAMETERS, ...SUBSTRINGS, ...STEPS])('%j', (rule, sentence) => {
  expect(ruleSentence(rule)).toBe(sentence);
});

test('every step has its words', () => {
  expect([...new Set(STEPS.map(([rule]) => (rule.kind === 'step' ? rule.step : '')))]).toEqual(STEP_NAMES);
});

test('a pattern is shown with its template', () => {
  expect(ruleSentence(samplePattern('/p-(\\d+)', '/p?id=$1'))).toBe('Addresses like `/p-(\\d+)` become `/p?id=$1`.');
});

test.each([
  ['/pixel.gif?{*}', '/pixel.gif', 'The whole query is dropped on `/pixel.gif`.'],
  ['/p/{1:segment}/?{*}', '/p/{1}/', 'The whole query is dropped on `/p/*/`.'],
  ['/p/{segment}/?{*}', '/p/', 'Addresses like `/p/{segment}/?{*}` become `/p/`.'],
])('a pattern %s to %s drops the query if it keeps the rest', (pattern, template, sentence) => {
  expect(ruleSentence(samplePattern(pattern, template))).toBe(sentence);
});

test.each([
  ['/{1:path}?purge=true&{*}', '/{1}?{*}', '`purge=true` is dropped on every page but `/`.'],
  ['/{1:path}?a=1&b=&{*}', '/{1}?{*}', '`a=1` and `b=` are dropped together on every page but `/`.'],
  ['/{1:path}?utm_source={value}&{*}', '/{1}?{*}', '`utm_source=…` is dropped on every page but `/`.'],
  ['/{1:path}?a={2:value}&{*}', '/{1}?{*}', 'Addresses like `/{1:path}?a={2:value}&{*}` become `/{1}?{*}`.'],
  ['/{1:path}?a=1&{*}', '/x/{1}?{*}', 'Addresses like `/{1:path}?a=1&{*}` become `/x/{1}?{*}`.'],
])('a pattern %s to %s drops fields if it keeps path and other fields', (pattern, template, sentence) => {
  expect(ruleSentence(samplePattern(pattern, template))).toBe(sentence);
});

test('text at the end that the query must not have is on addresses without a query', () => {
  const none = (is: string) => not({ part: 'query', is });
  expect(ruleSentence(sampleRule('/index.html', '/', { ...ENDS, ...none('/index.html') }))).toBe(
    '`/index.html` at the end is the folder itself (`/`) on addresses without a query.',
  );
  expect(ruleSentence(sampleRule('/', '', { ...ENDS, ...none(':') }))).toBe(
    '`/` at the end is dropped if the query has no `:`.',
  );
  expect(ruleSentence(sampleRule('?a', '', { ...ENDS, ...none('?a') }))).toBe(
    '`?a` at the end is dropped if the query has no `?a`.',
  );
});

test.each<[Condition, string]>([
  [{ part: 'host', is: 'b.test' }, 'on the host `b.test`'],
  [{ part: 'host', is: '' }, 'on addresses without a host'],
  [{ part: 'first', is: 'feed' }, 'under `/feed/`'],
  [{ part: 'first', is: '' }, 'on the front page'],
  [{ part: 'last', is: 'x.php' }, 'where the path ends in `/x.php`'],
  [{ part: 'last', is: '' }, 'where the path ends in a slash'],
  [{ part: 'segment', is: 'lib' }, 'where a part of the path is `lib`'],
  [{ part: 'segment', is: '' }, 'where the path has an empty part'],
  [{ part: 'extension', is: 'html' }, 'where the path ends in `.html`'],
  [{ part: 'extension', is: '' }, 'where the path ends without a dot'],
  [{ part: 'depth', is: 0 }, 'on the front page'],
  [{ part: 'depth', is: 3 }, 'on paths as deep as `/a/b/c`'],
  [{ part: 'depth', is: 12 }, 'on paths as deep as one of 12 parts'],
  [{ part: 'fields', is: 0 }, 'on addresses without a query'],
  [{ part: 'fields', is: 1 }, 'on addresses with one parameter'],
  [{ part: 'parameter', is: 'id' }, 'on addresses with the parameter `id`'],
  [{ part: 'field', is: 'a=b' }, 'on addresses with `a=b`'],
  [{ part: 'field', is: '' }, 'on addresses with an empty parameter'],
  [{ part: 'query', is: ':' }, 'on addresses with `:` in the query'],
  [{ part: 'query', is: '' }, 'on addresses with a query'],
  [{ part: 'text', is: '_' }, 'on addresses with `_` in them'],
])('a rule for %j holds %s', (condition, words) => {
  expect(ruleSentence(sampleRule('a', 'b', only(condition)))).toBe(`\`a\` becomes \`b\` ${words}.`);
  const excluded = ruleSentence(sampleRule('a', 'b', not(condition)));
  if (!/ if /.test(excluded)) expect(excluded).toBe(`\`a\` becomes \`b\` wherever it stands, except ${words}.`);
});

test.each<[Condition, string]>([
  [{ part: 'fields', is: 0 }, 'the address has a query'],
  [{ part: 'parameter', is: 'id' }, 'the address has no parameter `id`'],
  [{ part: 'field', is: 'a=b' }, 'the address has no `a=b`'],
  [{ part: 'field', is: '' }, 'the address has no empty parameter'],
  [{ part: 'query', is: ':' }, 'the query has no `:`'],
  [{ part: 'query', is: '' }, 'the address has no query'],
  [{ part: 'text', is: '_' }, 'the address has no `_`'],
])('a rule not for %j holds if %s', (condition, words) => {
  expect(ruleSentence(sampleRule('a', 'b', not(condition)))).toBe(
    `\`a\` becomes \`b\` wherever it stands if ${words}.`,
  );
});

test('what an address must not have comes before the places where a rule does not hold', () => {
  const some = not(
    { part: 'query', is: ':' },
    { part: 'first', is: 'raw' },
    { part: 'text', is: '_' },
    { part: 'text', is: '[]=' },
  );
  expect(ruleSentence(sampleRule(':', '/', some))).toBe(
    '`:` becomes `/` in the path if the query has no `:` and the address has no `_` or `[]=`, except under `/raw/`.',
  );
});

test('conditions of one kind share their words, and exceptions follow', () => {
  const some: Condition[] = [
    { part: 'first', is: 'a' },
    { part: 'depth', is: 2 },
    { part: 'first', is: 'b' },
  ];
  expect(ruleSentence(sampleStep('fold-slashes', '', only(...some)))).toBe(
    'Repeated slashes in the path become one under `/a/` or `/b/` or on paths as deep as `/a/b`.',
  );
  const except = ['http://a.test//x', 'http://a.test//y'];
  expect(ruleSentence(sampleStep('fold-slashes', '', { except, ...not(some[0]!) }))).toBe(
    'Repeated slashes in the path become one on every page, except under `/a/` and at 2 addresses.',
  );
  expect(ruleSentence(sampleStep('fold-slashes', '', { except: except.slice(1) }))).toMatch(
    /, except at `http:\/\/a\.test\/\/y`\.$/,
  );
});

test('in a sentence about it a rule goes by its id, and its text is harmless', () => {
  expect(ruleMention(sampleRule('\u001b', ''))).toMatch(/^rule \w{8} \(`\\x1b` is dropped wherever it stands\)$/);
});

describe('the example of a rule', () => {
  const https: Rule = sampleRule(':', '/', {
    ...not({ part: 'first', is: 'raw' }),
    examples: [
      [`${ORIGIN}raw:x`, `${ORIGIN}raw/x`],
      [`${ORIGIN}wiki/library:x`, 'never looked at'],
      [`${ORIGIN}raw/a:b`, `${ORIGIN}raw/a/b`],
    ],
  });

  test('is one that it changes as it stands, without the origin', () => {
    expect(exampleOf(https)).toEqual(['/raw:x', '/raw/x']);
    expect(exampleOf({ ...https, ...not({ part: 'depth', is: 1 }) })).toEqual(['/raw/a:b', '/raw/a/b']);
    expect(exampleOf({ ...https, ...only({ part: 'first', is: 'other' }) })).toBeUndefined();
  });

  test('is drawn from the list where the rule was made of another', () => {
    const made = sampleParameter('q', { examples: https.examples });
    expect(exampleOf(made)).toBeUndefined();
    const found = withExamples(made, [ORIGIN, `${ORIGIN}?q=1`, `${ORIGIN}x?q=1&r=2`]);
    expect(found.examples).toEqual([
      [`${ORIGIN}?q=1`, ORIGIN],
      [`${ORIGIN}x?q=1&r=2`, `${ORIGIN}x?r=2`],
    ]);
    expect(withExamples(https, [`${ORIGIN}a:b`])).toBe(https);
  });

  test('has the origin where the rule changes it', () => {
    const host = sampleRule(WWW, ORIGIN, { ...STARTS, examples: [[`${WWW}x`, `${ORIGIN}x`]] });
    expect(exampleOf(host)).toEqual([`${WWW}x`, `${ORIGIN}x`]);
  });
});
