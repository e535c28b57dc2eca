import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRules } from '../../../src/rule/file.js';
import { sampleFile, sampleRule } from '../../rule/sample.js';
import { FIXTURES, run, scratchFolder } from '../process.js';

const folder = scratchFolder();
const put = (name: string, content: string | Buffer) => writeFileSync(join(folder.path, name), content);
const robots = (...args: string[]) => run(['robots', ...args], { cwd: folder.path, env: { COLUMNS: '200' } });

beforeAll(() => {
  const line = (url: string, agent: string, from = '-') =>
    `1.2.3.4 - - [20/Nov/2026:10:00:00 +0000] "GET ${url} HTTP/1.1" 200 100 "${from}" "${agent}"\n`;
  const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';
  const urls = ['/shop/a', '/shop/b', '/index.html', '/', '/list?sort=name', '/list?page=2&sort=name'];
  put(
    'access.log',
    urls.map((url) => line(url, bot)).join('') + line('/shop/a', browser, 'https://www.google.com/').repeat(3),
  );
  put(
    'searched.log',
    urls.map((url) => line(url, bot)).join('') + line('/list?sort=name', browser, 'https://www.google.com/'),
  );
  put('hosts.log', ['a.test:443', 'a.test:80', 'b.test:80'].map((host) => `${host} ${line('/shop/a', bot)}`).join(''));
  put('robots.txt', 'User-agent: *\nDisallow: /shop/\nDisallow: /index.html\nDisallow: /*?sort=\n');
  put('right.txt', '\ufeffUser-agent: *\nDisallow: /*?sort=\nDisallow: /*&sort=\n');
  put('page.txt', '<!DOCTYPE html><p>Not found');
  put('empty.txt', '');
  put('long.txt', `User-agent: *\n${'Disallow: /nobody\n'.repeat(40_000)}`);
  put('rules.json', [...writeRules(sampleFile([sampleRule('/index.html', '/')]))].join(''));
  put('guess.json', [...writeRules(sampleFile([{ ...sampleRule('/index.html', '/'), status: 'likely' }]))].join(''));
  const parameter = { site: '', name: 'sort', urls: 2, hits: 2, values: ['name'], isByValue: false, different: 0 };
  const crawlSpace = [{ kind: 'facets', parameters: [{ ...parameter, changed: 'nowhere' }] }];
  put('report.json', JSON.stringify({ format: 'dustbuster-report', version: 1, log: { crawlSpace } }));
  put('other.json', '{"format":"dustbuster-rules"}');
});
afterAll(() => folder.remove());

describe('robots', () => {
  it('says what each line does, and the sum in one sentence', async () => {
    const { code, stdout, stderr } = await robots('robots.txt', '--log', 'access.log');
    const text = stdout.toString();
    expect(code).toBe(0);
    expect(text).toContain(
      'With robots.txt bots would have left out 4 of their 6 requests; 1 line shuts 1 page with 3 visits from search. ' +
        'Tried on 9 requests for 6 URLs of 2026-11-20.',
    );
    expect(text).toMatch(/^ +2 +2 +2 +2 {2}Disallow: \/shop\/$/m);
    expect(text).toMatch(/^Googlebot +search +\* +6 +4 +never +-$/m);
    expect(stderr).toContain('access.log (combined): 9 lines');
  });

  it('is for CI with --check', async () => {
    const wrong = await robots(
      'robots.txt',
      '--log',
      'access.log',
      '-r',
      'rules.json',
      '--accept',
      'likely',
      '--check',
    );
    expect([wrong.code, wrong.stdout.toString().split('\n')]).toEqual([
      1,
      [
        'robots.txt:2: hides 1 page with 3 visits from search, such as /shop/a',
        expect.stringMatching(
          /^robots.txt:3: hides 1 URL that the rules give another form: .*, such as .*\/index.html$/,
        ),
        'robots.txt:4: misses 1 URL where the parameter is not the first: add Disallow: /*&sort=',
        '',
      ],
    ]);
    const right = await robots('right.txt', '--log', 'access.log', '--check', '-q');
    expect(right).toMatchObject({ code: 0, stderr: '' });
    expect(right.stdout.toString()).toBe('');
  });

  it('tries lines for what a report has found', async () => {
    const { stdout } = await robots('empty.txt', '--log', 'access.log', '--propose', 'report.json');
    expect(stdout.toString()).toContain('  Disallow: /*?sort=\n  Disallow: /*&sort=\n');
    expect(stdout.toString()).toContain(
      'With these 2 lines at its end bots would have left out 2 of their 6 requests, instead of 0.',
    );
    const json = await robots('empty.txt', '--log', 'access.log', '--propose', 'report.json', '--json');
    expect(JSON.parse(json.stdout.toString())).toMatchObject({
      format: 'dustbuster-robots',
      log: { requests: 9, urls: 6, from: '2026-11-20T10:00:00.000Z' },
      forbidden: 0,
      proposed: {
        spared: 2,
        refused: [],
        lines: [
          { hits: 1, urls: 1 },
          { hits: 1, urls: 1 },
        ],
      },
    });
  });

  it('does not propose what would hide pages with visits from search, and cites what it does not', async () => {
    const { stdout } = await robots('empty.txt', '--log', 'searched.log', '--propose', 'report.json');
    const [, proposed] = stdout.toString().split('Proposed for what the report has found, tried on this log:');
    expect(proposed?.split('\n').filter((line) => line !== '')).toEqual([
      '  User-agent: *',
      '  Disallow: /*&sort=',
      '  # not proposed, as it hides 1 page with 1 visit from search, such as /list?sort=name; it would spare 1 request of bots:',
      '  # Disallow: /*?sort=',
      'With this line at its end bots would have left out 1 of their 6 requests, instead of 0. No page with visits from search is shut by that, and no redirect hidden.',
    ]);
  });

  it('takes no guessed rule for a redirect, and says so', async () => {
    const args = ['robots.txt', '--log', 'access.log', '-r', 'guess.json', '--accept', 'likely'];
    const { stdout } = await robots(...args);
    expect(stdout.toString()).toContain('1 rule in use is not proven: URLs that it changes count as hidden only where');
    expect((await robots(...args, '--check')).stdout.toString()).not.toContain('another form');
  });

  it('lists the hosts of a log, as a robots.txt is for one of them', async () => {
    const { stdout } = await robots('robots.txt', '--log', 'hosts.log');
    expect(stdout.toString()).toContain(
      'The log has 2 hosts, and a robots.txt is for one: choose with --host. They are a.test (2 requests), b.test (1 request).',
    );
    const one = await robots('robots.txt', '--log', 'hosts.log', '--host', 'a.test');
    expect(one.stdout.toString()).not.toContain('--host');
  });

  it('reads the fixture', async () => {
    const file = join(FIXTURES, 'robots.txt');
    const { code, stdout } = await robots(
      file,
      '--log',
      join(FIXTURES, 'access.log'),
      '--host',
      'example.test',
      '--json',
    );
    const { lines, findings } = JSON.parse(stdout.toString()) as {
      lines: { line: number; hits: number; idle?: string }[];
      findings: { line: number; kind: string }[];
    };
    const hits = (host: RegExp, path: RegExp) =>
      readFileSync(join(FIXTURES, 'access.log'), 'latin1')
        .split('\n')
        .filter((line) => host.test(line) && path.test(line)).length;
    expect(code).toBe(0);
    expect(lines.map(({ line, hits: count, idle }) => [line, count, idle])).toEqual([
      [3, 0, 'no-match'],
      [4, hits(/^example\.test/, /"(?:GET|HEAD) [^ ]*\?C=/), undefined],
      [5, hits(/^example\.test/, /"(?:GET|HEAD) \/manual\/da\/(?!mod\/|howto\/)/), undefined],
      [6, hits(/^example\.test/, /"(?:GET|HEAD) \/manual\/da\/mod\//), undefined],
      [7, hits(/^example\.test/, /"(?:GET|HEAD) \/manual\/da\/howto\//), 'no-change'],
      [8, hits(/^example\.test/, /"(?:GET|HEAD) \/docs\/2\.4\/ko\//), expect.anything()],
      [12, 0, 'no-agent'],
    ]);
    expect(findings.map(({ line, kind }) => [line, kind])).toEqual(expect.arrayContaining([[8, 'syntax']]));
  });

  it.each([
    [['page.txt', '--log', 'access.log'], 'page.txt is a page in HTML, expected a robots.txt'],
    [['none.txt', '--log', 'access.log'], 'cannot read none.txt: there is no such file'],
    [['https://h.test/robots.txt', '--log', 'access.log'], 'expected a file: save it first'],
    [['robots.txt', '--log', 'empty.txt'], 'found no request in the log'],
    [['robots.txt', '--log', 'access.log', '--propose', 'other.json'], 'expected that of report --json LOG'],
    [['robots.txt', '--log', 'access.log', '--propose', 'robots.txt'], 'robots.txt is no JSON'],
    [['robots.txt', '--log', 'access.log', '--check', '--json'], 'got --check and --json; expected one'],
    [['robots.txt', '--log', 'access.log', '--live-since', 'soon'], '--live-since: got "soon"'],
    [['robots.txt'], "required option '--log"],
  ])('refuses in plain words: %j', async (args, says) => {
    const { code, stderr } = await robots(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('reads an empty file, and no more than 500 KiB', async () => {
    const empty = await robots('empty.txt', '--log', 'access.log');
    expect([empty.code, empty.stdout.toString()]).toEqual([0, expect.stringContaining('No line forbids or allows')]);
    const long = await robots('long.txt', '--log', 'access.log');
    expect([long.code, long.stdout.toString()]).toEqual([0, expect.stringContaining('longer than 500 KiB')]);
  });
});
