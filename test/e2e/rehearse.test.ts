// `dustbuster rehearse` with a real server, and a site that keeps, loses, hides or blocks its pages.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findServer, REHEARSABLE, startServer } from '../../src/cli/run/rehearse/server.js';
import { writeRules } from '../../src/rule/file.js';
import { idOf } from '../../src/rule/id.js';
import { BIN, run, scratchFolder } from '../cli/process.js';
import { sampleFile, sampleParameter, sampleRule } from '../rule/sample.js';
import { wordsOf } from '../validate/function-source.js';

const installed = REHEARSABLE.filter((name) =>
  ['/usr/sbin/nginx', '/usr/sbin/apache2', '/usr/sbin/varnishd'].some(
    (path) => path.includes(name) && existsSync(path),
  ),
);
if (process.env['DUSTBUSTER_E2E'] === '1' && installed.length < REHEARSABLE.length) {
  throw new Error('DUSTBUSTER_E2E=1 asks for servers: install nginx-light, apache2-bin and varnish');
}

/** How rules files record a log. */
const READ = { format: 'urls', lines: 3, records: 3, dropped: {}, rejected: {}, truncated: false } as const;

let folder: ReturnType<typeof scratchFolder>;
let site: Server;
let base: string;
let requests = 0;
let robots: string | undefined;
/** A status, a text, or where it redirects to. */
let said: (path: string) => number | string | { readonly to: string };

const pageOf = (path: string) => wordsOf(path.replace(/\?.*$/, '').replace('.html', '').replace(/\W/g, '_'));
const names = Array.from({ length: 20 }, (_, k) => `/${'abcdefghijklmnopqrst'[k]}`);

beforeAll(async () => {
  folder = scratchFolder();
  site = createServer((request, response) => {
    requests++;
    const answer = request.url === '/robots.txt' ? (robots ?? 404) : said(request.url!);
    response.statusCode = typeof answer === 'number' ? answer : typeof answer === 'object' ? 302 : 200;
    response.setHeader('content-type', 'text/plain');
    if (typeof answer === 'object') response.setHeader('location', answer.to);
    response.end(typeof answer === 'string' ? answer : 'no');
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const rules = [sampleParameter('sid', { rank: 1 }), sampleRule('.html', '', { rank: 2, anchor: 'end' })];
  const file = sampleFile(rules);
  writeFileSync(join(folder.path, 'rules.json'), [...writeRules(file)].join(''));
  const ofAll = { ...file, options: { ...file.options, site: 'all' as const } };
  writeFileSync(join(folder.path, 'all.json'), [...writeRules(ofAll)].join(''));
  const urls = names.flatMap((name) => [`${base}${name}?sid=1`, `${base}${name}.html`, `${base}${name}`]);
  writeFileSync(join(folder.path, 'urls.txt'), `${urls.join('\n')}\nhttp://other.example/a?sid=1\n`);
});
beforeEach(() => {
  requests = 0;
  robots = undefined;
  said = pageOf;
});
afterAll(async () => {
  await new Promise((done) => site.close(done));
  folder.remove();
});

function rehearse(to: string, ...more: readonly string[]) {
  const how = ['--allow-private', '--rate', '1000', '--base', base, '--urls', 'urls.txt'];
  return run(['rehearse', 'rules.json', '--to', to, ...how, ...more], { cwd: folder.path });
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // it has just ended
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); await sleep(20)) if (Date.now() > end) throw new Error('in vain');
}

describe.each(installed)('a rehearsal in %s', { timeout: 60_000 }, (name) => {
  it('leaves no server behind if it is killed', async () => {
    const inside = mkdtempSync(join(folder.path, 'tmp-'));
    for (const path of [folder.path, inside]) chmodSync(path, 0o755); // varnish gives up root
    // The site never answers, so that the rehearsal does not end.
    const silent = createServer(() => undefined);
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const args = ['rehearse', 'rules.json', '--to', name, '--allow-private', '--base', at];
    writeFileSync(join(folder.path, 'silent.txt'), `${at}/a?sid=1\n`);
    const child = spawn(process.execPath, [BIN, ...args, '--urls', 'silent.txt'], {
      cwd: folder.path,
      env: { ...process.env, TMPDIR: inside },
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.once('exit', done));
    const serving = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(inside));
    await until(() => serving().length > 1);
    child.kill('SIGKILL');
    await ended;
    await until(() => serving().length === 0 && readdirSync(inside).length === 0);
    silent.closeAllConnections();
    await new Promise((done) => silent.close(done));
  });

  it('writes the export if every redirect ends at the page that the URL has', async () => {
    const { code, stdout, stderr } = await rehearse(name);
    expect(stderr).toContain(
      `${name}: 60 URLs replayed: 40 redirected, each once\n40 compared with the site: 40 end at`,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 of 2 rules survived')]);
    const { stdout: exported } = await run(['export', 'rules.json', '--to', name], { cwd: folder.path });
    expect(stdout.toString()).toBe(exported.toString());
    // Each URL, its form, and robots.txt; the other site is not asked.
    expect(requests).toBe(61);
  });

  it('takes a rule out that leads to a page that is gone, and rehearses the rest again', async () => {
    said = (path) => (path === '/c' ? 404 : pageOf(path));
    const { code, stderr } = await rehearse(name, '-o', `${name}.conf`);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `taken out: rule 2 (*), \`.html\` at the end is dropped: ${base}/c.html ends at a page that is gone`,
    );
    expect(stderr).toContain('0 of 2 rules survived');
    const written = readFileSync(join(folder.path, `${name}.conf`), 'utf8');
    expect(written).toContain('0 of 2 rules');
    expect(written).toContain(
      `rule 2 (*), \`.html\` at the end is dropped: taken out by rehearse, as ${base}/c.html ends at a page that`,
    );
  });
});

describe.skipIf(!installed.includes('nginx'))('a rehearsal', { timeout: 60_000 }, () => {
  it('says how what was taken out stays out, and with --veto sees to it', async () => {
    said = (path) => (path === '/c' ? 404 : pageOf(path));
    const dustbuster = (...args: string[]) => run(args, { cwd: folder.path });
    const left = await rehearse('nginx', '-o', 'left.conf');
    const ids = [sampleParameter('sid'), sampleRule('.html', '', { anchor: 'end' })].map(idOf);
    for (const id of ids) expect(left.stderr).toMatch(new RegExp(`^taken out: .*; id ${id}$`, 'm'));
    expect(left.stderr).toMatch(
      new RegExp(
        `rules\\.json still has the rules, and so will the next export; .*: dustbuster veto rules\\.json ${ids.join(' ')}\n`,
      ),
    );
    expect(existsSync(join(folder.path, 'rules.local.json'))).toBe(false);

    const { code, stderr, stdout } = await rehearse('nginx', '--veto', '-o', 'vetoed.conf', '--json');
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout.toString())).toMatchObject({ vetoedIn: 'rules.local.json' });
    const exported = await dustbuster('export', 'rules.json', '--to', 'nginx');
    expect([exported.code, exported.stderr]).toEqual([2, expect.stringContaining('2 vetoed')]);
    const { stdout: list } = await dustbuster('veto', 'rules.json', '--list');
    expect(list.toString()).toContain(`rehearse --to nginx: ${base}/c.html ends at a page that is gone`);
    expect((await dustbuster('veto', 'rules.json', ...ids, '--undo')).code).toBe(0);
    expect((await dustbuster('export', 'rules.json', '--to', 'nginx')).code).toBe(0);
  });

  it('vetoes nothing without a file for it, or of a site that blocks', async () => {
    const refused = await rehearse('nginx', '--veto', '--no-local', '-o', 'x.conf');
    expect([refused.code, refused.stderr, requests]).toEqual([2, expect.stringContaining('got --no-local'), 0]);
    const both = await rehearse('nginx', '--veto', '-o', 'rules.local.json');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('is for the vetoes and for the export')]);
    said = (path) => (requests < 20 ? pageOf(path) : 403);
    expect((await rehearse('nginx', '--veto', '--local', 'no.json', '-o', 'x.conf')).code).toBe(2);
    writeFileSync(join(folder.path, 'none.json'), '{"format":"dustbuster-local","version":1,"rules":[]}');
    expect((await rehearse('nginx', '--veto', '--local', 'none.json', '-o', 'x.conf')).code).toBe(3);
    expect(readFileSync(join(folder.path, 'none.json'), 'utf8')).toContain('"rules":[]');
  });

  describe('after a validation that kept every page', () => {
    const env = () => ({ XDG_CACHE_HOME: join(folder.path, 'caches') });
    const ofThisSite = () => ['--allow-private', '--rate', '1000', '--base', base];
    const again = (...more: string[]) => {
      const how = ['--to', 'nginx', '-o', 'again.conf', '--urls', 'urls.txt', ...ofThisSite(), ...more];
      return run(['rehearse', 'rules.json', ...how], { cwd: folder.path, env: env() });
    };

    beforeEach(async () => {
      rmSync(join(folder.path, 'caches'), { recursive: true, force: true });
      rmSync(join(folder.path, 'again.conf'), { force: true });
      const how = ['--test', 'urls.txt', '--audit', '1000', '-o', 'audited.json', ...ofThisSite()];
      const audited = await run(['validate', 'all.json', '-q', ...how], { cwd: folder.path, env: env() });
      // 60 pages, robots.txt, and probes of the audit: URLs that the list lacks.
      expect([audited.code, audited.stderr, requests]).toEqual([0, '', 102]);
      requests = 0;
    });

    it('asks for each page anew, unless the cache is asked for', async () => {
      const anew = await again();
      expect([anew.code, requests]).toEqual([0, 61]);
      expect(anew.stderr).toMatch(/^asked: 61 requests to the site, each page anew$/m);
      requests = 0;
      const kept = await again('--fetch-cache', 'caches/dustbuster');
      expect([kept.code, requests]).toEqual([0, 0]);
      expect(kept.stderr).toMatch(
        /^asked: 0 requests to the site; 60 answers came from the cache, the oldest of \d+ (second|minute)s? ago$/m,
      );
      const { stdout } = await again('--fetch-cache', 'caches/dustbuster', '--json');
      const { requests: made, answered } = JSON.parse(stdout.toString()) as Record<string, unknown>;
      expect({ made, answered }).toEqual({
        made: 0,
        answered: { site: 0, cache: 60, oldest: expect.stringMatching(/^\d{4}-.*Z$/) },
      });
    });

    it('fills a cache that is asked for, and says apart what is of it', async () => {
      expect((await again('--fetch-cache', 'own')).code).toBe(0);
      expect(requests).toBe(61);
      const lines = readFileSync(join(folder.path, 'own/fetched.jsonl'), 'utf8').split('\n');
      const left = lines.filter((line) => !/\/a[.?"]/.test(line));
      writeFileSync(join(folder.path, 'own/fetched.jsonl'), left.join('\n'));
      const { stderr } = await again('--fetch-cache', 'own');
      expect(stderr).toMatch(/^asked: 3 requests to the site; 57 answers came from the cache, /m);
    });

    it.each([
      [
        'without the cache',
        [],
        /^dustbuster: of 40 redirects that were asked about at http:\S+, not one could be compared \(/m,
      ],
      [
        'with a part of the pages in the cache',
        ['--fetch-cache', 'caches/dustbuster'],
        /^dustbuster: the site answered nothing: the \d+ redirects that were compared have pages of the cache only/m,
      ],
    ])('of a site that is down by now knows nothing, %s', async (_, more, says) => {
      const cache = join(folder.path, 'caches/dustbuster/fetched.jsonl');
      const lines = readFileSync(cache, 'utf8').split('\n');
      writeFileSync(cache, lines.filter((line) => !/\/[ab][.?"]/.test(line)).join('\n'));
      const closed = new Promise((done) => site.close(done));
      site.closeAllConnections();
      await closed;
      try {
        const { code, stderr } = await again(...more);
        expect([code, stderr]).toEqual([3, expect.stringMatching(says)]);
        expect(stderr).toMatch(/^not compared, network \d+: no connection; check/m);
        expect(stderr).not.toMatch(/40 end at the same page|survived/);
        expect(existsSync(join(folder.path, 'again.conf'))).toBe(false);
        const quiet = await again('-q', ...more);
        expect([quiet.code, quiet.stderr]).toEqual([3, expect.stringMatching(says)]);
        const { code: exit, stdout } = await again('--json', ...more);
        const summary = JSON.parse(stdout.toString()) as { rounds: [{ unjudged: Record<string, number> }] };
        expect([exit, summary]).toEqual([
          3,
          expect.objectContaining({ isWritten: false, answered: expect.anything() }),
        ]);
        expect(Object.keys(summary.rounds[0].unjudged)).toContain('u: network');
      } finally {
        await new Promise<void>((done) => site.listen(Number(new URL(base).port), '127.0.0.1', done));
      }
    });
  });

  it('that no URL takes part in has shown nothing', async () => {
    writeFileSync(join(folder.path, 'plain.txt'), `${base}/a\n${base}/b\n`);
    const how = ['--to', 'nginx', '--base', base, '--allow-private', '--urls', 'plain.txt', '-o', 'plain.conf'];
    const { code, stderr } = await run(['rehearse', 'rules.json', ...how], { cwd: folder.path });
    expect([code, requests, existsSync(join(folder.path, 'plain.conf'))]).toEqual([3, 0, false]);
    expect(stderr).toMatch(/^dustbuster: the server redirects none of 2 URLs, so the site was asked for nothing; /m);
    expect(stderr).toMatch(/^dustbuster: name a log .* with --urls$/m);
  });

  it('is told by robots.txt that nothing may be asked for', async () => {
    robots = 'User-agent: *\nDisallow: /';
    const { code, stderr } = await rehearse('nginx', '-q', '-o', 'robots.conf');
    expect([code, requests]).toEqual([3, 1]);
    expect(stderr).toMatch(/not one could be compared \(robots 40\); nothing is written\n.*allow dustbuster there/);
  });

  it('replays every log of the rules, under its name of today', async () => {
    const cwd = mkdtempSync(join(folder.path, 'logs-'));
    const dustbuster = (...args: string[]) => run(args, { cwd });
    const file = {
      ...sampleFile([sampleParameter('sid')]),
      inputs: [{ ...READ, name: 'access.log' }],
    };
    writeFileSync(join(cwd, 'rules.json'), [...writeRules(file)].join(''));
    writeFileSync(join(cwd, 'access.log'), `${base}/a?sid=1\n`);
    writeFileSync(join(cwd, 'access.log.1'), `${base}/b?sid=1\n${base}/c?sid=1\n`);
    writeFileSync(join(cwd, 'access.log.2.gz'), gzipSync(`${base}/d?sid=1\n${base}/e?sid=1\n`));
    for (const [days, name] of ['access.log', 'access.log.1', 'access.log.2.gz'].entries())
      utimesSync(join(cwd, name), 1.8e9 - 86_400 * days, 1.8e9 - 86_400 * days);
    const how = ['--to', 'nginx', '--allow-private', '--rate', '1000', '--base', base, '-o', 'x.conf'];
    const { code, stderr } = await dustbuster('rehearse', 'rules.json', ...how);
    expect([code, stderr]).toEqual([0, expect.stringContaining('nginx: 5 URLs replayed: 5 redirected')]);
    expect(stderr).toMatch(/^dustbuster: .*access\.log, access\.log\.1, access\.log\.2\.gz/m);
    expect(requests).toBe(11);
  });

  it('writes nothing if the site blocks in the middle, or is down', async () => {
    said = (path) => (requests < 20 ? pageOf(path) : 403);
    const blocked = await rehearse('nginx', '-o', 'blocked.conf');
    expect([blocked.code, existsSync(join(folder.path, 'blocked.conf'))]).toEqual([3, false]);
    expect(blocked.stderr).toMatch(/it is down or blocks; nothing is written/);
    writeFileSync(join(folder.path, 'down.txt'), names.map((name) => `http://127.0.0.1:1025${name}?sid=1\n`).join(''));
    const down = await rehearse('nginx', '-o', 'down.conf', '--urls', 'down.txt', '--base', 'http://127.0.0.1:1025');
    expect([down.code, existsSync(join(folder.path, 'down.conf'))]).toEqual([3, false]);
    expect(down.stderr).toMatch(/not one could be compared \(.*network.*\); nothing is written/);
    said = pageOf;
    const short = await rehearse('nginx', '--max-fetches', '9');
    expect([short.code, short.stdout.length]).toEqual([3, 0]);
    expect(short.stderr).toMatch(/9 requests \(--max-fetches\) were enough for 4 comparisons only; nothing is written/);
  });

  const maintenance = wordsOf('we_are_back_soon');
  const atOnce: [string, () => typeof said, string, string][] = [
    ['is under maintenance from the start', () => () => maintenance, 'not one could be compared', 'in a browser'],
    ['goes under maintenance', () => inTheMiddle(() => maintenance), 'the site changed while', 'as it stays'],
    [
      'sends all to a login',
      () => inTheMiddle((path) => (path === '/login' ? wordsOf('login') : { to: '/login' })),
      'the site changed while',
      'as it stays',
    ],
    ['blocks by 429', () => inTheMiddle(() => 429), 'it is down or blocks', 'with a lower --rate'],
    ['loses every page', () => inTheMiddle(() => 404), 'it is down or blocks', 'with a lower --rate'],
    [
      'has lost most pages since the log',
      () => (path) => (/^\/[a-f]/.test(path) ? pageOf(path) : 404),
      'their pages are gone',
      'a newer log or list',
    ],
  ];

  /** From the 30th request on. */
  function inTheMiddle(then: typeof said): typeof said {
    return (path) => (requests <= 30 ? pageOf(path) : then(path));
  }

  it.each(atOnce)(
    'of a site that %s blames no rule, and leaves the export there was',
    async (_, saying, says, advice) => {
      said = saying();
      writeFileSync(join(folder.path, 'old.conf'), 'the export of yesterday');
      const { code, stderr } = await rehearse('nginx', '-o', 'old.conf');
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(new RegExp(`^dustbuster: .*${says}.*; nothing is written$`, 'm')),
      ]);
      expect(stderr).toMatch(new RegExp(`^dustbuster: .*${advice}`, 'm'));
      expect(stderr).not.toMatch(/taken out|survived/);
      expect(readFileSync(join(folder.path, 'old.conf'), 'utf8')).toBe('the export of yesterday');
    },
  );

  it('of a site that fails at the end has seen enough', async () => {
    said = (path) => (requests < 58 ? pageOf(path) : 503);
    const { code, stderr } = await rehearse('nginx', '-o', 'nearly.conf');
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 of 2 rules survived')]);
    expect(stderr).toMatch(/^not compared, status 503, \d: the server asks for patience/m);
    expect(readFileSync(join(folder.path, 'nearly.conf'), 'utf8')).toContain('2 of 2 rules');
  });

  it('says so if its own server ends, and leaves nothing behind', async () => {
    const tmpdir = mkdtempSync(join(folder.path, 'boxes-'));
    const program = findServer('nginx', { env: {} });
    const server = await startServer('nginx', program, '', tmpdir);
    expect(await server.follow('http://h.test/')).toEqual({ hops: [], isLoop: false });
    const [box] = readdirSync(tmpdir);
    process.kill(Number(readFileSync(join(tmpdir, box!, 'pid'), 'utf8')), 'SIGTERM');
    const asking = async () => {
      for (;;) await server.follow('http://h.test/');
    };
    await expect(asking()).rejects.toThrow(
      'nginx stopped answering while URLs were replayed (exit code 0); nothing is written',
    );
    await server.stop();
    expect(readdirSync(tmpdir)).toEqual([]);
  });

  it('says how to reach a site at a private address, and not that rules survived', async () => {
    const how = ['--to', 'nginx', '--base', base, '--urls', 'urls.txt', '-o', 'private.conf'];
    const { code, stderr } = await run(['rehearse', 'rules.json', ...how], { cwd: folder.path });
    expect([code, existsSync(join(folder.path, 'private.conf'))]).toEqual([3, false]);
    expect(stderr).toMatch(/^not compared, private-address 40: .*--allow-private/m);
    expect(stderr).toMatch(/^dustbuster: .* not one could be compared.*; nothing is written$/m);
    expect(stderr).not.toMatch(/survived|written to/);
  });

  it('says as JSON what it found', async () => {
    said = (path) => (path === '/c' ? 'another page, of a few words only' : pageOf(path));
    const { code, stdout } = await rehearse('nginx', '--json', '-o', 'x.conf');
    expect(code).toBe(1);
    const found = JSON.parse(stdout.toString()) as { rounds: object[]; takenOut: { rule: { rank: number } }[] };
    expect(found.rounds.length).toBe(2);
    expect(found.takenOut.toSorted((a, b) => a.rule.rank - b.rule.rank)).toMatchObject([
      { kind: 'different', url: `${base}/c?sid=1`, rule: { rank: 1 } },
      { kind: 'different', url: `${base}/c.html`, rule: { rank: 2 } },
    ]);
  });

  it('is wrong usage without a server, a base, or URLs of the site', async () => {
    const wrong = async (...args: readonly string[]) => {
      const { code, stderr } = await run(['rehearse', 'rules.json', ...args], { cwd: folder.path });
      return [code, stderr];
    };
    expect(await wrong()).toEqual([
      2,
      expect.stringContaining('--to is missing: expected one of nginx, apache, varnish'),
    ]);
    const other = ['--to', 'nginx', '--urls', 'urls.txt', '--base', 'http://none.example'];
    expect(await wrong(...other)).toEqual([2, expect.stringContaining('no URL of the list is of the site of --base')]);
    expect(() => findServer('varnish', { env: { PATH: '/none' } }, [])).toThrow(
      /varnish is not installed: there is no/,
    );
  });
});
