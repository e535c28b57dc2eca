import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { heritrixExpressions } from '../../../src/export/java/heritrix-expressions.js';
import { nutchExpressions } from '../../../src/export/java/nutch-expressions.js';
import { stormcrawlerExpressions } from '../../../src/export/java/stormcrawler-expressions.js';
import type { ExportRequest } from '../../../src/export/target.js';
import { scratchFolder } from '../../cli/process.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { requestOf, ruleSets, settings, urls } from '../arbitrary.js';
import { carriedForm, preparedForm } from '../canonized.js';
import { amount, isFew } from '../../amount.js';

const hasJava = spawnSync('java', ['-version']).status === 0;
const driver = new URL('./Replacements.java', import.meta.url).pathname;
const scratch = scratchFolder();
afterAll(() => scratch.remove());

interface StormCrawlerFile {
  readonly [filters: string]: readonly [
    {
      readonly params: {
        readonly urlNormalizers: readonly { readonly pattern: string; readonly substitution: string }[];
      };
    },
  ];
}

interface Case {
  readonly request: ExportRequest;
  readonly urls: readonly string[];
}

const programs = ['nutch', 'stormcrawler', 'heritrix'] as const;
type Forms = Readonly<Record<(typeof programs)[number], readonly string[]>>;
let folders = 0;

/** What each engine makes of the URLs of each case. */
function throughJava(cases: readonly Case[]): Forms[] {
  const made = cases.map(({ request, urls: list }) => {
    const folder = join(scratch.path, String(folders++));
    mkdirSync(folder);
    writeFileSync(join(folder, 'urls.txt'), list.join('\n'));
    writeFileSync(join(folder, 'nutch.xml'), nutchExpressions.write(request).text);
    writeFileSync(join(folder, 'heritrix.xml'), heritrixExpressions.write(request).text);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const file = JSON.parse(stormcrawlerExpressions.write(request).text) as StormCrawlerFile;
    const entries = file['org.apache.stormcrawler.filtering.URLFilters']![0].params.urlNormalizers;
    const lines = entries.map(({ pattern, substitution }) => `${base64(pattern)} ${base64(substitution)}\n`);
    writeFileSync(join(folder, 'stormcrawler.txt'), lines.join(''));
    return folder;
  });
  const { stderr, status } = spawnSync('java', ['-XX:TieredStopAtLevel=1', '-Dfile.encoding=UTF-8', driver, ...made], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const formsIn = (folder: string, name: string) => readFileSync(join(folder, `${name}.out`), 'utf8').split('\n');
  return made.map(
    (folder) => Object.fromEntries(programs.map((name) => [name, formsIn(folder, name)])) as unknown as Forms,
  );
}

describe.skipIf(!hasJava)('the entries for Nutch, StormCrawler and Heritrix', () => {
  it.skipIf(isFew)(
    'give normal URLs the form that canonize gives them, or leave them alone',
    { timeout: 60_000 },
    () => {
      let [changed, given, rules, carried] = [0, 0, 0, 0];
      const inputs = fc.tuple(ruleSets, settings, fc.array(urls, { minLength: 40, maxLength: 40 }));
      const lists = fc.sample(inputs, { numRuns: amount(40, 2), seed: 6 });
      const cases = lists.map(([list, more, lines]) => {
        // Few of the URLs are of one site.
        const site = more.urlForm === 'path' ? '' : '*';
        const some = list.map((rule) => (rule.rank > 3 ? rule : { ...rule, site }));
        const request = requestOf(some, more);
        return {
          request,
          urls: lines
            .filter((line) => /^http/i.test(line) && !/\p{Cs}/u.test(line))
            .map((line) => preparedForm(request, line)),
        };
      });
      for (const [at, forms] of throughJava(cases).entries()) {
        const { request, urls: list } = cases[at]!;
        const written = nutchExpressions.write(request);
        rules += request.rules.length;
        carried += written.carried.length;
        expect(forms.stormcrawler).toEqual(forms.nutch);
        expect(forms.heritrix).toEqual(forms.nutch);
        for (const [k, url] of list.entries()) {
          const form = carriedForm(request, written, url);
          // A URL with an empty host cannot be requested.
          if (/^https?:\/\/[/?]/.test(form)) continue;
          const isLeft = forms.nutch[k] === url && form !== url;
          if (!isLeft) expect({ url, request, form: forms.nutch[k] }).toEqual({ url, request, form });
          if (isLeft) given++;
          else if (form !== url) changed++;
        }
      }
      expect(changed).toBeGreaterThan(amount(80, 8));
      expect(given / changed).toBeLessThan(0.05);
      expect(carried / rules).toBeGreaterThan(0.4);
    },
  );

  it.skipIf(isFew)('cannot be escaped from by text of the rules or the name of their file', { timeout: 60_000 }, () => {
    const hostile = [
      '"',
      "'",
      '&',
      '<',
      '>',
      ']]>',
      '-->',
      '--',
      '\\',
      '$1',
      '${a}',
      '#{1}',
      '\n',
      '\u0000',
      '\ufffe',
      '\udc80',
      '&#10;',
      '7',
    ];
    const list = hostile.flatMap((one, at) => [
      sampleRule(`/a${at}-`, `/${one}`, { rank: 2 * at + 1, except: [`http://h.com/${one}`] }),
      sampleParameter(`p${at}${one}`, { rank: 2 * at + 2, action: 'set', value: one.replace(/[&;#]/g, '') }),
    ]);
    const request = requestOf(list, { source: 'a--><regex-normalize>', normalization: 'none', maxIterations: 4 });
    const written = nutchExpressions.write(request);
    const lines = hostile.flatMap((one, at) => [`http://h.com/a${at}-`, `http://h.com/?p${at}${one}=x&y`]);
    const asked = lines.filter((line) => !/[\p{Cs}\n\0]/u.test(line));
    const [forms] = throughJava([{ request, urls: asked }]);
    const expected = asked.map((url) => carriedForm(request, written, url));
    for (const name of programs) expect(forms![name]).toEqual(expected);
    expect(expected).toContain('http://h.com/${a}');
    expect(expected).toContain('http://h.com/7');
    const reasons = written.left.map(({ reason }) => reason);
    expect(reasons).toContain('has a character that XML has not');
    expect(reasons).toContain('has bytes that are no UTF-8');
  });

  it('set a value even if all fields of a query are the bare name', () => {
    const request = requestOf([sampleParameter('id', { action: 'set', value: '1' })]);
    const asked = ['?id&id', '?id;id=2', '?id&id&id', '?&id&&id=3&x&', '?id', '/a;id=3?id&id'].map(
      (end) => `http://h.com/${end}`,
    );
    const [forms] = throughJava([{ request, urls: asked }]);
    const written = nutchExpressions.write(request);
    const expected = asked.map((url) => carriedForm(request, written, url));
    expect(expected[0]).toBe('http://h.com/?id=1');
    for (const name of programs) expect(forms![name]).toEqual(expected);
  });

  it('are few: rules that come later are left out', () => {
    const request = requestOf(Array.from({ length: 60 }, (_, at) => sampleRule(`/a${at}`, '/b', { rank: at + 1 })));
    const { carried, left, text } = nutchExpressions.write(request);
    expect(text.match(/<regex>/g)!.length).toBeLessThan(600);
    expect(carried).toEqual(request.rules.slice(0, 50));
    expect(left.map(({ rule }) => rule)).toEqual(request.rules.slice(50));
    expect(left[0]!.reason).toContain('the Java class has every rule');
  });
});
