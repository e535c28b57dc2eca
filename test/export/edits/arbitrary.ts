// Rule sets of hosts, folders, slashes, endings and parameters, which meet in every way, and URLs for them.
import fc from 'fast-check';
import type { Rule } from '../../../src/rule/rule.js';
import { sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';

const host = fc.constantFrom('h.com', 'www.h.com', 'm.h.com', 'i.co.uk');
const folder = fc.constantFrom('', 'a/', 'b/', 'a/b/', 'shop/');
const place = fc.constantFrom<Pick<Rule, 'only' | 'not'>[]>(
  {},
  {},
  {},
  { only: [{ part: 'first', is: 'a' }] },
  { not: [{ part: 'segment', is: 'b' }] },
  { only: [{ part: 'host', is: 'www.h.com' }] },
);
const site = fc.constantFrom('*', '*', 'h.com');

/** Rules as they are mined of sites: those that edits are for. */
export const handWritten: fc.Arbitrary<readonly Rule[]> = fc
  .array(
    fc.oneof<fc.Arbitrary<Rule>[]>(
      fc
        .tuple(host, folder, host, folder, place)
        .filter(([a, b, c, d]) => a + b !== c + d)
        .map(([a, b, c, d, more]) => sampleRule(`http://${a}/${b}`, `http://${c}/${d}`, { anchor: 'start', ...more })),
      fc
        .tuple(fc.constantFrom('index.html', 'index.php', 'a'), site, place)
        .map(([text, of, more]) => sampleStep('drop-last-segment', text, { site: of, ...more })),
      fc
        .tuple(
          fc.constantFrom('fold-slashes' as const, 'drop-end-slash' as const, 'add-end-slash' as const),
          site,
          place,
        )
        .map(([step, of, more]) => sampleStep(step, '', { site: of, ...more })),
      fc
        .constantFrom<[string, string][]>(
          ['/index.html', '/'],
          ['.html', ''],
          ['?', ''],
          ['&a=1', ''],
          ['-print', ''],
          ['/a/', '/'],
        )
        .map(([from, to]) => sampleRule(from, to, { anchor: 'end' })),
      fc
        .tuple(fc.constantFrom('a', 'b', 'sid'), site, place)
        .map(([name, of, more]) => sampleParameter(name, { site: of, ...more })),
      fc
        .constantFrom('b=2', 'b=', 'b=3')
        .map((is) => sampleParameter('b', { site: '*', only: [{ part: 'field', is }] })),
      fc
        .constantFrom('/a/', '//h.com/a/', '/')
        .map((path) => sampleParameter('c', { site: '*', scope: 'prefix', path })),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((rules) => rules.map((rule, at) => ({ ...rule, rank: at + 1, pin: true })));

/** URLs that they are about. */
export const usualUrls: fc.Arbitrary<string> = fc
  .tuple(
    host,
    fc.constantFrom('/', '//', '/a/', '/a//b/', '/b/', '/shop/', '/a/b/b/'),
    fc.constantFrom('', 'index.html', 'x', 'a', 'x/', 'x.html', 'index.html/', 'a/a/', 'index.php', 'x-print'),
    fc.array(fc.constantFrom('a=1', 'b=2', 'sid=3', 'c=1', 'k=1', 'b', 'b=', 'a', 'sid', 'sid.html', 'u=/index.html'), {
      maxLength: 4,
    }),
  )
  .map(([of, head, tail, fields]) => `http://${of}${head}${tail}${fields.length > 0 ? `?${fields.join('&')}` : ''}`);
