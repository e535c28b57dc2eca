// Rule sets and URLs for the laws of export targets: all kinds of rules, across sites, with bytes and characters that
// are special in other software. Their results take several rounds, end, or form cycles.
import fc from 'fast-check';
import type { ExportRequest } from '../../src/export/target.js';
import type { Condition, Rule } from '../../src/rule/rule.js';
import { anchors, sampleParameter, sampleRule, sampleStep, somePlaces, stepNames, stepText } from '../rule/sample.js';

export function requestOf(rules: readonly Rule[], more: Partial<ExportRequest> = {}): ExportRequest {
  return {
    rules,
    normalization: 'safe',
    urlForm: 'absolute',
    sitePolicy: 'domain',
    maxIterations: 10,
    source: 'rules.json',
    generator: 'dustbuster 0.1.0',
    ...more,
  };
}

const hosts = ['h.com', 'www.h.com', 'i.co.uk', 'localhost', 'h.com:8080', 'a.i.co.uk'] as const;
const sites = ['*', '*', 'h.com', 'h.com', 'i.co.uk', 'localhost', ''] as const;

const special = fc.constantFrom(
  ...'%7ea %28a %2a %2e%2E/ ../ ./ %61 %%36%31 #a % A \udce9 é \\ $1 & \' " . * [ ] ( ) { ^ $ + | ` ~ ]]> < @ : , 日 \u{1f600} ! n \\n'.split(
    ' ',
  ),
);
const plain = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', '?', 'a', 'b', '/'), maxLength: 4 });
const piece = fc.oneof(
  { weight: 6, arbitrary: plain },
  { weight: 2, arbitrary: special },
  { weight: 1, arbitrary: fc.constantFrom('http://', 'http', 'https', ':8080', '//www.', 'h', ...hosts) },
);
const text = fc.array(piece, { maxLength: 2 }).map((parts) => parts.join(''));

const field = fc.constantFrom(
  'a=1',
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
  '&&',
  ';;a=2',
);
const query = fc
  .array(fc.oneof(field, field, text), { minLength: 1, maxLength: 4 })
  .map((parts) => `?${parts.join('')}`);

const except = fc.constantFrom(undefined, undefined, undefined, ['/a', 'http://h.com/a', 'http://h.com/?a=1', '/?b=2']);

export const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ part: fc.constantFrom('depth' as const, 'fields' as const), is: fc.nat({ max: 3 }) }),
  fc.record({ part: fc.constant('host' as const), is: fc.constantFrom(...hosts, '') }),
  fc.record({
    part: fc.constantFrom('first' as const, 'last' as const, 'segment' as const),
    is: fc.constantFrom('a', 'b', '', 'a-b', '日'),
  }),
  fc.record({ part: fc.constant('extension' as const), is: fc.constantFrom('a', 'b', '', '\udce9') }),
  fc
    .record({ part: fc.constant('text' as const), is: fc.constantFrom('a', '-', '%61', 'a=1', '日') })
    // Some of the query, without another draw.
    .map(({ part, is }) => (is === '-' || is === '%61' ? ({ part: 'query', is } as const) : { part, is })),
  fc.record({ part: fc.constant('parameter' as const), is: fc.constantFrom('a', 'b', 'x?y') }),
  fc.record({ part: fc.constant('field' as const), is: fc.constantFrom('a=1', 'b=2', 'a', '', 'b=%61') }),
);
const conditions = fc.array(condition, { minLength: 1, maxLength: 2 });
/** The conditions of a rule; none for most of them. */
export const where: fc.Arbitrary<Pick<Rule, 'only' | 'not'>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: conditions.map((only) => ({ only })) },
  { weight: 1, arbitrary: conditions.map((not) => ({ not })) },
  { weight: 1, arbitrary: fc.tuple(conditions, condition).map(([only, not]) => ({ only, not: [not] })) },
);

export const step = fc
  .tuple(
    fc.constantFrom(...stepNames),
    fc.constantFrom('a', 'b', 'a-b', 'A'),
    fc.constantFrom(...sites),
    where,
    except,
    fc.constantFrom(...somePlaces),
  )
  .map(([name, word, site, places, list, place]) => {
    const more = { site, ...places, ...(list !== undefined && { except: list }) };
    return sampleStep(name, stepText(name, name === 'lower-case' && word === 'A' ? '' : word, place), more);
  });

const substring = fc
  .record({
    from: fc.oneof(text, field),
    to: fc.oneof(text, field),
    anchor: fc.oneof(fc.constant('none' as const), fc.constantFrom(...anchors)),
    site: fc.constantFrom(...sites),
    grows: fc.integer({ min: 0, max: 5 }),
    except,
    places: where,
  })
  .map(({ grows, except: list, places, ...rest }) => {
    const to = grows === 0 ? `${rest.to}${rest.from}${rest.to}` : rest.to;
    return sampleRule('', '', { ...rest, to, ...places, ...(list !== undefined && { except: list }) });
  })
  .filter(({ from, to }) => from !== to);

const parameter = fc
  .record({
    name: fc.constantFrom('a', 'b', 'a', 'b', 'a.b', '日', 'x?y', 'A'),
    action: fc.constantFrom('remove' as const, 'remove' as const, 'set' as const),
    value: fc.constantFrom(null, '', 'a', '%61', 'a=b', '$1', '\\1'),
    scope: fc.constantFrom('site' as const, 'site' as const, 'prefix' as const, 'path' as const),
    path: fc.constantFrom('/', '//h.com/', '//www.h.com/a', '/a', '//i.co.uk/'),
    site: fc.constantFrom(...sites),
    except,
    places: where,
  })
  .map(({ except: list, places, ...rest }) => {
    const path = rest.scope === 'site' ? '' : rest.path;
    return sampleParameter('', { ...rest, path, ...places, ...(list !== undefined && { except: list }) });
  });

/** Rules of any kind, in rank order: all pinned, including those that only insert text. */
export const ruleSets: fc.Arbitrary<readonly Rule[]> = fc
  .array(fc.oneof<fc.Arbitrary<Rule>[]>(substring, substring, parameter, step), { minLength: 1, maxLength: 5 })
  .map((rules) => rules.map((rule, at) => ({ ...rule, rank: at + 1, pin: true })));

/** Fields of one name, of which the last may decide: what chance draws too seldom. */
export const repeatedFields: readonly [rules: readonly Rule[], more: Partial<ExportRequest>, urls: readonly string[]] =
  [
    [sampleStep('drop-repeated-fields', '', { pin: true })],
    {},
    ['a=1&a=2&a=1', 'a=1&b&a=1&b', 'a=1&a=2;b&a=2&a=1;a=1&b', 'a=1&a&&a&=x&&=x&a=1', 'a&a', '=&=&a=&a='].map(
      (query) => `http://h.com/?${query}`,
    ),
  ];

const origin = fc.oneof(
  fc.constantFrom(...hosts).map((host) => `http://${host}/`),
  fc.constantFrom(
    '/',
    '/',
    'https://h.com/',
    'HTTP://H.com:80',
    'https://i.co.uk?',
    'http://u:p@h.com/',
    'http://h.com./',
  ),
  fc.constantFrom(
    'http:///',
    'http://%68.com/',
    'http://:80/',
    'http://h.com:/',
    'http://[::1]:80/',
    '//',
    'see http://h.com/',
    '',
  ),
);

/** URLs, and a few lines that are not. */
export const urls: fc.Arbitrary<string> = fc
  .tuple(
    origin,
    fc.oneof(
      { weight: 3, arbitrary: text },
      { weight: 1, arbitrary: fc.constantFrom('//a///b', 'a/b;a=1/', '/a/', 'b.a', 'a/b/') },
    ),
    fc.oneof(text, query),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '"',
          '%22).',
          ',.',
          '(a)',
          '(")',
          '%5d',
          '&12',
          '&&a=',
          '?7',
          ';b=B',
          '/',
          '?a=1&a=1',
        ),
      },
    ),
  )
  .map((parts) => parts.join(''))
  .filter((url) => !/[\n\r]/.test(url));

export const settings = fc.record({
  normalization: fc.constantFrom('safe' as const, 'safe' as const, 'none' as const),
  urlForm: fc.constantFrom('absolute' as const, 'absolute' as const, 'path' as const, 'mixed' as const),
  sitePolicy: fc.constantFrom('domain' as const, 'host' as const, 'all' as const),
  maxIterations: fc.constantFrom(10, 10, 3, 1),
});
