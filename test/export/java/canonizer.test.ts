// Do the Java classes give each URL the form that canonize gives it? They are compiled with the interfaces in `api`, as
// Nutch 1.20, StormCrawler 3 and Heritrix 3.4.0 have them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heritrix } from '../../../src/export/java/classes.js';
import { java } from '../../../src/export/java/classes.js';
import { nutch } from '../../../src/export/java/classes.js';
import { stormcrawler } from '../../../src/export/java/classes.js';
import { tableOf } from '../../../src/export/java/source.js';
import type { ExportRequest, Target } from '../../../src/export/target.js';
import { exportedVectors } from '../../vectors.js';
import { amount } from '../../amount.js';
import { scratchFolder } from '../../cli/process.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { repeatedFields, requestOf, ruleSets, settings, urls } from '../arbitrary.js';
import { bytesOf, canonized } from '../canonized.js';

const hasJava = spawnSync('javac', ['-version']).status === 0;
if (process.env['DUSTBUSTER_E2E'] === '1' && !hasJava) {
  throw new Error('DUSTBUSTER_E2E=1 asks for Java: install default-jdk-headless');
}
const here = new URL('./', import.meta.url).pathname;
const scratch = scratchFolder();
afterAll(() => scratch.remove());

const classes: readonly (readonly [Target, string])[] = [
  [java, 'CanonicalUrls'],
  [nutch, 'DustbusterURLNormalizer'],
  [stormcrawler, 'DustbusterURLFilter'],
  [heritrix, 'DustbusterRule'],
];

/** Texts that end strings, lines, comments and words somewhere. */
const hostile = [
  '"',
  "'",
  '\\',
  '\\u000a',
  '\\u{a}',
  '*/',
  '~41',
  ' ',
  '\n',
  '\r',
  '\u0000',
  '\u2028',
  '\udc80',
  '日',
  '${a}',
];
const hostileRules = hostile.flatMap((text, at) => [
  sampleRule(`/${text}`, `/x${text}`, { rank: 2 * at + 1, except: [`/-${text}`] }),
  sampleParameter(text, { rank: 2 * at + 2, action: 'set', value: text, scope: 'prefix', path: `/${text}` }),
]);
const hostileRequest = requestOf(
  // For one that is left out, with its text in the comment.
  [...hostileRules, sampleRule('/*/\\u002a/', '/', { rank: 99, site: 'amazonaws.com' })],
  { source: 'a*/ class X {}\\u002a/' },
);
const hostileUrls = ['/a', '/"', '/~41', "/'?a=b", '/\\', '/\\u000a', '/*/', 'http://h.com/日', '/${a}', '', 'no URL'];

interface Case {
  readonly request: ExportRequest;
  readonly urls: readonly string[];
}

function run(program: string, ...args: readonly string[]): void {
  const { stderr, status } = spawnSync(program, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
}

const fast = '-XX:TieredStopAtLevel=1';

function compile(): void {
  for (const [target, name] of classes) {
    const { text, carried, left } = target.write(hostileRequest);
    expect([carried.length, left.length]).toEqual([hostileRules.length, 1]);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    writeFileSync(join(scratch.path, `${name}.java`), text);
  }
  const sources = classes.map(([, name]) => join(scratch.path, `${name}.java`));
  const all = [...sources, join(here, 'Forms.java')];
  run('javac', `-J${fast}`, '-proc:none', '-d', scratch.path, '-sourcepath', join(here, 'api'), ...all);
}

/** The forms of each case by its table, and those of the URLs in the last folder by the classes. */
function throughJava(cases: readonly Case[]): readonly (readonly string[])[] {
  const folderOf = (name: string, list: readonly string[]) => {
    const folder = join(scratch.path, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'urls.txt'), list.map(bytesOf).join('\n'), 'latin1');
    return folder;
  };
  const made = cases.map(({ request, urls: list }, at) => {
    const folder = folderOf(String(at), list);
    writeFileSync(join(folder, 'rules.txt'), tableOf(request, request.rules).join('\n'));
    return folder;
  });
  const last = folderOf('classes', hostileUrls);
  run('java', fast, '-cp', scratch.path, 'Forms', ...made, last);
  return made.map((folder) => readFileSync(join(folder, 'forms.txt'), 'latin1').split('\n'));
}

describe.skipIf(!hasJava)('the Java classes', () => {
  const inputs = fc.tuple(ruleSets, settings, fc.array(urls, { minLength: 40, maxLength: 40 }));
  const random = [...fc.sample(inputs, { numRuns: amount(200), seed: 16 }), repeatedFields].map(
    ([rules, more, list]): Case => ({ request: requestOf(rules, more), urls: list }),
  );
  const known = exportedVectors();
  const cases = [
    ...random,
    ...known.map(({ rules, forms }): Case => ({ request: requestOf(rules), urls: forms.map(([url]) => url) })),
  ];
  let forms: readonly (readonly string[])[] = [];
  beforeAll(() => {
    compile();
    forms = throughJava(cases);
  }, 60_000);

  it('give every URL the form that canonize gives it, whatever the rules', () => {
    let changed = 0;
    for (const [at, { request, urls: list }] of random.entries()) {
      for (const [k, url] of list.entries()) {
        const { form, ending } = canonized(request, url);
        const given = forms[at]![k];
        expect({ url, request, ending, given }).toEqual({ url, request, ending, given: bytesOf(form) });
        if (form !== url) changed++;
      }
    }
    expect(changed).toBeGreaterThan(amount(1000, 20));
  });

  it.each(known.map((vector, at) => ({ ...vector, at })))('give the known answer: $name', ({ forms: wanted, at }) => {
    expect(forms[random.length + at]).toEqual(wanted.map(([, form]) => bytesOf(form)));
  });

  it('leave targets of redirects alone in Nutch', () => {
    const given = readFileSync(join(scratch.path, 'classes', 'redirected.txt'), 'latin1').split('\n');
    expect(given).toEqual(hostileUrls.map(bytesOf));
  });
});
