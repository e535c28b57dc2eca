// Text of a log, a URL, a rules file or a file name never controls the terminal: every command, every way that such
// text takes to standard error, and on a terminal to standard output.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapeControls, printable, printableLines } from '../../../src/base/bytes.js';
import { realEffects } from '../../../src/base/effects.js';
import { writeRules } from '../../../src/rule/file.js';
import { sampleFile, sampleParameter, sampleRule } from '../../rule/sample.js';
import { run, scratchFolder } from '../process.js';
import { HAS_TERMINALS, onTerminal } from './pty.js';

// The program finds its package.json from where it was compiled to.
const dist = new URL('../../../dist/src/cli/program.js', import.meta.url).href;
const { run: runProgram } = (await import(dist)) as typeof import('../../../src/cli/program.js');

/** Sets the title, a background, clears, writes right to left, goes back, and begins a line in the middle. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[45m\u009b2J\u202e\u2028\u007f\u0008';
/** The same in a form that a URL can have, and as a shell escape. */
const IN_URL = '\u009b2J\u202e\u2028';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => join(folder.path, name);

beforeAll(() => {
  folder = scratchFolder();
  const urls: string[] = [];
  for (let n = 0; n < 60; n++) {
    urls.push(`http://h${IN_URL}.test/a${IN_URL}${n}/x.html?s${IN_URL}=${n}`, `http://h.test/b${IN_URL}${n}/x.html`);
    urls.push(`http://www.example.test/a${IN_URL}/${n}/index.html`, `http://www.example.test/a${IN_URL}/${n}/`);
  }
  writeFileSync(at(`urls${HOSTILE}.txt`), `${urls.join('\n')}\nhttp://h.test/${HOSTILE}\n`);
  const line = (path: string) =>
    `1.2.3.4 - - [01/Nov/2026:00:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${HOSTILE}"`;
  const paths = urls.map((url) => line(url.replace(/^http:\/\/[^/]*/, '')));
  writeFileSync(at(`log${HOSTILE}.log`), `${paths.join('\n')}\n${line(HOSTILE)}\n${`${HOSTILE}\n`.repeat(300)}`);
  const rules = [
    sampleRule(`/index${HOSTILE}.html`, `/${HOSTILE}`, { site: `x${HOSTILE}.test`, note: HOSTILE }),
    sampleRule('/index.html', '/', { rank: 2, anchor: 'end' }),
    sampleRule(`a${IN_URL}`, 'a', { rank: 3, examples: [[HOSTILE, `${HOSTILE}2`]] }),
    sampleParameter(`s${IN_URL}`, { rank: 4, action: 'set', value: IN_URL, scope: 'path', path: `/a${IN_URL}` }),
    sampleRule(HOSTILE, 'v', { rank: 5, veto: true, note: HOSTILE }),
  ];
  const json = [...writeRules(sampleFile(rules))].join('');
  writeFileSync(at('rules.json'), json);
  writeFileSync(at('likely.json'), json.replaceAll('"status":"valid"', '"status":"likely"'));
  writeFileSync(at('other.json'), [...writeRules(sampleFile(rules.slice(1)))].join(''));
  writeFileSync(at(`damaged${HOSTILE}.json`), `{"format":"dustbuster-rules","version":1,"${HOSTILE}":`);
  writeFileSync(at('foreign.json'), JSON.stringify({ format: HOSTILE, version: HOSTILE }));
  const local = {
    format: 'dustbuster-local',
    version: 1,
    rules: [{ veto: true, from: HOSTILE, to: `nothing${HOSTILE}` }],
  };
  writeFileSync(at(`local${HOSTILE}.json`), JSON.stringify(local));
  writeFileSync(at('wrong-local.json'), JSON.stringify({ ...local, rules: [{ [HOSTILE]: 1 }] }));
  writeFileSync(at('labels.tsv'), `${urls.map((url, n) => `${url}\t${HOSTILE}${n % 7}`).join('\n')}\n`);
  writeFileSync(at('no-labels.tsv'), `${HOSTILE}\n`);
  writeFileSync(at(`header.csv`), `${HOSTILE},b\n1,2\n`);
});
afterAll(() => folder.remove());

const list = `urls${HOSTILE}.txt`;
const log = `log${HOSTILE}.log`;
const commands: readonly (readonly string[])[] = [
  ['mine', log, '-o', `out${HOSTILE}.json`, '-v'],
  ['mine', list, '-o', `out${HOSTILE}.json`, '--normalize', 'none', '--min-site-urls', '1'],
  ['mine', list, '-o', '-', '--normalize', 'none'],
  ['mine', list, '-o', 'out.json', '--json'],
  ['mine', list, '--stage', 'pairs', '--normalize', 'none'],
  ['mine', list, '--stage', 'pairs', '--tsv', '--normalize', 'none'],
  ['mine', list, '--state', `state${HOSTILE}`, '-o', 'out.json'],
  ['mine', list, '--state', `state${HOSTILE}`, '-o', 'out.json', '--site', 'host'],
  ['mine', list, '-o', 'out.json', '--local', `local${HOSTILE}.json`],
  ['mine', list, '-o', 'out.json', '--tmpdir', `nowhere${HOSTILE}`],
  ['mine', list, '-o', `nowhere${HOSTILE}/out.json`],
  ['mine', list, '-o', list],
  ['mine', `missing${HOSTILE}.log`],
  ['mine', list, '--log-format', `%z${HOSTILE}`],
  ['mine', 'header.csv', '--format', 'csv'],
  ['mine', list, '--columns', HOSTILE],
  ['mine', list, '--memory', HOSTILE],
  ['mine', list, '--since', HOSTILE],
  ['mine', list, '--format', HOSTILE],
  ['mine', list, '--base', HOSTILE],
  ['mine', list, '--include', `[${HOSTILE}`],
  ['mine', list, '--history', `damaged${HOSTILE}.json`],
  ['mine', list, `--${HOSTILE}`],
  ['canonize', '-r', 'rules.json', '-i', list],
  ['canonize', '-r', 'rules.json', '--pairs', `/a/index.html${HOSTILE}`, `http://h.test/a${IN_URL}/index.html`],
  ['canonize', '-r', `missing${HOSTILE}.json`, '/a'],
  ['canonize', '-r', `damaged${HOSTILE}.json`, '/a'],
  ['canonize', '-r', 'rules.json', '-i', `missing${HOSTILE}.txt`],
  ['canonize', '-r', 'rules.json', '--local', `local${HOSTILE}.json`, '/a'],
  ['canonize', '-r', 'rules.json', '--local', 'wrong-local.json', '/a'],
  ...['--accept=valid', '--json', '--jsonl'].map((how) => [
    'explain',
    '-r',
    'rules.json',
    how,
    `/a${IN_URL}/index.html`,
  ]),
  ['explain', '-r', 'rules.json', HOSTILE],
  ...['--top=10', '--json', '--csv', '--csv --per=rule'].map((how) => [
    'eval',
    '-r',
    'rules.json',
    '--urls',
    list,
    '--truth',
    'labels.tsv',
    ...how.split(' '),
  ]),
  ['diff', 'rules.json', 'other.json'],
  ['diff', 'rules.json', 'other.json', '--json'],
  ['diff', 'rules.json', `missing${HOSTILE}.json`],
  ['validate', 'likely.json', '--test', list, '--dry-run'],
  ['validate', 'likely.json', '--test', list, '--pages', `missing${HOSTILE}.warc`],
  ['validate', 'likely.json', '--test', list, '--resolve', HOSTILE],
  ['validate', 'likely.json', '--test', list, '--user-agent', HOSTILE],
  ['validate', 'likely.json', '--test', list, '--max-age', HOSTILE],
  ['validate', 'likely.json', '--test', list, '--base', `http://${HOSTILE}`, '--dry-run'],
  [HOSTILE],
  [`--${HOSTILE}`],
];

/** Those that print nothing hostile. */
const silent: readonly (readonly string[])[] = [
  ['canonize', '-r', 'rules.json', '-i', list, '-o', 'forms.txt', '--json'],
  ['canonize', '-r', 'foreign.json', '/a'],
  ['canonize', '-r', 'likely.json', '/a'],
  ['eval', '-r', 'rules.json', '--urls', list, '--truth', 'no-labels.tsv'],
  ['validate', 'likely.json', '--test', list, '--dry-run', '--json'],
  ['validate', 'likely.json', '--test', list, '--by-sketch', '-o', `verdicts${HOSTILE}.json`],
  ['help', HOSTILE],
];

/** What a terminal would act on, except colours; and bytes that are not UTF-8. */
function ordersIn(text: string): string[] {
  // eslint-disable-next-line no-control-regex -- these are what must not be there
  const plain = text.replaceAll(/\u001b\[(?:1|22|31|32|33|39)m|\r?\u001b\[K|\r?\u001b\[\?7[lh]|\r\n|[\n\t]/g, '');
  return [...plain.matchAll(/[\p{Cc}\p{Cf}\u2028\u2029\ufffd]/gu)].map((found) => {
    const around = plain.slice(Math.max(0, found.index - 60), found.index + 20);
    return `U+${found[0].codePointAt(0)!.toString(16)} in ${JSON.stringify(around)}`;
  });
}

/** The program in this process, with both streams on a terminal, or none. */
async function shownBy(words: readonly string[], isTTY: boolean): Promise<{ stdout: string; stderr: string }> {
  const [stdout, stderr] = [collector(isTTY), collector(isTTY)];
  const env = { ...process.env, TERM: 'dumb' };
  const stdin = Readable.from([]);
  await runProgram(words, {
    ...realEffects(),
    env,
    cwd: folder.path,
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  return { stdout: stdout.text(), stderr: stderr.text() };
}

function collector(isTTY: boolean) {
  const chunks: Buffer[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    chunks.push(Buffer.from(chunk));
    done();
  };
  return { stream: Object.assign(new Writable({ write }), { isTTY }), text: () => Buffer.concat(chunks).toString() };
}

const titled = [...commands, ...silent].map((words) => [printable(words.join(' ')), words] as const);

describe('hostile text', { timeout: 60_000 }, () => {
  it.each(titled)('dustbuster %s: no control sequences', async (_title, words) => {
    const { stdout, stderr } = await shownBy(words, true);
    expect(ordersIn(stdout)).toEqual([]);
    expect(ordersIn(stderr)).toEqual([]);
    expect(ordersIn((await shownBy(words, false)).stderr)).toEqual([]);
    // It was there all the same, in readable form.
    if (commands.includes(words)) expect(stdout + stderr).toMatch(/\\x1b|\\x9b|\\u009b|\\u001b|\\u\{202e\}/);
  });

  it.skipIf(!HAS_TERMINALS)('does not reach a real terminal either', async () => {
    const some = [
      ['mine', list, '-o', 'out.json', '--rejects', '/dev/stdout', '--top', '0'],
      ['canonize', '-r', 'rules.json', '-i', list, '-o', '/dev/stdout'],
      ['canonize', '-r', 'rules.json', '-i', list],
      ['mine', log, '-o', `out${HOSTILE}.json`, '-v'],
    ];
    const line = some.map((words) => `dustbuster ${words.map((word) => `'${word}'`).join(' ')}`).join('; ');
    const { screen } = await onTerminal(`${line}; echo the end`, { cwd: folder.path, columns: 1000 });
    expect(screen).toContain('the end');
    expect(screen).toContain('\\x1b]0;owned');
    expect(ordersIn(screen)).toEqual([]);
  });

  it('passes byte for byte if there is no terminal', async () => {
    const input = Buffer.from(`${HOSTILE}\n/a/\u009b/index.html\n\xff\n`, 'latin1');
    const { stdout } = await run(['canonize', '-r', at('rules.json')], { input, cwd: folder.path });
    const forms = input.toString('latin1').replace('/a/\u009b/index.html', '/a/%9B/');
    expect(stdout).toEqual(Buffer.from(forms, 'latin1'));
  });

  it('is escaped in a rules file, so that it is safe to view', async () => {
    const { code } = await run(['mine', list, '-o', 'seen.json', '--normalize', 'none'], { cwd: folder.path });
    expect(code).toBe(0);
    const text = readFileSync(at('seen.json'), 'utf8');
    expect(text).toContain('\\u202e');
    expect(ordersIn(text)).toEqual([]);
  });
});

describe('text for a terminal', () => {
  const wild = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text + HOSTILE);

  it('has no control characters except line ends and tabs', () => {
    fc.assert(
      fc.property(wild, (text) => {
        expect(ordersIn(printableLines(text))).toEqual([]);
      }),
    );
    expect(printableLines('a\tb\r\nc\rd\n')).toBe('a\tb\nc\\x0dd\n');
  });

  it('that is JSON keeps its value', () => {
    fc.assert(
      fc.property(wild, (text) => {
        const json = escapeControls(JSON.stringify({ text }));
        expect(ordersIn(json)).toEqual([]);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
