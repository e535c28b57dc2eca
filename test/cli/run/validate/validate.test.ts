// `dustbuster validate` as a process: with a real server, with archives, with the sketches of the list; interrupted,
// and continued.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFew } from '../../../amount.js';
import { readRules } from '../../../../src/rule/file.js';
import { textsOf } from '../../../../src/rule/meaning.js';
import type { RulesFile } from '../../../../src/rule/rule.js';
import { createSketch, formatSketch } from '../../../../src/sketch/sketch.js';
import { startSite, type LiveSite } from '../../../live-site.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { writeRules } from '../../../../src/rule/file.js';
import { pack, PACKINGS, record } from '../../../log/warc/compose.js';
import { BIN, run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
let site: LiveSite;
const at = (name: string) => join(folder.path, name);
const rulesIn = (name: string): RulesFile => readRules(readFileSync(at(name)), name);
const place = () => [
  '--allow-private',
  '--resolve',
  ...site.hosts.map((host) => `${host.replace(/:\d+$/, '')}=127.0.0.1`),
];

beforeAll(async () => {
  folder = scratchFolder();
  site = await startSite({
    pages: 240,
    only: ['story', 'index', 'series', 'slash', 'question', 'jsessionid'],
    seed: 5,
  });
  writeFileSync(at('site.log'), `${site.logLines('vhost').join('\n')}\n`);
  writeFileSync(at('paths.log'), `${site.logLines('combined').join('\n')}\n`);
  const mined = await run(['mine', at('site.log'), '-o', at('likely.json')]);
  expect(mined.code, mined.stderr).toBe(0);
});
afterAll(async () => {
  await site.close();
  folder.remove();
});

describe('validate', { timeout: 30_000 }, () => {
  test('writes verdicts into the rules, and canonize then needs no --accept', async () => {
    const { code, stdout, stderr } = await run([
      'validate',
      at('likely.json'),
      '-o',
      at('valid.json'),
      '--rate',
      '1000',
      '--fetch-cache',
      at('cache'),
      ...place(),
    ]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(
      /^Validating \d+ rules by fetching: (about \d+ seconds? )?at (most \d+ seconds at )?1000 requests a second/,
    );
    expect(stderr).toMatch(
      /\nvalidated by live: [1-9]\d* of \d+ valid, \d+ invalid, .*\n(.*\n)*made \d+ requests to the site(; \d+ answers came from the cache.*)?\naudit: /,
    );
    expect(stdout.toString()).toMatch(
      /^\d+ rules are valid: each address becomes its form \(hits: .*\)\nid +hits +rule\n/,
    );
    const file = rulesIn('valid.json');
    expect(file.validation).toEqual({
      source: 'live',
      stop: 'sequential',
      N: 100,
      epsilon: 0.05,
      minSamples: 3,
      seed: 1,
      audit: expect.objectContaining({
        sample: 300,
        different: 0,
        dead: 0,
        redirecting: 0,
        bound: 0.009937,
        longer: 0,
      }),
    });
    const valid = file.rules.filter(({ status }) => status === 'valid');
    for (const { verdict } of valid) {
      expect(verdict!.positives.length).toBeGreaterThan(0);
      expect(verdict!.positives.length).toBeLessThanOrEqual(3);
    }
    for (const { verdict, status } of file.rules)
      if (status === 'invalid') expect(verdict!.negatives.length).toBeGreaterThan(0);
    expect(file.rules.map(({ rank }) => rank)).toEqual(file.rules.map((_, k) => k + 1));
    const host = site.hosts[0]!;
    const canonized = await run(['canonize', '-r', at('valid.json'), `http://${host}/news/story?id=107`]);
    expect(canonized.stdout.toString()).toBe(`http://${host}/news/story_107\n`);
  });

  test('fetches nothing twice, and gives the same bytes', async () => {
    const { stderr } = await run([
      'validate',
      at('likely.json'),
      '-o',
      at('again.json'),
      '--rate',
      '1000',
      '--fetch-cache',
      at('cache'),
      ...place(),
    ]);
    expect(stderr).toMatch(
      /\nmade 0 requests to the site; \d+ answers came from the cache, the oldest of \d+ seconds? ago\n/,
    );
    expect(readFileSync(at('again.json'), 'utf8')).toBe(readFileSync(at('valid.json'), 'utf8'));
  });

  test.skipIf(isFew)(
    'that is interrupted leaves a complete file with what was settled, and continues from there',
    async () => {
      writeFileSync(at('cut.json'), readFileSync(at('likely.json')));
      const args = ['validate', at('cut.json'), '--rate', '100', '--fetch-cache', at('cut-cache'), ...place()];
      const child = spawn(process.execPath, [BIN, ...args], { stdio: 'ignore' });
      const ended = new Promise<[number | null, NodeJS.Signals | null]>((done) =>
        child.once('exit', (...how) => done(how)),
      );
      const seen = site.requests.length;
      while (site.requests.length < seen + 180 && child.exitCode === null)
        await new Promise((done) => setTimeout(done, 5));
      child.kill('SIGINT');
      expect(await ended).toEqual([null, 'SIGINT']);
      const cut = rulesIn('cut.json');
      expect(cut.partial).toBe('0 of 1 site judged');
      expect(cut.rules.some(({ verdict }) => verdict?.undecided === 'interrupted')).toBe(true);
      expect(cut.rules.some(({ status, verdict }) => status !== 'likely' && verdict !== undefined)).toBe(true);
      expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
      const before = site.requests.length;
      const resumed = await run([
        'validate',
        at('cut.json'),
        '--rate',
        '1000',
        '--fetch-cache',
        at('cut-cache'),
        ...place(),
      ]);
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(resumed.stderr).toMatch(/settled before/);
      expect(resumed.stderr).toContain('cut.json is partial: its run was stopped with 0 of 1 site judged');
      expect(rulesIn('cut.json').partial).toBeUndefined();
      const whole = (name: string) =>
        rulesIn(name)
          .rules.filter(({ status }) => status === 'valid')
          .map(({ verdict: _verdict, otherWay: _otherWay, rank: _rank, ...rule }) => rule);
      expect(whole('cut.json')).toEqual(whole('valid.json'));
      // Together hardly more than in one run.
      const inOneGo = Number(
        /\nmade (\d+) requests/.exec(
          (
            await run([
              'validate',
              at('likely.json'),
              '-o',
              at('x.json'),
              '--rate',
              '1000',
              '--fetch-cache',
              'none',
              ...place(),
            ])
          ).stderr,
        )![1],
      );
      expect(before - seen + Number(/\nmade (\d+) requests/.exec(resumed.stderr)![1])).toBeLessThan(inOneGo * 1.2 + 10);
    },
  );

  test('without a network leaves every rule likely, and loses none', async () => {
    const gone = await startSite({ pages: 30, only: ['story'] });
    await gone.close();
    const rules = [sampleRule('/story?id=', '/story_', { site: 'planted.test', status: 'likely' })];
    writeFileSync(at('gone.json'), [...writeRules(sampleFile(rules))].join(''));
    writeFileSync(at('gone.urls'), `${gone.urls.join('\n')}\n`);
    const { code, stderr } = await run([
      'validate',
      at('gone.json'),
      '--test',
      at('gone.urls'),
      '--rate',
      '1000',
      '--fetch-cache',
      'none',
      ...place(),
    ]);
    expect(code, stderr).toBe(3);
    expect(rulesIn('gone.json').rules[0]).toMatchObject({
      status: 'likely',
      verdict: { positive: 0, negative: 0, undecided: 'few-samples' },
    });
    expect(Object.keys(rulesIn('gone.json').rules[0]!.verdict!.unjudged)).toContain('u: network');
  });

  test.skipIf(isFew)(
    'does not overwrite rules that were changed meanwhile, and keeps its results beside them',
    async () => {
      writeFileSync(at('shared.json'), readFileSync(at('likely.json')));
      const newer = readFileSync(at('valid.json'), 'utf8');
      const args = ['validate', at('shared.json'), '--rate', '30', '--max-fetches', '60', ...place()];
      const child = spawn(process.execPath, [BIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      let stderr = '';
      child.stderr.on('data', (text: Buffer) => {
        if (stderr === '') writeFileSync(at('shared.json'), newer);
        stderr += text.toString();
      });
      const code = await new Promise((ended) => child.on('close', ended));
      expect(readFileSync(at('shared.json'), 'utf8')).toBe(newer);
      expect(stderr).toContain('was changed by another program while its rules were validated');
      expect(code).toBe(2);
      expect(rulesIn('shared.json.validated').validation).toBeDefined();
    },
  );

  test.skipIf(isFew)('--trace reports each question, and the requests add up', async () => {
    const args = ['validate', at('likely.json'), '-o', at('traced.json'), '--rate', '1000', '--trace', ...place()];
    const { code, stderr } = await run(args);
    expect(code, stderr).toBe(0);
    const lines = stderr.split('\n').filter((line) => line.startsWith('asked: '));
    const shape = /^asked: (?:accepted|refuted|undecided|deferred), requests (\d+), saves \d+ of \d+ forms: \S/;
    for (const line of lines) expect(line).toMatch(shape);
    expect(lines.filter((line) => line.startsWith('asked: accepted')).length).toBeGreaterThan(2);
    const all = Number(/\nmade (\d+) requests/.exec(stderr)![1]);
    const traced = lines.reduce((sum, line) => sum + Number(shape.exec(line)![1]), 0);
    expect(traced).toBeGreaterThan(20);
    expect(traced).toBeLessThanOrEqual(all);
  });

  test('keeps to --max-fetches', async () => {
    const { code, stderr } = await run([
      'validate',
      at('likely.json'),
      '-o',
      at('few.json'),
      '--max-fetches',
      '20',
      '--rate',
      '1000',
      '--fetch-cache',
      'none',
      ...place(),
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('\nmade 20 requests to the site\n');
    // Twenty requests settle nothing: untested rules stay likely.
    expect(rulesIn('few.json').rules.map(({ status }) => status)).toEqual(
      rulesIn('likely.json').rules.map(() => 'likely'),
    );
  });

  test('--dry-run says what would be fetched, without requests', async () => {
    const before = site.requests.length;
    const { code, stdout, stderr } = await run(['validate', at('likely.json'), '--dry-run', ...place()]);
    expect(code).toBe(0);
    expect(site.requests.length).toBe(before);
    const listed = await run(['validate', at('likely.json'), '--dry-run', '--json', ...place()]);
    const { urls, kinds } = JSON.parse(listed.stdout.toString()) as { urls: string[]; kinds: Record<string, number> };
    expect(new Set(urls).size).toBe(urls.length);
    for (const url of urls) expect(url).toMatch(/^http:\/\/(www\.)?planted\.test:/);
    const counted = [...stderr.matchAll(/at most (\d+) pages/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    expect(counted).toBe(urls.length);
    const lines = stdout.toString().trimEnd().split('\n');
    expect(lines.map((line) => /^ *(\d+) {2}(.*)$/.exec(line)!.slice(1))).toEqual(
      Object.entries(kinds).map(([kind, count]) => [String(count), kind]),
    );
    expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(urls.length);
    const mined = await run(['mine', at('site.log'), '--dry-run', '-o', at('not-written.json'), ...place()]);
    expect(mined.stdout.toString()).toMatch(/^ *\d+ {2}www\.planted\.test:\d+\/news\/story\?id$/m);
    expect(existsSync(at('not-written.json'))).toBe(false);
  });

  test('refuses private addresses by default', async () => {
    const before = site.requests.length;
    const { code, stderr } = await run([
      'validate',
      at('likely.json'),
      '-o',
      at('private.json'),
      '--rate',
      '1000',
      '--fetch-cache',
      'none',
      ...place().slice(1),
    ]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^not compared, private-address \d+: .*--allow-private/m);
    expect(stderr).toMatch(/^audit: no rule is valid or pinned, so no canonical form was asked for$/m);
    const planned = await run(['validate', at('likely.json'), '--dry-run', ...place().slice(1)]);
    expect(planned.stderr).toMatch(/^refused, private-address: \d+ URLs: .*--allow-private/m);
    expect(site.requests.length).toBe(before);
    expect(rulesIn('private.json').rules.every(({ status }) => status === 'likely')).toBe(true);
  });

  test.each([[[]], [['--budget', '9']]])('says even with -q that not one page was compared, %j', async (more) => {
    const how = ['-o', at('private.json'), '--rate', '1000', '--fetch-cache', 'none', ...place().slice(1), ...more];
    const { code, stderr } = await run(['validate', at('likely.json'), '-q', ...how]);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^dustbuster: not one page of the site could be compared, so no rule was judged; .*--allow-/,
    );
  });

  test('sends requests only to hosts of the site, wherever a rule leads and whatever host the list names', async () => {
    const foreign = ['--resolve', 'www.planted.test=127.0.0.1', 'www.victim.test=127.0.0.1'];
    const ask = (name: string, ...flags: string[]) =>
      run(['validate', at(name), '--rate', '1000', '--fetch-cache', 'none', '--allow-private', ...foreign, ...flags]);
    const before = site.requests.length;
    const base = `http://${site.hosts[0]!}`;
    const stories = site.urls.filter((url) => url.startsWith(`${base}/news/story?id=`));
    const urls = stories.filter((url) => site.truth(url) !== undefined).slice(0, 30);

    // Anyone can cause such a rule by requesting /x/planted/1 and /x/victim/1.
    const away = { site: 'planted.test', status: 'likely' } as const;
    writeFileSync(at('away.json'), [...writeRules(sampleFile([sampleRule('planted', 'victim', away)]))].join(''));
    writeFileSync(at('away.urls'), `${urls.join('\n')}\n`);
    const planned = await ask('away.json', '--test', at('away.urls'), '--dry-run');
    expect(planned.stdout.toString()).not.toContain('victim');
    expect(planned.stderr).toContain(`refused, outside-site: ${urls.length} URLs: leads to another site`);
    expect(await ask('away.json', '--test', at('away.urls'))).toMatchObject({ code: 0 });
    // It is tried on what other rules leave of the list, and gets no answer for any of it.
    const [led] = rulesIn('away.json').rules.filter(({ status }) => status === 'likely');
    expect(led!.verdict!.unjudged['v: outside-site']).toBeGreaterThan(10);
    expect(led!.verdict).toMatchObject({ positive: 0, negative: 0 });

    // A request to an open proxy is in a log without hosts as an absolute URL.
    const file = sampleFile([sampleRule('/story?id=', '/story_', { site: '', status: 'likely' })]);
    writeFileSync(at('proxy.json'), [...writeRules({ ...file, urlForm: 'path' })].join(''));
    writeFileSync(at('proxy.urls'), urls.map((url) => `${url.replace('planted', 'victim')}\n${url}\n`).join(''));
    expect(await ask('proxy.json', '--test', at('proxy.urls'), '--base', base)).toMatchObject({ code: 0 });
    expect(rulesIn('proxy.json').rules[0]!.verdict!.unjudged).toMatchObject({ 'u: outside-site': urls.length });

    const asked = site.requests.slice(before).map(({ host }) => host);
    expect(asked.length).toBeGreaterThan(20);
    expect(new Set(asked)).toEqual(new Set([site.hosts[0]]));
  });

  test.skipIf(isFew)(
    'sends requests only to the site of --base, whatever other hosts strangers wrote into the log',
    async () => {
      const [host, ...others] = site.hosts;
      // Anyone can request GET http://host/ from an open proxy, and send any Host to a server whose log has hosts.
      const victim = readFileSync(at('site.log'), 'utf8').replaceAll(
        /^\S+/gm,
        `www.victim.test:${host!.split(':')[1]}`,
      );
      writeFileSync(at('two.log'), readFileSync(at('site.log'), 'utf8') + victim);
      const before = site.requests.length;
      const { code, stderr } = await run([
        'mine',
        at('two.log'),
        '--fetch',
        '--base',
        `http://${host}`,
        '-o',
        at('two.json'),
        '--rate',
        '1000',
        '--fetch-cache',
        'none',
        ...place(),
        'www.victim.test=127.0.0.1',
      ]);
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(`Sites skipped, as --base is http://${host}: 1\n`);
      const { rules } = rulesIn('two.json');
      expect(rules.some(({ site, status }) => site === 'planted.test' && status === 'valid')).toBe(true);
      expect(rules.some(({ site }) => site === 'victim.test')).toBe(true);
      for (const rule of rules) if (rule.site === 'victim.test') expect(rule.status).toBe('likely');
      const asked = new Set(site.requests.slice(before).map((request) => request.host));
      expect([host, ...others]).toEqual(expect.arrayContaining([...asked]));
    },
  );

  test('says which flag names the cache of pages, if it cannot be written', async () => {
    writeFileSync(at('plain-file'), '');
    const { code, stderr } = await run(['validate', at('likely.json'), '-o', at('none.json'), ...place()], {
      env: { XDG_CACHE_HOME: at('plain-file') },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--fetch-cache FOLDER, or none');
  });

  test('refuses a limit for an audit that is not run, before anything is read', async () => {
    const args = ['validate', at('nowhere.json'), '--max-dead', '0.01', '--audit', '0'];
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain('got --max-dead 0.01 with --audit 0; expected an audit, as in --audit 300');
    const above = await run(['validate', at('nowhere.json'), '--max-dead', '1.5']);
    expect([above.code, above.stderr]).toEqual([2, expect.stringContaining('--max-dead: got "1.5"')]);
  });

  test.each([
    [['--fetch', '--stage', 'pairs'], /--stage pairs prints pairs, which are not validated/],
    [['--test', 'x.urls'], /--test: got a list .* expected --fetch/],
    [['--fetch', '--resolve', 'x'], /--resolve: got "x"/],
    [['--pages', 'x.warc', '--by-sketch'], /expected one source/],
  ])('mine %j is refused before anything is read', async (flags, message) => {
    const { code, stderr } = await run(['mine', at('site.log'), '-o', at('unmined.json'), ...flags]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(existsSync(at('unmined.json'))).toBe(false);
  });

  test.skipIf(isFew)('of a log without hosts needs --base, and says so before any request', async () => {
    await run(['mine', at('paths.log'), '-o', at('paths.json')]);
    const refused = await run(['validate', at('paths.json'), ...place()]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('--base https://www.example.com');
    const base = `http://${site.hosts[0]!}`;
    const { code, stderr } = await run([
      'validate',
      at('paths.json'),
      '--base',
      base,
      '--rate',
      '1000',
      '--fetch-cache',
      'none',
      ...place(),
    ]);
    expect(code, stderr).toBe(0);
    expect(rulesIn('paths.json').rules.some(({ status }) => status === 'valid')).toBe(true);
    const kept = await run(['mine', at('paths.log'), '--fetch', '-o', at('kept.json'), ...place()]);
    expect(kept).toMatchObject({ code: 2 });
    expect(rulesIn('kept.json').rules.length).toBeGreaterThan(0);
  });

  test('mine --fetch gives the result of mine followed by validate', async () => {
    const { code, stderr } = await run([
      'mine',
      at('site.log'),
      '--fetch',
      '-o',
      at('both.json'),
      '--rate',
      '1000',
      '--fetch-cache',
      at('cache'),
      ...place(),
    ]);
    expect(code, stderr).toBe(0);
    const valid = (name: string) =>
      rulesIn(name)
        .rules.filter(({ status }) => status === 'valid')
        .map((rule) => textsOf(rule).join(' '));
    expect(valid('both.json')).toEqual(expect.arrayContaining(valid('valid.json')));
  });

  test('mine --fetch reads its log from a pipe, and writes its rules to one', async () => {
    const { code, stdout, stderr } = await run(
      ['mine', '-', '--fetch', '-o', '-', '-q', '--rate', '1000', '--fetch-cache', at('cache'), ...place()],
      { input: readFileSync(at('site.log')) },
    );
    expect(code, stderr).toBe(0);
    expect(readRules(stdout, 'stdout').rules.some(({ status }) => status === 'valid')).toBe(true);
  });

  test('--pages takes pages from archives, and opens no connection', async () => {
    const words = (name: string) => Array.from({ length: 50 }, (_, k) => `${name}${k}`).join(' ');
    const page = (path: string, name: string) =>
      record({
        url: Buffer.from(`http://h.example${path}`),
        http: ['HTTP/1.1 200 OK', 'Content-Type: text/html'],
        body: `<p>${words(name)}</p>`,
      });
    const numbers = Array.from({ length: 30 }, (_, k) => k);
    const members = numbers.flatMap((k) => [
      page(`/a/${k}.html`, `doc${k}`),
      page(`/a/${k}`, `doc${k}`),
      page(`/b/${k}`, `other${k}`),
    ]);
    writeFileSync(at('pages.warc.gz'), pack(members, PACKINGS[0]!));
    writeFileSync(at('h.urls'), numbers.map((k) => `http://h.example/a/${k}.html\n`).join(''));
    const more = { site: 'h.example', status: 'likely' } as const;
    const rules = [
      sampleRule('.html', '', { ...more, anchor: 'end' }),
      sampleRule('/a/', '/b/', { ...more, rank: 2 }),
      sampleRule('/a/', '/c/', { ...more, rank: 3 }),
    ];
    writeFileSync(at('h.json'), [...writeRules(sampleFile(rules))].join(''));
    const { code, stderr } = await run([
      'validate',
      at('h.json'),
      '--test',
      at('h.urls'),
      '--pages',
      at('pages.warc.gz'),
    ]);
    expect(code, stderr).toBe(0);
    const after = rulesIn('h.json').rules;
    expect(
      after.map(({ status, verdict }) => `${status} ${verdict!.source} ${verdict!.positive} ${verdict!.negative}`),
    ).toEqual(['valid warc 21 0', 'invalid warc 0 2', 'likely warc 0 0']);
    expect(after[2]!.verdict).toMatchObject({ undecided: 'few-samples', unjudged: { 'v: not-archived': 30 } });
  });

  test('ends with 3 if an archive is cut off, and uses the rest of it', async () => {
    const members = Array.from({ length: 60 }, (_, k) =>
      record({
        url: Buffer.from(`http://h.example/a/${k >> 1}${k % 2 === 0 ? '' : '.html'}`),
        http: ['HTTP/1.1 200 OK', 'Content-Type: text/html'],
        body: Array.from({ length: 50 }, (_, word) => `w${k >> 1}x${word}`).join(' '),
      }),
    );
    const archive = pack(members, PACKINGS[0]!);
    writeFileSync(at('cut.warc.gz'), archive.subarray(0, archive.length - 20));
    writeFileSync(at('c.urls'), Array.from({ length: 30 }, (_, k) => `http://h.example/a/${k}.html\n`).join(''));
    const rules = [sampleRule('.html', '', { site: 'h.example', status: 'likely', anchor: 'end' })];
    writeFileSync(at('c.json'), [...writeRules(sampleFile(rules))].join(''));
    const args = ['--test', at('c.urls'), '--pages', at('cut.warc.gz')];
    const { code, stderr } = await run(['validate', at('c.json'), ...args]);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('cut.warc.gz: at byte');
    expect(rulesIn('c.json').rules[0]).toMatchObject({ status: 'valid', verdict: { positive: 21 } });
  });

  test('never overwrites an archive that it takes pages from', async () => {
    const archive = pack([record({ url: Buffer.from('http://h.example/'), body: 'x' })], PACKINGS[0]!);
    writeFileSync(at('kept.warc.gz'), archive);
    const { code, stderr } = await run([
      'validate',
      at('likely.json'),
      '--pages',
      at('kept.warc.gz'),
      '-o',
      at('kept.warc.gz'),
    ]);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('is an input; expected another file for the result');
    expect(readFileSync(at('kept.warc.gz')).equals(archive)).toBe(true);
  });

  test('says that the log of the rules is missing, with control characters of its name escaped', async () => {
    const { inputs } = rulesIn('likely.json');
    const moved = { ...rulesIn('likely.json'), inputs: [{ ...inputs[0]!, name: '\u001b[31mgone.log' }] };
    writeFileSync(at('moved.json'), [...writeRules(moved)].join(''));
    const { code, stderr } = await run(['validate', at('moved.json'), '-o', at('unmoved.json')]);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('mined from \\x1b[31mgone.log, which cannot be read from this folder');
    expect(stderr).toContain('--test FILE');
    expect(existsSync(at('unmoved.json'))).toBe(false);
  });

  test('--by-sketch compares digests of the list', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, k) => `http://h.example/a/${k}.html,${k}\nhttp://h.example/a/${k},${k}\nhttp://h.example/b/${k},x${k}\n`,
    );
    writeFileSync(at('sketches.csv'), `url,sketch\n${rows.join('')}`);
    const more = { site: 'h.example', status: 'likely' } as const;
    const rules = [sampleRule('.html', '', { ...more, anchor: 'end' }), sampleRule('/a/', '/b/', { ...more, rank: 2 })];
    writeFileSync(at('s.json'), [...writeRules(sampleFile(rules))].join(''));
    const { code, stderr } = await run(['validate', at('s.json'), '--test', at('sketches.csv'), '--by-sketch']);
    expect(code, stderr).toBe(0);
    expect(rulesIn('s.json').rules.map(({ status, verdict }) => `${status} ${verdict!.source}`)).toEqual([
      'valid log',
      'invalid log',
    ]);
    const none = await run(['validate', at('s.json'), '--again', '--test', at('h.urls'), '--by-sketch']);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('no sketches');
  });

  test('--by-sketch takes no page with a damaged sketch for another page', async () => {
    // Each page has one sketch under both of its names, cut short at two places.
    const sketch = (k: number) => formatSketch(createSketch(Float64Array.from([k, k + 1000, k + 2000])));
    const rows = Array.from(
      { length: 30 },
      (_, k) =>
        `http://h.example/a/${k}.html,${sketch(k).slice(0, -1)}\nhttp://h.example/a/${k},${sketch(k).slice(0, -2)}\nhttp://h.example/b/${k},x${k}\n`,
    );
    writeFileSync(at('cut.csv'), `url,sketch\n${rows.join('')}`);
    writeFileSync(
      at('cut.json'),
      [
        ...writeRules(sampleFile([sampleRule('.html', '', { site: 'h.example', status: 'likely', anchor: 'end' })])),
      ].join(''),
    );
    const { code, stderr } = await run(['validate', at('cut.json'), '--test', at('cut.csv'), '--by-sketch']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('60 labels begin like a signature (db1-, sp1-) but are damaged, and count as none');
    expect(rulesIn('cut.json').rules).toMatchObject([{ status: 'likely' }]);
  });

  test.each([
    [['--stop', 'soon'], /--stop: got "soon", expected sequential, fixed/],
    [['--max-age', 'long'], /--max-age: got "long", expected a time/],
    [['--resolve', 'x'], /--resolve: got "x", expected host=address/],
    [['--rate', '0'], /--rate: got "0"/],
    [['--pages', 'none.warc', '--by-sketch'], /expected one source/],
    [['--pages', 'none.warc'], /none\.warc/],
    [['--test', 'none.log'], /none\.log/],
  ])('%j is refused with a reason', async (flags, message) => {
    const { code, stderr } = await run(['validate', at('valid.json'), ...flags]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
