// What `--debug` says of each URL, and that it changes nothing else.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeRules } from '../../../../src/rule/file.js';
import { sampleFile, samplePattern, sampleRule, sampleStep } from '../../../rule/sample.js';
import { run, scratchFolder } from '../../process.js';

const folder = scratchFolder();
const rules = join(folder.path, 'rules.json');
const site = 's.test';
const file = sampleFile([
  sampleStep('fold-slashes', '', { rank: 1, site }),
  sampleRule('/old', '/o', { rank: 2, site }),
  samplePattern('/{1:word}/index.html', '/{1}', { rank: 3, site }),
]);
writeFileSync(rules, [...writeRules(file)].join(''));
const list = join(folder.path, 'list.txt');
const urls = ['http://s.test/a', 'http://s.test//old//b', 'http://s.test/%7Ea', 'http://s.test/a/index.html', 'no URL'];
writeFileSync(list, urls.map((url) => `${url}\n`).join(''));
afterAll(() => folder.remove());

const debugged = async (args: readonly string[]) => {
  const { stdout, stderr } = await run([...args, '-r', rules, '--debug']);
  const lines = stderr.toString().split('\n');
  return { stdout: stdout.toString(), debug: lines.filter((line) => line.startsWith('debug: ')) };
};

const expected = [
  'debug: http://s.test/a: kernel; no rule',
  'debug: http://s.test//old//b -> http://s.test/o/b: kernel; rules 1, 2',
  'debug: http://s.test/%7Ea -> http://s.test/~a: JavaScript, rules found by the kernel; normalised',
  'debug: http://s.test/a/index.html -> http://s.test/a: JavaScript, rules found by the kernel; rule 3',
];

describe('--debug', () => {
  test('of canonize has the way of each URL, the rules that changed it, and sums', async () => {
    const plain = await run(['canonize', '-r', rules, '-i', list]);
    const { stdout, debug } = await debugged(['canonize', '-i', list]);
    expect(stdout).toBe(plain.stdout.toString());
    expect(debug).toEqual([
      ...expected,
      'debug: no URL: not a URL; no rule',
      'debug: 5 lines; 2 URLs by kernel; 2 URLs by JavaScript, rules found by the kernel; 1 not a URL',
      'debug: rule 1 changed 1 URL',
      'debug: rule 2 changed 1 URL',
      'debug: rule 3 changed 1 URL',
    ]);
  });

  test('of explain has the same lines', async () => {
    const { debug } = await debugged(['explain', ...urls.slice(0, 4)]);
    expect(debug.slice(0, 4)).toEqual(expected);
  });

  test('has lines for the first 100 URLs only, and sums of all', async () => {
    const many = join(folder.path, 'many.txt');
    writeFileSync(many, Array.from({ length: 250 }, (_, k) => `http://s.test//${k}\n`).join(''));
    const { debug } = await debugged(['canonize', '-i', many]);
    expect(debug.length).toBe(102);
    expect(debug.slice(100)).toEqual(['debug: 250 lines; 250 URLs by kernel', 'debug: rule 1 changed 250 URLs']);
  });

  test('is refused with --as, whose forms no rule makes', async () => {
    const { code, stderr } = await run(['canonize', '-r', rules, '-i', list, '--as', 'nginx', '--debug']);
    expect(code).toBe(2);
    expect(stderr.toString()).toContain('--debug: got --as too');
  });
});
