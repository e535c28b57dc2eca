import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { duplicateUrlDiscarder as target } from '../../src/export/duplicate-url-discarder.js';
import { scratchFolder } from '../cli/process.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { requestOf } from './arbitrary.js';
import { carriedForm } from './canonized.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const hasPackage = spawnSync('python3', ['-c', 'import duplicate_url_discarder']).status === 0;

/** What the package itself makes of URLs. */
function discarded(text: string, urls: readonly string[]): string[] {
  const file = join(scratch.path, 'rules.json');
  writeFileSync(file, text);
  const code = `import json, logging, sys
from duplicate_url_discarder.url_canonicalizer import UrlCanonicalizer
logging.disable()
canonicalizer = UrlCanonicalizer([sys.argv[1]])
print(json.dumps([canonicalizer.process_url(url) for url in json.load(sys.stdin)]))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', code, file], {
    input: JSON.stringify(urls),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as string[];
}

const site = 'example.com';

describe('rules for duplicate-url-discarder', () => {
  it('group the names of one site', () => {
    const rules = [sampleParameter('sid', { site }), sampleParameter('ref', { site, rank: 2 })];
    const { text, carried, left } = target.write(requestOf(rules));
    expect(JSON.parse(text)).toEqual([
      { args: ['sid', 'ref'], order: 100, processor: 'queryRemoval', urlPattern: { include: ['example.com'] } },
    ]);
    expect(carried).toEqual(rules);
    expect(left).toEqual([]);
  });

  it('for every URL are separate, as they are not consulted together with others', () => {
    const all = sampleParameter('sid', { rank: 2 });
    expect(JSON.parse(target.write(requestOf([all])).text)).toMatchObject([{ urlPattern: { include: [] } }]);
    const { left } = target.write(requestOf([sampleParameter('a', { site }), all]));
    expect(left).toEqual([{ rule: all, reason: 'holds for every site, while other rules hold for some' }]);
  });

  it.each([
    [sampleRule('/a', '/b'), 'duplicate-url-discarder only removes parameters'],
    [sampleParameter('a', { action: 'set' }), 'sets a parameter, and duplicate-url-discarder only removes parameters'],
    [
      sampleParameter('a', { site, scope: 'prefix', path: '/a/' }),
      'holds for URLs that a url-matcher pattern cannot express',
    ],
    [sampleParameter('a', { site: 'localhost' }), 'holds for URLs that a url-matcher pattern cannot express'],
    [sampleParameter('a', { site: '*.com' }), 'holds for URLs that a url-matcher pattern cannot express'],
    [sampleParameter('a', { site, except: ['/?a=1'] }), 'has exceptions, which a url-matcher pattern cannot express'],
    [sampleParameter('a\n', { site }), 'has a name that no parameter can have'],
    [sampleParameter('\udc80', { site }), 'has bytes that are not UTF-8'],
  ])('leave out %j', (rule, reason) => {
    const { text, left } = target.write(requestOf([rule]));
    expect(left).toEqual([{ rule, reason }]);
    expect(text).toBe('[]\n');
  });

  it('are JSON, whatever the names', () => {
    const names = ['"', '\\', "'", 'é', '\u{1f600}', '\u2028', '\u0000', '</script>'];
    const rules = names.map((name, at) => sampleParameter(name, { site, rank: at + 1 }));
    const { text, carried } = target.write(requestOf(rules));
    const [{ args }] = JSON.parse(text) as [{ args: readonly string[] }];
    expect(args).toEqual(carried.map((rule) => (rule.kind === 'parameter' ? rule.name : '')));
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it.skipIf(!hasPackage)('make the package give URLs the form that canonize gives them', () => {
    const request = requestOf([
      sampleParameter('sid', { site }),
      sampleParameter('é"', { site, rank: 2 }),
      sampleParameter('ref', { site: 'shop.co.uk', rank: 3 }),
    ]);
    const urls = [
      'example.com',
      'www.example.com',
      'a.b.example.com:80',
      'shop.co.uk',
      'www.shop.co.uk',
      'other.com',
    ].flatMap((host) =>
      ['', '?sid=1', '?a=1&sid=2&b=3&sid=4', '?ref=1&sid', '?é"=1&x=%7e', '?SID=1', '?xsid=1'].map(
        (query) => `http://${host}/a/b;c${query}`,
      ),
    );
    const { text, carried, left } = target.write({ ...request, normalization: 'none' });
    const expected = urls.map((url) =>
      carriedForm({ ...request, normalization: 'none' }, { text, carried, left }, url),
    );
    expect(discarded(text, urls)).toEqual(expected);
  });
});
