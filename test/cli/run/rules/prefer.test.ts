// `--prefer-host` and `--prefer-scheme`: the choice is kept in the rules file, and commands that use the file follow it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isFew } from '../../../amount.js';
import { readRules } from '../../../../src/rule/file.js';
import { FIXTURES, run, scratchFolder } from '../../process.js';

const folder = scratchFolder();
afterAll(() => folder.remove());
const at = (name: string) => join(folder.path, name);
const log = join(FIXTURES, 'access.log');
const contents = (name: string) => readRules(readFileSync(at(name)), name);
const saidIn = (name: string) =>
  contents(name).rules.flatMap((rule) => (rule.kind === 'substring' ? [`${rule.from} > ${rule.to}`] : []));
const formOf = async (name: string, url: string) =>
  (await run(['canonize', '-r', at(name), '--accept', 'likely', url])).stdout.toString().trimEnd();

test.skipIf(isFew)('mine writes rules that lead to the preferred host, twice the same', async () => {
  const preferring = async (name: string, host: string) =>
    await run(['mine', log, '-o', at(name), '--top', '0', '--prefer-host', host]);
  const { code, stderr } = await preferring('www.json', 'www.example.test');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/--prefer-host www\.example\.test: rules turned: \d+\n/)]);
  expect(contents('www.json').options).toMatchObject({ prefer: { host: 'www.example.test' } });
  expect(saidIn('www.json')).toContain('http://example.test/ > http://www.example.test/');
  const list = contents('www.json')
    .rules.flatMap(({ examples }) => examples.map(([url]) => `${url}\n`))
    .join('');
  const forms = await run(['canonize', '-q', '-r', at('www.json'), '--accept', 'likely'], { input: list });
  expect(forms.stdout.toString()).toMatch(/^(?:http:\/\/www\.example\.test\/.*\n){100,}$/);
  expect(await formOf('www.json', 'http://example.test/a')).toBe('http://www.example.test/a');
  const again = readFileSync(at('www.json'));
  expect((await preferring('www.json', 'www.example.test')).code).toBe(0);
  expect(readFileSync(at('www.json'))).toEqual(again);
  const bare = await preferring('bare.json', 'example.test');
  expect(bare.stderr).toMatch(/--prefer-host example\.test: nothing to turn; rules that lead there: \d+\n/);
  const diff = await run(['diff', at('bare.json'), at('www.json')]);
  expect(diff.stdout.toString()).toMatch(/^turned .* The host `example\.test` becomes `www\.example\.test`\.$/m);
});

test('a host that no rule knows is refused with those that were seen, when the rules are saved', async () => {
  const { code, stderr } = await run(['mine', log, '-o', at('odd.json'), '-q', '--prefer-host', 'odd.test']);
  const seen = 'expected a host of the rules: example.test, www.example.test';
  expect([code, stderr]).toEqual([2, `dustbuster: --prefer-host: got odd.test, ${seen}\n`]);
  expect(contents('odd.json').rules.length).toBeGreaterThan(100);
  const again = await run(['validate', at('odd.json'), '-q', '--by-sketch', '--test', log, '--prefer-scheme', 'https']);
  expect([again.code, again.stderr]).toEqual([
    2,
    'dustbuster: --prefer-scheme: got https, expected a scheme of the rules: http\n',
  ]);
});

test('a later validation keeps to the choice, and a configuration file can have it', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => `http://www.s.test/${n},9,s${n}\nhttp://s.test/${n},9,s${n}\n`);
  writeFileSync(at('sketches.csv'), `url,size,sketch\n${rows.join('')}`);
  await run(['mine', at('sketches.csv'), '-o', at('s.json'), '-q']);
  expect(saidIn('s.json')).toEqual(['http://www.s.test/ > http://s.test/']);
  writeFileSync(at('dustbuster.toml'), '[validate]\nprefer-host = "www.s.test"\n');
  const args = ['validate', at('s.json'), '--by-sketch', '--top', '0'];
  const first = await run(['--config', at('dustbuster.toml'), ...args]);
  expect(first.stderr).toContain('--prefer-host www.s.test: rules turned: 1\n');
  expect(saidIn('s.json')).toEqual(['http://s.test/ > http://www.s.test/']);
  expect(contents('s.json').rules).toMatchObject([{ status: 'valid' }]);
  const second = await run([...args, '--again']);
  expect(second.stderr).toContain('--prefer-host www.s.test: nothing to turn; rules that lead there: 1\n');
  expect(contents('s.json').options).toMatchObject({ prefer: { host: 'www.s.test' } });
});
