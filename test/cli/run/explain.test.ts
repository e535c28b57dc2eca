import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeRules } from '../../../src/rule/file.js';
import { sampleFile, sampleRule, sampleStep } from '../../rule/sample.js';
import { run, scratchFolder } from '../process.js';

const folder = scratchFolder();
const rules = join(folder.path, 'rules.json');
const site = 's.test';
const host = sampleRule('http://s.test/', 'http://www.s.test/', { rank: 1, site, hits: { kept: 1519, given: 25 } });
const slash = sampleStep('drop-end-slash', '', { rank: 2, site, use: 'key', hits: { kept: 1, given: 2400 } });
writeFileSync(rules, [...writeRules(sampleFile([host, slash]))].join(''));
afterAll(() => folder.remove());

describe('explain', () => {
  test('says why this side of a rule is the name, and why a key is not written', async () => {
    const { stdout } = await run(['explain', '-r', rules, 'http://s.test/a/']);
    expect(stdout.toString()).toContain('    1,519 hits at its forms, 25 at the URLs that it changes\n');
    expect(stdout.toString()).toMatch(
      /rule 2 \(\w{8}\) is only a key, 1 hit at its forms, 2,400 at the URLs that it changes: a slash at the end of the path is dropped on every page\n/,
    );
    expect(stdout.toString()).toContain(
      '  = http://www.s.test/a/\n  one page with all URLs of this key:\n    http://www.s.test/a\n',
    );
  });

  test('has the keys that would change a URL in JSON', async () => {
    const { stdout } = await run(['explain', '--jsonl', '-r', rules, 'http://s.test/a/', 'http://s.test/a']);
    const [withSlash, without] = stdout.toString().trimEnd().split('\n');
    expect(JSON.parse(withSlash!)).toMatchObject({
      canonical: 'http://www.s.test/a/',
      key: 'http://www.s.test/a',
      keys: [{ step: 'drop-end-slash' }],
    });
    expect(JSON.parse(without!)).not.toHaveProperty('keys');
    expect(JSON.parse(without!)).not.toHaveProperty('key');
  });

  test('has the merges of a rule that clusters decided on, and some of the wrong ones', async () => {
    const wrong = [['http://s.test/b?v=1', 'http://s.test/b', 'another cluster']] as const;
    const verdict = {
      source: 'clusters',
      positive: 9,
      negative: 1,
      unjudged: {},
      positives: [],
      negatives: wrong,
    } as const;
    const file = join(folder.path, 'clusters.json');
    writeFileSync(
      file,
      [
        ...writeRules(
          sampleFile([
            { ...host, verdict },
            { ...slash, verdict },
          ]),
        ),
      ].join(''),
    );
    const { stdout } = await run(['explain', '-r', file, 'http://s.test/a/']);
    const said = '    by clusters: 9 right merges, 1 wrong, 40.4 % at most: http://s.test/b?v=1 ⇸ http://s.test/b\n';
    expect(stdout.toString().split(said)).toHaveLength(3);
  });

  test('explains a file that has nothing but keys', async () => {
    const keys = join(folder.path, 'keys.json');
    writeFileSync(keys, [...writeRules(sampleFile([slash]))].join(''));
    const { code, stdout } = await run(['explain', '--jsonl', '-r', keys, 'http://s.test/a/']);
    expect([code, JSON.parse(stdout.toString())]).toMatchObject([
      0,
      { canonical: 'http://s.test/a/', key: 'http://s.test/a' },
    ]);
  });
});
