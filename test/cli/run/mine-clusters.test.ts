// `dustbuster mine --from-clusters`: patterns of planted clusters in the rules file, and what other commands make of it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
  // Every story has its page, and an address in another script; printed ones have no address without `v`.
  const lines = Array.from({ length: 60 }, (_, k) => [
    `http://www.example.com/show.php?id=story${k}x\t1\ts${k}`,
    `http://www.example.com/news/story${k}x\t2\ts${k}`,
    `http://www.example.com/print/a${k}b?v=${k}c\t3\tp${k}`,
    `http://www.example.com/print/a${k}b?v=${k}d\t3\tp${k}`,
  ]).flat();
  writeFileSync(join(folder.path, 'clusters.tsv'), `${lines.join('\n')}\nno url\nhttp://h/\u001b\t1\t1\nhttp://h/x\n`);
  const urls = lines.map((line) => line.split('\t', 1)[0]!).join('\n');
  writeFileSync(join(folder.path, 'urls.txt'), `${urls}\n`);
});
afterAll(() => folder.remove());

const command = (...args: string[]) => run(args, { cwd: folder.path });
const mine = (...args: string[]) => command('mine', 'urls.txt', '--from-clusters', 'clusters.tsv', ...args);

describe('dustbuster mine --from-clusters', { timeout: 30_000 }, () => {
  it('writes patterns that canonize applies, and counts what it cannot read', async () => {
    const { code, stderr } = await mine('-o', 'rules.json');
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/clusters\.tsv: 240 URLs with labels, no URL 2, no label 1; \d+ candidates/);
    const forms = await command('canonize', '-r', 'rules.json', '--', 'http://www.example.com/show.php?id=other');
    expect(forms.stdout.toString()).toBe('http://www.example.com/news/other\n');
    const other = await command('canonize', '-r', 'rules.json', '--', 'http://www.example.com/show.php?id=other&a=1');
    expect(other.code, other.stderr).toBe(0);
  });

  it('says nothing of sizes, and says if the list has none of the URLs', async () => {
    writeFileSync(join(folder.path, 'strange.tsv'), 'http://other.example/a\t1\nhttp://other.example/b\t1\n');
    const said = 'none of the 2 URLs with labels is in the list';
    const strange = await command('mine', 'urls.txt', '--from-clusters', 'strange.tsv', '-o', 'strange.json');
    expect(strange.stderr).toContain(said);
    const own = await mine('-o', 'own.json');
    expect(own.stderr).not.toMatch(/none of the|has a size/);
  });

  it('uses keys with --unique only', async () => {
    await mine('-o', 'keys.json', '--no-parameters', '-q');
    const unique = await command('canonize', '-r', 'keys.json', '--unique', '-i', 'urls.txt');
    const all = await command('canonize', '-r', 'keys.json', '-i', 'urls.txt');
    const lines = (text: Uint8Array | string) => text.toString().trim().split('\n');
    expect(lines(all.stdout)).toHaveLength(240);
    expect(new Set(lines(all.stdout)).size).toBe(180);
    expect(lines(unique.stdout)).toHaveLength(120);
    expect(new Set(lines(all.stdout))).toEqual(new Set([...lines(all.stdout), ...lines(unique.stdout)]));
  });

  it('writes the same bytes for any threads and memory', async () => {
    await mine('-o', 'other.json', '--threads', '1', '--memory', '64m', '-q');
    expect(readFileSync(join(folder.path, 'other.json'), 'utf8')).toBe(
      readFileSync(join(folder.path, 'rules.json'), 'utf8'),
    );
  });

  it('leads to the longer side where the lines of the log do', async () => {
    const of = (k: number) => ['articles', 'art'].map((path) => `http://h.test/${path}/story${k}x`);
    const stories = Array.from({ length: 60 }, (_, k) => of(k));
    const clusters = stories.flatMap((urls, k) => urls.map((url) => `${url}\t${k}`));
    const log = stories.flatMap(([long, short]) => [long, long, long, short]);
    writeFileSync(join(folder.path, 'stories.tsv'), `${clusters.join('\n')}\n`);
    writeFileSync(join(folder.path, 'stories.txt'), `${log.join('\n')}\n`);
    const files = ['--from-clusters', 'stories.tsv', '-o', 'stories.json'];
    const { code, stderr } = await command('mine', 'stories.txt', ...files);
    expect(code, stderr).toBe(0);
    const forms = await command('canonize', '-r', 'stories.json', '--', ...of(99));
    expect(forms.stdout.toString()).toBe(`${of(99)[0]}\n${of(99)[0]}\n`);
  });

  it('says that the clusters decided on the likely rules, and that none may be left', async () => {
    expect((await mine('-o', 'rules.json')).stderr).toMatch(
      /, \d+ likely rules?( and \d+ candidates?)? by the log, which/,
    );
    writeFileSync(join(folder.path, 'one.tsv'), 'http://www.example.com/a\t1\n');
    const none = await command('mine', 'urls.txt', '--from-clusters', 'one.tsv', '-o', 'none.json');
    expect(none.stdout.toString()).toBe('No rule held on the clusters.\nWritten to none.json\n');
  });

  it('says what is wrong', async () => {
    expect((await mine('--stage', 'pairs')).stderr).toContain('expected it without');
    const none = await command('mine', 'urls.txt', '--from-clusters', 'urls.txt', '-o', 'x.json');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('expected lines of URL, tab, label')]);
  });
});

describe('a rule that is wrong in some clusters', { timeout: 30_000 }, () => {
  // `?view=1` is the page itself (right), another page (wrong), or has no partner in the list (alone).
  const planted = (right: number, wrong: number, alone: number) =>
    Array.from({ length: right + wrong + alone }, (_, k) => {
      const url = `http://x.example/p/${10_000 + ((k * 7_919) % 89_989)}`;
      const bare = k < right + wrong ? [`${url}\tc${k}`] : [];
      return [...bare, `${url}?view=1\t${k >= right && k < right + wrong ? 'w' : 'c'}${k}`];
    }).flat();

  it.each([
    [40, 0, 300, true],
    [400, 1, 300, true],
    [40, 4, 300, false],
    [40, 8, 0, false],
    [100, 25, 100, false],
  ])('%i right, %i wrong, %i without a partner: valid is %s', async (right, wrong, alone, isValid) => {
    const lines = planted(right, wrong, alone);
    writeFileSync(join(folder.path, 'part.tsv'), lines.join('\n'));
    writeFileSync(join(folder.path, 'part.txt'), lines.map((line) => line.split('\t')[0]!).join('\n'));
    const mined = ['mine', 'part.txt', '--site', 'all', '--from-clusters', 'part.tsv', '-o', 'part.json'];
    const { code, stderr } = await command(...mined);
    expect(code, stderr).toBe(0);
    const { rules } = JSON.parse(readFileSync(join(folder.path, 'part.json'), 'utf8')) as {
      rules: { status: string }[];
    };
    expect(rules.some(({ status }) => status === 'valid')).toBe(isValid);
  });
});

describe('a parameter of which the clusters have no bare URL', { timeout: 30_000 }, () => {
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(folder.path, name), lines.map((line) => `${line}\n`).join(''));
  const record = (url: string, page: number) =>
    JSON.stringify({ url, status: 200, type: 'text/html', size: 1000 + 37 * page, digest: `sha256:${page}` });

  beforeAll(async () => {
    const pages = Array.from({ length: 60 }, (_, k) => k);
    const numbered = pages.flatMap((k) => [0, 1, 2].map((v) => [`http://h.test/p/a${k}b?v=${3 * k + v}x`, k] as const));
    const captured = numbered.map(([url, k]) => record(url, k));
    write('captured.jsonl', captured);
    write('bare.jsonl', [...captured, ...pages.map((k) => record(`http://h.test/p/a${k}b`, k))]);
    write(
      'numbered.tsv',
      numbered.map(([url, k]) => `${url}\t${k}`),
    );
    // Too few clusters for any pattern.
    const flags = ['--from-clusters', 'numbered.tsv', '--min-freq', '100', '-o', 'numbered.json'];
    const { code, stderr } = await command('mine', 'captured.jsonl', ...flags);
    expect([code, stderr]).toEqual([0, expect.stringContaining('1 valid, 1 left')]);
  });

  const ruleIn = (name: string) => {
    const { rules } = JSON.parse(readFileSync(join(folder.path, name), 'utf8')) as { rules: unknown[] };
    expect(rules).toHaveLength(1);
    return rules[0];
  };

  it('is a key, and stays one in an archive without them', async () => {
    expect(ruleIn('numbered.json')).toMatchObject({ name: 'v', use: 'key', verdict: { source: 'clusters' } });
    const { stderr } = await command('validate', 'numbered.json', '--pages', 'captured.jsonl', '-o', 'still.json');
    expect(stderr).toContain('1 only a key (not shown that the images answer)');
    expect(ruleIn('still.json')).toMatchObject({ name: 'v', use: 'key', otherWay: { undecided: 'few-samples' } });
    const mined = await command('mine', 'captured.jsonl', '--pages', 'captured.jsonl', '-o', 'mined.json');
    expect([mined.code, ruleIn('mined.json')]).toMatchObject([0, { name: 'v', status: 'likely' }]);
  });

  it('writes URLs once an archive has them', async () => {
    await command('validate', 'numbered.json', '--pages', 'bare.jsonl', '-o', 'bare.json');
    expect(ruleIn('bare.json')).toMatchObject({ name: 'v', use: 'write', verdict: { source: 'warc', negative: 0 } });
    const { stdout } = await command('canonize', '-r', 'bare.json', '--', 'http://h.test/p/a7b?v=21x');
    expect(stdout.toString()).toBe('http://h.test/p/a7b\n');
  });
});

describe('dustbuster mine --from-clusters, of page records', { timeout: 60_000 }, () => {
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');
  const rulesOf = (name: string) => {
    const { options, ...file } = JSON.parse(read(name)) as { options: { clusters: string } };
    return { file, by: options.clusters };
  };
  const words = (seed: number, count: number) =>
    Array.from({ length: count }, (_, k) => `the w${(seed * 7919 + k * k * 31) % 5003} is of ${k % 7}`).join(' ');

  beforeAll(() => {
    // A story and its copy in another folder, which has a line more: near duplicates, with digests of their own.
    for (let k = 0; k < 40; k++) {
      for (const [path, more] of [
        [`show/s${k}x`, ''],
        [`read/s${k}x`, ' one more'],
      ] as const) {
        mkdirSync(join(folder.path, 'mirror', 'h.test', path), { recursive: true });
        writeFileSync(join(folder.path, 'mirror', 'h.test', path, 'a.html'), `<p>${words(k, 120)}${more}</p>`);
      }
    }
  });

  it.each(['shingles', 'spotsigs', 'sizespotsigs'])('is mining from the clusters of dups, by %s', async (kind) => {
    const sketched = await command('sketch', '--signature', kind, '--mirror', 'mirror', '-o', 'pages.jsonl');
    expect(sketched.code, sketched.stderr).toBe(0);
    await command('dups', 'pages.jsonl', '-o', 'dups.tsv');
    const one = await command('mine', 'pages.jsonl', '--from-clusters', 'pages.jsonl', '-o', 'direct.json');
    const two = await command('mine', 'pages.jsonl', '--from-clusters', 'dups.tsv', '-o', 'twice.json');
    expect([one.code, two.code], one.stderr).toEqual([0, 0]);
    const [direct, twice] = [rulesOf('direct.json'), rulesOf('twice.json')];
    expect(direct.file).toEqual(twice.file);
    expect(read('direct.json')).toContain('"source":"clusters"');
    const said = { shingles: 'db1-4-128 from 0.9', spotsigs: 'sp1-spotsigs.', sizespotsigs: 'sp1-sizespotsigs.' }[
      kind
    ]!;
    expect(direct.by).toContain(`compared by ${said}`);
    expect(direct.by).toContain('; --K 10 --min-freq 3 --fpr-max 0.02 --minsupp 3 --seed ');
    expect(one.stderr).toContain(`80 URLs with labels, compared by ${said}`);
    expect(one.stderr.includes('--signature sizespotsigs has')).toBe(kind === 'shingles');
    await command(
      'mine',
      'pages.jsonl',
      '--from-clusters',
      'pages.jsonl',
      '-o',
      'little.json',
      '--memory',
      '64m',
      '-q',
    );
    expect(read('little.json')).toBe(read('direct.json'));
  });

  it('says which records it cannot use', async () => {
    const [first, ...others] = read('pages.jsonl').trim().split('\n');
    writeFileSync(join(folder.path, 'mixed.jsonl'), [first, ...others, '{"url":'].join('\n'));
    const broken = await command('mine', 'pages.jsonl', '--from-clusters', 'mixed.jsonl', '-o', 'x.json');
    expect([broken.code, broken.stderr]).toEqual([0, expect.stringContaining('80 URLs with labels')]);
    writeFileSync(join(folder.path, 'none.jsonl'), '{"url":"http://h.test/a"}\n');
    const none = await command('mine', 'pages.jsonl', '--from-clusters', 'none.jsonl', '-o', 'x.json');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('expected those of dustbuster sketch')]);
    const cramped = await command(
      'mine',
      'urls.txt',
      '--from-clusters',
      'pages.jsonl',
      '--memory',
      '32k',
      '-o',
      'x.json',
    );
    expect([cramped.code, cramped.stderr]).toEqual([2, expect.stringContaining('do not fit into --memory 32k')]);
  });
});
