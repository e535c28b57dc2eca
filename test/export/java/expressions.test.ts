import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { heritrixExpressions } from '../../../src/export/java/configurations.js';
import { nutchExpressions } from '../../../src/export/java/configurations.js';
import { stormcrawlerExpressions } from '../../../src/export/java/configurations.js';
import type { ExportRequest } from '../../../src/export/target.js';
import { scratchFolder } from '../../cli/process.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { requestOf } from '../arbitrary.js';
import { handWritten, usualUrls } from '../edits/arbitrary.js';
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
      const urlForm = fc.constantFrom('absolute', 'path', 'mixed');
      const inputs = fc.tuple(handWritten, urlForm, fc.array(usualUrls, { minLength: 40, maxLength: 40 }));
      const lists = fc.sample(inputs, { numRuns: amount(40, 2), seed: 6 });
      const cases = lists.map(([list, form, lines]) => {
        const site = form === 'path' ? '' : '*';
        const request = requestOf(
          list.map((rule) => ({ ...rule, site })),
          { urlForm: form },
        );
        const urls = lines.map((line) => (form === 'path' ? line.replace(/^http:\/\/[^/]*/, '') : line));
        return { request, urls: urls.map((line) => preparedForm(request, line)) };
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
      expect(given / changed).toBeLessThan(0.2);
      expect(carried / rules).toBeGreaterThan(0.5);
    },
  );

  it.skipIf(isFew)('cannot be escaped from by text of the rules or the name of their file', { timeout: 60_000 }, () => {
    const texts = [
      '/',
      '*/',
      '[]',
      '()',
      '+?',
      '.*',
      '&',
      ';',
      '7',
      '"',
      "'",
      '<',
      ']]>',
      '-->',
      '\\',
      '$1',
      '${a}',
      '#{1}',
      '\n',
    ];
    const list = texts.map((text, at) => sampleRule(`/a${at}${text}x`, `/7`, { rank: at + 1, anchor: 'end' }));
    const request = requestOf(list, { source: 'a--><regex-normalize>', normalization: 'none', maxIterations: 4 });
    const written = nutchExpressions.write(request);
    const asked = texts.filter((text) => text !== '\n').map((text, at) => `http://h.com/a${at}${text}x`);
    const [forms] = throughJava([{ request, urls: asked }]);
    const expected = asked.map((url) => carriedForm(request, written, url));
    for (const name of programs) expect(forms![name]).toEqual(expected);
    expect(expected.filter((form) => form === 'http://h.com/7')).toHaveLength(9);
    expect(written.left).toHaveLength(10);
  });

  it('are few: rules that come later are left out', () => {
    const request = requestOf(Array.from({ length: 110 }, (_, at) => sampleParameter(`a${at}`, { rank: at + 1 })));
    const { carried, left, text } = nutchExpressions.write(request);
    expect(text.match(/<regex>/g)!.length).toBeLessThan(20);
    expect(carried).toEqual(request.rules.slice(0, 100));
    expect(left.map(({ rule }) => rule)).toEqual(request.rules.slice(100));
  });
});
