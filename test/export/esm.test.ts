import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer } from '../../src/canonize/canonizer.js';
import { esm } from '../../src/export/esm.js';
import type { ExportRequest } from '../../src/export/target.js';
import { mine, writeRules } from '../../src/index.js';
import type { Rule, RulesFile } from '../../src/rule/rule.js';
import { anyRules, someOptions, someUrl } from '../canonize/arbitrary.js';
import { FIXTURES, run, scratchFolder } from '../cli/process.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { requestOf } from './arbitrary.js';
import { variedUrls } from '../varied-urls.js';
import { amount, isFew } from '../amount.js';

const folder = scratchFolder();
afterAll(() => folder.remove());

interface Written {
  readonly canonize: (url: string) => string;
  readonly default: (url: string) => string;
}

let written = 0;

async function load(text: string): Promise<Written> {
  const path = join(folder.path, `module-${written++}.mjs`);
  writeFileSync(path, text);
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Written;
}

function requestOfFile({ rules, normalization, urlForm, options }: RulesFile): ExportRequest {
  return requestOf(rules, { normalization, urlForm, sitePolicy: options.site });
}

describe('rules as an ES module', () => {
  it.skipIf(isFew)('give 10,000 URLs the forms of the command', { timeout: 60_000 }, async () => {
    const { file } = await mine(join(FIXTURES, 'access.log'));
    const rules = join(folder.path, 'rules.json');
    const list = join(folder.path, 'urls.txt');
    const urls = variedUrls(file, 10_000);
    writeFileSync(rules, writeRules(file));
    writeFileSync(list, encodeText(urls.map((url) => `${url}\n`).join('')));
    const { canonize, default: same } = await load(esm.write(requestOfFile(file)).text);
    const { stdout } = await run(['canonize', '--accept', 'likely', '-r', rules, '-i', list]);
    const forms = urls.map((url) => canonize(url));
    expect(stdout.equals(encodeText(forms.map((form) => `${form}\n`).join('')))).toBe(true);
    expect(forms.filter((form, at) => form !== urls[at]).length).toBeGreaterThan(5000);
    expect(same).toBe(canonize);
  });

  it('give every URL the form that the canonizer gives it, whatever the rules', async () => {
    let changed = 0;
    const cases = fc.tuple(anyRules, fc.array(someUrl, { minLength: 10, maxLength: 30 }), someOptions);
    for (const [rules, urls, options] of fc.sample(cases, { numRuns: amount(60), seed: 6 })) {
      const { normalize: normalization, ...others } = options;
      const { canonize } = await load(esm.write(requestOf(rules, { normalization, ...others })).text);
      const twin = createCanonizer(rules, options);
      for (const url of urls) {
        const form = decodeText(twin.canonize(encodeText(url)));
        expect(canonize(url)).toBe(form);
        if (form !== url) changed++;
      }
    }
    expect(changed).toBeGreaterThan(amount(200, 20));
  });

  it('are all exported, pinned and likely ones too, as they are in use', async () => {
    const rules = [
      sampleRule('a', 'b', { status: 'likely' }),
      sampleRule('c', 'd', { rank: 2, status: 'invalid', pin: true }),
      sampleParameter('sid', { rank: 3, except: ['http://h/?sid=2'] }),
    ];
    const { text, carried, left } = esm.write(requestOf(rules));
    expect([carried, left]).toEqual([rules, []]);
    const { canonize } = await load(text);
    expect(['http://h/a/c?sid=1', 'http://h/?sid=2'].map(canonize)).toEqual(['http://h/b/d', 'http://h/?sid=2']);
  });

  it('determine sites by the public suffix list', async () => {
    const rules = ['amazonaws.com', 'example.co.uk', 'co.uk'].map((site, at) =>
      sampleRule('/a', `/${at}`, { site, rank: at + 1 }),
    );
    const { canonize } = await load(esm.write(requestOf(rules)).text);
    const hosts = ['www.amazonaws.com', 'x.s3.amazonaws.com', 'www.example.co.uk', 'other.co.uk', 'co.uk'];
    expect(hosts.map((host) => canonize(`http://${host}/a`).slice(-1))).toEqual(['0', 'a', '1', 'a', '2']);
  });

  const strange = ['</script>', '<!--', '\u2028\u2029', '`${1}`', '\\', `"'`, '\udce9\udc80', 'é😀', '__proto__', '*/'];

  it.each(strange)('with the text %j break nothing, and are applied', async (text) => {
    const rules = [
      sampleRule(`/${text}/`, `/-${text}-/`),
      sampleParameter(text, { rank: 2, action: 'set', value: text, site: text }),
    ];
    const module = esm.write(requestOf(rules, { sitePolicy: 'host', normalization: 'none' })).text;
    expect(module.split('\n').slice(0, 6).join('\n')).not.toMatch(/[<\u2028\u2029\ud800-\udfff]/u);
    const { canonize } = await load(module);
    expect(canonize(`http://h/${text}/`)).toBe(`http://h/-${text}-/`);
  });

  it('follow the name of their file, whatever that is', async () => {
    const source = 'a\nthrow 1; \u2028throw 2 \r\u0085*/';
    const { canonize } = await load(esm.write(requestOf([sampleRule('a', 'b')], { source })).text);
    expect(canonize('/a')).toBe('/b');
  });

  it('have one rule per line, so that two nights diff well', () => {
    const lines = (rules: readonly Rule[]) => esm.write(requestOf(rules)).text.split('\n');
    const [one, two] = [sampleRule('a', 'b'), sampleRule('c', 'd', { rank: 2 })];
    const before = lines([one]);
    const more = lines([one, two]).filter((line) => !before.includes(line));
    expect(more.filter((line) => !line.startsWith('//'))).toEqual([
      '{"site":"*","kind":"substring","from":"c","to":"d","anchor":"none"},',
    ]);
  });

  it('are a module even if there are none', async () => {
    const { canonize } = await load(esm.write(requestOf([])).text);
    expect(canonize('HTTP://h:80/%7e#x')).toBe('http://h/~');
  });

  it('import nothing', () => {
    const { text } = esm.write(requestOf([sampleRule('a', 'b')]));
    expect(text.replace(/^\/\/.*$/gm, '')).not.toMatch(/\bimport\b|\brequire\s*\(|\bBuffer\b|\bprocess\b|\bnode:/);
  });
});
