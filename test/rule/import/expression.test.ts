// Expressions as rules, compared with the engine of JavaScript.
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../../src/base/bytes.js';
import { compileRule, imageOf } from '../../../src/rule/apply.js';
import { type Meaning, meaningOfExpression } from '../../../src/rule/import/expression.js';
import type { Rule } from '../../../src/rule/rule.js';
import { sampleRule } from '../sample.js';

test.each<[expression: string, replacement: string, says: string]>([
  ['^http://h/old/(.*)$', 'http://h/new/$1', 'start http://h/old/ → http://h/new/'],
  ['^http://h/old/', 'http://h/new/', 'start http://h/old/ → http://h/new/'],
  ['^http://h/old/(.+)$', 'http://h/new/$1', 'start http://h/old/ → http://h/new/ but http://h/old/'],
  ['^http://h/a\\?b$', 'http://h/c', 'both http://h/a?b → http://h/c'],
  ['^(.*)/index\\.html$', '$1/', 'end /index.html → /'],
  ['/index\\.html$', '/', 'end /index.html → /'],
  ['&amp=', '&', 'none &amp= → &'],
  ['^(https?)://h/u/(\\d+)$', '$1://h/v?id=$2', '//h/u/{2:digits} → //h/v?id={2}'],
  ['^(https?)://h/u/([0-9]+)/$', '$1://h/u/$2', '//h/u/{2:digits}/ → //h/u/{2}'],
  ['^(https?)://([A-Za-z0-9-]+)\\.h/$', '$1://h/$2', '//{2:label}.h/ → //h/{2}'],
  ['^/u/([^/?]+)/([^?]+)$', '/$2/$1', '/u/{1:segment}/{2:path} → /{2}/{1}'],
  ['^/u/[^\\/?.]+\\.([a-f0-9]+)$', '/u/$1', '/u/{stem}.{1:hex} → /u/{1}'],
  ['^/q\\?v=([^&;]+)$', '/v/$1', '/q?v={1:value} → /v/{1}'],
  ['^/\\(a\\)/(\\d+)$', '/\\$/$1', '/(a)/{1:digits} → /$/{1}'],
])('%s → %s', (expression, replacement, says) => {
  expect(told(meaningOfExpression(expression, replacement))).toBe(says);
});

function told(meaning: Meaning | string): string {
  if (typeof meaning === 'string') return `refused: ${meaning}`;
  if (meaning.kind === 'pattern') return `${meaning.pattern} → ${meaning.template}`;
  const { anchor, from, to, except } = meaning;
  return `${anchor} ${from} → ${to}${except === undefined ? '' : ` but ${except}`}`;
}

test.each<[expression: string, replacement: string, got: RegExp]>([
  ['', '', /without text/],
  ['^$', 'a', /without text/],
  ['^(.*)$', 'a$1', /without text/],
  ['(', '', /^got "\("/],
  ['a)', '', /^got \)/],
  ['[', '', /^got \[/],
  ['\\', '', /^got "\\"/],
  ['^/a\\w+$', '/', /^got "\\w"/],
  ['^/a/(\\d*)$', '/$1', /^got \\d\*, expected \\d\+/],
  ['^/a/(\\d+?)$', '/$1', /^got "\(/],
  ['^/a/(\\d{3})$', '/$1', /^got "\(/],
  ['^/a/((\\d+))$', '/$1', /^got "\(/],
  ['^/(a|b)/$', '/$1', /^got "\(/],
  ['^/a|b$', '/', /^got \|/],
  ['(?i)/a/', '/', /^got "\(\?i\)/],
  ['^/a/(?:\\d+)$', '/', /^got "\(/],
  ['^http://www.h/$', 'http://h/', /^got \. in "http:\/\/www\.h\/", expected text, .* or \\\./],
  ['^https?://h/(\\d+)$', 'http://h/$1', /^got \?/],
  ['^/a\\.?$', '/', /there once/],
  ['^/\\{1:digits\\}/(\\d+)$', '/$1', /^got \{/],
  ['^/a/([a-z]+)$', '/$1', /^got \[a-z\]\+, expected one of/],
  ['^/a/([^&;]+)$', '/$1', /in the path/],
  ['^/a\\?b=([^/?]+)$', '/$1', /in the query/],
  ['^/a\\?b=(\\d+)&c=(\\d+)$', '/$1/$2', /in an order/],
  ['^/a\\?b=(\\d+);c$', '/$1', /in an order/],
  ['^/a/(\\d+)(.*)$', '/$1$2', /beside classes/],
  ['^/a/([^/?]+)\\.html$', '/$1', /after a class/],
  ['^/a/(\\d+)', '/$1', /^got no \$/],
  ['/a/(\\d+)$', '/$1', /^got no \^/],
  ['^/a/(\\d+)$', '/$2', /^got \$2 in the replacement, expected \$1 to \$1/],
  ['^/a/(\\d+)$', '/\\1', /^got "\\1" in the replacement/],
  ['^/a/(\\d+)$', '/${1}', /^got \$ in the replacement/],
  ['^/a/$', '/$1', /no group/],
  ['^http://h/(\\d+)$', 'https://h/$1', /^got "http:\/\/h\/" and "https/],
  ['^http://h/(\\d+)$', 'http://h/a/$1', /^got http:\/\/ beside a class, .* expected \(https\?\):\/\//],
  ['^https://h/(\\d+)$', 'https://h/a/$1', /^got https:\/\/ beside a class/],
  ['^/u/([^/]+)/x$', '/u/$1', /^got \[\^\/\]\+, which takes \? .* expected \[\^\/\?\]\+/],
  ['^/q\\?v=([^&]+)$', '/v/$1', /^got \[\^&\]\+, which takes ; .* expected \[\^&;\]\+/],
  ['^(https?)://h/(\\d+)$', 'http://h/$2', /another scheme/],
  ['^(https?)://([^/?]+)/a$', '$1://$2.h/', /into the host/],
  ['^http://h/(.*)/print$', 'http://h/$1', /beside more than one text/],
  ['^(.*)/a/(.*)$', '$1/b/$2', /beside more than one text/],
  ['^http://h/a/(.*)$', 'http://h/b', /not text and \$1/],
  ['^http://h/a/(.*)$', '$1', /at the start of both/],
  ['^http://h/a(.*)$', 'http://h/b$1', /ends in a sign/],
  ['html$', '', /begins with a sign/],
  ['^(.*)/a/', '$1/', /no \$ at the end/],
  ['//', '/', /scheme and host/],
  ['^http://h/', 'http://h/x/', /matches again/],
  ['/a$', '/b/a', /matches again/],
  [`^/${'(\\d+)/'.repeat(10)}$`, '/$1', /10 groups/],
])('%s → %s is refused', (expression, replacement, got) => {
  const meaning = meaningOfExpression(expression, replacement);
  expect(meaning).toMatch(got);
});

/** Pieces of expressions, with a text that each matches. */
const PIECES: readonly (readonly [expression: string, ...texts: string[]])[] = [
  ['a', 'a'],
  ['/', '/'],
  ['-', '-'],
  ['\\.', '.'],
  ['\\?', '?'],
  ['id=', 'id='],
  ['(\\d+)', '7', '12'],
  ['([0-9a-f]+)', '0a', 'ff'],
  ['([^/?]+)', 'x', 'a.b', '1'],
  ['([^?]+)', 'x/y', 'z'],
  ['([^/]+)', 'x', 'x?y'],
  ['([^&;]+)', 'v', '1/2?'],
  ['([^&]+)', 'v', '1;2'],
  ['(.*)', '', 'x/y', '?q=1'],
  ['(.+)', 'x', '/'],
];
const STARTS = ['^http://h/', '^(https?)://h/', 'http://h/', '^/', '^', '', '^(.*)/'];
const STRANGE = ['', '/', 'x', '?id=1', '&b', '/a', '.html', '//'];

test('a rule does what its expression does, or the expression is refused', () => {
  let seed = 41;
  const random = (below: number) => (seed = (Math.imul(seed, 48271) >>> 0) % 0x7fffffff) % below;
  const of = <T>(all: readonly T[]) => all[random(all.length)]!;
  const [kinds, changed] = [new Set<string>(), { count: 0 }];
  for (let round = 0; round < 30_000; round++) {
    const start = of(STARTS);
    const pieces = Array.from({ length: random(5) }, () => of(PIECES));
    const expression = start + pieces.map(([one]) => one).join('') + of(['$', '']);
    const groups = (expression.match(/\((?!\?)/g) ?? []).length;
    const copies = Array.from({ length: groups }, (_, at) => `$${at + 1}`);
    const replacement =
      of(['http://h/', '$1://h/b/', '/', 'http://h/b/', '/b', '$1/']) +
      (random(2) ? copies.join('/') : copies.slice(-1).join(''));
    const meaning = meaningOfExpression(expression, replacement);
    if (typeof meaning === 'string') continue;
    const rule = compileRule(ruleOf(meaning));
    const native = new RegExp(expression);
    for (let trial = 0; trial < 6; trial++) {
      const url =
        of(['http://h/', 'https://h/', '/']) +
        of(['', '', 'q/']) +
        pieces.map(([, ...texts]) => of(texts)).join('') +
        of(STRANGE);
      // A rule for paths is one of URLs without a host.
      if (!isPlain(url) || (meaning.isPath && !url.startsWith('/'))) continue;
      const wanted = url.replace(native, replacement);
      if (!isPlain(wanted)) continue;
      const got = decodeText(imageOf(rule, encodeText(url), 0));
      expect([expression, replacement, url, got]).toEqual([expression, replacement, url, wanted]);
      kinds.add(meaning.kind === 'substring' ? meaning.anchor : meaning.kind);
      if (got !== url) changed.count++;
    }
  }
  expect([...kinds].sort()).toEqual(['both', 'end', 'none', 'pattern', 'start']);
  expect(changed.count).toBeGreaterThan(400);
});

/** A URL whose query is in the form that all URLs are in, and whose scheme has no `//` after it. */
function isPlain(url: string): boolean {
  return (
    /^(?:https?:\/\/h\/|\/(?!\/))/.test(url) &&
    !/[?&;][&;]|[?&;]$/.test(url.slice(url.indexOf('?') < 0 ? url.length : 0))
  );
}

function ruleOf(meaning: Meaning): Rule {
  if (meaning.kind === 'substring') {
    const { from, to, anchor, except } = meaning;
    return sampleRule(from, to, { anchor, ...(except !== undefined && { except: [except] }) });
  }
  const { pattern, template } = meaning;
  const { anchor: _anchor, from: _from, to: _to, ...bare } = sampleRule('a', 'b');
  return { ...bare, kind: 'pattern', pattern, template, support: { clusters: 0, urls: 0 } };
}
