// Rules of another learner become a rules file, or all of their faults are reported.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notationOf } from '../../../src/rule/words/notation.js';
import { readRules } from '../../../src/rule/file.js';
import type { Rule } from '../../../src/rule/rule.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);
beforeAll(() => void (folder = scratchFolder()));
afterAll(() => folder.remove());

async function imported(content: string | Buffer): Promise<{ readonly rules: readonly Rule[]; readonly said: string }> {
  writeFileSync(at('theirs'), content);
  const { code, stderr } = await run(['import', at('theirs'), '-o', at('rules.json')]);
  expect(code, stderr).toBe(0);
  const { rules } = readRules(readFileSync(at('rules.json')), 'rules.json');
  return { rules, said: stderr };
}

/** The faults without the line before them. Nothing is written. */
async function faultsOf(content: string | Buffer): Promise<readonly string[]> {
  writeFileSync(at('theirs'), content);
  const { code, stderr } = await run(['import', at('theirs'), '-o', at('none.json')]);
  expect([code, existsSync(at('none.json'))]).toEqual([2, false]);
  const [head, ...lines] = stderr.trimEnd().split('\n');
  expect(head).toContain('so nothing was written');
  return lines.map((line) => line.trim());
}

const told = (rule: Rule) =>
  [rule.site || '(none)', rule.status, rule.use, rule.kind === 'step' ? `${rule.step} ${rule.text}` : notationOf(rule)]
    .filter((word) => word !== undefined)
    .join(' ');

const H = 'from,to,kind,anchor,site,status,use,name,confidence\n';

test.each<[what: string, content: string | Buffer, rules: readonly string[]]>([
  ['a header alone', 'from,to\n', []],
  ['no newline at the end', 'from,to\na,b', ['* likely a → b']],
  ['a mark of the encoding, and line ends of Windows', '\ufefffrom,to\r\na,b\r\n', ['* likely a → b']],
  ['tabs, and quotes that are characters', 'from\tto\n"a\tb,c\n', ['* likely "a → b,c']],
  ['comments and blank lines', '# x\n\nfrom,to\n#a,b\n\nc,d\n', ['* likely c → d']],
  ['quotes', 'to,from\n"b,""c""",a\n', ['* likely a → b,"c"']],
  ['columns in any order and case', 'To , FROM\nb,a\n', ['* likely a → b']],
  ['a side that is dropped', 'from,to\n/print,\n', ['* likely /print → ε']],
  ['bytes that are no UTF-8', Buffer.from('from,to\n\xff,b\n', 'latin1'), ['* likely \\xff → b']],
  ['a row twice', 'from,to\na,b\na,b\n', ['* likely a → b']],
  ['every column', `${H}a,b,substring,end,h.com,valid,key,,.5\n`, ['h.com valid key a⟩ → b⟩']],
  [
    'the site of a host',
    'from,to\nhttp://www.h.co.uk/a/,http://h.co.uk/\n',
    ['h.co.uk likely http://www.h.co.uk/a/ → http://h.co.uk/'],
  ],
  ['a host that is cut off', `${H}http://www.,http://,,start,,,,,\n`, ['* likely ⟨http://www. → ⟨http://']],
  ['parameters', `${H},,parameter,,,,,sid,\nutm,,parameter,,,,,,\n`, ['* likely sid=… → ε', '* likely utm=… → ε']],
  [
    'steps',
    `${H}fold-slashes,,step,,,,,,\ndrop-segment,,step,,h.com,,,print,\n`,
    ['* likely fold-slashes ', 'h.com likely drop-segment print'],
  ],
  [
    'a pattern',
    `${H}//h.com/{1:digits}?{*},//h.com/{1},pattern,,,,,,\n`,
    ['h.com likely //h.com/{1:digits}?{*} → //h.com/{1}'],
  ],
  [
    'expressions',
    'from,to,kind\n^/a/(\\d+)$,/b/$1,\n/index\\.html$,/,regex\n',
    ['(none) likely /a/{1:digits} → /b/{1}', '* likely /index.html⟩ → /⟩'],
  ],
  [
    'the rules of Nutch',
    '<regex-normalize>\n<!-- x --><regex><pattern>\\?&amp;</pattern><substitution>\\?</substitution></regex><regex><pattern>/a$</pattern><substitution/></regex></regex-normalize>',
    ['* likely ?& → ?', '* likely /a⟩ → ⟩'],
  ],
])('%s', async (_, content, wanted) => {
  expect((await imported(content)).rules.map(told)).toEqual(wanted);
});

test.each<[what: string, content: string, faults: readonly string[]]>([
  ['nothing', '', ['line 1: got no header, expected the columns from and to']],
  ['comments alone', '# a\n', ['line 1: got no header']],
  ['a header that lacks a column', 'from,kind\na,substring\n', ['line 1: got a header without to']],
  [
    'columns that are unknown or double',
    'from,to,foo,to\na,b,c,d\n',
    ['line 1: got the column "foo"', 'line 1: got the column to twice'],
  ],
  ['too few and too many cells', 'from,to\na\na,b,c\n', ['line 2: got 1 cell, expected 2', 'line 3: got 3 cells']],
  [
    'an open quote',
    'from,to\na,a\n"b,c\n',
    ['line 2: "from" and "to" are both "a"', 'line 3: got a quote that never closes'],
  ],
  [
    'words',
    `${H}a,b,nope,middle,www.h.com,maybe,no,,2\n`,
    [
      'line 2: kind is "nope"',
      'line 2: anchor is "middle"',
      'line 2: status is "maybe"',
      'line 2: use is "no"',
      'line 2: confidence is "2"',
      'line 2: site is "www.h.com", expected its registrable domain h.com',
    ],
  ],
  [
    'sides that no URL has',
    'from,to\na b,c\nd,#e\n,f\n',
    ['line 2: from is "a b"', 'line 3: to is "#e"', 'line 4: "from" is empty'],
  ],
  [
    'cells of another kind',
    `${H},x,parameter,start,,,,sid,\na,b,,,,,,n,\n`,
    ['line 2: anchor is "start", expected nothing', 'line 2: to is "x", expected nothing', 'line 3: name is "n"'],
  ],
  [
    'parameters',
    `${H},,parameter,,,,,,\na,,parameter,,,,,b,\n,,parameter,,,,,a=b,\n`,
    ['line 2: name is empty', 'line 3: from is "a"', 'line 4: "name" is "a=b"'],
  ],
  [
    'steps',
    `${H}fold,,step,,,,,,\nfold-slashes,,step,,,,,x,\n`,
    ['line 2: from is "fold", expected the name of a step', 'line 3: "text" is "x"'],
  ],
  [
    'patterns',
    `${H}a,/b,pattern,,,,,,\n/{1:digits},/{2},pattern,,,,,,\n`,
    ['line 2: "pattern" and "template" have to begin with /', 'line 3: "template" copies {2}'],
  ],
  [
    'expressions',
    'from,to\n^http://h/(a|b)$,x\n^http://h/(\\w+)$,x\n',
    ['line 2: regex "^http://h/(a|b)$": got "(a|b)"', 'line 3: regex "^http://h/(\\w+)$": got "(\\w+)"'],
  ],
  [
    'expressions that a rule would say nearly',
    'from,to,site\n^http://h/(\\d+)$,http://h/a/$1,\n^/([^/]+)/a$,/$1,\n^/a\\?b=([^&]+)$,/a/$1,\n^/a/(\\d+)$,/b/$1,h.com\n',
    [
      'line 2: regex "^http://h/(\\d+)$": got http:// beside a class',
      'line 3: regex "^/([^/]+)/a$": got [^/]+, which takes ? and the query too',
      'line 4: regex "^/a\\?b=([^&]+)$": got [^&]+, which takes ; too',
      'line 5: site is "h.com", expected nothing there: ^/ holds for URLs without a host',
    ],
  ],
  [
    'patterns that never end',
    'from,to\n^/a/([^?]+)$,/a/b/$1\n^/a/(\\d+)/(\\d+)$,/a/$2/$1\n',
    ['line 2: the result "/a/b/1" becomes "/a/b/b/1"', 'line 3: the result "/a/2/1" becomes "/a/1/2"'],
  ],
  [
    'Nutch',
    '<regex-normalize>\n<regex>\n<pattern></pattern></regex>\n<regexp/>\n<regex><pattern>(a)</pattern>',
    [
      'line 2: got a regex without a pattern',
      'line 4: got <regexp>',
      'line 5: got no </regex>',
      'line 5: got no </regex-normalize>',
    ],
  ],
])('faults: %s', async (_, content, wanted) => {
  const found = await faultsOf(content);
  expect(found.map((line, place) => line.slice(0, wanted[place]?.length))).toEqual(wanted);
});

test('20 faults are shown, in the order of lines, and all are counted', async () => {
  const found = await faultsOf(`from,to\n${'a,a\n'.repeat(500)}b\n`);
  expect([found.length, found[0], found.at(-1)]).toEqual([21, expect.stringMatching(/^line 2: /), '… and 481 more']);
});

test('hostile files are refused soon', async () => {
  const deep = await faultsOf(`<regex-normalize>${'<a>'.repeat(3 << 20)}`);
  expect(deep[0]).toContain('line 1: got <a>');
  expect((await faultsOf(`from,to\na,a\n"${'x\n'.repeat(1 << 20)}`))[0]).toMatch(/^line 2: "from" and "to"/);
});

test('a file that is too large, a folder, or the result itself is refused', async () => {
  writeFileSync(at('large'), Buffer.alloc((64 << 20) + 1, '\n'));
  writeFileSync(at('own'), 'from,to\na,b\n');
  for (const [name, output, said] of [
    [at('large'), at('none.json'), /more than 64 MiB, expected less/],
    [folder.path, at('none.json'), /it is a folder/],
    [at('own'), at('own'), /expected another file/],
  ] as const) {
    const { code, stderr } = await run(['import', name, '-o', output]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
  }
  expect(readFileSync(at('own'), 'utf8')).toBe('from,to\na,b\n');
});

test('rules that may mean money are keys', async () => {
  const { rules, said } = await imported('from,to,kind,name\na,b,,\n,,parameter,currency\n');
  expect(rules.map(({ use }) => use)).toEqual([undefined, 'key']);
  expect(said).toMatch(/^2 rules\n/);
});

/** The expressions of a learner, and their replacements. */
const EXPRESSIONS: readonly (readonly [string, string])[] = [
  ['^http://www\\.h\\.com/(.*)$', 'http://h.com/$1'],
  ['^http://h\\.com/old/(.+)$', 'http://h.com/new/$1'],
  ['^(https?)://h\\.com/user/(\\d+)/profile$', '$1://h.com/u?id=$2'],
  ['^(https?)://h\\.com/show\\?item=([^&;]+)$', '$1://h.com/item/$2'],
  ['^(https?)://h\\.com/([^/?]+)/([0-9a-f]+)/print$', '$1://h.com/$2/$3'],
  ['/index\\.html$', '/'],
];

test('canonize gives what a naive use of the table gives', async () => {
  await imported(`from\tto\tkind\n${EXPRESSIONS.map((row) => `${row.join('\t')}\tregex\n`).join('')}`);
  const pages = [
    '',
    'old/',
    'old/x',
    'old/old/x?a=1',
    'user/12/profile',
    'user/x/profile',
    'show?item=a/b',
    'show?item=a&b=1',
  ];
  const more = [
    'news/0af/print',
    'news/0ag/print',
    'a/b/c/print',
    'index.html',
    'old/user/index.html',
    'x/index.html?y',
  ];
  const urls = ['http://www.h.com', 'http://h.com', 'https://h.com', 'http://i.com'].flatMap((host) =>
    [...pages, ...more].map((page) => `${host}/${page}`),
  );
  const input = urls.map((url) => `${url}\n`).join('');
  const { stdout } = await run(['canonize', '-r', at('rules.json'), '--accept', 'likely'], { input });
  const naive = urls.map((url) => {
    let form = url;
    for (let before = ''; before !== form;) {
      before = form;
      for (const [from, to] of EXPRESSIONS) form = form.replace(new RegExp(from), to);
    }
    return form;
  });
  expect(stdout.toString().trimEnd().split('\n')).toEqual(naive);
  expect(naive.filter((form, place) => form !== urls[place]).length).toBeGreaterThan(15);
});
