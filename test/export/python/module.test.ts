import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/base/bytes.js';
import { createCanonizer } from '../../../src/canonize/canonizer.js';
import { python, scrapy } from '../../../src/export/python/modules.js';
import { scopeOf } from '../../../src/export/scope.js';
import { targetForms } from '../../../src/export/target-form.js';
import type { ExportRequest } from '../../../src/export/target.js';
import { scratchFolder } from '../../cli/process.js';
import { sampleParameter, sampleRule } from '../../rule/sample.js';
import { repeatedFields, requestOf, ruleSets, settings, urls } from '../arbitrary.js';
import { canonized } from '../canonized.js';
import { amount } from '../../amount.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const scratch = scratchFolder();
afterAll(() => scratch.remove());

interface Case {
  readonly module: string;
  readonly urls: readonly string[];
}

/** What the modules make of URLs, one char per byte; fails if Python rejects a module. */
function inPython(cases: readonly Case[]): string[][] {
  const driver = join(scratch.path, 'driver.py');
  const chars = (text: string) => Buffer.from(encodeText(text)).toString('latin1');
  writeFileSync(
    driver,
    `import json, sys
out = []
for case in json.load(sys.stdin):
    module = {}
    exec(compile(case["module"], "canonical_urls.py", "exec"), module)
    out.append([module["canonize"](url.encode("latin-1")).decode("latin-1") for url in case["urls"]])
json.dump(out, sys.stdout)
`,
  );
  const input = JSON.stringify(cases.map(({ module, urls: list }) => ({ module, urls: list.map(chars) })));
  const { stdout, stderr, status } = spawnSync('python3', [driver], { input, maxBuffer: 1 << 28, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as string[][];
}

/** Of sites that rules are for seldom or never. */
const foreign = fc
  .tuple(
    fc.constantFrom('http://third.test', 'HTTP://xh.com', 'http://h.com.other', 'http://h.com@o.test:80', 'http://uk'),
    fc.constantFrom('/%7Ea', '', '/a/../b?a=1', '/x#y', '/?b=2'),
  )
  .map((parts) => parts.join(''));

const bytesOf = (text: string) => Buffer.from(encodeText(text)).toString('latin1');

describe.skipIf(!hasPython)('the Python module', () => {
  it('gives every URL the form that canonize gives it, whatever the rules', { timeout: 60_000 }, () => {
    const inputs = fc.tuple(ruleSets, settings, fc.array(urls, { minLength: 20, maxLength: 20 }));
    const cases = [...fc.sample(inputs, { numRuns: amount(200), seed: 6 }), repeatedFields];
    const made = cases.map(([rules, more, list]) => {
      const request = requestOf(rules, more);
      return { request, list, module: scrapy.write(request).text };
    });
    const answers = inPython(made.map(({ module, list }) => ({ module, urls: list })));
    let changed = 0;
    for (const [at, { request, list }] of made.entries()) {
      for (const [k, url] of list.entries()) {
        const { form, ending } = canonized(request, url);
        expect({ url, rules: request, ending, form: answers[at]![k] }).toEqual({
          url,
          rules: request,
          ending,
          form: bytesOf(form),
        });
        if (form !== url) changed++;
      }
    }
    expect(changed).toBeGreaterThan(amount(500, 20));
  });

  it('gives URLs of all sites the form that canonize --as scrapy gives them', { timeout: 60_000 }, () => {
    const ofSites = ruleSets.map((rules) =>
      rules.map((rule) => (rule.site === '*' ? { ...rule, site: 'h.com' } : rule)),
    );
    const list = fc.array(fc.oneof(urls, foreign), { minLength: 20, maxLength: 20 });
    const cases = fc.sample(fc.tuple(ofSites, settings, list), { numRuns: amount(200), seed: 38 });
    const made = cases.map(([ranked, more, given]) => {
      const site = more.sitePolicy === 'all' ? '*' : undefined;
      const examples = [['http://www.h.com/a', 'http://www.h.com/']] as const;
      const rules = ranked.map((rule) => ({ ...rule, examples, ...(site !== undefined && { site }) }));
      const request = requestOf(rules, more);
      const scope = scopeOf(rules, rules, request);
      return { request: { ...request, ...(scope !== undefined && { scope }) }, given };
    });
    const answers = inPython(made.map(({ request, given }) => ({ module: scrapy.write(request).text, urls: given })));
    let left = 0;
    for (const [at, { request, given }] of made.entries()) {
      const { normalization: normalize, urlForm, sitePolicy, maxIterations } = request;
      const how = { normalize, accept: 'valid', urlForm, sitePolicy, maxIterations } as const;
      const formOf = targetForms(scrapy, request, how);
      const prepared = createCanonizer([], how);
      for (const [k, url] of given.entries()) {
        const bytes = encodeText(url);
        const form = Buffer.from(formOf(bytes)).toString('latin1');
        expect({ url, request, form: answers[at]![k] }).toEqual({ url, request, form });
        if (form === bytesOf(url) && Buffer.compare(prepared.canonize(bytes), bytes) !== 0) left++;
      }
    }
    expect(left).toBeGreaterThan(amount(100, 10));
  });

  it('takes and returns text, with bytes that are not UTF-8 as surrogate escapes', () => {
    const { text } = scrapy.write(requestOf([sampleRule('/é', '/e')]));
    const code = `${text}\nprint(ascii([canonize("http://h/é"), canonize("/\\udce9"), canonize(b"/\\xe9"), canonize("/\\ud800")]))`;
    const { stdout } = spawnSync('python3', ['-c', code], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    expect(stdout.trim()).toBe(String.raw`['http://h/e', '/%E9', b'/%E9', '/\ud800']`);
  });

  it('leaves URLs of sites that the rules are not for as they are', () => {
    const rules = [
      sampleParameter('sid', { site: 'shop.test' }),
      sampleRule('/index.html', '/', { site: 'shop.test' }),
    ];
    const text = scrapy.write(requestOf(rules, { scope: ['shop.test'] })).text;
    const list = ['http://shop.test/index.html?sid=1', 'http://www.shop.test/%7Ea?sid=1', '/a?sid=1#b'];
    const foreign = ['http://other.test/%7Ea?sid=1#b', 'http://xshop.test/?sid=1', 'http://shop.test.other/index.html'];
    const [forms] = inPython([{ module: text, urls: [...list, ...foreign] }]);
    expect(forms).toEqual(['http://shop.test/', 'http://www.shop.test/~a', '/a?sid=1', ...foreign]);
  });

  it('knows the sites of a log that was mined as one by the hosts that were seen', () => {
    const rules = [sampleParameter('sid', { site: '*' })];
    const text = scrapy.write(requestOf(rules, { sitePolicy: 'all', scope: ['shop.test', 'doku.localhost'] })).text;
    const list = ['http://www.shop.test/?sid=1', 'HTTP://Shop.Test.:80/?sid=1', 'http://u@doku.localhost:8105/?sid=1'];
    const foreign = ['http://other.test/?sid=1', 'http://localhost/?sid=1', 'http://shop.test@other.test/?sid=1'];
    const [forms] = inPython([{ module: text, urls: [...list, '/?sid=1', ...foreign] }]);
    expect(forms).toEqual([
      'http://www.shop.test/',
      'http://shop.test./',
      'http://u@doku.localhost:8105/',
      '/',
      ...foreign,
    ]);
  });

  it('needs the standard library only, is documented, and passes None', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder.path, 'canonical_urls.py'), python.write(requestOf([sampleParameter('sid')])).text);
    // Isolated, and without the packages of the site.
    const code = `import sys
sys.path.append(${JSON.stringify(folder.path)})
from canonical_urls import canonize
import canonical_urls
print(canonize("http://h/?sid=1"), canonize(None), bool(canonize.__doc__), "canonize(" in canonical_urls.__doc__)`;
    const { stdout, stderr } = spawnSync('python3', ['-I', '-S', '-c', code], { encoding: 'utf8' });
    folder.remove();
    expect([stdout.trim(), stderr]).toEqual(['http://h/ None True True', '']);
  });

  it('is the same for Scrapy, with a class behind it', () => {
    const request = requestOf([sampleParameter('sid'), sampleRule('/a', '/b', { rank: 2 })]);
    const [code, ofScrapy] = [python, scrapy].map((target) => /^import [^]*/m.exec(target.write(request).text)![0]);
    expect(ofScrapy!.startsWith(code!)).toBe(true);
    expect(ofScrapy!.slice(code!.length)).toMatch(/^\n\nclass RequestFingerprinter:\n/);
  });

  it('fingerprints requests by their canonical URL, and does not change them', () => {
    const { text } = scrapy.write(requestOf([sampleParameter('sid')]));
    const code = `${text}
import sys, types
module = types.ModuleType("scrapy.utils.request")
module.fingerprint = lambda request: request.url
sys.modules.update({"scrapy": types.ModuleType("scrapy"), "scrapy.utils": types.ModuleType("scrapy.utils"), "scrapy.utils.request": module})
class Request:
    def __init__(self, url): self.url = url
    def replace(self, url): return Request(url)
request = Request("http://h/?sid=1&x=2")
print(RequestFingerprinter.from_crawler(None).fingerprint(request), request.url)`;
    const { stdout } = spawnSync('python3', ['-c', code], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('http://h/?x=2 http://h/?sid=1&x=2');
  });

  it('cannot be escaped from by text of the rules or the name of their file', () => {
    const hostile = ['"', '"""', "'", '\\', '\n', '\r\n', '\u0000', '\u2028', '\udc80', '")]\nraise SystemExit(9) #'];
    const rules = hostile.flatMap((text, at) => [
      sampleRule(`/${text}`, `/x${text}`, { rank: 2 * at + 1, site: at % 2 === 0 ? '*' : text, except: [`/-${text}`] }),
      sampleParameter(text, { rank: 2 * at + 2, action: 'set', value: text, scope: 'prefix', path: `/${text}` }),
    ]);
    const source = `a"""\nraise SystemExit(9)\\`;
    const request: ExportRequest = requestOf(rules, { source, sitePolicy: 'host' });
    const list = ['/a', '/"', "/'", '/\\', '/"""', '/\udc80'];
    const [forms] = inPython([{ module: scrapy.write(request).text, urls: list }]);
    expect(forms).toEqual(list.map((url) => bytesOf(canonized(request, url).form)));
    expect(forms![1]).toBe('/x"');
  });
});
