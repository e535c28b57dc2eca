// Rules to check exports with: one of each kind, known stumbling blocks of other software, and text that tries to
// escape from a file.
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
  ['/flag', '/]R,E=DUSTBUSTER_URL:x'],
] as const;

const literal = '/^a$(b).*+c|d[e]{1}\\x41"\'';

function ranked(rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule, at) => ({ ...rule, rank: at + 1 }));
}

const substring = (from: string, to: string, more: Partial<SubstringRule> = {}) => sampleRule(from, to, more);
const parameter = (name: string, more: Partial<ParameterRule> = {}) => sampleParameter(name, more);

const anywhere: readonly Rule[] = [
  substring('/index.html', '/', { anchor: 'end' }),
  substring('/default.asp?', '/?'),
  substring('/a/a', '/a'),
  substring('story', 'my-story'),
  substring('/\udce4', '/ae'),
  substring('/stra\u00dfe', '/strasse'),
  substring('b', ''),
  substring('%2F', '/'),
  substring('/wrong', '/', { except: ['http://example.test/wrong', '/wrong', '/wrong/but/this'] }),
  substring(literal, '/literal'),
  ...hostile.map(([from, to]) => substring(from, to)),
  parameter('utm_source'),
  parameter('jsessionid'),
  parameter('a.b+c'),
  parameter('sid', { scope: 'prefix', path: '/a/' }),
  parameter('sort', { action: 'set', value: 'name' }),
  parameter('plain', { action: 'set', value: null }),
  parameter('page', { action: 'set', value: '1', scope: 'path', path: '/a/list' }),
];

const absolute: readonly Rule[] = [
  substring('http://www.example.test/', 'http://example.test/', { anchor: 'start' }),
  substring('https://www.other.test/', 'https://other.test/', { anchor: 'start' }),
  ...anywhere,
  substring('x', 'y', { site: 'other.test' }),
  substring('/only', '/other', { site: 'example.test' }),
  parameter('host', { scope: 'prefix', path: '//example.test/a' }),
];

const paths: readonly Rule[] = [substring('//', '/'), ...anywhere, substring('', '/en', { anchor: 'start' })];

/** Rules that lengthen a URL, which are exported as long as no other rule removes what they add. */
const lengthening: readonly Rule[] = [
  // First of a chunk: its gate begins like a comparison.
  substring('=list', '='),
  substring('story', 'my-story'),
  substring('', '/EN', { anchor: 'start', except: ['/'] }),
  substring('', '.HTM', { anchor: 'end' }),
  substring('/a/a', '/a'),
];

const urls: readonly string[] = [
  'http://example.test/',
  'http://www.example.test/a/story',
  'https://www.other.test/x?utm_source=x',
  'http://example.test/a/list?page=7&sort=date&sid=1',
  'http://example.test/a/list?a=%2B&sort=name&plain=1;a.b+c=3',
  'http://example.test/wrong',
  'http://example.test/.b/x?host=1',
  'http://example.test/a/a/a/a/a/a/a/a/a/a/a/a/a',
  'http://example.test/a/a/a?x=1&a.b+c&y&&a.b+c=3&sort&sort=1',
  'http://example.test/stra\u00dfe/\udce4',
  'http://third.test:8080/only/x?plain&plain=1',
  ...hostile.map(([from]) => `http://example.test${from}?sort`),
  `http://example.test${literal.replace('#', '')}`,
];

interface Case {
  readonly request: ExportRequest;
  readonly urls: readonly string[];
  /** `from` of the rules that are not exported. */
  readonly left: readonly string[];
}

const how = {
  normalization: 'safe',
  sitePolicy: 'domain',
  maxIterations: 10,
  source: 'rules.json',
  generator: 'dustbuster 0.0.0',
} as const;

/** By the form of the URLs that the rules were mined from. */
export const cases: Readonly<Record<'absolute' | 'path' | 'longer', Case>> = {
  absolute: { request: { ...how, rules: ranked(absolute), urlForm: 'absolute' }, urls, left: ['story'] },
  path: {
    request: { ...how, rules: ranked(paths.map((rule) => ({ ...rule, site: '' }))), urlForm: 'path' },
    urls,
    left: ['story', ''],
  },
  longer: {
    request: { ...how, rules: ranked(lengthening), urlForm: 'path', maxIterations: 4 },
    urls,
    left: [],
  },
};

/** What an administrator would write by hand. */
export const simple: Case = {
  request: {
    ...how,
    isSimple: true,
    urlForm: 'absolute',
    rules: ranked([
      substring('http://www.example.test/', 'http://example.test/', { anchor: 'start' }),
      substring('http://example.test/cgi-bin/wiki.cgi?', 'http://example.test/wiki?', { anchor: 'start' }),
      substring('http://third.test:8080/', 'https://third.test/', { anchor: 'start' }),
      substring('/index.html', '/', { anchor: 'end' }),
      substring('?do=', '', { anchor: 'end' }),
      substring(';st=committer', ';st=author', { anchor: 'end' }),
      substring('//end', 'top', { anchor: 'end' }),
      parameter('utm_source'),
      parameter('s[]'),
      parameter('sid', { examples: [['http://example.test/a;sid=1', 'http://example.test/a']] }),
      parameter('page', { scope: 'prefix', path: '//example.test/a/' }),
      parameter('id', { only: [{ part: 'first', is: 'a' }] }),
      sampleStep('fold-slashes', ''),
      sampleStep('drop-last-segment', 'default.asp'),
    ]),
  },
  urls,
  left: [],
};
