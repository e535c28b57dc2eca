// A canonizer of a program that may have few addresses (`ulimit -v`): slower, with the same forms.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '..', '..', 'dist', 'program', 'index.js');
const PROGRAM = `
  import { createCanonizer, readRules } from ${JSON.stringify(MODULE)};
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const rules = names.map((name, at) => ({
    rank: at + 1, site: '*', kind: 'parameter', name, action: 'remove', value: null, scope: 'site', path: '', chance: 0,
    status: 'valid', support: { groups: 9, urls: 9 }, against: 0, confidence: 0.9, examples: [],
  }));
  const file = JSON.parse(process.argv[1]);
  const canonizer = createCanonizer(readRules({ ...file, rules }));
  const forms = new Set();
  for (let k = 0; k < 3000; k++) forms.add(canonizer.canonize('http://h.test/' + (k % 10) + '?' + names[k % 6] + '=' + k));
  console.log([...forms].join(' '));
`;

it.skipIf(process.platform !== 'linux')('goes on with all rules where the kernel gets no addresses', async () => {
  const { writeRules } = await import('../../src/rule/file.js');
  const { sampleFile } = await import('../rule/sample.js');
  const file = JSON.stringify(JSON.parse([...writeRules(sampleFile([]))].join('')));
  const args = ['--input-type=module', '-e', PROGRAM, file];
  const formsUnder = (limit: string) => {
    const { stdout, stderr } = spawnSync('sh', ['-c', `${limit} exec "$0" "$@"`, process.execPath, ...args]);
    return [stdout.toString(), stderr.toString()];
  };
  const [forms] = formsUnder('');
  expect(forms!.trim().split(' ')).toHaveLength(10);
  expect(formsUnder('ulimit -v 6000000;')).toEqual([forms, '']);
});
