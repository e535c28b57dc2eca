// The package as programs use it. Threads run the output of `npm run build`, and so does this test.
import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../src/base/bytes.js';
import { collectGarbage } from '../src/base/garbage.js';
import type { LogRecord, MineInput, MineSettings } from '../src/index.js';
import { FIXTURES, run, scratchFolder } from './cli/process.js';
import { sampleFile, sampleRule } from './rule/sample.js';
import { variedUrls } from './varied-urls.js';
import { amount, rows } from './amount.js';

const entry = new URL('../dist/program/index.js', import.meta.url).href;
const library = (await import(entry)) as typeof import('../src/index.js');
const { createCanonizer, mine, readRules, UserError, writeRules } = library;

const log = join(FIXTURES, 'access.log');
const text = readFileSync(log, 'latin1');
const lines = text.split('\n');
let folder: ReturnType<typeof scratchFolder>;
let made = 0;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

/** What `dustbuster mine` writes. */
async function commanded(...args: readonly string[]): Promise<string> {
  const path = join(folder.path, `commanded-${made++}.json`);
  const { code, stderr } = await run(['mine', ...args, '-q', '-o', path]);
  expect([stderr, code]).toEqual(['', 0]);
  return readFileSync(path, 'utf8');
}

async function mined(inputs: MineInput | readonly MineInput[], settings?: MineSettings): Promise<string> {
  return writeRules((await mine(inputs, settings)).file);
}

describe('mine', () => {
  const cases: [what: string, args: readonly string[], settings: MineSettings][] = [
    ['by default', [], {}],
    ['with little memory', ['--memory', '64k', '--threads', '3'], { memory: 1 << 16, threads: 3 }],
    [
      'with the numbers of the paper',
      ['--S', '20', '--T_low', '5', '--MS', '4', '--MRD', '0.1'],
      { S: 20, T_low: 5, MS: 4, MRD: 0.1 },
    ],
    ['by host', ['--site', 'host', '--min-site-urls', '5'], { site: 'host', minSiteUrls: 5 }],
    [
      'without similarity and parameters',
      ['--no-similarity', '--no-parameters'],
      { similarity: false, parameters: false },
    ],
    ['by confidence', ['--rank', 'confidence', '--normalize', 'none'], { rank: 'confidence', normalize: 'none' }],
    ['as https', ['--scheme', 'https', '--max-url-length', '60'], { scheme: 'https', maxUrlLength: 60 }],
    [
      'of some of it',
      ['--since', '2026-11-21', '--host', 'www.*', '--host', 'example.*', '--exclude', '/docs/', '--only-documents'],
      { since: new Date('2026-11-21'), host: ['www.*', 'example.*'], exclude: '/docs/', onlyDocuments: true },
    ],
    [
      'with defaults that are said',
      ['--bots', 'all'],
      { bots: 'all', parameters: true, onlyDocuments: false, stamp: false },
    ],
  ];

  it.each(rows(cases, 3))('finds, byte for byte, what the command writes: %s', async (_, args, settings) => {
    expect(await mined(log, settings)).toBe(await commanded(log, ...args));
  });

  it('takes several names, globs and compressed files', async () => {
    const half = Math.floor(lines.length / 2);
    put('part-1.log', `${lines.slice(0, half).join('\n')}\n`);
    const second = put('part-2.log.gz', gzipSync(lines.slice(half).join('\n')));
    const glob = join(folder.path, 'part-*');
    expect(await mined([second, glob])).toBe(await commanded(second, glob));
  });

  it('takes URLs in memory, as the command takes a list of them', async () => {
    const urls = [...variedUrls((await mine(log)).file, 3000), '', ' ', 'http://example.test/\udce9', '/\u{1f600}'];
    const list = put('urls.txt', encodeText(urls.map((url) => `${url}\n`).join('')));
    const right = await commanded(list, '--format', 'urls');
    expect(await mined({ urls, name: list })).toBe(right);
    expect(await mined({ urls: slowly(urls), name: list }, { format: 'combined' })).toBe(right);
    expect(await mined({ urls: new Set(['http://a.test/', new URL('http://A.test/#x')]) })).toContain('"urls": 1,');
  });

  it('takes a URL with a newline in it for one URL', async () => {
    const { summary } = await mine({ urls: ['/a\n/b', '/c\r', '/d\r\n/e'] });
    expect([summary.inputs[0]!.lines, summary.urls]).toEqual([3, 3]);
  });

  it('takes records in memory, as the command takes JSON lines', async () => {
    const records: LogRecord[] = Array.from({ length: 400 }, (_, at) => ({
      url: `/page/${at >> 2}${['', '?sid=1', '?sid=2', '/\udce9'][at & 3]}`,
      host: 'www.example.co.uk',
      status: at % 50 === 0 ? 404 : 200,
      size: 500 + (at >> 2),
      ...(at % 9 === 0 && { method: 'POST' }),
      time: at % 2 === 0 ? new Date(1.7e12 + at) : 1.7e12 + at,
      agent: at % 7 === 0 ? 'Googlebot/2.1' : 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    }));
    const list = put('records.jsonl', records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const flags = ['--format', 'jsonl', '--since', '2023-11-01', '--bots', 'none'];
    const settings: MineSettings = { since: '2023-11-01', bots: 'none' };
    const found = await mined({ records, name: list }, settings);
    expect(found).toBe(await commanded(list, ...flags));
    expect(found).toContain('"publicSuffixes": ["co.uk"]');
    expect(readRules(found).rules.length).toBeGreaterThan(0);
  });

  it('takes the bytes of a log, compressed or not, as the command takes standard input', async () => {
    const right = readRules(await commanded(log));
    const packed = put('packed.gz', gzipSync(text));
    for (const bytes of [createReadStream(packed, { highWaterMark: 1000 }), [encodeText(text)]]) {
      const { file } = await mine({ bytes, name: log });
      expect(file).toEqual(right);
    }
  });

  it('reads named inputs first, then the others, and counts each by itself', async () => {
    const given = { urls: ['/a', '/b'] };
    const { summary, file } = await mine([given, log, { records: [{ url: '/c' }] }]);
    expect(summary.inputs.map(({ name, format, lines: count }) => [name, format, count])).toEqual([
      [log, 'vhost', 3388],
      ['urls', 'urls', 2],
      ['records', 'jsonl', 1],
    ]);
    expect(file.urlForm).toBe('mixed');
  });

  it('returns the counts that the command prints', async () => {
    const { summary, warnings } = await mine(log);
    const { stderr } = await run(['mine', log, '-o', join(folder.path, 'counted.json')]);
    const { urls, sites, pairs, likely, candidates } = summary;
    expect(stderr).toContain(
      `${urls} URLs, ${sites.mined} site mined; ${pairs} pairs, ${likely - candidates} likely rules`,
    );
    expect(summary.largestSites).toEqual([{ site: 'example.test', urls }]);
    expect(warnings).toEqual([]);
  });

  it('returns what is wrong with inputs', async () => {
    const packed = gzipSync(text);
    const cut = put('cut.gz', packed.subarray(0, packed.length - 100));
    const { warnings, summary } = await mine([cut, { urls: ['no url', 'none', '/a'] }]);
    expect(warnings.map((line) => line.replace(/^.*cut\.gz/, 'cut.gz'))).toEqual([
      expect.stringMatching(/^cut\.gz: .+; what could be read was kept$/),
      'urls: 2 of 3 lines could not be read as urls (no-url, field URL; line 1: no url); name the format with --format, or describe it with --log-format; dustbuster formats FILE shows them field by field',
    ]);
    expect(summary.inputs[0]).toMatchObject({ truncated: true });
  });

  it('reports each line that could not be read', async () => {
    const rejected: unknown[] = [];
    await mine({ urls: ['/a', 'b\udce9', '/c', ''] }, { onReject: (line) => rejected.push(line) });
    expect(rejected).toEqual([
      { input: 'urls', number: 2, cause: 'no-url', line: 'b\udce9' },
      { input: 'urls', number: 4, cause: 'empty', line: '' },
    ]);
  });

  it('returns a valid rules file', async () => {
    const { file } = await mine(log, { stamp: true });
    expect(readRules(file)).toBe(file);
    expect(readRules(writeRules(file))).toEqual(file);
    expect(createCanonizer(file, { accept: 'likely' }).canonize('http://www.example.test/docs/2.4/en/bind.html')).toBe(
      'http://example.test/manual/da/bind',
    );
  });

  it('mines several logs concurrently as sequentially', async () => {
    const other = { urls: variedUrls((await mine(log)).file, 2000) };
    const apart = [await mined(log), await mined(other)];
    expect(await Promise.all([mined(log), mined(other)])).toEqual(apart);
  });

  const wrong: [what: string, inputs: unknown, settings: unknown, message: string | RegExp][] = [
    ['a file that is not there', 'no-such.log', {}, 'no file matches "no-such.log"'],
    ['an option that is none', log, { minSites: 1 }, 'mine: got the unknown option "minSites", expected one of'],
    ['a number that is none', log, { MS: 'x' }, '--MS: got "x", expected a whole number of at least 1'],
    ['a share that is none', log, { MRD: 2 }, '--MRD: got "2", expected a number from 0 to 1'],
    ['a word that is none', log, { site: 'page' }, '--site: got "page", expected domain, host, all'],
    ['a truth that is none', log, { similarity: 'no' }, 'similarity: got "no", expected true or false'],
    ['a size that is none', log, { memory: 'much' }, 'memory: got "much", expected a size'],
    ['numbers that contradict', log, { T_low: 20 }, '--T_low 20 is larger than --T_high 11'],
    ['a base that is none', log, { base: 'x' }, '--base is "x"'],
    ['columns that are none', { bytes: [] }, { columns: { URL: 'u' } }, '--columns: got "URL"'],
    ['an input that is none', { lines: [] }, {}, 'mine: got an input of an unknown kind'],
    ['null', null, {}, 'mine: got an input of an unknown kind'],
    ['no input', [], {}, 'nothing could be read'],
    ['a folder for scratch files that is none', log, { memory: '64k', tmpdir: '/no/such' }, 'there is no such folder'],
  ];

  it.each(wrong)('refuses %s as the command does', async (_, inputs, settings, message) => {
    const failure = mine(inputs as MineInput, settings as MineSettings);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(UserError);
  });

  it('fails with the error of an iterable', async () => {
    const failing = function* () {
      yield '/a';
      throw new RangeError('out of URLs');
    };
    await expect(mine({ urls: failing() })).rejects.toThrow(new RangeError('out of URLs'));
  });

  it('stops on request, and closes its inputs', async () => {
    const controller = new AbortController();
    let isClosed = false;
    const endless = async function* () {
      try {
        for (let at = 0; ; at++) {
          if (at === 100_000) controller.abort(new Error('enough'));
          yield `/page/${at}`;
        }
      } finally {
        isClosed = true;
      }
    };
    await expect(mine({ urls: endless() }, { signal: controller.signal })).rejects.toThrow('enough');
    expect(isClosed).toBe(true);
    await expect(mine(log, { signal: controller.signal })).rejects.toThrow('enough');
  });

  it.runIf(existsSync('/proc/self/fd'))('keeps no file open, even after a failure', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const urls = variedUrls((await mine(log)).file, amount(20_000, 4));
    const before = open();
    for (const end of ['', 'throw']) {
      const failing = function* () {
        yield* urls;
        if (end === 'throw') throw new Error('in the middle');
      };
      const done = await mine({ urls: failing() }, { memory: '64k' }).catch(() => undefined);
      expect(done === undefined).toBe(end === 'throw');
    }
    for (let turn = 0; turn < 50 && open() > before; turn++) {
      collectGarbage();
      await wait(20);
    }
    expect(open()).toBeLessThanOrEqual(before);
  });

  it('prints nothing, ends nothing and leaves no handler in the process', () => {
    const script = `
      const { mine } = await import(${JSON.stringify(entry)});
      const before = process.eventNames().join();
      await mine([${JSON.stringify(log)}, { urls: ['no url'] }], { memory: '64k', threads: 3 });
      await mine('no-such.log').catch(() => {});
      if (process.eventNames().join() !== before) console.log(process.eventNames());
      if (process.exitCode !== undefined) console.log(process.exitCode);
    `;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect([stdout, stderr, status]).toEqual(['', '', 0]);
  });
});

describe('createCanonizer', () => {
  it('gives 10,000 URLs the forms of the command', async () => {
    const { file } = await mine(log);
    const rules = put('rules.json', writeRules(file));
    const urls = variedUrls(file, 10_000);
    const list = put('varied.txt', encodeText(urls.map((url) => `${url}\n`).join('')));
    const { stdout } = await run(['canonize', '--accept', 'likely', '-r', rules, '-i', list]);
    const { canonize } = createCanonizer(readRules(readFileSync(rules)), { accept: 'likely' });
    expect(decodeText(stdout)).toBe(urls.map((url) => `${canonize(url)}\n`).join(''));
  });

  it('explains a URL as the command does', async () => {
    const { file } = await mine(log);
    const rules = put('explained.json', writeRules(file));
    const url = 'http://www.example.test/docs/2.4/en/bind.html';
    const { stdout } = await run(['explain', '--jsonl', '--accept', 'likely', '-r', rules, url]);
    const told = JSON.parse(stdout.toString()) as { steps: { round: number; rank?: number; form: string }[] };
    const { steps, ...others } = createCanonizer(file, { accept: 'likely' }).explain(url);
    expect(told).toMatchObject(others);
    expect(steps.map(({ round, rule, form }) => [round, rule?.rank, form])).toEqual(
      told.steps.map(({ round, rank, form }) => [round, rank, form]),
    );
  });

  // Node takes 10 GiB of addresses for any memory of WebAssembly, unless it has no trap handler.
  const MEMORY = 'new WebAssembly.Memory({ initial: 32, maximum: 32 })';
  const hasNoMemory = limited(MEMORY).stderr.includes('RangeError: WebAssembly.Memory()');

  it.runIf(hasNoMemory)('goes on trying all rules if there are too few addresses for the kernel', () => {
    const rules = Array.from({ length: 10 }, (_, at) => sampleRule(`/${at}/`, `/to-${at}/`, { rank: at + 1 }));
    const path = put('ten.json', writeRules(sampleFile(rules)));
    const { stdout, stderr, status } = limited(`
      import { readFileSync } from 'node:fs';
      import { createCanonizer, readRules } from ${JSON.stringify(entry)};
      const { canonize } = createCanonizer(readRules(readFileSync(${JSON.stringify(path)})));
      for (let at = 0; at < 3000; at++) console.log(canonize(\`http://www.example.com/\${at % 12}/\${at}\`));
    `);
    expect([stderr, status]).toEqual(['', 0]);
    const forms = Array.from({ length: 3000 }, (_, at) => {
      const name = at % 12;
      return `http://www.example.com/${name < 10 ? `to-${name}` : name}/${at}\n`;
    });
    expect(stdout).toBe(forms.join(''));
  });
});

/** Runs a script with 4 GB of addresses. */
function limited(script: string) {
  const command = 'ulimit -v 4000000 && exec "$0" --input-type=module -e "$1"';
  return spawnSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' });
}

async function* slowly<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const [at, value] of values.entries()) {
    if (at % 500 === 0) await wait(1);
    yield value;
  }
}
