import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { blockBytes } from '../../src/canonize/blocks.js';
import { type CanonizerOptions } from '../../src/canonize/canonizer.js';
import { createLook } from '../../src/canonize/look.js';
import { newSweep } from '../../src/canonize/sweep.js';
import { compileRule } from '../../src/rule/apply.js';
import { createLookup, lookupKey } from '../../src/rule/lookup.js';
import type { Rule } from '../../src/rule/rule.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { anyRules, someOptions, someUrl } from './arbitrary.js';
import { accepts } from '../../src/rule/standing.js';
import { amount } from '../amount.js';

const paths: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'mixed',
  sitePolicy: 'host',
};
const MOST_BYTES = 4096;

/** What was found for a line: nothing, or [the end of its content, the path, rule …], -1 if it is not plain. */
type Seen = readonly number[] | undefined;

function lookFor(rules: readonly Rule[], options: CanonizerOptions) {
  const compiled = rules.filter((rule) => accepts(rule, options.accept)).map(compileRule);
  const lookup = createLookup(rules.map(({ site }, at) => ({ site, text: lookupKey(compiled[at]!) })));
  const siteOf = createSiteOf(options.sitePolicy);
  return { lookup, look: createLook(lookup, compiled, options, siteOf, newSweep) };
}

/** By line, from one sweep over a block. */
function bySweep({ look }: ReturnType<typeof lookFor>, block: Uint8Array): Map<number, Seen> {
  const sweep = look.sweep!;
  const seen = new Map<number, Seen>();
  sweep.begin(block);
  let lines = 0;
  for (let from = sweep.start; from < sweep.end;) {
    from = sweep.look(from);
    lines += sweep.lines;
    const { found, foundLength } = sweep;
    for (let at = 0; at < foundLength; at += 5 + found[at + 4]!) {
      const [start, end, path, , count] = found.subarray(at, at + 5) as unknown as [number, number, number, 0, number];
      const rules = found.subarray(at + 5, at + 5 + count);
      seen.set(start - sweep.start, end === 0 ? [-1] : [end - sweep.start, path - sweep.start, ...rules]);
    }
  }
  expect(lines).toBe(startsOf(block).length);
  return seen;
}

/** The same from a look at each line. */
function byLook({ look, lookup }: ReturnType<typeof lookFor>, block: Uint8Array): Map<number, Seen> {
  const seen = new Map<number, Seen>();
  for (const start of startsOf(block)) {
    const end = look.plainEnd(block, start, block.length);
    if (end < 0) seen.set(start, [-1]);
    else if (look.filed > 64) seen.set(start, [-1]);
    else if (look.filed > 0 || end - start > MOST_BYTES) {
      seen.set(start, [end, look.path, ...lookup.found.subarray(0, look.filed)]);
    }
  }
  return seen;
}

function startsOf(block: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0; at < block.length; at = block.indexOf(0x0a, at) + 1 || block.length) starts.push(at);
  return starts;
}

/** The look comes first, so that the hosts are known. */
function expectSame(rules: readonly Rule[], options: CanonizerOptions, block: Uint8Array): Map<number, Seen> {
  const both = lookFor(rules, options);
  const expected = byLook(both, block);
  const known = bySweep(both, block);
  expect([...known]).toEqual([...expected]);
  return known;
}

const anyLine = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.stringMatching(/^http:\/\/[hi](\/[ab]{0,3}){1,4}[-?][ab]=?$/).map((url) => Buffer.from(url)),
  },
  { weight: 4, arbitrary: someUrl.map((url) => Buffer.from(encodeText(url))) },
  {
    weight: 2,
    arbitrary: fc.tuple(someUrl, fc.nat({ max: 40 })).map(([url, k]) => Buffer.from(`${url}${'x'.repeat(k)}/a/b`)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes.map((b) => b || 10))) },
);
const anyBlock = fc
  .array(fc.tuple(anyLine, fc.constantFrom('\n', '\n', '\n', '\r\n', '\r\r\n', '\r')), { minLength: 5, maxLength: 40 })
  .chain((lines) => fc.tuple(fc.constant(lines), fc.boolean()))
  .map(([lines, isWhole]) => {
    const block = Buffer.concat(lines.flatMap(([line, ending]) => [line, Buffer.from(ending)]));
    return isWhole ? block : block.subarray(0, Math.max(0, block.length - 1));
  });

describe('a sweep of a block', () => {
  it('finds for each line what the look finds', { timeout: 60_000 }, () => {
    let found = 0;
    let passed = 0;
    let plain = 0;
    fc.assert(
      fc.property(anyRules, someOptions, anyBlock, (rules, options, block) => {
        const seen = expectSame(rules, options, block);
        found += seen.size;
        plain += [...seen.values()].filter((line) => line![0]! >= 0).length;
        passed += startsOf(block).length - seen.size;
      }),
      { numRuns: amount(1500, 7.5), seed: 4 },
    );
    expect(found).toBeGreaterThan(amount(10_000, 15));
    expect(plain).toBeGreaterThan(amount(3000, 15));
    expect(passed).toBeGreaterThan(amount(3000, 15));
  });

  it('leaves a new host to the look, and then knows its other lines', () => {
    const one = lookFor([sampleRule('b', 'c')], paths);
    const block = Buffer.from('http://h/a\n/a\nhttp://h/b\n');
    expect([...bySweep(one, block)]).toEqual([
      [0, [-1]],
      [14, [-1]],
    ]);
    byLook(one, block);
    expect([...bySweep(one, block)]).toEqual([[14, [24, 22, 0]]]);
  });

  it('knows a thousand hosts', () => {
    const lines = Array.from({ length: 1200 }, (_, k) => `http${k % 2 === 0 ? 's' : ''}://h${k}.test/b${k % 3}`);
    const seen = expectSame([sampleRule('b0', 'c', { site: '*' })], paths, Buffer.from(lines.join('\n')));
    expect(seen.size).toBe(400);
  });

  it('does not read past its block', () => {
    const one = lookFor([sampleRule('/a/b', 'c', { site: '*' })], paths);
    for (const end of ['http', 'http:', 'https://', 'http://h', '/a', '/%', '/%4', 'x', '/a\r', '/a\n/']) {
      one.look.sweep!.begin(Buffer.alloc(blockBytes, '/b'));
      const block = Buffer.from(`/a/c\n${end}`);
      expect([...bySweep(one, block)]).toEqual([...byLook(one, block)]);
    }
  });

  it('continues after its results are full, and takes a block of any length up to the largest', () => {
    const lines = Array.from({ length: 9000 }, (_, k) => `http://h${k % 7}/b/${k}/b${k % 3 === 0 ? 'x' : ''}`);
    const block = Buffer.from(lines.join('\n').padEnd(blockBytes, 'x'));
    expect(block.length).toBe(blockBytes);
    const seen = expectSame([sampleRule('b', 'c', { site: '*' })], paths, block);
    expect(seen.size).toBe(9000);
    expect(bySweep(lookFor([], paths), new Uint8Array(0)).size).toBe(0);
  });

  it('finds up to 64 rules, ascending; a line with more is not plain', () => {
    for (const count of [62, 63, 64, 200]) {
      const rules = Array.from({ length: count }, (_, k) => sampleRule('a', `b${k}`, { rank: k + 1, site: '*' }));
      const always = [sampleParameter('', { site: '', rank: 300 })];
      const seen = expectSame([...rules, ...always], paths, Buffer.from('/a\n/b\nhttp://h/x/a\n'));
      expect(seen.get(0)![0]).toBe(count < 64 ? 2 : -1);
      if (count < 64) expect(seen.get(0)).toEqual([2, 0, ...Array.from({ length: count + 1 }, (_, k) => k)]);
    }
  });

  it('treats long hosts as the look does, and forms that are too long', () => {
    const hosts = [80, 88, 89, 90, 96].map((length) => `http://${'h'.repeat(length)}/a`);
    const forms = [4095, 4096, 4097].map((length) => `/${'x'.repeat(length - 1)}`);
    const seen = expectSame([], paths, Buffer.from([...hosts, ...forms].join('\n')));
    expect([...seen.values()].map((line) => line![0]! < 0)).toEqual([true, true, false]);
  });

  it('handles every length of a run, and every byte in it', () => {
    const tokens = Array.from({ length: 40 }, (_, k) => 'abcdefghijklmnopqrstuvwxyz0123456789ABCD'.slice(0, k + 1));
    const rules = tokens.map((token, at) => sampleRule(token, 'x', { rank: at + 1, site: '*' }));
    const bytes = Array.from({ length: 256 }, (_, byte) => Buffer.from([0x2f, 0x61, byte, 0x62, 0x0a]));
    const lines = tokens.flatMap((token) => [
      `/${token}\n`,
      `/-/${token}/\n`,
      `/${token}é\n`,
      `/a-${token}.${token}\n`,
    ]);
    const seen = expectSame(rules, paths, Buffer.concat([...bytes, Buffer.from(lines.join(''))]));
    expect(seen.size).toBeGreaterThan(3 * tokens.length);
  });
});
