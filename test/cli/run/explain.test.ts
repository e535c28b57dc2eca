import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeRules } from '../../../src/rule/file.js';
import { sampleFile, sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';
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

  describe('of a rule of a class of hosts', () => {
    const hosts = Array.from({ length: 40 }, (_, k) => ({ part: 'host', is: `h${k}.test` }) as const);
    const figure = { holds: 1893, of: 1901, least: 0.99261, software: 'doku.php, do=' };
    const of = { site: '*', hosts: figure };
    const classes = join(folder.path, 'classes.json');
    writeFileSync(
      classes,
      [
        ...writeRules(
          sampleFile([
            sampleParameter('sid', { rank: 1, ...of, status: 'valid', only: hosts.slice(0, 30) }),
            sampleParameter('sid', { rank: 2, ...of, status: 'invalid', only: hosts.slice(30, 33) }),
            sampleParameter('sid', { rank: 3, ...of, status: 'likely', only: hosts.slice(33) }),
            sampleRule('/index.html', '/', { rank: 4, ...of, anchor: 'end', not: hosts.slice(0, 10) }),
          ]),
        ),
      ].join(''),
    );
    const explained = async (...args: string[]) => (await run(['explain', '-r', classes, ...args])).stdout.toString();

    test('names the figure of the class, and how the host stands', async () => {
      const said = await explained('http://h5.test/a?sid=1');
      expect(said).toMatch(
        /on 30 hosts\n.*\n {4}holds on 1,893 of 1,901 hosts that were asked, so on at least 99\.2 % of such hosts \(software: doku\.php, do=\)\n {4}h5\.test is among the hosts where it holds\n/,
      );
      expect(await explained('http://h20.test/index.html')).toContain(
        'nothing speaks against it on h20.test: it is none of the 10 hosts where it fails\n',
      );
    });

    test('names rules that are not applied on this host, once for each statement', async () => {
      const fails = await explained('http://h31.test/a?sid=1');
      expect(fails).toMatch(
        /rule 2 \(\w{8}\) is not applied: h31\.test is among the hosts where it does not hold: the parameter `sid` is dropped on every page\n/,
      );
      expect(fails).not.toContain('rule 1 ');
      expect(await explained('http://h5.test/index.html')).toContain(
        'h5.test is among the hosts where it does not hold',
      );
      expect(await explained('http://elsewhere.test/a?sid=1')).toContain(
        'is not applied: elsewhere.test is not among the hosts where it holds',
      );
      expect(await explained('http://elsewhere.test/a')).not.toContain('is not applied');
    });

    test('has the figure in JSON, not the names of all hosts', async () => {
      const [step, other] = [
        await explained('--jsonl', 'http://h5.test/a?sid=1'),
        await explained('--jsonl', 'http://h31.test/a?sid=1'),
      ];
      expect(step).not.toContain('h7.test');
      expect(JSON.parse(step)).toMatchObject({ steps: [{ name: 'sid', hosts: figure }] });
      expect(JSON.parse(other)).toMatchObject({ elsewhere: [{ name: 'sid', host: 'h31.test', standing: 'fails' }] });
    });
  });
});
