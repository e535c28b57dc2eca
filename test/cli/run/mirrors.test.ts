// `dustbuster mirrors`: from copies of a site as wget makes them to collections, lists and rules, by real command lines.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AvoidedNight } from '../../../src/mirrors/avoided.js';
import type { RulesFile } from '../../../src/rule/rule.js';
import { serve, type Site } from '../../validate/live/site.js';
import { run, scratchFolder } from '../process.js';

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => {
  folder = scratchFolder();
});
afterAll(() => folder.remove());

const dustbuster = (args: string[], input?: string) =>
  run(args, { cwd: folder.path, ...(input !== undefined && { input }) });
const read = (name: string) => readFileSync(join(folder.path, name), 'utf8');

const PAGES = 14;

/** A manual: an index with links to its chapters, each with one to the index and the next one. */
function manual(host: string, path: string, { copy = 'mirror', of = 'it' } = {}): void {
  const put = (name: string, title: string, links: readonly string[]) => {
    const file = join(folder.path, copy, host, path, name);
    mkdirSync(dirname(file), { recursive: true });
    const text = Array.from(
      { length: 80 },
      (_, k) => `<p>${title}, line ${k}: what it says of ${title.length * k}.</p>`,
    );
    const list = links.map((link) => `<li><a href="${link}">${link}</a>`);
    writeFileSync(file, `<html><title>${title}</title>${text.join('')}<ul>${list.join('')}</ul></html>`);
  };
  const chapters = Array.from({ length: PAGES - 1 }, (_, k) => `chapter${k}.html`);
  put('start.html', `A manual of chapters of ${of}`, chapters);
  chapters.forEach((name, k) => put(name, `Chapter ${k} of ${of}`, ['start.html', chapters[k + 1] ?? 'start.html']));
}

describe('dustbuster mirrors', { timeout: 30_000 }, () => {
  it('says of pairs of hosts by URLs what the columns are', async () => {
    const urls = ['a', 'b'].flatMap((host) => ['1', '2', host].map((path) => `http://${host}.example/${path}\n`));
    const { code, stdout, stderr } = await dustbuster(['mirrors', '--by-urls', '--min-pages', '2', '-'], urls.join(''));
    expect([code, stdout.toString()]).toEqual([0, 'a.example\tb.example\t2\t3\t3\t0.5\n']);
    expect(stderr).toContain('columns: host, host, paths of both, paths of the first, paths of the second, share');
  });

  it('finds a manual on two hosts, and makes an avoid list, a roll-up list and a rule of it', async () => {
    manual('a.example', 'docs');
    manual('b.example', 'pub/manual-1.2');
    mkdirSync(join(folder.path, 'mirror/c.example'), { recursive: true });
    const link = '<p>Read <a href="http://a.example/docs/start.html">the manual</a>.</p>';
    writeFileSync(join(folder.path, 'mirror/c.example/index.html'), link);
    const sketched = await dustbuster([
      'sketch',
      '--links',
      '--chunks',
      '4',
      '--mirror',
      'mirror',
      '-o',
      'pages.jsonl',
    ]);
    expect(sketched.code, sketched.stderr).toBe(0);
    const lists = ['--avoid', 'avoid.txt', '--roll-up', 'roll-up.tsv', '--to-rules', 'rules.json', '--chart', 'a.svg'];
    const found = await dustbuster(['mirrors', 'pages.jsonl', '-o', 'collections.json', ...lists]);
    expect(found.code, found.stderr).toBe(0);
    const { clusters, saving } = JSON.parse(read('collections.json')) as {
      clusters: { cardinality: number; size: number; copies: { root: string; folder: string }[] }[];
      saving: unknown;
    };
    expect(clusters.map(({ cardinality, size }) => [cardinality, size])).toEqual([[2, PAGES]]);
    expect(clusters[0]!.copies.map((copy) => copy.root)).toEqual([
      'http://a.example/docs/start.html',
      'http://b.example/pub/manual-1.2/start.html',
    ]);
    expect(saving).toEqual({ pages: 2 * PAGES + 1, saved: PAGES, nearby: 0, similar: 2 * PAGES, similarLeft: 0 });
    expect(read('avoid.txt')).toBe('http://b.example/pub/manual-1.2/\n');
    expect(read('roll-up.tsv')).toContain(
      'http://b.example/pub/manual-1.2/chapter3.html\thttp://a.example/docs/chapter3.html\t1\t2\t',
    );
    expect(read('a.svg')).toContain(`<title>http://a.example/docs/: 2 copies of ${PAGES} pages</title>`);
    const urls = 'http://b.example/pub/manual-1.2/chapter3.html\nhttp://c.example/pub/manual-1.2/\n';
    const { stdout } = await dustbuster(['canonize', '--accept', 'likely', '-r', 'rules.json'], urls);
    expect(stdout.toString()).toBe('http://a.example/docs/chapter3.html\nhttp://c.example/pub/manual-1.2/\n');
  });

  it('saves a page that nothing links to with --nearby, and then the whole folder', async () => {
    const lone = Array.from({ length: 80 }, (_, k) => `<p>Appendix, line ${k}.</p>`).join('');
    for (const name of ['a.example/docs', 'b.example/pub/manual-1.2']) {
      writeFileSync(join(folder.path, 'mirror', name, 'appendix.html'), lone);
    }
    const sketched = await dustbuster(['sketch', '--links', '--chunks', '4', '--mirror', 'mirror', '-o', 'more.jsonl']);
    expect(sketched.code, sketched.stderr).toBe(0);
    const avoided = async (...args: string[]) => {
      const run = [
        'mirrors',
        'more.jsonl',
        '-o',
        'collections.json',
        '--roll-up',
        'roll-up.tsv',
        '--avoid',
        'avoid.txt',
      ];
      const { code, stderr } = await dustbuster([...run, ...args]);
      expect(code, stderr).toBe(0);
      return read('avoid.txt').trimEnd().split('\n');
    };
    expect(await avoided()).toHaveLength(PAGES);
    expect(await avoided('--nearby')).toEqual(['http://b.example/pub/manual-1.2/']);
    expect(read('roll-up.tsv').split('\n')).toContain(
      'http://b.example/pub/manual-1.2/appendix.html\thttp://a.example/docs/appendix.html\t1\t2\t0',
    );
  });

  it('keeps a folder that was avoided, fetches it again within the budget, and drops it when it is no copy', async () => {
    const night = async (day: string, list: string, ...args: string[]) => {
      const lists = ['--history', 'night.json', '-o', 'night.json', '--avoid', 'avoid.txt', '--now', day];
      const { code, stderr } = await dustbuster(['mirrors', list, ...lists, ...args]);
      expect(code, stderr).toBe(0);
      const { history } = JSON.parse(read('night.json')) as { history: AvoidedNight };
      return { ...history, list: read('avoid.txt') };
    };
    const [folder1, principal] = ['http://b.example/pub/manual-1.2/', 'http://a.example/docs/'];
    const known = { folder: folder1, principal, firstSeen: '2026-11-01' };
    const records = read('pages.jsonl').trimEnd().split('\n');
    const without = records.filter((line) => !line.includes('"url":"http://b.example'));
    expect(without.length).toBeLessThan(records.length);
    writeFileSync(join(folder.path, 'less.jsonl'), without.join('\n'));
    const changed = records.map((line) =>
      line.includes('"url":"http://b.example') ? line.replace(/"chunks":\[[^\]]*\]/, '"chunks":["ab"]') : line,
    );
    writeFileSync(join(folder.path, 'changed.jsonl'), changed.join('\n'));
    const first = { ...known, lastConfirmed: '2026-11-01', unseen: 0 };
    expect(await night('2026-11-01', 'pages.jsonl')).toMatchObject({ avoided: [first], list: `${folder1}\n` });
    const second = { ...first, unseen: 1 };
    expect(await night('2026-11-02', 'less.jsonl')).toMatchObject({
      avoided: [second],
      recheck: [],
      list: `${folder1}\n`,
    });
    const third = { avoided: [{ ...first, unseen: 2 }], recheck: [folder1], list: '' };
    expect(await night('2026-11-03', 'less.jsonl', '--budget', '1')).toMatchObject(third);
    const fourth = { avoided: [{ ...known, lastConfirmed: '2026-11-04', unseen: 0 }], list: `${folder1}\n` };
    expect(await night('2026-11-04', 'pages.jsonl')).toMatchObject(fourth);
    expect(await night('2026-11-05', 'changed.jsonl')).toMatchObject({ avoided: [], gone: [folder1], list: '' });
    writeFileSync(join(folder.path, 'odd.json'), '{"history":{"night":"2026-11-01","avoided":[null]}}');
    const odd = await dustbuster(['mirrors', 'pages.jsonl', '--history', 'odd.json']);
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('odd.json has no history')]);
  });

  it('fetches the copies of a principal copy that is gone, at once if the crawl shows it', async () => {
    const lines = read('pages.jsonl').trimEnd().split('\n');
    const ofHost = (line: string, host: string) => line.includes(`"url":"http://${host}.example`);
    const others = lines.filter((line) => !ofHost(line, 'a') && !ofHost(line, 'b'));
    expect(others).toHaveLength(1);
    const gone = lines.find((line) => ofHost(line, 'a'))!.replace('"status":200', '"status":404');
    writeFileSync(join(folder.path, 'others.jsonl'), others.join('\n'));
    writeFileSync(join(folder.path, 'gone.jsonl'), [...others, gone].join('\n'));
    let day = 1;
    const night = async (list: string) => {
      const lists = ['--history', 'orphan.json', '-o', 'orphan.json', '--avoid', 'avoid.txt'];
      const { code, stderr } = await dustbuster(['mirrors', list, ...lists, '--now', `2026-11-0${day++}`]);
      expect(code, stderr).toBe(0);
      const { avoided, recheck } = (JSON.parse(read('orphan.json')) as { history: AvoidedNight }).history;
      return [avoided[0]!.principalUnseen, recheck, read('avoid.txt')];
    };
    const [copy, kept] = ['http://b.example/pub/manual-1.2/', 'http://b.example/pub/manual-1.2/\n'];
    expect(await night('pages.jsonl')).toEqual([0, [], kept]);
    expect(await night('others.jsonl')).toEqual([1, [], kept]);
    expect(await night('others.jsonl')).toEqual([2, [], kept]);
    expect(await night('less.jsonl')).toEqual([0, [], kept]);
    expect(await night('gone.jsonl')).toEqual([1, [copy], '']);
    expect(await night('pages.jsonl')).toEqual([0, [], kept]);
    for (const unseen of [1, 2]) expect(await night('others.jsonl')).toEqual([unseen, [], kept]);
    expect(await night('others.jsonl')).toEqual([3, [copy], '']);
  });

  it('reports what each stage takes with --stages, on standard error only', async () => {
    const plain = await dustbuster(['mirrors', 'more.jsonl', '-q']);
    const { code, stdout, stderr } = await dustbuster(['mirrors', 'more.jsonl', '-q', '--stages', '--memory', '16m']);
    expect(code, stderr).toBe(0);
    expect(stdout).toEqual(plain.stdout);
    const names = stderr.split('\n').map((line) => line.split(/ {2,}/)[0]);
    const stages = ['reading', 'joining pages', 'trivial clusters', 'link summary', 'growing collections', 'writing'];
    expect(names.slice(0, 8)).toEqual(['stage', ...stages, 'all']);
    const { fingerprints } = (JSON.parse(stdout.toString()) as { counts: { fingerprints: number } }).counts;
    const records = read('more.jsonl').trimEnd().split('\n');
    const chunks = records.map((line) => (JSON.parse(line) as { chunks: string[] }).chunks);
    expect(fingerprints).toBe(chunks.flat().length);
    expect(stderr).toContain(`\n${fingerprints} fingerprints, ${((8 * fingerprints) / 1e6).toFixed(1)} MB\n`);
  });

  it('says so if what cannot be sorted on disk takes more than its part of --memory', async () => {
    const plain = await dustbuster(['mirrors', 'more.jsonl', '-q']);
    const { code, stdout, stderr } = await dustbuster(['mirrors', 'more.jsonl', '-q', '--memory', '2k']);
    expect(code, stderr).toBe(0);
    expect(stdout).toEqual(plain.stdout);
    expect(plain.stderr).toBe('');
    expect(stderr).toMatch(
      /^dustbuster: the largest component of linked clusters took .* more than the 384 B that --memory leaves for it/,
    );
  });

  it('takes pages and links from tables', async () => {
    const hosts = ['x', 'y'];
    const numbers = Array.from({ length: 10 }, (_, k) => k);
    const url = (host: string, k: number) => `http://${host}.example/${k === 0 ? '' : k}`;
    const pages = hosts.flatMap((host) => numbers.map((k) => `${url(host, k)},"${k + 1}1 ${k + 1}2"`));
    const links = hosts.flatMap((host) =>
      numbers.slice(1).flatMap((k) => [`${url(host, 0)},${url(host, k)}`, `${url(host, k)},${url(host, 0)}index.html`]),
    );
    writeFileSync(join(folder.path, 'pages.csv'), ['page,fingerprints', ...pages].join('\n'));
    writeFileSync(join(folder.path, 'links.csv'), ['source,destination', ...links, 'no,link'].join('\n'));
    const { code, stdout, stderr } = await dustbuster(['mirrors', 'pages.csv', '--link-table', 'links.csv']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('57 records: 20 pages, 0 redirects, 0 other answers, no http URL 1');
    expect(JSON.parse(stdout.toString())).toMatchObject({
      counts: { links: 36, outside: 0 },
      clusters: [{ cardinality: 2, size: 10 }],
    });
  });

  it('counts what is no record, and says what it expects of a list without links', async () => {
    writeFileSync(
      join(folder.path, 'bad.jsonl'),
      [
        '{"url":"http://h/","status":200,"chunks":["ff"],"links":[]}',
        '{"url":7}',
        '{"url":"junk","redirect":"/x"}',
        '{"url":"http://h/r","redirect":"http://"}',
        'junk\u001b[31m',
        '[]',
        '{"url":"http://h/a","chunks":["g"]}',
      ]
        .map((line) => `${line}\n`)
        .join(''),
    );
    const { code, stderr } = await dustbuster(['mirrors', 'bad.jsonl', '-o', 'x.json']);
    expect(code).toBe(3);
    expect(stderr).toContain('7 records: 1 page, 1 redirect, 0 other answers, no http URL 3');
    expect(stderr).toContain('5 of 7 lines are no records of dustbuster sketch');
    writeFileSync(join(folder.path, 'urls.jsonl'), '{"url":"http://h/"}\n');
    const without = await dustbuster(['mirrors', 'urls.jsonl', '-o', 'y.json']);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('no record in urls.jsonl has links; expected a list by dustbuster sketch --links');
  });
});

describe('dustbuster mirrors --to-rules, then validate --one-site', { timeout: 60_000 }, () => {
  const SECTIONS = ['guide', 'reference'];
  let site: Site;
  let asked: Set<string>;
  const hostOf = (name: string) => `${name}.test:${site.port}`;

  beforeAll(async () => {
    asked = new Set();
    site = await serve((request, response) => {
      const { host = '' } = request.headers;
      asked.add(host.replace(/\.test:.*/, ''));
      if (request.url === '/robots.txt') return;
      // The mirror has begun to send its readers to the original.
      if (host.startsWith('mirror.') && request.url!.includes('chapter1')) {
        response.writeHead(302, { location: `http://${hostOf('original')}${request.url!}` }).end();
        return;
      }
      try {
        response.setHeader('content-type', 'text/html');
        response.end(readFileSync(join(folder.path, 'two', host, request.url!)));
      } catch {
        response.writeHead(404).end(`No ${request.url!} on ${host}`);
      }
    });
    for (const name of ['original', 'mirror']) {
      for (const section of SECTIONS) manual(hostOf(name), section, { copy: 'two', of: `the ${section}` });
    }
    const sketched = await dustbuster(['sketch', '--links', '--chunks', '4', '--mirror', 'two', '-o', 'two.jsonl']);
    expect(sketched.code, sketched.stderr).toBe(0);
    const urls = read('two.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { url: string }).url);
    const strange = urls.map((url) => url.replace(/mirror|original/, 'stranger'));
    writeFileSync(join(folder.path, 'two.txt'), [...urls, ...strange].join('\n'));
    const found = await dustbuster(['mirrors', 'two.jsonl', '-o', 'two.json', '--to-rules', 'two-rules.json']);
    expect(found.code, found.stderr).toBe(0);
  });
  afterAll(() => site.close());

  const validate = (output: string, ...hosts: readonly string[]) => {
    asked.clear();
    const names = ['original', 'mirror', 'stranger'].map((name) => `${name}.test=127.0.0.1`);
    const live = ['--rate', '1000', '--fetch-cache', 'none', '--allow-private', '--resolve', ...names];
    const one = hosts.length === 0 ? [] : ['--one-site', ...hosts];
    return dustbuster(['validate', 'two-rules.json', '--test', 'two.txt', '-o', output, ...live, ...one]);
  };
  const statusOf = (name: string) => (JSON.parse(read(name)) as RulesFile).rules.map(({ status }) => status);

  it('validates the alias of a host, asks no other host, and canonize applies it', async () => {
    expect(statusOf('two-rules.json')).toEqual(['likely']);
    const { code, stderr } = await validate('two-valid.json', 'original.test', 'mirror.test');
    expect(code, stderr).toBe(0);
    // The mirror has the shorter name, but the site redirects to the original.
    expect(statusOf('two-valid.json')).toContain('valid');
    expect([...asked].sort()).toEqual(['mirror', 'original']);
    const urls = `http://${hostOf('mirror')}/guide/chapter3.html\nhttp://${hostOf('stranger')}/guide/start.html\n`;
    const { stdout } = await dustbuster(['canonize', '-r', 'two-valid.json'], urls);
    expect(stdout.toString()).toBe(urls.replace('mirror', 'original'));
  });

  it('asks nothing of a host that is not named, and leaves its rules as they are', async () => {
    const two = JSON.parse(read('two-rules.json')) as RulesFile;
    const [alias] = two.rules;
    const [from, to] = [`http://${hostOf('stranger')}/`, `http://${hostOf('original')}/`];
    const other = { ...alias!, from, to, examples: [[from, to]], rank: 2 };
    writeFileSync(join(folder.path, 'two-rules.json'), JSON.stringify({ ...two, rules: [alias, other] }));
    const { code, stderr } = await validate('two-named.json', 'stranger.test', 'original.test');
    expect(code, stderr).toBe(3); // one of the two has no such pages, so none could be compared
    expect([...asked].sort()).toEqual(['original', 'stranger']);
    const { rules } = JSON.parse(read('two-named.json')) as RulesFile;
    expect(rules.find((rule) => 'to' in rule && rule.to?.includes('mirror'))).toMatchObject({
      ...alias,
      rank: expect.any(Number),
    });
    const none = await validate('none.json', 'stranger.test', 'other.test');
    writeFileSync(join(folder.path, 'two-rules.json'), JSON.stringify(two));
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no rule leads from one of stranger.test')]);
  });

  it('says what it expected of odd hosts, and of rules that belong to a site', async () => {
    const odd = await validate('odd.json', 'http://mirror.test/');
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('got "http://mirror.test/", expected a host')]);
    const alone = await validate('odd.json', 'mirror.test', 'mirror.test');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('expected two hosts or more')]);
  });
});
