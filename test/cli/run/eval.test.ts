// `dustbuster eval` as a process.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRules } from '../../../src/rule/file.js';
import { createSketch, formatSketch } from '../../../src/sketch/sketch.js';
import type { Rule, RulesFile } from '../../../src/rule/rule.js';
import { startSite } from '../../live-site.js';
import { sampleFile, sampleParameter, sampleRule } from '../../rule/sample.js';
import { run, scratchFolder, type Outcome } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder.path, name), content);
}

function writeFile(name: string, rules: readonly Rule[], more: Partial<RulesFile> = {}): void {
  write(name, [...writeRules(sampleFile(rules, more))].join(''));
}

function evaluate(args: readonly string[], input?: string | Buffer): Promise<Outcome> {
  return run(['eval', ...args], { cwd: folder.path, ...(input !== undefined && { input }) });
}

const story = sampleRule('story?id=', 'story_', { status: 'valid' });
const index = sampleRule('/index.html', '/', { rank: 2, anchor: 'end', status: 'invalid' });
const session = sampleParameter('sid', { rank: 3, status: 'likely' });

beforeAll(() => {
  folder = scratchFolder();
  writeFile('rules.json', [story, index, session]);
  writeFile('likely.json', [{ ...story, status: 'likely' }]);
  // The second story is two pages; `/new` has no digest.
  write(
    'list.csv',
    'url,status,size,digest\nhttp://a.test/story?id=1,200,10,A\nhttp://a.test/story_1,200,10,A\n' +
      'http://a.test/story?id=2,200,10,B\nhttp://a.test/story_2,200,10,C\nhttp://b.test/new,200,10,\n',
  );
  write('urls.txt', 'http://a.test/story?id=1\nhttp://a.test/story_1\nhttp://b.test/new\n');
  write('truth.tsv', 'url\tlabel\nhttp://a.test/story?id=1\tone\nhttp://a.test/story_1\tone\n/not/in/the/list\tx\n');
});
afterAll(() => folder.remove());

describe.concurrent('dustbuster eval', { timeout: 30_000 }, () => {
  it('measures a table of anybody instead of rules', async () => {
    write('map.tsv', 'http://a.test/story?id=1\tone\nhttp://a.test/story_1\tone\nhttp://a.test/gone\tone\n/x\n');
    const { code, stdout, stderr } = await evaluate(['--map', 'map.tsv', '--urls', 'list.csv', '--json']);
    expect(code).toBe(0);
    const { all, rules } = JSON.parse(stdout.toString()) as { all: object; rules: object[] };
    expect(all).toMatchObject({ urls: 5, forms: 4, coverage: 1, falseMerges: 0 });
    expect(rules).toEqual([]);
    expect(stderr).toContain(
      'map.tsv (forms): 4 lines = 3 forms + 1 without form + 0 without URL; 1 of URLs that are not in the list, 0 contradicted',
    );
  });

  it('refuses rules beside such a table, and a table without forms', async () => {
    write('empty.tsv', 'http://a.test/story_1\n');
    const both = await evaluate(['--map', 'map.tsv', '-r', 'rules.json', '--urls', 'list.csv']);
    expect([both.code, both.stderr]).toEqual([
      2,
      'dustbuster: eval: got --rules and --map; expected one of them: a table is measured without rules\n',
    ]);
    const none = await evaluate(['--map', 'empty.tsv', '--urls', 'list.csv']);
    expect([none.code, none.stderr]).toEqual([
      2,
      'dustbuster: empty.tsv has no form, as in "http://a.test/story_1"; expected lines of a URL, a tab, and a form.\n',
    ]);
  });

  it('measures keys beside what is written', async () => {
    writeFile('keys.json', [{ ...story, use: 'key' }]);
    const { stdout } = await evaluate(['-r', 'keys.json', '--urls', 'list.csv']);
    expect(stdout.toString().split('\n').slice(1, 3)).toEqual([
      'all           5      5       0.00%         4         3     0.00%    0.00%             0   0.00%         0           0',
      'with keys     5      3      40.00%         4         3   100.00%  200.00%             1  25.00%         2           1',
    ]);
  });

  it('prints tables, with the digests of the list as labels', async () => {
    const { code, stdout, stderr } = await evaluate(['-r', 'rules.json', '--urls', 'list.csv']);
    expect(code).toBe(0);
    expect(stdout.toString().split('\n')).toEqual([
      "site    URLs  forms  redundancy  labelled  contents  coverage  paper's  false-merges   share  in-mixed  lost-pages",
      'all        5      3      40.00%         4         3   100.00%  200.00%             1  25.00%         2           1',
      'a.test     4      2      50.00%         4         3   100.00%  200.00%             1  25.00%         2           1',
      'b.test     1      1       0.00%         0         -         -        -             -       -         -           -',
      '',
      'site    longer  unsettled  answering  dead  redirecting  not-known',
      'all          0          0          5     0            0          0',
      'a.test       0          0          4     0            0          0',
      'b.test       0          0          1     0            0          0',
      '',
      'precision@     1     2   all  right  wrong  unjudged',
      'by verdict  1.00  0.50  0.50      1      1         1',
      '  judged       1     2     2',
      'by labels   0.00  0.00  0.00      0      1         2',
      '  judged       1     1     1',
      '',
      'reduction     50%  80%  90%  100%  forms without rules  with all',
      'rules needed    1    1    1     1                    5         3',
      '',
      'rank  status   touches  saves  right  wrong  rule',
      '   1  valid          2      2      1      1  `story?id=` becomes `story_` wherever it stands.',
      '   2  invalid        0      0      0      0  `/index.html` at the end is the folder itself (`/`).',
      '   3  likely         0      0      0      0  The parameter `sid` is dropped on every page.',
      'rule 1 is wrong of http://a.test/story?id=2',
      '  which is not http://a.test/story_2',
      '',
    ]);
    expect(stderr).toBe('list.csv (csv): 5 lines = 5 records + dropped 0 + rejected 0\n');
  });

  it('takes labels from a file instead, plain or gzip, and counts what became of its lines', async () => {
    write('truth.tsv.gz', gzipSync(readFileSync(join(folder.path, 'truth.tsv'))));
    for (const truth of ['truth.tsv', 'truth.tsv.gz']) {
      const { code, stdout, stderr } = await evaluate(
        ['-r', 'rules.json', '--urls', '-', '--truth', truth, '--json'],
        list(),
      );
      expect(code).toBe(0);
      expect(JSON.parse(stdout.toString())).toMatchObject({
        all: { urls: 5, forms: 3, labelled: 2, contents: 1, coverage: 1, falseMerges: 0, lostPages: 0 },
        sites: [
          { site: 'a.test', labelled: 2 },
          { site: 'b.test', labelled: 0, coverage: null },
        ],
        precision: { byVerdict: [{ k: 1, precision: 1 }, { k: 2 }, { k: 'all' }], byLabels: [{ right: 1 }, {}, {}] },
        curve: { formsWithout: 5, formsWith: 3, needed: [{ share: 0.5, rules: 1 }, {}, {}, { share: 1 }] },
        rulesUsed: 1,
        rules: [{ rank: 1, from: 'story?id=', touched: 2, saved: 2, right: 1, wrong: 0, isRight: true }, {}, {}],
      });
      expect(stderr).toContain(
        `${truth} (labels): 3 lines = 3 labels + 0 without label + 0 without URL; ` +
          '1 of URLs that are not in the list, 0 contradicted\n',
      );
    }
  });

  const list = () => readFileSync(join(folder.path, 'list.csv'));

  it.each([
    [
      'site',
      'scope,site,urls,forms,redundancy,labelled,contents,dust_before,dust_after,coverage,' +
        'false_merges,false_merge_share,lost_pages,paper_coverage,in_mixed_forms,longer,unsettled,answering,dead_forms,' +
        'redirecting_forms,unknown_forms\n' +
        'all,,5,3,0.4,4,3,1,0,1,1,0.25,1,2,2,0,0,5,0,0,0\nsite,a.test,4,2,0.5,4,3,1,0,1,1,0.25,1,2,2,0,0,4,0,0,0\n' +
        'site,b.test,1,1,0,0,0,0,0,,0,,0,,0,0,0,1,0,0,0\n',
    ],
    [
      'rule',
      'rank,site,kind,from,to,where,status,touched,saved,right,wrong,is_right,wrong_url,wrong_image\n' +
        '1,*,substring,story?id=,story_,,valid,2,2,1,1,no,http://a.test/story?id=2,http://a.test/story_2\n' +
        '2,*,substring,/index.html⟩,/⟩,,invalid,0,0,0,0,,,\n3,*,parameter,sid=…,ε,,likely,0,0,0,0,,,\n',
    ],
  ])('prints CSV per %s', async (per, expected) => {
    const { stdout } = await evaluate(['-r', 'rules.json', '--urls', 'list.csv', '--csv', '--per', per, '-q']);
    expect(stdout.toString()).toBe(expected);
  });

  it('counts dead and redirecting forms by the statuses of the log, and says that they are unknown without statuses', async () => {
    const lines = [
      ['story?id=1', 200],
      ['story_1', 404],
      ['story?id=2', 200],
      ['story_2', 302],
      ['story?id=3', 200],
      ['story?id=4', 404],
    ] as const;
    const log = lines.map(
      ([of, status]) => `1.1.1.1 - - [01/Nov/2026:00:00:00 +0000] "GET /${of} HTTP/1.1" ${status} 9\n`,
    );
    const args = ['-r', 'rules.json', '--base', 'http://a.test', '--urls', '-'];
    const { stdout, stderr } = await evaluate([...args, '--json'], log.join(''));
    expect(JSON.parse(stdout.toString())).toMatchObject({
      version: 2,
      all: { urls: 3, forms: 3, longer: 0, answering: 3, deadForms: 1, redirectingForms: 1, unknownForms: 1 },
    });
    expect(stderr).toContain('6 lines = 3 records + dropped 3 (client-error 2, redirect 1) + rejected 0');
    const table = await evaluate(['-r', 'rules.json', '--urls', 'urls.txt', '-q']);
    expect(table.stdout.toString()).toMatch(/^all +0 +0 +0 +- +- +0$/m);
  });

  it('counts URLs as listed, near duplicates as one, and false merges without the majority', async () => {
    const near = [
      'http://a.test/story?id=1',
      'HTTP://a.test/story%3fid=1',
      'http://a.test/story%5F1',
      'http://a.test/story_1',
    ];
    write('near.tsv', near.map((url, at) => `${url}\texact${at}\t${at === 2 ? 'other' : 'near'}\n`).join(''));
    const { stdout } = await evaluate(
      ['-r', 'rules.json', '--urls', '-', '--truth', 'near.tsv', '--json'],
      near.join('\n'),
    );
    expect(JSON.parse(stdout.toString())).toMatchObject({
      all: {
        urls: 4,
        forms: 2,
        labelled: 4,
        contents: 2,
        dustBefore: 2,
        dustAfter: 1,
        coverage: 0.5,
        paperCoverage: 1,
        falseMerges: 1,
        falseMergeShare: 0.25,
        inMixedForms: 3,
        lostPages: 1,
      },
      sites: [{ site: 'a.test', urls: 4 }],
      precision: { byVerdict: [{ k: 1, judged: 1 }, {}, {}] },
    });
  });

  it('compares the sketches of a list by resemblance', async () => {
    const page = Float64Array.from({ length: 128 }, (_, at) => 1000 * at);
    const sketch = (changed: number) =>
      formatSketch(createSketch(page.map((minimum, at) => (at < changed ? minimum + 1 : minimum))));
    const rows = [sketch(0), sketch(4), sketch(60)].map(
      (text, at) => `{"url":"http://a.test/${at}","sketch":"${text}"}\n`,
    );
    const { stdout } = await evaluate(['-r', 'rules.json', '--urls', '-', '--json', '-q'], rows.join(''));
    expect(JSON.parse(stdout.toString())).toMatchObject({
      all: { labelled: 3, contents: 2, dustBefore: 1, coverage: 0 },
    });
  });

  it('says how many of the rules that --accept likely uses are candidates, and gives the forms of canonize', async () => {
    const doubtful = { ...session, confidence: 0.3 };
    const sure = { ...story, status: 'likely', confidence: 0.97 } as const;
    writeFile('doubtful.json', [sure, doubtful]);
    const few = 'http://a.test/story?id=1\nhttp://a.test/story_1\nhttp://a.test/story_1?sid=2\n';
    for (const [accept, forms, line] of [
      ['likely', 1, /--accept likely uses 2 rules, as canonize does; 1 of them is a candidate, .* confident uses 1\n/],
      ['confident', 2, /^(?!.*candidate)/],
    ] as const) {
      const args = ['-r', 'doubtful.json', '--accept', accept];
      const { code, stdout, stderr } = await evaluate([...args, '--urls', '-', '--json'], few);
      expect([code, stderr]).toEqual([0, expect.stringMatching(line)]);
      expect((JSON.parse(stdout.toString()) as { all: object }).all).toMatchObject({ urls: 3, forms });
      const table = await evaluate([...args, '--urls', '-', '-q'], few);
      expect(table.stdout.toString()).toMatch(/^ +3 .* candidate +1 /m);
      const canonized = await run(['canonize', ...args, '--unique'], { cwd: folder.path, input: few });
      expect(canonized.stdout.toString().trim().split('\n')).toHaveLength(forms);
    }
  });

  it('says how many URLs there are in normal form, if that is another number', async () => {
    const spelled = 'http://a.test/story_1\nhttp://A.test:80/story_1\nhttp://a.test/story_2\n';
    const { stderr } = await evaluate(['-r', 'rules.json', '--urls', '-'], spelled);
    expect(stderr).toContain('\n3 URLs as listed, which are 2 in normal form, as mine counts them\n');
    const mined = await run(['mine', '-', '-o', 'three.json', '--min-site-urls', '1'], {
      cwd: folder.path,
      input: spelled,
    });
    expect(mined.stderr).toContain('\n2 URLs, ');
    expect((await evaluate(['-r', 'rules.json', '--urls', 'urls.txt'])).stderr).not.toContain('normal form');
  });

  it('gives the same bytes whatever the memory and the order of the list, in a file as on standard output', async () => {
    const args = ['-r', 'rules.json', '--json', '-q', '--truth', 'truth.tsv'];
    const plain = await evaluate([...args, '--urls', 'list.csv']);
    const [head, ...rows] = list().toString().trim().split('\n');
    const turned = [head, ...rows.reverse()].join('\n');
    const small = await evaluate([...args, '--urls', '-', '--memory', '4k', '-o', 'small.json'], turned);
    expect([small.code, small.stdout.length, small.stderr]).toEqual([0, 0, '']);
    expect(readFileSync(join(folder.path, 'small.json'))).toEqual(plain.stdout);
  });

  it('measures redundancy if there are no labels, and says what is missing', async () => {
    const { code, stdout, stderr } = await evaluate(['-r', 'rules.json', '--urls', 'urls.txt']);
    expect(code).toBe(0);
    expect(stdout.toString()).toMatch(/^all +3 +2 +33\.33% +0 +- +- +- +- +- +- +-$/m);
    expect(stderr).toMatch(/no URL of the list has a label.*--truth FILE/);
  });

  it('reads the list as the rules file says', async () => {
    const more = { urlForm: 'path', options: { ...sampleFile([]).options, base: null } } as const;
    writeFile('path.json', [{ ...story, site: '' }], more);
    const { stdout } = await evaluate(
      ['-r', 'path.json', '--urls', '-', '--json'],
      'HTTP://A.test/story?id=1\nhttp://a.test/story_1#x\n',
    );
    expect(JSON.parse(stdout.toString())).toMatchObject({ all: { urls: 2, forms: 1 } });
    const based = await evaluate(['-r', 'path.json', '--urls', '-', '--json', '--base', 'http://c.test'], '/story_1\n');
    expect(JSON.parse(based.stdout.toString())).toMatchObject({ sites: [{ site: 'c.test' }] });
  });

  it.each([
    ['at most what it is', ['--max-false-merges', '0.25', '--min-coverage', '1'], 0, /^$/],
    [
      'less false merges',
      ['--max-false-merges', '0.24'],
      1,
      /false merges 0\.250000 \(1 URL\), expected at most 0\.24/,
    ],
    ['both', ['--max-false-merges', '0', '--min-coverage', '0.2'], 1, /false merges/],
  ])('ends with 1 only if a requested limit is exceeded: %s', async (_, limits, code, message) => {
    const outcome = await evaluate(['-r', 'rules.json', '--urls', 'list.csv', '-q', ...limits]);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stdout.toString()).toContain('precision@');
  });

  it('ends with 1 for too little coverage, but not if there is nothing to cover', async () => {
    writeFile('wrong.json', [sampleRule('a', 'b')]);
    const missed = await evaluate(['-r', 'wrong.json', '--urls', 'list.csv', '-q', '--min-coverage', '0.5']);
    expect([missed.code, missed.stderr]).toEqual([1, 'dustbuster: coverage 0.000000, expected at least 0.5\n']);
    write('clean.csv', 'url,digest\n/1,A\n/2,B\n');
    expect((await evaluate(['-r', 'wrong.json', '--urls', 'clean.csv', '--min-coverage', '0.5'])).code).toBe(0);
  });

  it('ends with 3 if the labels are cut off or mostly invalid', async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `http://a.test/${n}\tlabel ${(n * 7919) % 1000}\n`).join('');
    write('cut.gz', gzipSync(lines).subarray(0, 5000));
    const cut = await evaluate(['-r', 'rules.json', '--urls', 'list.csv', '--truth', 'cut.gz']);
    expect([cut.code, cut.stderr]).toEqual([3, expect.stringMatching(/cut\.gz: the gzip data ends too early/)]);
    write('mostly.tsv', '/1\tone\n/2\n/3\n');
    expect((await evaluate(['-r', 'rules.json', '--urls', 'list.csv', '--truth', 'mostly.tsv'])).code).toBe(3);
  });

  it('never lets a control character through to the terminal', async () => {
    const hostile = '\u001b[31m\u009b\u202e\u0085"\u0007,';
    writeFile('hostile.json', [sampleRule(hostile, 'x'), sampleRule('a', 'b', { rank: 2, site: hostile })]);
    const urls = JSON.stringify({ url: `http://a.test/${hostile}`, digest: 'A' });
    const image = JSON.stringify({ url: `http://a.test/x`, digest: 'B' });
    write('hostile.jsonl', `${urls}\n${image}\n{"url":"http://${encodeURI('\u202e')}.test/","digest":"C"}\n`);
    write('hostile.tsv', `http://a.test/${hostile}\n`);
    for (const how of [[], ['--json'], ['--csv'], ['--csv', '--per', 'rule'], ['--truth', 'hostile.tsv']]) {
      const { stdout, stderr } = await evaluate(['-r', 'hostile.json', '--urls', 'hostile.jsonl', ...how]);
      // eslint-disable-next-line no-control-regex -- these are what must not be there
      expect(stdout.toString() + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(stdout.length + stderr.length).toBeGreaterThan(50);
    }
  });

  it.each([
    ['no list', ['-r', 'rules.json'], /required option '--urls <input...>' not specified/],
    ['a list that is not there', ['-r', 'rules.json', '--urls', 'nowhere'], /no file matches "nowhere"/],
    ['an empty list', ['-r', 'rules.json', '--urls', '-'], /there is no URL in the list; expected at least one/],
    ['no rules file', ['-r', 'nowhere.json', '--urls', 'list.csv'], /cannot read nowhere\.json: there is no such file/],
    [
      'rules that nobody has validated',
      ['-r', 'likely.json', '--urls', 'list.csv'],
      /no rule in likely\.json was validated: 1 likely.*say --accept likely/,
    ],
    [
      'a label file of one column',
      ['-r', 'rules.json', '--urls', 'list.csv', '--truth', 'urls.txt'],
      /urls\.txt has no label, as in "http:\/\/a\.test\/story\?id=1"; expected lines of a URL, a tab, and a label/,
    ],
    [
      'a label file of something else',
      ['-r', 'rules.json', '--urls', 'list.csv', '--truth', 'rules.json'],
      /rules\.json has no line that begins with a URL; expected/,
    ],
    [
      'a limit without labels',
      ['-r', 'rules.json', '--urls', 'urls.txt', '--min-coverage', '0.5'],
      /nothing can be checked: no URL of the list has a label/,
    ],
    ['a limit that is no share', ['--urls', 'list.csv', '--min-coverage', '50'], /--min-coverage: got "50"/],
    ['two forms of output', ['-r', 'rules.json', '--urls', 'list.csv', '--json', '--csv'], /--json and --csv/],
    [
      'standard input twice',
      ['-r', 'rules.json', '--urls', '-', '--truth', '-'],
      /--urls and --truth are both standard input/,
    ],
    [
      'an output over an input',
      ['-r', 'rules.json', '--urls', 'list.csv', '-o', 'rules.json'],
      /rules\.json is an input/,
    ],
  ])('ends with 2 and a message for %s', async (_, args, message) => {
    const { code, stdout, stderr } = await evaluate(args, '');
    expect([code, stdout.toString()]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  it('measures the rules of a live site with known duplicates, mined from its log', async () => {
    const site = await startSite({ seed: 2, pages: 150, only: ['story', 'index', 'session', 'ninety', 'soft-404'] });
    await site.close();
    write('site.log', `${site.logLines('vhost').join('\n')}\n`);
    write('site.txt', `${site.urls.join('\n')}\n`);
    const labels = site.urls.flatMap((url) => site.truth(url) ?? []);
    write('site.tsv', site.urls.map((url) => `${url}\t${site.truth(url) ?? ''}\n`).join(''));
    expect((await run(['mine', 'site.log', '-o', 'site.json'], { cwd: folder.path })).code).toBe(0);
    const { code, stdout } = await evaluate(
      ['-r', 'site.json', '--accept', 'likely', '--urls', 'site.txt', '--truth', 'site.tsv', '--json'].concat(
        '--top',
        '0',
      ),
    );
    expect(code).toBe(0);
    const measures = JSON.parse(stdout.toString()) as {
      all: Record<string, number>;
      rules: { from: string; isRight: boolean }[];
    };
    expect(measures.all).toMatchObject({
      urls: site.urls.length,
      labelled: labels.length,
      contents: new Set(labels).size,
    });
    // Every tenth page under /old/ is a different one, which likely rules ignore: both its names are falsely merged.
    expect(measures.all['falseMerges']).toBeGreaterThan(0);
    expect(measures.all['coverage']).toBeGreaterThan(0.5);
    expect(measures.rules.find(({ from }) => from.includes('story?id='))?.isRight).toBe(true);
  });
});
