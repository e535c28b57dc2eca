import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeRules } from '../../../src/rule/file.js';
import { idOf } from '../../../src/rule/id.js';
import { lineOf } from '../../report/page/visited.js';
import { sampleFile, sampleParameter, sampleRule } from '../../rule/sample.js';
import { run, scratchFolder } from '../process.js';

describe('dustbuster export', () => {
  let folder: ReturnType<typeof scratchFolder>;
  const at = (name: string) => join(folder.path, name);
  const dustbuster = (...args: readonly string[]) => run(['export', ...args], { cwd: folder.path });

  beforeAll(() => {
    folder = scratchFolder();
    const rules = [
      sampleRule('/index.html', '/', { rank: 1, anchor: 'end' }),
      sampleParameter('sid', { rank: 2 }),
      sampleRule('http://c.test/', 'http://b.test/', { rank: 3, anchor: 'start' }),
      sampleRule('c', 'b', { rank: 4, hits: { kept: 0, given: 1200 } }),
      sampleRule('x', 'y z', { rank: 5, hits: { kept: 7, given: 34 } }),
      sampleRule('/likely', '', { rank: 6, anchor: 'end', status: 'likely' }),
    ];
    writeFileSync(at('dustbuster-rules.json'), [...writeRules(sampleFile(rules))].join(''));
    writeFileSync(at('likely.json'), [...writeRules(sampleFile(rules.slice(5)))].join(''));
  });
  afterAll(() => folder.remove());

  it('writes the valid rules, and says on stderr what it left out', async () => {
    const { code, stdout, stderr } = await dustbuster('--to', 'nginx');
    expect(code).toBe(0);
    expect(stderr).toBe(`nginx: 3 of 5 rules
  1 left out: matches anywhere in a URL, even inside values (1200 hits of the log)
  1 left out: has text that needs escapes, or is long (34 hits of the log)
`);
    expect(stdout.toString()).toContain('/index\\.html$');
    expect(stdout.toString()).not.toContain('/likely');
  });

  it('says in the file and on stderr, also with -q, that no rule is in the export', async () => {
    const none = await dustbuster('likely.json', '--to', 'nginx', '--accept', 'confident', '-q');
    expect(none.code).toBe(0);
    expect(none.stderr).toBe(
      'dustbuster: there is no rule in the export, so it changes nothing: --accept confident accepts none of ' +
        'likely.json; dustbuster validate asks the site, --accept likely takes all that the log suggests\n',
    );
    expect(none.stdout.toString()).toContain('# There is no rule in this file, so it changes nothing.');
    const left = await dustbuster('likely.json', '--to', 'clean-param', '--accept', 'likely', '-q');
    expect(left).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/the only rule cannot be written for clean/),
    });
    const some = await dustbuster('--to', 'nginx', '-q');
    expect([some.stderr, some.stdout.includes('changes nothing')]).toEqual(['', false]);
  });

  it('writes likely rules if they are accepted', async () => {
    const { stdout } = await dustbuster('--to', 'apache', '--accept', 'likely');
    expect(stdout.toString()).toContain('/likely');
  });

  it('respects vetoes', async () => {
    const local = { format: 'dustbuster-local', version: 1, rules: [{ veto: true, name: 'sid' }] };
    writeFileSync(at('mine.json'), JSON.stringify(local));
    const { stderr } = await dustbuster('--to', 'varnish', '--local', 'mine.json');
    expect(stderr).toMatch(/^varnish: 2 of 4 rules/m);
  });

  it('lists in JSON which rules are exported, beside a file', async () => {
    const { code, stdout } = await dustbuster('--to', 'nginx', '-o', 'out.conf', '--json');
    expect(code).toBe(0);
    const told = JSON.parse(stdout.toString()) as { counts: object; carried: object[]; left: object[] };
    expect(told.counts).toEqual({ rules: 5, carried: 3, left: 2 });
    expect(told.carried[0]).toMatchObject({ rank: 1, from: '/index.html', to: '/' });
    expect(told.left.at(-1)).toMatchObject({
      reason: 'has text that needs escapes, or is long',
      rule: { rank: 5 },
    });
    expect(readFileSync(at('out.conf'), 'utf8')).toContain('3 of 5 rules');
  });

  it.each(['nginx', 'apache', 'varnish', 'csv'])('writes for %s only the rules that are named', async (target) => {
    const [index, sid] = ['/index\\.html|/index.html', 'sid'].map((text) => new RegExp(text));
    const id = idOf(sampleRule('/index.html', '/', { anchor: 'end' }));
    const one = await dustbuster('--to', target, '--rule', id);
    expect([one.code, one.stderr]).toEqual([0, `${target}: 1 of 1 rule\n`]);
    expect([index, sid].map((named) => named!.test(one.stdout.toString()))).toEqual([true, false]);
    expect((await dustbuster('--to', target, '--rule', id, 'sid')).stderr).toBe(`${target}: 2 of 2 rules\n`);
  });

  it('refuses a name that fits no rule in use', async () => {
    const none = await dustbuster('--to', 'nginx', '--rule', 'sid', 'zzzz');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no rule is "zzzz"')]);
    const unused = await dustbuster('--to', 'nginx', '--rule', '`/likely` at the end is dropped');
    expect([unused.code, unused.stderr]).toEqual([
      2,
      expect.stringMatching(/is likely, and --accept valid does not use it/),
    ]);
  });

  it('says for how many URLs of a list the form is not that of canonize', async () => {
    writeFileSync(at('urls.txt'), 'http://h/index.html\nhttp://h/c\nhttp://h/c?sid=1\nhttp://h/d\n');
    const { code, stdout, stderr } = await dustbuster('--to', 'nginx', '--urls', 'urls.txt');
    expect(code).toBe(0);
    const words =
      '2 of 4 URLs get a form other than that of dustbuster canonize: http://h/c here gets http://h/c, there';
    expect(stderr).toContain(words);
    expect(stdout.toString()).toContain(`# ${words}`);
    writeFileSync(at('empty.txt'), '');
    expect(await dustbuster('--to', 'nginx', '--urls', 'empty.txt')).toMatchObject({ code: 2 });
  });

  it('gives a server no rule that only pages can prove, names twenty of them, and counts the others', async () => {
    const rules = Array.from({ length: 30 }, (_, at) =>
      sampleParameter(`p${at}`, { rank: at + 1, site: 'h.com', status: 'likely', confidence: at === 0 ? 0.97 : 0.9 }),
    );
    writeFileSync(at('unproven.json'), [...writeRules(sampleFile(rules))].join(''));
    const { stdout, stderr } = await run(['export', at('unproven.json'), '--to', 'nginx', '--accept', 'likely']);
    const text = stdout.toString();
    expect(text.match(/: only pages can prove it/g)).toHaveLength(20 + 1);
    expect(text).toContain('#   9 more rules: only pages can prove it');
    expect(text).toContain('1 of 30 rules');
    expect(text).toContain('# rule 1 (h.com), the parameter `p0` is dropped on every page');
    expect(stderr).toContain('29 left out: only pages can prove it (dustbuster validate); pin writes it');
    for (const edge of ['cloudflare', 'cloudfront']) {
      const worker = await run(['export', at('unproven.json'), '--to', edge, '--accept', 'likely']);
      expect(worker.stderr).toContain('29 left out: only pages can prove it');
    }
    const table = await run(['export', at('unproven.json'), '--to', 'csv', '--accept', 'likely', '-q']);
    expect(table.stdout.toString().trimEnd().split('\n')).toHaveLength(31);
  });

  it('lists the targets, one per line', async () => {
    const { code, stdout } = await dustbuster('--list');
    expect(code).toBe(0);
    expect(stdout.toString()).toMatch(/^nginx +\S.*\napache +\S.*\nvarnish +\S/);
  });

  it('says how many hits a cache would have by the rules', async () => {
    writeFileSync(at('urls.txt'), 'http://h.com/a?sid=1\nhttp://h.com/a?sid=2\nhttp://h.com/b\nhttp://h.com/b\n');
    const args = ['--to', 'esm', '-o', 'module.js', '--log', 'urls.txt', '--json'];
    const { stdout, stderr } = await dustbuster(...args);
    expect(stderr).toContain('a cache would have had 25.0 % of 4 requests by their URLs, and 50.0 % by these rules\n');
    expect(JSON.parse(stdout.toString())).toMatchObject({ hits: { requests: 4, before: 1, after: 2 } });
    const hit = (url: string, status = 200) => lineOf({ url: `http://h.com${url}`, status });
    writeFileSync(at('hits.log'), [hit('/a'), hit('/a'), hit('/a', 301), hit('/x.png'), hit('/a', 404)].join(''));
    const documents = await dustbuster('--to', 'esm', '-o', 'm.js', '--log', 'hits.log', '--only-documents');
    expect(documents.stderr).toContain('a cache would have had 50.0 % of 2 requests');
  });

  it('checks an earlier list of parameters without effect, and ends with 1 if it changed', async () => {
    const verdict = { source: 'live', positive: 9, negative: 0, unjudged: {}, positives: [], negatives: [] } as const;
    const list = ['sid', 'ref'].map((name, k) => sampleParameter(name, { rank: k + 1, verdict }));
    writeFileSync(at('one.json'), [...writeRules(sampleFile(list.slice(0, 1)))].join(''));
    writeFileSync(at('two.json'), [...writeRules(sampleFile(list))].join(''));
    await dustbuster('one.json', '--to', 'no-vary-search', '-o', 'keys.conf');
    const same = await dustbuster('one.json', '--to', 'no-vary-search', '--check', 'keys.conf');
    expect([same.code, same.stdout.length]).toEqual([0, 0]);
    const other = await dustbuster('two.json', '--to', 'varnish-key', '--check', 'keys.conf');
    expect([other.code, other.stdout.toString()]).toEqual([1, 'ref on */*: without effect, and not listed\n']);
  });

  it.each([
    [['--to', 'nginx', '--check', 'dustbuster-rules.json'], /--check: got --to nginx; expected one that lists/],
    [['--to', 'varnish-key', '--check', 'none.vcl'], /--check: cannot read none\.vcl/],
    [['--to', 'ngnix'], /got "ngnix", expected nginx, .*did you mean nginx\?/],
    [['--to', 'iis\u001b[31m'], /got "iis\\x1b\[31m", expected nginx, [^?]*\n$/],
    [[], /--to is missing: expected one of nginx/],
    [['--to', 'csv', '--status', '302'], /got --status 302 for csv, which sends no redirects/],
    [['--to', 'nginx', '--status', '303'], /got "303", expected 301, 302, 307, 308/],
    [['--to', 'csv', '--link'], /got --link for csv, which sends no headers/],
    [['--to', 'nginx', '--link', '--status', '302'], /got --link and --status 302; expected either/],
    [['--to', 'nginx', '--simple'], /--simple/],
    [['--to', 'nginx', '--json'], /Name a file for them with -o/],
    [['none-there.json', '--to', 'nginx'], /cannot read none-there\.json/],
    [['dustbuster-rules.json', '--to', 'csv', '-o', './dustbuster-rules.json'], /is the rules file; expected another/],
    [['likely.json', '--to', 'nginx'], /no valid rule in likely\.json: 1 likely.*--accept likely/],
    [['--to', 'nginx', '-o', '/none/there'], /cannot write/],
  ])('is wrong usage with %j', async (args, message) => {
    const { code, stdout, stderr } = await dustbuster(...args);
    expect([code, stdout.length]).toEqual([2, 0]);
    expect(stderr).toMatch(message);
  });
});
