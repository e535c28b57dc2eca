import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRules } from '../../../../src/rule/file.js';
import { substringRules } from '../../../rule/sample.js';
import { BIN, FIXTURES, run, scratchFolder } from '../../process.js';
import { rows, isFew } from '../../../amount.js';

const log = join(FIXTURES, 'access.log');
let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

const at = (name: string) => join(folder.path, name);
const rulesIn = (path: string) => readRules(readFileSync(path), path);

describe('the rules file', () => {
  test('goes to dustbuster-rules.json in the current folder, with a table on stdout and counts on stderr', async () => {
    const cwd = at('default');
    mkdirSync(cwd);
    const { code, stdout, stderr } = await run(['mine', log], { cwd });
    expect(code).toBe(0);
    const file = rulesIn(join(cwd, 'dustbuster-rules.json'));
    expect(file.rules.map((rule) => rule.rank)).toEqual(file.rules.map((_, index) => index + 1));
    expect(stdout.toString()).toContain('The host `www.example.test` becomes `example.test`.');
    expect(stderr).toMatch(/3388 lines = 3267 records \+ dropped 121 .* \+ rejected 0/);
    expect(readdirSync(cwd)).toEqual(['dustbuster-rules.json']);
  });

  test('finds rules that are true of the server that wrote the fixture', async () => {
    await run(['mine', log, '-q', '-o', at('truth.json')]);
    const found = substringRules(rulesIn(at('truth.json')).rules).map(
      (rule) => `${rule.anchor} ${rule.from} ${rule.to}`,
    );
    expect(found).toContain('start http://www.example.test/ http://example.test/');
    expect(found).toContain('end .html ');
    expect(found).toContain('end /index.html /');
    expect(found).toContain('none example.test/docs/2.4/ example.test/manual/');
  });

  test.skipIf(isFew)('has the same bytes whatever the memory and the threads', async () => {
    const outputs = await Promise.all(
      [[], ['--memory', '64k'], ['--memory', '1m', '--threads', '1'], ['--threads', '3']].map(
        async (options, index) => {
          const path = at(`same-${index}.json`);
          const { code, stderr } = await run(['mine', log, '-o', path, ...options]);
          expect(code).toBe(0);
          const runs = Number(/(\d+) sorted runs/.exec(stderr)?.[1] ?? 0);
          return { bytes: readFileSync(path, 'utf8'), runs };
        },
      ),
    );
    expect(new Set(outputs.map(({ bytes }) => bytes)).size).toBe(1);
    expect(outputs[0]!.runs).toBe(0);
    expect(outputs[1]!.runs).toBeGreaterThan(24);
  });

  test('has a time only on request', async () => {
    await run(['mine', log, '-q', '-o', at('plain.json')]);
    await run(['mine', log, '-q', '-o', at('stamped.json'), '--stamp']);
    expect(rulesIn(at('plain.json')).created).toBeUndefined();
    expect(Date.parse(rulesIn(at('stamped.json')).created!)).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test('and what is made of it is open to nobody who may not read the log', async () => {
    const [own, rules] = [at('own.log'), at('own.json')];
    writeFileSync(own, readFileSync(log), { mode: 0o600 });
    await run(['mine', own, '-q', '-o', rules, '--rejects', at('own.rejects')]);
    await run(['export', rules, '--to', 'csv', '--accept', 'likely', '-q', '-o', at('own.csv')]);
    await run(['report', rules, '-q', '-o', at('own.html')]);
    await run(['canonize', '--accept', 'likely', '-r', rules, '-i', own, '-o', at('own.forms')]);
    const modes = () =>
      ['json', 'rejects', 'csv', 'html', 'forms'].map((end) => statSync(at(`own.${end}`)).mode & 0o777);
    expect(modes()).toEqual([0o600, 0o600, 0o600, 0o600, 0o600]);
    chmodSync(at('own.csv'), 0o644);
    await run(['export', rules, '--to', 'csv', '--accept', 'likely', '-q', '-o', at('own.csv')]);
    expect(modes()[2]).toBe(0o644);
    const { mode } = statSync(at('truth.json'));
    expect(mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test('on stdout is all of stdout', async () => {
    const { stdout } = await run(['mine', log, '-o', '-']);
    expect(readRules(stdout, 'stdout').rules.length).toBeGreaterThan(100);
  });

  test('is not changed by a run that fails', async () => {
    writeFileSync(at('kept.json'), 'old');
    const { code, stderr } = await run(['mine', at('no-such.log'), '-o', at('kept.json')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no file matches .*no-such\.log.*; expected/);
    expect(readFileSync(at('kept.json'), 'utf8')).toBe('old');
  });
});

describe('large files', { timeout: 60_000 }, () => {
  test.skipIf(isFew)('read in threads give the same as in one', async () => {
    const text = readFileSync(log, 'utf8');
    const paths = ['x', 'y', 'z'].map((name, index) => {
      const path = at(`large-${name}.log`);
      const body = text.replaceAll('/manual/', `/manual${index}/`).repeat(index === 1 ? 2 : 18);
      writeFileSync(path, `${body}broken ${name}\n`);
      return path;
    });
    const outputs = await Promise.all(
      rows(['1', '2', '4'], 2).map(async (threads) => {
        const [rules, rejects] = [at(`t${threads}.json`), at(`t${threads}.rejects`)];
        const { code } = await run(['mine', ...paths, '-q', '-o', rules, '--threads', threads, '--rejects', rejects]);
        expect(code).toBe(0);
        return readFileSync(rules, 'utf8') + readFileSync(rejects, 'utf8');
      }),
    );
    expect(new Set(outputs).size).toBe(1);
    expect(outputs[0]).toMatch(/large-x\.log:60985\tnot-in-format\tbroken x\n/);
  });
});

describe('inputs', () => {
  test('come from a pipe, gzipped too, and from several places in several formats at once', async () => {
    const gz = gzipSync(readFileSync(log));
    const piped = await run(['mine', '-o', '-', '--stage', 'likely', '--tsv'], { input: gz });
    const named = await run(['mine', log, '--stage', 'likely', '--tsv']);
    expect(piped.stdout.equals(named.stdout)).toBe(true);
    expect(piped.stdout.length).toBeGreaterThan(1000);
    const small = join(FIXTURES, 'small');
    const names = ['combined.log', 'records.jsonl', 'table.csv', 'urls.txt'].map((name) => join(small, name));
    const mixed = await run(['mine', ...names, '--stage', 'pairs', '--min-site-urls', '0', '-v']);
    expect(mixed.code).toBe(0);
    expect(mixed.stderr).toMatch(
      /combined\.log \(combined\)[^]*records\.jsonl \(jsonl\)[^]*\(csv\)[^]*\(urls\)[^]*all \(/,
    );
  });

  test.skipIf(isFew)('come from a pipe named by the shell', async () => {
    const line = '"$0" "$1" mine <(cat "$2") -q -o - && cat "$2" | "$0" "$1" mine /dev/stdin -q -o -';
    const both = execFileSync('bash', ['--norc', '-c', line, process.execPath, BIN, log], { maxBuffer: 1 << 26 });
    expect(both.toString().match(/"lines": ?3388/g)).toHaveLength(2);
  });

  test('that are truncated gzip keep what was read and end with 3', async () => {
    const gz = gzipSync(readFileSync(log));
    writeFileSync(at('cut.log.gz'), gz.subarray(0, gz.length / 2));
    const { code, stderr } = await run(['mine', at('cut.log.gz'), '-o', at('cut.json')]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/cut\.log\.gz: .*what could be read was kept/);
    expect(rulesIn(at('cut.json')).inputs[0]).toMatchObject({ truncated: true });
    expect(rulesIn(at('cut.json')).rules.length).toBeGreaterThan(10);
  });

  test('in no known format end with 3, and the message names the options that describe a format', async () => {
    writeFileSync(at('own.log'), 'a.example,80,10.0.0.1,[05/Dec/2024:00:10:18],"GET","/x",200\n'.repeat(4));
    const { code, stderr } = await run(['mine', at('own.log'), '-o', at('own.json')]);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /4 of 4 lines are in no known format \(line 1: .*\); describe it with --log-format, or CSV with --columns; /,
    );
  });

  test('that are mostly not a log end with 3, and every rejected line is in the file', async () => {
    const lines = ['not a log', '\u0016\u0003\u0001', ...readFileSync(log, 'utf8').split('\n').slice(0, 1), 'x y z'];
    writeFileSync(at('bad.log'), lines.join('\n'));
    const { code, stderr } = await run(['mine', at('bad.log'), '-o', at('bad.json'), '--rejects', at('rejects.tsv')]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/3 of 4 lines could not be read as vhost/);
    const rejects = readFileSync(at('rejects.tsv'), 'latin1').trimEnd().split('\n');
    expect(rejects.map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
      `${at('bad.log')}:1 not-in-format`,
      `${at('bad.log')}:2 not-in-format`,
      `${at('bad.log')}:4 not-in-format`,
    ]);
  });

  test('that are empty are not an error', async () => {
    const { code } = await run(['mine', '-', '-o', at('empty.json')], { input: '' });
    expect(code).toBe(0);
    expect(rulesIn(at('empty.json')).rules).toEqual([]);
  });
});

describe('the stages', () => {
  test('as TSV have seven fields, sorted by site, from, to, anchor', async () => {
    const { stdout } = await run(['mine', log, '--stage', 'pairs', '--tsv', '-q']);
    const rows = stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(rows.length).toBeGreaterThan(2000);
    expect(rows.every((row) => row.length === 7)).toBe(true);
    const keys = rows.map(([site, anchor, from, to]) => [site, from, to, anchor].join('\u0000'));
    expect(keys).toEqual(keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });

  test('count likely rules only where they were looked for', async () => {
    const said = async (stage: string) => (await run(['mine', log, '--stage', stage])).stderr;
    expect(await said('pairs')).toMatch(/; \d+ pairs\n/);
    expect(await said('likely')).toMatch(/; \d+ pairs, \d+ likely rules/);
  });

  test('escape tab, newline and backslash', async () => {
    const urls = ['a', 'b', 'c', 'd'].flatMap((page) => [`/x\\y/${page}`, `/${page}`]).join('\n');
    // Normalized, the backslash would be a slash.
    const flags = ['--stage', 'pairs', '--tsv', '--min-site-urls', '0', '--normalize', 'none'];
    const { stdout } = await run(['mine', '--format', 'urls', ...flags], { input: urls });
    expect(stdout.toString()).toContain('\tstart\t/x\\\\y/\t/\t');
  });

  test('without similarity have no instances against a pair', async () => {
    const { stdout } = await run(['mine', log, '--stage', 'pairs', '--tsv', '-q', '--no-similarity']);
    const against = stdout
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[6]);
    expect(new Set(against)).toEqual(new Set(['0']));
  });
});

describe('what goes wrong', () => {
  test.each([
    [['mine', '--S', 'many', log], /--S: got "many", expected a whole number/],
    [['mine', '--T_low', '9', '--T_high', '4', log], /--T_low 9 is larger than --T_high 4/],
    [['mine', '--memory', 'lots', log], /--memory: got "lots", expected a size such as 512m/],
    [['mine', '--memory', '64', log], /--memory: got "64", which is 64 bytes; write 64m for 64 MiB/],
    [['mine', '--memory', '.5k', log], /--memory: got ".5k", expected a size/],
    [['mine', '--memory', '0.5k', log], /--memory: got "0.5k", which is 512 bytes; expected more, such as 64m/],
    [['mine', '--format', 'weblog', log], /--format: got "weblog", expected common, combined/],
    [['mine', '--columns', 'url', log], /--columns: got "url", expected column=name/],
    [['mine', '--site', 'x', log], /--site: got "x", expected domain, host, all/],
    [['mine', '--memory', '64k', '--tmpdir', '/no/such/folder', log], /scratch file in \/no\/such\/folder/],
    [['mine', log, '-o', '/no/such/folder/rules.json'], /\/no\/such\/folder\/rules\.json/],
    [['mine', '--no-such-option', log], /unknown option '--no-such-option'/],
    [['dig', log], /unknown command 'dig'/],
  ])('%j is reported and ends with 2', async (args, message) => {
    const { code, stderr, stdout } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout.length).toBe(0);
  });

  test('a log named as the result is not overwritten', async () => {
    writeFileSync(at('precious.log'), readFileSync(log));
    for (const option of ['-o', '--rejects']) {
      const { code, stderr } = await run(['mine', at('precious.log'), option, at('./precious.log')]);
      expect([code, readFileSync(at('precious.log')).equals(readFileSync(log))]).toEqual([2, true]);
      expect(stderr).toMatch(/precious\.log is an input; expected another file/);
    }
  });

  test.each(['--test', '--pages'])('nor is what %s names, and nothing is mined first', async (flag) => {
    writeFileSync(at('kept.log'), 'kept\n');
    const { code, stderr } = await run(['mine', log, '--fetch', flag, 'kept.log', '-o', 'kept.log'], {
      cwd: folder.path,
    });
    expect(code).toBe(2);
    expect(stderr).toBe(
      'dustbuster: kept.log is an input; expected another file for the result, or it would be lost\n',
    );
    expect(readFileSync(at('kept.log'), 'utf8')).toBe('kept\n');
  });

  test('a full disk for the result ends with 2', async () => {
    const { code, stderr } = await run(['mine', log, '-o', '/dev/full', '-q']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no space is left/);
  });

  test('a closed pipe ends quietly with 0', async () => {
    const code = await new Promise((resolve) => {
      const child = spawn(process.execPath, [BIN, 'mine', log, '--stage', 'pairs', '--tsv', '-q']);
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.stdout.once('data', () => child.stdout.destroy());
      child.on('close', (exit) => resolve(`${exit} ${stderr}`));
    });
    expect(code).toBe('0 ');
  });

  test('SIGTERM leaves no file', async () => {
    const cwd = at('killed');
    mkdirSync(cwd);
    const child = spawn(process.execPath, [BIN, 'mine', '-', '--memory', '64k', '--tmpdir', cwd], { cwd });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
    child.stdin.on('error', () => undefined);
    child.stdin.write(readFileSync(log));
    await new Promise((resolve) => setTimeout(resolve, 700));
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: null, signal: 'SIGTERM' });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('control characters of a log reach no terminal', async () => {
    const urls = ['a', 'b', 'c', 'd'].flatMap((page) => [`/\u001b[31m/${page}`, `/${page}`]).join('\n');
    const { stdout, stderr } = await run(
      ['mine', '-', '--format', 'urls', '--min-site-urls', '0', '-o', at('esc.json')],
      {
        input: urls,
      },
    );
    expect(stdout.includes(0x1b)).toBe(false);
    expect(stderr).not.toContain('\u001b');
  });
});
