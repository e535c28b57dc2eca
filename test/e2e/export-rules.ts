// Rules to check the exports of servers with: what an administrator would write, by URLs and by paths, and text that
// tries to escape from a file, which is left out.
import type { ExportRequest } from '../../src/export/target.js';
import type { ParameterRule, Rule, SubstringRule } from '../../src/rule/rule.js';
import { sampleParameter, sampleRule, sampleStep } from '../rule/sample.js';

const hostile = [
  ['/quote', `/a"b'c\`d`],
  ['/comma', '/a,b;c]d[e}f{g'],
  ['/dollar', '/$1${host}$request_uri$$'],
  ['/percent', '/%1%{HTTP_HOST}%2F%'],
  ['/backslash', '/\\1\\0\\n\\'],
  ['/close', '/"}{""+std.x;}//*'],
  ['/flag', '/]R,E=DUSTBUSTER:x'],
] as const;

function ranked(rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule, at) => ({ ...rule, rank: at + 1 }));
}

const substring = (from: string, to: string, more: Partial<SubstringRule> = {}) => sampleRule(from, to, more);
const parameter = (name: string, more: Partial<ParameterRule> = {}) => sampleParameter(name, more);

const anywhere: readonly Rule[] = [
  substring('/index.html', '/', { anchor: 'end' }),
  substring('?do=', '', { anchor: 'end' }),
  substring('//end', '-', { anchor: 'end' }),
  parameter('utm_source'),
  parameter('s[]'),
  parameter('a.b+c'),
  parameter('sid', { examples: [['http://example.test/a;sid=1', 'http://example.test/a']] }),
  parameter('id', { only: [{ part: 'first', is: 'a' }] }),
  sampleStep('fold-slashes', ''),
  sampleStep('drop-last-segment', 'default.asp'),
  sampleStep('add-end-slash', '', { only: [{ part: 'segment', is: 'catalogue' }], not: [{ part: 'first', is: 'b' }] }),
];

/** None of them can be escaped for every server. */
const outside: readonly Rule[] = hostile.flatMap(([from, to]) => [
  substring(`http://example.test${from}/`, `http://example.test${to}/`, { anchor: 'start' }),
  substring(`/${to}${from}`, '/', { anchor: 'end' }),
]);

const absolute: readonly Rule[] = [
  substring('http://www.example.test/', 'http://example.test/', { anchor: 'start' }),
  substring('http://m.example.test/', 'http://www.example.test/', { anchor: 'start' }),
  substring('http://example.test/cgi-bin/wiki.cgi?', 'http://example.test/wiki?', { anchor: 'start' }),
  substring('http://third.test:8080/', 'https://third.test/', { anchor: 'start' }),
  substring('example.test/shop/', 'example.test/'),
  parameter('page', { scope: 'prefix', path: '//example.test/a/' }),
  parameter('ref', { site: 'other.test' }),
  ...anywhere,
];

const paths: readonly Rule[] = [
  substring('/old/', '/new/', { anchor: 'start' }),
  parameter('page', { scope: 'path', path: '/a/list' }),
  ...anywhere,
];

const urls: readonly string[] = [
  'http://example.test/',
  'http://www.example.test/a/index.html',
  'http://m.example.test/old/x?id=1',
  'http://example.test/shop/catalogue/x',
  'http://www.example.test/shop/x?next=http://example.test/shop/y',
  'http://example.test/cgi-bin/wiki.cgi?s[]=1&t=2',
  'https://x.other.test/x?ref=x',
  'http://example.test/a/list?page=7&sort=date&sid=1',
  'http://example.test/a/list?a=%2B&sort=name&s[]=1&b=%2F;a.b+c=3',
  'http://example.test/.b/x?host=1',
  'http://example.test/%2B+%2F%7C/default.asp?a=1',
  'http://example.test//evil.test//index.html',
  'http://example.test/a;sid=7/b?utm_source=1',
  'http://example.test/b/catalogue/x?q=www.example.test',
  'http://example.test/stra\u00dfe/\udce4?utm_source=1',
  'http://third.test:8080/catalogue/x?sid&sid=1',
  ...hostile.map(([from]) => `http://example.test${from}?utm_source=1`),
];

interface Case {
  readonly request: ExportRequest;
  readonly urls: readonly string[];
  readonly left: number;
}

const how = {
  normalization: 'safe',
  sitePolicy: 'domain',
  maxIterations: 10,
  source: 'rules.json',
  generator: 'dustbuster 0.0.0',
} as const;

/** By the form of the URLs that the rules were mined from. */
export const cases: Readonly<Record<'absolute' | 'path', Case>> = {
  absolute: {
    request: { ...how, rules: ranked([...absolute, ...outside]), urlForm: 'absolute' },
    urls,
    left: outside.length,
  },
  path: {
    request: { ...how, rules: ranked([...paths, ...outside].map((rule) => ({ ...rule, site: '' }))), urlForm: 'path' },
    urls,
    left: outside.length,
  },
};
