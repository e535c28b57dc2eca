// What does a shell see of `canonize` and `explain`?
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFew } from '../../../amount.js';
import { realEffects } from '../../../../src/base/effects.js';
import { run as runHere } from '../../../../src/cli/program.js';
import { writeRules } from '../../../../src/rule/file.js';
import { sampleFile, sampleParameter, sampleRule } from '../../../rule/sample.js';
import { BIN, FIXTURES, run as runCommand } from '../../process.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'canonize-'));
  const index = sampleRule('/index.html', '/', { anchor: 'end' });
  const story = sampleRule('story_', 'story?id=', { rank: 2, status: 'likely' });
  const refuted = sampleRule('b', 'c', { rank: 3, status: 'invalid' });
  write('dustbuster-rules.json', [...writeRules(sampleFile([index, story, refuted]))].join(''));
  write('likely.json', [...writeRules(sampleFile([story, refuted]))].join(''));
  write('none.json', [...writeRules(sampleFile([]))].join(''));
  write(
    'endless.json',
    [...writeRules(sampleFile([sampleRule('c', 'b'), sampleRule('b', 'c/c', { rank: 2 })]))].join(''),
  );
  write(
    'keys.json',
    [...writeRules(sampleFile([index, { ...story, status: 'valid', use: 'key', hits: { kept: 1, given: 9 } }]))].join(
      '',
    ),
  );
  write('damaged.json', '{"format": "dustbuster-rules", }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder, name), content);
}

async function run(args: readonly string[], input: string | Buffer = '') {
  const { code, stdout, stderr } = await runCommand(args, { cwd: folder, input });
  return { status: code, stdout: stdout.toString('latin1'), stderr };
}

/** Through a shell, where `dustbuster` is the program. */
function shell(command: string) {
  const line = command.replaceAll('dustbuster', `"${process.execPath}" "${BIN}"`);
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], { cwd: folder });
  return { status, stdout: stdout.toString('latin1'), stderr: stderr.toString() };
}

describe('dustbuster canonize', { timeout: 30_000 }, () => {
  it('maps the URLs given as arguments', async () => {
    expect(await run(['canonize', 'http://H/index.html', '/story_1'])).toEqual({
      status: 0,
      stdout: 'http://h/\n/story_1\n',
      stderr: '',
    });
  });

  it('maps lines of standard input, with their endings, and passes bytes that are not UTF-8', async () => {
    const { stdout } = await run(['canonize'], Buffer.from('/\xff/index.html\r\n# \xfe\n\n/index.html', 'latin1'));
    expect(stdout).toBe('/%FF/\r\n# \xfe\n\n/');
  });

  it('maps files in order, plain or gzip, and standard input among them, line by line', async () => {
    write('a.txt', '/a/index.html');
    write('b.bin', gzipSync('/b/index.html\n'));
    expect((await run(['canonize', '-i', 'a.txt', '-i', '-', '-i', 'b.bin', '-i', 'a.txt'], '/c')).stdout).toBe(
      '/a/\n/c\n/b/\n/a/',
    );
  });

  const crawlLog =
    '2025-03-04T09:00:02.014Z   404        196 http://f.test/a P http://f.test/ text/html #003 20250304090002009+32 ' +
    'sha1:BFFXMO2M7TALAXS5AQCYDTKRHQ6KBADH - content-size:402\n';
  it.each([
    [
      'a crawl log',
      crawlLog,
      "got lines of heritrix, expected one URL a line. Cut the URLs out: awk '{ print $4 }' FILE",
    ],
    [
      'CDX',
      'test,f)/a 20250304090001 http://f.test/a text/html 200 AAAA - - 9 0 a.warc.gz\n',
      "Cut the URLs out: awk '!/^ CDX/ { print $3 }' FILE",
    ],
    ['CDXJ', 'test,f)/a 20250304090001 {"url": "http://f.test/a"}\n', "sed 's/^[^{]*//' FILE | jq -r .url"],
    ['lines of JSON', '{"url":"http://f.test/a","status":200}\n', 'Cut the URLs out: jq -r .url FILE'],
    [
      'other lines of JSON',
      '{"request_uri":"/a","status":200}\n',
      'got lines of jsonl, expected one URL a line. Cut the URLs out first.',
    ],
    ['words', 'f.test/a\n', 'so nothing was changed: expected one URL a line.'],
  ])('passes lines without a URL, and says of %s that it is no list', async (_, lines, words) => {
    const two = lines + lines;
    expect(await run(['canonize'], two)).toEqual({
      status: 3,
      stdout: two,
      stderr: expect.stringContaining('none of 2 lines is a URL'),
    });
    write('lines', lines);
    const { status, stderr } = await run(['canonize', '-i', 'lines']);
    expect([status, stderr]).toEqual([3, expect.stringContaining('the only line is no URL')]);
    expect(stderr).toContain(words);
    expect((await run(['canonize'], `${lines}/a\n`)).status).toBe(0);
  });

  it('says of paths that rules of hosts do not change them, and how they get a host', async () => {
    const ofHost = sampleRule('/index.html', '/', {
      site: 'a.test',
      examples: [['https://a.test/x', 'https://a.test/']],
    });
    write('host.json', [...writeRules(sampleFile([ofHost]))].join(''));
    const canonize = ['canonize', '-r', 'host.json', '--changed', '--pairs'];
    const { status, stdout, stderr } = await run(canonize, '/a/index.html\n/b\nhttp://a.test/c\n');
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toContain('a path without a host is of no site, and these rules are of hosts');
    const sed = /sed 's[^']*'/.exec(stderr)![0];
    expect(shell(`echo /a/index.html | ${sed} | dustbuster canonize -r host.json`)).toMatchObject({
      status: 0,
      stdout: 'https://a.test/a/\n',
      stderr: '',
    });
    expect((await run(['explain', '-r', 'host.json', '/a/index.html'])).stderr).toContain(
      "sed 's|^/|https://a.test/|'",
    );
    const mostHaveHosts = '/a\nhttp://a.test/b\nhttp://a.test/c\n';
    expect(await run(['canonize', '-r', 'host.json'], mostHaveHosts)).toMatchObject({ status: 0, stderr: '' });
    const everywhere = sampleRule('/index.html', '/', { site: '*', rank: 2 });
    write('everywhere.json', [...writeRules(sampleFile([ofHost, everywhere]))].join(''));
    expect(await run(['canonize', '-r', 'everywhere.json'], '/a\n')).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['combined.log', '/story?id=1'],
    ['vhost.log', 'http://forum.example.test:80/story?id=1'],
    ['crawl.log', 'http://forum.example.test/story?id=1'],
    ['captures.cdx', 'http://forum.example.test/story?id=1'],
    ...(spawnSync('jq', ['--version']).status === 0 ? [['captures.cdxj', 'http://forum.example.test/story?id=1']] : []),
  ])('of %s names a command that gives URLs', async (name = '', url = '') => {
    const lines = readFileSync(join(FIXTURES, 'small', name), 'latin1').split('\n');
    write('one.log', `${lines.find((line) => line.includes('/story?id=1'))!}\n`);
    const { stderr } = await run(['canonize', '-i', 'one.log']);
    const cut = /Cut the URLs out: (.*)\n/.exec(stderr)![1]!.replace('FILE', 'one.log');
    expect(shell(cut)).toEqual({ status: 0, stdout: `${url}\n`, stderr: '' });
  });

  it.each(['', '\n', ' \r\n\n'])('says nothing of blank lines: %j', async (lines) => {
    expect(await run(['canonize'], lines)).toEqual({ status: 0, stdout: lines, stderr: '' });
  });

  it.each([
    ['--pairs', '/a/index.html\t/a/\n/a/\t/a/\nx\tx\n'],
    ['--unique', '/a/\nx\n'],
    ['--changed', '/a/\n'],
  ])('with %s prints what it says', async (option, expected) => {
    expect((await run(['canonize', option], '/a/index.html\n/a/\nx\n')).stdout).toBe(expected);
  });

  it.each([
    [['--unique'], '/story_1\n/a/\n'],
    [['--unique', '--pairs'], '/story?id=1\t/story_1\n/a/index.html\t/a/\n/story_1\t/story_1\n/a/\t/a/\n'],
    [['--unique', '--line-buffered'], '/story?id=1\n/a/\n'],
    [['--pairs'], '/story?id=1\t/story?id=1\n/a/index.html\t/a/\n/story_1\t/story_1\n/a/\t/a/\n'],
  ])('with %j and a key prints the name that the hits speak for', async (flags, expected) => {
    const list = '/story?id=1\n/a/index.html\n/story_1\n/a/\n';
    expect(await run(['canonize', '-r', 'keys.json', '-q', ...flags], list)).toEqual({
      status: 0,
      stdout: expected,
      stderr: '',
    });
  });

  it('uses rules that are not validated only on request', async () => {
    expect((await run(['canonize', '--accept', 'likely', '/story_1/b'])).stdout).toBe('/story?id=1/b\n');
    const refused = await run(['canonize', '-r', 'likely.json', '/story_1']);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /no valid rule in likely\.json: 1 likely rule, 1 invalid\..* Without it, --accept likely uses those that the log suggests\.\n$/,
    );
    expect(await run(['canonize', '-r', 'none.json', '/a'])).toMatchObject({ status: 2, stdout: '' });
    expect(await run(['canonize', '-r', 'none.json', '--accept', 'likely', '/%7e'])).toMatchObject({
      status: 0,
      stdout: '/~\n',
    });
  });

  it.skipIf(isFew)('passes a line of many megabytes, within bounded memory', () => {
    const line = `/a/${'x'.repeat(48 << 20)}/index.html`;
    const limited = spawnSync(process.execPath, ['--max-old-space-size=64', BIN, 'canonize'], {
      cwd: folder,
      input: `${line}\n/index.html\n`,
      maxBuffer: 1 << 28,
    });
    expect(limited.status).toBe(0);
    expect(limited.stdout.toString('latin1') === `${line}\n/\n`).toBe(true);
  });

  it('gives the form of an export, line by line, with endings and what is no URL as they were', async () => {
    const as = (...more: string[]) =>
      run(['canonize', '--accept', 'likely', ...more], 'http://h/story_1/index.html\r\n\nno URL\nhttp://h/b');
    expect((await as('--as', 'esm')).stdout).toBe('http://h/story?id=1/\r\n\nno URL\nhttp://h/b');
    expect((await as('--as', 'nginx')).stdout).toBe('http://h/story_1/\r\n\nno URL\nhttp://h/b');
    expect((await as('--as', 'nginx', '--pairs', '--changed')).stdout).toBe(
      'http://h/story_1/index.html\thttp://h/story_1/\r\n',
    );
  });

  it.skipIf(!hasPython).each([
    ['sites', {}, [sampleParameter('sid', { site: 'a.test' }), sampleRule('/x', '/y', { site: 'b.test', rank: 2 })]],
    ['paths', { urlForm: 'path' }, [sampleParameter('sid', { site: '' })]],
    ['one site', { options: { site: 'all' } }, [sampleParameter('sid', { examples: [['http://a.test/', '/']] })]],
  ] as const)('gives URLs of any site the form of the Python module, by rules of %s', async (_, more, rules) => {
    const file = sampleFile(rules);
    const { options, ...head } = { options: {}, ...more };
    write('sites.json', [...writeRules({ ...file, ...head, options: { ...file.options, ...options } })].join(''));
    const heads = ['http://a.test', 'http://w.b.test', 'HTTP://Third.test:80', 'http://', ''];
    const urls = heads.flatMap((one) => [`${one}/%7Ex/./x?sid=1#top`, `${one}/x`]).join('\n');
    const { stdout: module } = await run(['export', 'sites.json', '--to', 'scrapy', '-q']);
    const code = `${module}\nprint("\\n".join(canonize(url) for url in ${JSON.stringify(urls)}.split("\\n")), end="")`;
    const python = spawnSync('python3', ['-c', code], { encoding: 'utf8' });
    expect(python.stderr).toBe('');
    expect(python.stdout).toContain('/~x/x');
    const here = await run(['canonize', '-r', 'sites.json', '--as', 'scrapy'], urls);
    expect(here).toEqual({ status: 0, stdout: python.stdout, stderr: '' });
  });

  it('reports how many URLs it left as they were', async () => {
    const { status, stdout, stderr } = await run(['canonize', '-r', 'endless.json'], '/b\n/%7e/c\n/a\n');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '/b\n/%7e/c\n/a\n' });
    expect(stderr).toMatch(/2 URLs are left as given: no canonical form after 10 rounds or within 4096 bytes/);
  });

  it('writes a complete file', async () => {
    expect(await run(['canonize', '-o', 'out.txt', '/index.html'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('/\n');
  });

  it('keeps the contents of a truncated gzip, says so, and ends with 3', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `/${at}/index.html\n`).join('');
    write('cut.gz', gzipSync(lines).subarray(0, 30_000));
    const { status, stdout, stderr } = await run(['canonize', '-i', 'cut.gz']);
    expect(status).toBe(3);
    expect(stdout).toMatch(/^\/0\/\n\/1\/\n/);
    expect(stdout.split('\n').length).toBeGreaterThan(5000);
    expect(stderr).toMatch(/cut\.gz: the gzip data ends too early/);
  });

  it.each([
    [
      'no rules file',
      ['-r', 'nowhere.json', '/a'],
      /cannot read nowhere\.json: there is no such file.*`dustbuster mine`/,
    ],
    ['a damaged rules file', ['-r', 'damaged.json', '/a'], /damaged\.json:1:32: damaged JSON, got "}"/],
    [
      'no such input, before anything is written',
      ['-i', 'dustbuster-rules.json', '-i', 'nowhere', '/a'],
      /cannot read nowhere/,
    ],
    ['a folder for an input', ['-i', '.'], /cannot read \.: it is a folder/],
    ['a folder for an output', ['-o', '.', '/a'], /cannot write \.: it is a folder/],
    ['a status that there is not', ['--accept', 'all', '/a'], /--accept: got "all", expected valid, confident, likely/],
    ['a number of rounds that is none', ['--max-iterations', '0', '/a'], /--max-iterations: got "0"/],
    ['a size that is none', ['--memory', 'lots', '/a'], /--memory: got "lots"/],
    ['a number of threads that is none', ['--threads', '0', '/a'], /--threads: got "0"/],
    ['an option that there is not', ['--frobnicate'], /unknown option '--frobnicate'/],
  ])('ends with 2 and a message for %s', async (_, args, message) => {
    const { status, stdout, stderr } = await run(['canonize', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('ends quietly with 0 when its reader closes the pipe', () => {
    const { status, stdout, stderr } = shell(
      'yes /index.html | dustbuster canonize | head -1; echo "${PIPESTATUS[1]}"',
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '/\n0\n', stderr: '' });
  });

  it('ends with 2 on a full disk, even for one short line', () => {
    const { status, stderr } = shell('dustbuster canonize /a > /dev/full');
    expect(status).toBe(2);
    expect(stderr).toMatch(/cannot write standard output: no space is left/);
  });

  it('ends with 2 if there are too few addresses, and with advice', () => {
    const { status, stderr } = shell('ulimit -v 4000000; yes /a | head -3000 | dustbuster canonize > few.txt');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^dustbuster: got no room for .*ulimit -v/m)]);
  });

  it('notices a file that takes only a part of the last block', () => {
    const { status, stderr } = shell(`trap '' XFSZ; ulimit -f 4; yes /a | head -3000 | dustbuster canonize > part.txt`);
    expect(status).toBe(2);
    expect(stderr).toMatch(/cannot write standard output: the file would be larger/);
  });

  it('writes each line immediately with --line-buffered', async () => {
    const child = spawn(process.execPath, [BIN, 'canonize', '--line-buffered'], { cwd: folder });
    const next = () => new Promise<string>((done) => child.stdout.once('data', (chunk) => done(String(chunk))));
    child.stdin.write('/a\n');
    expect(await next()).toBe('/a\n');
    child.stdin.write('/a/index.html\n');
    expect(await next()).toBe('/a/\n');
    child.stdin.write('/b/index.html\n');
    expect(await next()).toBe('/b/\n');
    child.stdin.end();
    expect(await new Promise((done) => child.on('close', done))).toBe(0);
  });

  it.each([
    [[], '2 forms: 50.0 % of the URLs saved (2), 1 of them by rules\n'],
    [['--line-buffered'], '2 forms: 50.0 % of the URLs saved (2), 1 of them by rules\n'],
    [['-q'], undefined],
    [['--changed'], undefined],
    [['--pairs'], undefined],
  ])('says with --unique %j what that saves, and how much is by rules', async (flags, said) => {
    const { status, stderr } = await run(['canonize', '--unique', ...flags], '/%61/\n/a/\n/a/index.html\nx\n/a/\n/b');
    expect([status, stderr]).toEqual([0, said === undefined ? '' : `6 lines, 4 distinct URLs, ${said}`]);
  });

  it('writes the lines of one read at once with --line-buffered, wherever the reads are cut', async () => {
    const reads = ['/a/index.html\n/b', '/index.html\n/c/index.html\n/d', '/', 'index.html\n'];
    const written: string[] = [];
    const stdout = new Writable({
      write: (chunk, _, taken) => {
        written.push(String(chunk));
        taken();
      },
    });
    const world = {
      ...realEffects(),
      cwd: folder,
      stdin: Readable.from(reads.map((text) => Buffer.from(text))),
      stdout,
    };
    expect(await runHere(['canonize', '--line-buffered'], world)).toBe(0);
    expect(written).toEqual(['/a/\n', '/b/\n/c/\n', '/d/\n']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('leaves no half-written file on %s', async (signal) => {
    const child = spawn(process.execPath, [BIN, 'canonize', '-o', 'never.txt'], { cwd: folder });
    const isWriting = () => readdirSync(folder).some((name) => name.endsWith('.part'));
    while (!isWriting()) await new Promise((done) => setTimeout(done, 10));
    child.kill(signal);
    const ended = await new Promise((done) => child.on('close', (code, by) => done(by ?? code)));
    expect([signal, signal === 'SIGINT' ? 130 : 143]).toContain(ended);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part') || name === 'never.txt')).toEqual([]);
  });

  it.skipIf(isFew)('reacts to SIGTERM even if rules make each URL slow', async () => {
    // All words of a and b with up to 10 letters lose their first letter.
    const words = Array.from({ length: 2046 }, (_, k) => Array.from((k + 2).toString(2).slice(1), (bit) => 'ab'[+bit]));
    const rules = words.map((word, k) =>
      sampleRule(`-${word.join('-')}-`, `-${word.slice(1).join('-')}`, { rank: k + 1 }),
    );
    writeFileSync(join(folder, 'slow.json'), [...writeRules(sampleFile(rules))].join(''));
    const url = `/-${words.slice(-80).flat().join('-')}-\n`;
    writeFileSync(join(folder, 'slow.txt'), url.repeat(2000));
    const args = ['canonize', '-r', 'slow.json', '-i', 'slow.txt', '-o', 'slow.out'];
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder });
    const isWriting = () => readdirSync(folder).some((name) => name.endsWith('.part'));
    while (!isWriting()) await new Promise((done) => setTimeout(done, 10));
    await new Promise((done) => setTimeout(done, 500));
    child.kill('SIGTERM');
    const ended = await new Promise((done) => child.on('close', (code, by) => done(by ?? code)));
    expect(['SIGTERM', 143]).toContain(ended);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part') || name === 'slow.out')).toEqual([]);
  });

  it('shows its usage when it is run on a terminal without input', () => {
    const { status, stdout } = shell(
      'script -qec "dustbuster canonize" /dev/null'.replace('"dustbuster canonize"', `'dustbuster canonize'`),
    );
    expect(status).toBe(2);
    expect(stdout).toContain('Usage: dustbuster canonize');
  });
});

describe('dustbuster explain', { timeout: 30_000 }, () => {
  it('shows each rule that touched a URL, in order, with its evidence, and the form after it', async () => {
    expect(await run(['explain', '--accept', 'likely', 'http://H/story_1/index.html'])).toMatchObject({
      status: 0,
      stderr: '',
    });
    const text = Buffer.from(
      (await run(['explain', '--accept', 'likely', 'http://H/story_1/index.html'])).stdout,
      'latin1',
    ).toString();
    expect(text.split('\n')).toEqual([
      'http://H/story_1/index.html',
      '  normalised',
      '    http://h/story_1/index.html',
      '  round 1, rule 1 (8wz4bzzd): `/index.html` at the end is the folder itself (`/`)',
      '    valid, support 12 (high 15), against 1, confidence 0.667',
      '    http://h/story_1/',
      '  round 1, rule 2 (efrsrvrv): `story_` becomes `story?id=` wherever it stands',
      '    likely, support 12 (high 15), against 1, confidence 0.667',
      '    http://h/story?id=1/',
      '  no rule changes it any more; canonical form:',
      '  = http://h/story?id=1/',
      '',
    ]);
  });

  it('never lets a control character through to the terminal, not even in JSON', async () => {
    const hostile = '/\u001b[31m\u009b\u202e\u007f';
    for (const args of [
      ['explain', hostile],
      ['explain', '--json', hostile],
      ['explain', '--jsonl', hostile],
    ]) {
      const text = Buffer.from((await run(args)).stdout, 'latin1').toString();
      // eslint-disable-next-line no-control-regex -- these are what must not be there
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect(JSON.parse((await run(['explain', '--jsonl', hostile])).stdout)).toMatchObject({
      url: hostile,
      canonical: hostile,
      ending: 'no URL',
      steps: [],
    });
  });

  it('prints JSON with rule and form of every step', async () => {
    const trace = {
      url: '/a/index.html',
      canonical: '/a/',
      ending: 'settled',
      steps: [{ round: 1, rank: 1, anchor: 'end', form: '/a/' }],
    };
    const { stdout } = await run(['explain', '--json', '/a/index.html', '/b']);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'dustbuster-explain',
      version: 1,
      urls: [trace, { url: '/b', steps: [] }],
    });
    expect(JSON.parse((await run(['explain', '--jsonl', '/a/index.html'])).stdout)).toMatchObject(trace);
  });

  it('lists all rules without a URL, but not as JSON, which the file is', async () => {
    expect(await run(['explain'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('is the folder itself') as string,
    });
    expect((await run(['explain', '--json'])).status).toBe(2);
  });
});
