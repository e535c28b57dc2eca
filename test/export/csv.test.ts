import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csv } from '../../src/export/csv.js';
import type { Rule } from '../../src/rule/rule.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { requestOf, ruleSets } from './arbitrary.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** The table as read by Python's csv module, one record per row. */
function readTable(text: string): Record<string, string>[] {
  // Lone surrogates survive the way there and back.
  const code = `import csv, io, json, sys
text = sys.stdin.buffer.read().decode("utf-16-le", "surrogatepass")
json.dump(list(csv.DictReader(io.StringIO(text, newline=""), strict=True)), sys.stdout)`;
  const input = Buffer.from(text, 'utf16le');
  const { stdout, stderr } = spawnSync('python3', ['-c', code], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, string>[];
}

function rowOf(rule: Rule): Record<string, string> {
  return readTable(csv.write(requestOf([rule])).text)[0]!;
}

/** What a program does with a text cell. */
const textOf = (cell: string) => cell.replace(/^'/, '');

describe('the table', () => {
  it('has a header and a line for each rule, without exception', () => {
    const rules = [
      sampleRule('/index.html', '/', { anchor: 'end', site: 'example.com' }),
      sampleParameter('sid', { rank: 2 }),
    ];
    const { text, carried, left } = csv.write(requestOf(rules));
    expect(text.split('\r\n')).toEqual([
      'rank,site,status,kind,from,to,anchor,name,action,value,scope,path,step,text,pattern,template,use,only,not,except,low,high,groups,clusters,urls,against,chance,confidence,positive,negative',
      '1,example.com,valid,substring,/index.html,/,end,,,,,,,,,,,,,,12,15,,,,1,,0.667,,',
      '2,*,valid,parameter,,,,sid,remove,,site,,,,,,,,,,,,12,,40,1,0.01,0.667,,',
      '',
    ]);
    expect(carried).toEqual(rules);
    expect(left).toEqual([]);
  });
});

describe.skipIf(!hasPython)('the table, read by another program,', () => {
  it('distinguishes an empty value from none', () => {
    expect(rowOf(sampleParameter('a', { action: 'set', value: '' }))).toMatchObject({ action: 'set', value: '' });
    expect(rowOf(sampleParameter('a', { action: 'set', value: null }))).toMatchObject({ action: 'bare', value: '' });
  });

  it('has the verdict and the exceptions of a rule', () => {
    const verdict = { source: 'live', positive: 9, negative: 1, unjudged: {}, positives: [], negatives: [] } as const;
    const row = rowOf(sampleRule('a', 'b', { verdict, except: ['/a', '/c?a'] }));
    expect(row).toMatchObject({ positive: '9', negative: '1', except: '/a /c?a' });
  });

  it('has no spreadsheet formula', () => {
    const texts = ['=1+1', '+1', '-2', '@SUM(A1)', '\t=1', '\r=1', ' =1', "'", "'=1", '＝1', '=cmd|"/c calc"!A1'];
    const rows = readTable(csv.write(requestOf(texts.map((text) => sampleRule(text, `x${text}`)))).text);
    expect(rows.filter(({ from }) => !from!.startsWith("'"))).toEqual([]);
    expect(rows.map(({ from }) => textOf(from!))).toEqual(texts);
    expect(rows.map(({ to }) => to)).toEqual(texts.map((text) => `x${text}`));
  });

  it('has every text of every rule unchanged, whatever is in it', () => {
    const hostile = fc.constantFrom('"', ',', '\n', '\r\n', '\u0000', '\u2028', '\udc80', '=', "'", 'é', ';', '\t');
    const text = fc.array(hostile, { maxLength: 4 }).map((parts) => parts.join(''));
    const rules = fc
      .sample(fc.tuple(ruleSets, text, text), { numRuns: 60, seed: 6 })
      .flatMap(([list, from, value]) => [
        ...list,
        sampleRule(from, 'x', { site: value }),
        sampleParameter(from, { action: 'set', value, scope: 'path', path: `/${value}` }),
      ]);
    const rows = readTable(csv.write(requestOf(rules)).text);
    expect(rows).toHaveLength(rules.length);
    for (const [at, rule] of rules.entries()) {
      const row = rows[at]!;
      const columns = {
        substring: ['from', 'to'],
        parameter: ['name', 'path'],
        step: ['step', 'text'],
        pattern: ['pattern', 'template'],
      }[rule.kind];
      const texts = columns.map((name) => (rule as unknown as Record<string, string>)[name]);
      const cells = columns.map((name) => row[name]);
      const places = (rule.only ?? []).map(({ part, is }) => `${part}=${is}`);
      expect(textOf(row['only']!)).toBe(places.join(' '));
      expect([row['site'], ...cells].map((cell) => textOf(cell!))).toEqual([rule.site, ...texts]);
      if (rule.kind === 'parameter' && rule.action === 'set') expect(textOf(row['value']!)).toBe(rule.value ?? '');
      expect(Object.values(row).filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    }
  });
});
