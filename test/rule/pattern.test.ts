// Patterns: what they write, that there is one way to match, a bound on the steps, and that all of the program reads
// and applies them alike.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { everyRule } from '../../src/canonize/every-rule.js';
import { createRounds } from '../../src/canonize/rounds.js';
import { loadTarget, targetNames } from '../../src/export/targets.js';
import { checkRules } from '../../src/rule/check.js';
import { idOf } from '../../src/rule/id.js';
import { compilePattern, faultOfPattern, patternSteps, takePattern } from '../../src/rule/pattern.js';
import { readRules, writeRules } from '../../src/rule/file.js';
import type { PatternRule, Use } from '../../src/rule/rule.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { amount } from '../amount.js';
import { requestOf } from '../export/arbitrary.js';
import { sampleFile, samplePattern } from './sample.js';

function image(pattern: string, template: string, url: string): string {
  return decodeText(takePattern(compilePattern({ pattern, template }), encodeText(url), 0));
}

describe('a pattern', () => {
  it.each([
    [
      '/{1:word}/story-{2:digits}.html',
      '/story?id={2}&s={1}',
      'http://h/money/story-17.html',
      'http://h/story?id=17&s=money',
    ],
    ['//cnn.com/{1:label}/{2:path}', '//{1}.cnn.com/{2}', 'http://cnn.com/money/a/b', 'http://money.cnn.com/a/b'],
    ['//{1:label}.cnn.com/{2:path}', '//cnn.com/{1}/{2}', 'https://money.cnn.com/a', 'https://cnn.com/money/a'],
    ['/_export/xhtml/{1:path}?{*}', '/{1}?{*}', 'http://h/_export/xhtml/a/b?x=1;y=2', 'http://h/a/b?x=1;y=2'],
    ['/_export/xhtml/{1:path}?{*}', '/{1}?{*}', '/_export/xhtml/a/b', '/a/b'],
    ['/x.php?id={1:value}&do=show', '/{1}', '/x.php?do=show;id=a/b', '/a/b'],
    ['/x?id={1:digits}&{*}', '/x?id={1}', '/x?s=1&id=7&&t', '/x?id=7'],
    ['/{1:stem}.html', '/{1}', '/a-b.html', '/a-b'],
    ['/a?x&y={value}', '/a', '/a?y=1&x', '/a'],
    ['/a/{1:segment}', '//h/{1}', '/a/b', '/a/b'],
  ])('%s -> %s writes %s as %s', (pattern, template, url, to) => {
    expect(image(pattern, template, url)).toBe(to);
  });

  it.each([
    ['/{1:digits}', '/p?id={1}', 'http://h/17a'],
    ['/{1:digits}', '/p?id={1}', 'http://h/'],
    ['/{1:digits}', '/p?id={1}', 'http://h/17?a=1'],
    ['/x?id={1:digits}', '/{1}', '/x?id=1&id=1'],
    ['/x?id={1:digits}', '/{1}', '/x?id=1&a=1'],
    ['/x?id={1:digits}', '/{1}', '/x?id'],
    ['/x?id={1:digits}', '/{1}', '/x'],
    ['//h/{1:path}', '//i/{1}', 'http://hh/a'],
    ['/{1:path}', '/{1}', 'http://h/a'],
  ])('%s -> %s leaves %s alone', (pattern, template, url) => {
    const bytes = encodeText(url);
    expect(takePattern(compilePattern({ pattern, template }), bytes, 0)).toBe(bytes);
  });

  it.each([
    ['/{1:digits}7', '/{1}', /takes its first character/],
    ['/{1:segment}.html', '/{1}', /takes its first character/],
    ['/{1:digits}{2:word}', '/{1}', /two classes/],
    ['/{1:digits}/{1:digits}', '/{1}', /twice/],
    ['/{1:number}', '/{1}', /expected \{1:class\}/],
    ['/{1:constructor}', '/{1}', /expected \{1:class\}/],
    ['/{', '/a', /expected/],
    ['/a', '/{1}', /does not keep/],
    ['/a', '/{x}', /expected text of a URL/],
    ['/a', '/a', /changes nothing/],
    ['a', '/a', /begin with/],
    ['/a b', '/a', /blank/],
    ['/a?x=1&x=2', '/a', /name of its own/],
    ['/a?{*}&x=1', '/a', /before other fields/],
    ['/a?x=1', '/a?{*}', /ends in/],
    ['//h/{1:path}', '//{1}.h/', /into the host/],
    ['//h/{1:segment}', '//h{1}', /into the host/],
    [`/a?${Array.from({ length: 40 }, (_, k) => `p${k}=1`).join('&')}`, '/a', /40 fields/],
  ])('%s -> %s is refused, with the reason', (pattern, template, reason) => {
    expect(faultOfPattern({ pattern, template })).toMatch(reason);
    const file = sampleFile([samplePattern(pattern, template)]);
    expect(() => checkRules(file, 'x')).toThrow(/rule of rank 1/);
  });

  it('is refused by a file for a use that nobody knows', () => {
    const file = sampleFile([samplePattern('/a', '/b', { use: 'maybe' as Use })]);
    expect(() => checkRules(file, 'x')).toThrow(/write, key/);
  });

  it('takes steps in proportion to the URL, whatever it is', () => {
    const parts = ['/', '{1:word}', '-', '{2:digits}', '/', '{segment}', '?a={3:value}&b={digits}&{*}'];
    const edit = compilePattern({ pattern: parts.join(''), template: '/{1}?{*}' });
    const units = ['a', '-', '1', '/', '?', '&', 'a=', 'b=1', ';', '-1', '&a', '/a-1', '&&', '%', '='];
    for (const unit of units) {
      for (const head of ['/', '/a-1/', '/a-1/b?a=1&b=', '/a-1/b?']) {
        const url = encodeText(`http://h${head}${unit.repeat(30_000 / unit.length)}`);
        const before = patternSteps.count;
        takePattern(edit, url, 0);
        expect([unit, head, (patternSteps.count - before) / url.length < 8]).toEqual([unit, head, true]);
      }
    }
    expect(patternSteps.count).toBeGreaterThan(1_000_000);
  });
});

/** Classes and literals that may follow one another, with separators between them. */
const left = fc
  .tuple(
    fc.constantFrom('/', '/', '/a/', '//h/', '/{label}/'),
    fc.array(fc.constantFrom('word', 'digits', 'label', 'stem', 'segment'), { maxLength: 3 }),
    fc.constantFrom('/', '/', '/a/', '/7.'),
    fc.constantFrom('', '', '/', '/b', '/{9:path}'),
    fc.constantFrom('', '', '?{*}', '?a={8:value}', '?a={8:digits}&{*}', '?a=1&b={word}', '?a'),
  )
  .map(([start, classes, between, end, query]) => {
    const kept = classes.map((name, at) => `{${at + 1}:${name}}`);
    return `${start}${kept.join(between)}${end}${query}`;
  });
const right = fc
  .tuple(
    fc.constantFrom('/', '/', '/', '//h/', '//{1}.h/'),
    fc.array(fc.constantFrom('-', 'a', '/', '{1}', '{1}', '{2}', '{9}'), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '?{*}', '?a={8}', '?b={1}&{*}'),
  )
  .map(([start, pieces, query]) => `${start}${pieces.join('')}${query}`);
const rules = fc
  .array(
    fc.record({ pattern: left, template: right }).filter((text) => faultOfPattern(text) === undefined),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => list.map(({ pattern, template }, at) => samplePattern(pattern, template, { rank: at + 1 })));
const urls = fc
  .array(fc.constantFrom('/', '-', 'a', 'b7', '7', '.', '?', '&a=7', '&b=a', 'é', '%41'), { maxLength: 7 })
  .map((parts) => `http://h/${parts.join('')}`);

/** URLs that the pattern is for, with text of each class: the rule matches most of them. */
function instances({ pattern }: PatternRule): string[] {
  const head = pattern.startsWith('//') ? 'http:' : 'http://h';
  return ['', '7', 'b'].map((more, at) => {
    const texts = { digits: `4${more.replace('b', '')}`, path: `a/${more}/`, value: `7${more}` } as Record<
      string,
      string
    >;
    const url = pattern.replace(/\{(?:\d:)?([a-z]+)\}/g, (_, name: string) => texts[name] ?? `a${more}`);
    return head + url.replace(/[?&]\{\*\}$/, ['?x=1;b', '', '?7&&a=1'][at]!);
  });
}

/** What a URL becomes by a regular expression made of the pattern: the naive twin, for patterns without fields. */
function twinImage({ pattern, template }: PatternRule, url: string): string {
  const classes: Record<string, string> = {
    word: '[0-9A-Za-z\\x80-\\uffff]+',
    digits: '[0-9]+',
    segment: '[^/?]+',
    label: '[0-9A-Za-z-]+',
    stem: '[^/?.]+',
    path: '[^?]+',
  };
  const numbers: string[] = [];
  const source = pattern.replace(/\?\{\*\}$/, '').replace(/\{(?:(\d):)?([a-z]+)\}|[^{}]/g, (all, number, name) => {
    if (name === undefined) return all.replace(/[.?]/, String.raw`\$&`);
    numbers.push(number ?? '');
    return `(${classes[name]})`;
  });
  const isOpen = pattern.endsWith('?{*}');
  const prefix = pattern.startsWith('//') ? 'http:' : 'http://h';
  const match = new RegExp(`^${prefix}${source}${isOpen ? '(?:\\?.*)?' : ''}$`, 'u').exec(url);
  if (match === null) return url;
  const query = url.split(/\?(.*)/s)[1] ?? '';
  const fields = Array.from(query.matchAll(/(^|[&;])([^&;]+)(?=([&;]?))/g), ([, before, text, after]) => ({
    separator: before || after || '&',
    text: text!,
  }));
  const rest = /[?&]\{\*\}$/.test(template) ? fields : [];
  const start = template.startsWith('//') ? 'http:' : /^http:..[^/?]*/.exec(url)![0];
  const own = template
    .replace(/[?&]\{\*\}$/, '')
    .replace(/\{(\d)\}/g, (_, number) => match[numbers.indexOf(number) + 1]!);
  const joined = rest.map(({ separator, text }, at) => (at === 0 && !own.includes('?') ? '?' : separator) + text);
  return start + own + joined.join('');
}

describe('patterns', () => {
  it('write what a regular expression of the pattern writes', () => {
    let changed = 0;
    const options = { numRuns: amount(4000), seed: 17 };
    for (const [list, other] of fc.sample(fc.tuple(rules, urls), options)) {
      for (const [rule, url] of list.flatMap((one) => [other, ...instances(one)].map((url) => [one, url] as const))) {
        if (/\?a/.test(rule.pattern + rule.template)) continue;
        const own = image(rule.pattern, rule.template, url);
        if (own !== url) changed++;
        expect([rule.pattern, rule.template, url, own]).toEqual([
          rule.pattern,
          rule.template,
          url,
          twinImage(rule, url),
        ]);
      }
    }
    expect(changed).toBeGreaterThan(100);
  });

  it('canonize to forms that stay, and find the same rules by the index as one by one', () => {
    let changed = 0;
    const how = {
      normalize: 'safe',
      accept: 'valid',
      maxIterations: 10,
      urlForm: 'absolute',
      sitePolicy: 'all',
    } as const;
    for (const [list, ...some] of fc.sample(fc.tuple(rules, urls, urls, urls), {
      numRuns: amount(2000),
      seed: 18,
    })) {
      const own = createCanonizer(list, how);
      const twin = createRounds(list, how, createSiteOf('all'), everyRule);
      for (const url of [...some, ...list.flatMap(instances)]) {
        const form = own.canonize(encodeText(url));
        expect(decodeText(own.canonize(form.slice()))).toBe(decodeText(form));
        if (decodeText(form) !== url) changed++;
        expect([url, decodeText(twin.canonize(encodeText(url)))]).toEqual([url, decodeText(form)]);
      }
    }
    expect(changed).toBeGreaterThan(300);
  });

  it('are the same after a file, and keep their ids', () => {
    for (const list of fc.sample(rules, { numRuns: 50, seed: 19 })) {
      const file = sampleFile(list);
      const text = [...writeRules(file)].join('');
      const back = readRules(encodeText(text), 'x');
      expect([...writeRules(back)].join('')).toBe(text);
      expect(back.rules.map(idOf)).toEqual(list.map(idOf));
    }
  });

  it('that are keys write nothing, unless keys are asked for', () => {
    const key = samplePattern('/a/{1:digits}', '/b?id={1}', { use: 'key' });
    const how = { normalize: 'safe', accept: 'valid', maxIterations: 10, urlForm: 'path', sitePolicy: 'all' } as const;
    const formOf = (use: 'write' | 'key') =>
      decodeText(createCanonizer([key], { ...how, use }).canonize(encodeText('/a/1')));
    expect([formOf('write'), formOf('key')]).toEqual(['/a/1', '/b?id=1']);
  });

  it.each(targetNames)('are exported to %s, or left out with the reason', async (name) => {
    const { carried, left } = (await loadTarget(name))!.write(requestOf([samplePattern('/a/{1:digits}', '/b?id={1}')]));
    if (name === 'csv' || name === 'parquet') expect(carried).toHaveLength(1);
    else expect(left.map(({ reason }) => reason)).toEqual(['is a pattern, which only dustbuster applies']);
  });
});
