// Rules that shorten, lengthen, go in circles and across sites, and URLs that they touch: all that canonization has to come to
// rest on.
import fc from 'fast-check';
import type { CanonizerOptions } from '../../src/canonize/canonizer.js';
import type { Rule } from '../../src/rule/rule.js';
import { anchors, sampleParameter, sampleRule } from '../rule/sample.js';

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', '?'), maxLength: 4 }) },
  { weight: 2, arbitrary: fc.constantFrom('http://h', 'http://i', 'h', 'i', '//h/', '//i/', 'http', 'https', ':80') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('%7ea', '%2e%2E/', '../', './', '%61', '%%36%31', '#a', ' ', '%', 'A', '\udce9', 'é'),
  },
);
const text = fc.array(piece, { maxLength: 2 }).map((parts) => parts.join(''));
const rule = fc
  .record({
    from: text,
    to: text,
    anchor: fc.oneof(
      { weight: 2, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...anchors) },
    ),
    site: fc.constantFrom('*', '*', 'h', 'i', ''),
    grows: fc.integer({ min: 0, max: 3 }),
    except: fc.constantFrom(undefined, undefined, ['/a', 'http://h/a', 'http://i/a', '/?a=1', 'http://h/?a=1']),
  })
  .map(({ except, ...rest }) => (except === undefined ? rest : { ...rest, except }))
  .map(({ grows, ...rest }) => (grows === 0 ? { ...rest, to: `${rest.to}${rest.from}${rest.to}` } : rest))
  .filter(({ from, to }) => from !== to);
const ruleSet = fc
  .array(rule, { maxLength: 6 })
  .map((list) => list.map((more, at) => sampleRule('', '', { rank: at + 1, ...more })));
// A rule set in which every rule is turned round as well: this is where cycles come from.
const circular = fc
  .array(rule, { minLength: 1, maxLength: 3 })
  .map((list) =>
    list.flatMap((more, at) => [
      sampleRule('', '', { rank: at + 1, ...more }),
      sampleRule('', '', { ...more, rank: 20 - at, from: more.to, to: more.from }),
    ]),
  );
const swapping = fc
  .array(fc.tuple(fc.constantFrom('h', 'i'), rule), { minLength: 1, maxLength: 4 })
  .map((list) =>
    list.flatMap(([site, more], at) => [
      sampleRule('', '', { ...more, rank: at + 1, site }),
      sampleRule(`//${site}`, `//${site === 'h' ? 'i' : 'h'}`, { rank: 10 + at, site }),
    ]),
  );
// Three words in a circle against the order of the rules: rounds never come to rest, also from host to host.
const words = fc.constantFrom(
  ['/a', '/b', '/a-b'],
  ['//h', '//i', '//k'],
  ['/', '/?', '/-'],
  ['a', 'b', '%61b'],
  ['', 'a', 'b'],
);
const rotating = fc
  .tuple(words, fc.constantFrom(...anchors), ruleSet)
  .map(([[a, b, c], anchor, others]) => [
    sampleRule(c!, a!, { rank: 11, anchor }),
    sampleRule(b!, c!, { rank: 12, anchor }),
    sampleRule(a!, b!, { rank: 13, anchor }),
    ...others.slice(0, 2),
  ]);
// Parameters among substrings that make, break and rename them.
const parameter = fc.record({
  name: fc.constantFrom('a', 'b'),
  action: fc.constantFrom('remove' as const, 'set' as const),
  value: fc.constantFrom(null, '', 'a', '%61', 'a=b'),
  scope: fc.constantFrom('site' as const, 'site' as const, 'prefix' as const, 'path' as const),
  path: fc.constantFrom('/', '//h/', '//i/a', '/a'),
  site: fc.constantFrom('*', '*', 'h', ''),
});
const field = fc.constantFrom('a=1', 'b=2', '&a=1', ';b=%61', '?a&a=', '?&b=x', '?=', '&', 'a', '?b', ';a=1/');
const withFields = fc
  .array(fc.oneof(field, field, text), { minLength: 1, maxLength: 3 })
  .map((parts) => `?${parts.join('')}`);
const renaming = fc.record({ from: field, to: field, site: fc.constantFrom('*', 'h') });
const parameters = fc
  .array(fc.oneof(parameter, renaming, rule), { minLength: 1, maxLength: 6 })
  .map((list) =>
    list.map((more, at) =>
      'name' in more
        ? sampleParameter('', { ...more, path: more.scope === 'site' ? '' : more.path, rank: at + 1 })
        : sampleRule('', '', { ...more, rank: at + 1 }),
    ),
  );
export const someUrl: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      '/',
      'http://h/',
      'http://i/',
      'HTTP://h:80',
      'https://i?',
      'http://h:8/',
      'http://%68/',
      'http:///',
    ),
    text,
    fc.oneof(text, withFields),
  )
  .map((parts) => parts.join(''));
export const someOptions: fc.Arbitrary<CanonizerOptions> = fc.record({
  normalize: fc.constantFrom('safe' as const, 'safe' as const, 'none' as const),
  accept: fc.constant('valid' as const),
  maxIterations: fc.constantFrom(1, 2, 3, 10),
  urlForm: fc.constantFrom('absolute' as const, 'path' as const, 'mixed' as const),
  sitePolicy: fc.constantFrom('host' as const, 'domain' as const, 'all' as const),
});

export const anyRules: fc.Arbitrary<readonly Rule[]> = fc.oneof<fc.Arbitrary<readonly Rule[]>[]>(
  ruleSet,
  circular,
  swapping,
  rotating,
  parameters,
);
