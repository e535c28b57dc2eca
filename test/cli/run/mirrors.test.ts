// `dustbuster mirrors`: from copies of a site as wget makes them to collections, lists and rules, by real command lines.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
function manual(host: string, path: string): void {
  const put = (name: string, title: string, links: readonly string[]) => {
    const file = join(folder.path, 'mirror', host, path, name);
    mkdirSync(dirname(file), { recursive: true });
    const text = Array.from(
      { length: 80 },
      (_, k) => `<p>${title}, line ${k}: what it says of ${title.length * k}.</p>`,
    );
    const list = links.map((link) => `<li><a href="${link}">${link}</a>`);
    writeFileSync(file, `<html><title>${title}</title>${text.join('')}<ul>${list.join('')}</ul></html>`);
  };
  const chapters = Array.from({ length: PAGES - 1 }, (_, k) => `chapter${k}.html`);
  put('start.html', 'A manual of chapters', chapters);
  chapters.forEach((name, k) => put(name, `Chapter ${k} of it`, ['start.html', chapters[k + 1] ?? 'start.html']));
}

describe('dustbuster mirrors', { timeout: 30_000 }, () => {
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
    const lists = ['--avoid', 'avoid.txt', '--roll-up', 'roll-up.tsv', '--to-rules', 'rules.json'];
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

  it('takes pages and links from tables', async () => {
    const hosts = ['x', 'y'];
    const numbers = Array.from({ length: 10 }, (_, k) => k);
    const url = (host: string, k: number) => `http://${host}.example/${k}`;
    const pages = hosts.flatMap((host) => numbers.map((k) => `${url(host, k)},"${k + 1}1 ${k + 1}2"`));
    const links = hosts.flatMap((host) => numbers.slice(1).map((k) => `${url(host, 0)},${url(host, k)}`));
    writeFileSync(join(folder.path, 'pages.csv'), ['page,fingerprints', ...pages].join('\n'));
    writeFileSync(join(folder.path, 'links.csv'), ['source,destination', ...links, 'no,link'].join('\n'));
    const { code, stdout, stderr } = await dustbuster(['mirrors', 'pages.csv', '--link-table', 'links.csv']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('39 records: 20 pages, 0 redirects, 0 other answers, no http URL 1');
    expect(JSON.parse(stdout.toString())).toMatchObject({ clusters: [{ cardinality: 2, size: 10 }] });
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
    expect(stderr).toContain('7 records: 1 pages, 1 redirects, 0 other answers, no http URL 3');
    expect(stderr).toContain('5 of 7 lines are no records of dustbuster sketch');
    writeFileSync(join(folder.path, 'urls.jsonl'), '{"url":"http://h/"}\n');
    const without = await dustbuster(['mirrors', 'urls.jsonl', '-o', 'y.json']);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('no record in urls.jsonl has links; expected a list by dustbuster sketch --links');
  });
});
