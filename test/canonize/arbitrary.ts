// Rules that shorten, lengthen, form cycles and cross sites, and URLs that they match: everything on which canonization
// has to terminate.
import fc from 'fast-check';
import type { CanonizerOptions } from '../../src/canonize/canonizer.js';
import type { Condition, ParameterRule, Rule, StepRule } from '../../src/rule/rule.js';
import { anchors, sampleParameter, sampleRule, sampleStep, somePlaces, stepNames, stepText } from '../rule/sample.js';

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', '?'), maxLength: 4 }) },
  { weight: 2, arbitrary: fc.constantFrom('http://h', 'http://i', 'h', 'i', '//h/', '//i/', 'http', 'https', ':80') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('%7ea', '%2e%2E/', '../', './', '%61', '%%36%31', '#a', ' ', '%', 'A', '\udce9', 'é'),
  },
);
const text = fc.array(piece, { maxLength: 2 }).map((parts) => parts.join(''));
/** Conditions that URLs of these parts sometimes meet. */
export const someCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ part: fc.constantFrom('depth' as const, 'fields' as const), is: fc.nat({ max: 3 }) }),
  fc.record({ part: fc.constant('host' as const), is: fc.constantFrom('h', 'i', '', 'h:8') }),
  fc.record({ part: fc.constantFrom('first' as const, 'last' as const), is: fc.constantFrom('a', 'b', '', 'a-b') }),
  fc.record({ part: fc.constantFrom('segment' as const), is: fc.constantFrom('a', 'b', '') }),
  fc.record({ part: fc.constant('extension' as const), is: fc.constantFrom('a', 'b', '') }),
  fc
    .record({ part: fc.constant('text' as const), is: fc.constantFrom('a', '-', '%61', 'a=1', '日') })
    // Some of the query, without another draw.
    .map(({ part, is }) => (is === '-' || is === '%61' ? ({ part: 'query', is } as const) : { part, is })),
  fc.record({ part: fc.constant('parameter' as const), is: fc.constantFrom('a', 'b') }),
  fc.record({ part: fc.constant('field' as const), is: fc.constantFrom('a=1', 'b=2', 'a', '', 'b=x') }),
);
/** Conditions of a rule; none for half of the rules. */
export const somewhere: fc.Arbitrary<Pick<Rule, 'only' | 'not'>> = fc.oneof(
  fc.constant({}),
  fc.constant({}),
  fc.array(someCondition, { minLength: 1, maxLength: 2 }).map((only) => ({ only })),
  fc.array(someCondition, { minLength: 1, maxLength: 2 }).map((not) => ({ not })),
  fc.tuple(someCondition, someCondition).map(([only, not]) => ({ only: [only], not: [not] })),
);
/** On the site's word, so that all of them are applied. */
const word = { word: 'redirect' } as const;
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
  .chain((rest) => somewhere.map((where) => ({ ...rest, ...where, ...word })))
  .map(({ grows, ...rest }) => (grows === 0 ? { ...rest, to: `${rest.to}${rest.from}${rest.to}` } : rest))
  .filter(({ from, to }) => from !== to);
const ruleSet = fc
  .array(rule, { maxLength: 6 })
  .map((list) => list.map((more, at) => sampleRule('', '', { rank: at + 1, ...more })));
// A rule set that also has the reverse of every rule, which makes cycles.
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
      sampleRule(`//${site}`, `//${site === 'h' ? 'i' : 'h'}`, { rank: 10 + at, site, ...word }),
    ]),
  );
// Three words in a cycle against rule order: rounds never terminate, also from host to host.
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
    sampleRule(c!, a!, { rank: 11, anchor, ...word }),
    sampleRule(b!, c!, { rank: 12, anchor, ...word }),
    sampleRule(a!, b!, { rank: 13, anchor, ...word }),
    ...others.slice(0, 2),
  ]);
// Parameter rules among substring rules that make, break and rename parameters.
const parameter = fc.record({
  name: fc.constantFrom('a', 'b'),
  action: fc.constantFrom('remove' as const, 'set' as const),
  value: fc.constantFrom(null, '', 'a', '%61', 'a=b', '?a', 'b/a', 'a;b=2', '#', '../a'),
  scope: fc.constantFrom('site' as const, 'site' as const, 'prefix' as const, 'path' as const),
  path: fc.constantFrom('/', '//h/', '//i/a', '/a'),
  site: fc.constantFrom('*', '*', 'h', ''),
  where: somewhere,
});
const field = fc.constantFrom(
  'a=1',
  ';a=1/b',
  'b=2',
  '&a=1',
  ';b=%61',
  '?a&a=',
  '?&b=x',
  '?=',
  '&',
  'a',
  '?b',
  ';a=1/',
);
const withFields = fc
  .array(fc.oneof(field, field, text), { minLength: 1, maxLength: 3 })
  .map((parts) => `?${parts.join('')}`);
const renaming = fc.record({ from: field, to: field, site: fc.constantFrom('*', 'h'), word: fc.constant(word.word) });
const parameters = fc
  .array(fc.oneof(parameter, renaming, rule), { minLength: 1, maxLength: 6 })
  .map((list) =>
    list.map((more, at) =>
      'name' in more ? sampleParameter('', asParameter(more, at + 1)) : sampleRule('', '', { ...more, rank: at + 1 }),
    ),
  );
function asParameter({ where, ...more }: ReturnOf<typeof parameter>, rank: number): Partial<ParameterRule> {
  return { ...more, ...where, path: more.scope === 'site' ? '' : more.path, rank };
}

type ReturnOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

export const someStep: fc.Arbitrary<StepRule> = fc
  .tuple(
    fc.constantFrom(...stepNames),
    fc.constantFrom('a', 'b', 'a-b', 'A'),
    fc.constantFrom('*', '*', 'h', ''),
    somewhere,
    fc.constantFrom(...somePlaces),
  )
  .map(([step, text, site, where, place]) => sampleStep(step, stepText(step, text, place), { site, ...where, ...word }))
  .chain((step) => fc.constantFrom(step, step.step === 'lower-case' ? { ...step, text: '' } : step));

// Steps that undo substring rules and make their conditions true elsewhere, and the reverse.
const steps = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: someStep }, { weight: 1, arbitrary: rule }, { weight: 1, arbitrary: parameter }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((list) =>
    list.map((more, at) => {
      if ('step' in more) return { ...more, rank: at + 1 };
      return 'name' in more
        ? sampleParameter('', asParameter(more, at + 1))
        : sampleRule('', '', { ...more, rank: at + 1 });
    }),
  );
const tail = fc.constantFrom(
  '"',
  '%22',
  ').',
  ',',
  '%5d',
  '.',
  '(',
  '%3e%3C',
  '\\',
  ';',
  '&12',
  '&&',
  '&b=',
  '?7',
  '?7&a',
  ';b=B',
  '/',
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
    fc.oneof(
      { weight: 3, arbitrary: text },
      {
        weight: 1,
        arbitrary: fc.constantFrom('a;a=1/b', 'b;b=1;a/a', '//a///b', 'a/b;a=1/', '/a/', 'b.a', '.a', 'A/a-b'),
      },
    ),
    fc.oneof(text, withFields),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.array(tail, { maxLength: 3 }).map((parts) => parts.join('')) },
    ),
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
  steps,
);
