// What -v counts adds up, to the last line: lines of each input, of all of them, and of each phase.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURES, run, scratchFolder } from '../process.js';

const log = join(FIXTURES, 'access.log');
const folder = scratchFolder();
const at = (name: string) => join(folder.path, name);
afterAll(() => folder.remove());

beforeAll(() => {
  const rows = Array.from({ length: 50 }, (_, n) => `http://a.test/${n}/index.html,9\nhttp://a.test/${n}/,9\n`);
  writeFileSync(at('table.csv'), `url,size\n${rows.join('')}"http://a.test/\nx",9\nno url,9\n`);
  const requests = Array.from({ length: 30 }, (_, n) => `2026-11-21 03:50:46 GET /a${n} ${n < 3 ? 404 : 200}\n`);
  const head = '#Fields: date time cs-method cs-uri-stem sc-status\n';
  writeFileSync(at('w3c.log'), `${head}${requests.join('')}${head}\nodd\n${requests.join('')}`);
  writeFileSync(at('access.log.gz'), gzipSync(Buffer.concat([readFileSync(log), Buffer.from('odd\n\n')])));
});

const number = (text = '') => Number(text.replaceAll(',', ''));
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const numbersIn = (text: string) => Array.from(text.matchAll(/\d+/g), ([digits]) => Number(digits));

/** The line of each input, of which each has to add up; that of all of them, if there are several, is the last. */
function inputsIn(stderr: string) {
  const pattern = /^(\S+) \(.*\): (\d+) lines = (\d+) records \+ dropped (\d+)(.*?) \+ rejected (\d+)(.*)$/gm;
  return Array.from(stderr.matchAll(pattern), ([line, , lines, records, dropped, droppedAs, rejected, rejectedAs]) => {
    const counts = [lines, records, dropped, rejected].map(number);
    expect({ line, lines: counts[0] }).toEqual({ line, lines: sum(counts.slice(1)) });
    for (const [count, causes] of [
      [dropped, droppedAs],
      [rejected, rejectedAs],
    ] as const)
      expect({ line, count: sum(numbersIn(causes!)) }).toEqual({
        line,
        count: number(count),
      });
    return counts;
  });
}

const phaseIn = (stderr: string, name: string) =>
  number(new RegExp(`^${name} +[\\d.]+ s  ([\\d,]+) `, 'm').exec(stderr)?.[1]);

describe.each(['1', '2'])('with %s threads', (threads) => {
  const mine = async (...args: readonly string[]) => {
    const { stderr } = await run([
      'mine',
      ...args,
      '-v',
      '--threads',
      threads,
      '-o',
      at('r.json'),
      '--min-site-urls',
      '0',
    ]);
    const inputs = inputsIn(stderr);
    return { stderr, inputs, urls: number(/^(\d+) URLs, \d+ sites? mined/m.exec(stderr)?.[1]) };
  };

  it.each([
    ['access.log'],
    ['table.csv'],
    ['w3c.log'],
    ['access.log.gz'],
    ['access.log', 'table.csv', 'w3c.log', 'access.log.gz'],
  ])('mine counts every line and URL of %s', async (...names) => {
    const { stderr, inputs, urls } = await mine(...names.map((name) => (name === 'access.log' ? log : at(name))));
    const own = inputs.slice(0, names.length);
    expect(inputs).toHaveLength(names.length + (names.length > 1 ? 1 : 0));
    const all = [0, 1, 2, 3].map((column) => sum(own.map((counts) => counts[column]!)));
    expect(inputs.at(-1)).toEqual(all);
    expect(phaseIn(stderr, 'reading')).toBe(all[0]);
    expect(urls).toBeGreaterThan(20);
    expect(phaseIn(stderr, 'going through sites')).toBe(urls);
  });

  it('mine --state counts the URLs of all nights, each once', async () => {
    const state = at(`state-${threads}`);
    await mine(log, '--state', state, '--now', '2026-11-21');
    const { stderr, urls } = await mine(log, at('table.csv'), '--state', state, '--now', '2026-11-22');
    expect(urls).toBe(2651 + 100);
    expect(phaseIn(stderr, 'going through sites')).toBe(urls);
  });

  it('report counts the URLs that it measures', async () => {
    const { stderr } = await run(['report', log, '-v', '--threads', threads, '-o', at('r.html')]);
    expect(inputsIn(stderr)).toHaveLength(1);
    expect(phaseIn(stderr, 'reading')).toBe(3388);
    // Without ten that the server only redirects.
    expect(phaseIn(stderr, 'measuring')).toBe(2651 - 10);
  });

  it('canonize and validate count the lines that they read', async () => {
    await mine(at('table.csv'));
    const input = readFileSync(log, 'utf8').split('\n').slice(0, 1234).join('\n');
    const canonized = await run(['canonize', '-v', '-r', at('r.json'), '--accept', 'likely', '--threads', threads], {
      input,
    });
    expect(phaseIn(canonized.stderr, 'canonizing')).toBe(1234);
    const args = ['-v', '--test', at('table.csv'), '--dry-run', '--threads', threads];
    const validated = await run(['validate', at('r.json'), ...args]);
    expect(inputsIn(validated.stderr)).toEqual([[102, 100, 0, 2]]);
    expect(phaseIn(validated.stderr, 'reading')).toBe(102);
  });
});
