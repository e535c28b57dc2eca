import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, sameBytes } from '../../src/base/bytes.js';
import { blockBytes } from '../../src/canonize/blocks.js';
import { contentEnd } from '../../src/canonize/forms.js';
import { rulesInUse, type CanonizerOptions } from '../../src/canonize/rounds.js';
import { createSweptLook } from '../../src/canonize/swept.js';
import { compileRule, imageOf } from '../../src/rule/apply.js';
import { createLookup, lookupKey } from '../../src/rule/lookup.js';
import type { Rule } from '../../src/rule/rule.js';
import { isUrl, pathStart } from '../../src/url/form.js';
import { normalizeSafe } from '../../src/url/normalize.js';
import { createSiteOf } from '../../src/url/public-suffix.js';
import { amount } from '../amount.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { anyRules, someOptions, someUrl } from './arbitrary.js';

const paths: CanonizerOptions = {
  normalize: 'safe',
  accept: 'valid',
  maxIterations: 10,
  urlForm: 'mixed',
  sitePolicy: 'host',
};
/** What was found for a line: nothing, or [the end of its content, the path, rule …], -1 if it is not plain. */
type Seen = readonly number[] | undefined;

function sweptBy(rules: readonly Rule[], options: CanonizerOptions) {
  const used = rulesInUse(rules, options);
  const compiled = used.map(compileRule);
  const sites = used.map(({ site }) => site);
  const siteOf = createSiteOf(options.sitePolicy);
  const look = createSweptLook(compiled, sites, options, siteOf, []);
  const sweep = look.start();
  const lookup = createLookup(sites.map((site, at) => ({ site, text: lookupKey(compiled[at]!) })));
  return { compiled, sites, siteOf, options, look, sweep, lookup };
}

type SweptBy = ReturnType<typeof sweptBy>;

/** By line, from one sweep over a block. */
function bySweep({ sweep }: SweptBy, block: Uint8Array): Map<number, Seen> {
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

function startsOf(block: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0; at < block.length; at = block.indexOf(0x0a, at) + 1 || block.length) starts.push(at);
  return starts;
}

/** The content of each line, by its start. */
function contentsOf(block: Uint8Array): Map<number, Uint8Array> {
  return new Map(
    startsOf(block).map((start) => [start, block.subarray(start, contentEnd(block, start, block.length))]),
  );
}

function isPrepared(url: Uint8Array, { normalize }: CanonizerOptions): boolean {
  return !url.includes(0x23) && (normalize !== 'safe' || sameBytes(normalizeSafe(url), url));
}

/** For these, a sweep has no excuse. */
function isPlainlyPlain(url: Uint8Array): boolean {
  return /^(https?:\/\/[a-z0-9.]{1,20})?(\/[a-z0-9]+)+(\?[a-z0-9]+(=[a-z0-9]+)?)?$/.test(decodeText(url));
}

/** The rules that the sweep has to find, and those that it may find: whose text occurs, or begins in the host. */
function rulesFor({ compiled, sites, siteOf, options, lookup }: SweptBy, url: Uint8Array) {
  const path = pathStart(url);
  const isPath = options.urlForm === 'path';
  const site = isPath ? '' : siteOf(url, 0, url.length);
  const isForSite = (rule: number) => sites[rule] === '*' || sites[rule] === site;
  const changing = compiled.map((rule) => imageOf(rule, url, isPath ? path : 0) !== url);
  const foundIn = (end: number) => lookup.found.slice(0, lookup.find(url, 0, lookup.groupOf(site), 0, end));
  const may = [...foundIn(url.length), ...foundIn(path)];
  return { must: [...changing.keys()].filter((rule) => changing[rule] && isForSite(rule)), may, path };
}

function expectRight(by: SweptBy, block: Uint8Array, seen: ReadonlyMap<number, Seen>): void {
  for (const [start, url] of contentsOf(block)) {
    const line = seen.get(start);
    const isOdd = line?.[0] === -1;
    if (isOdd && !isPlainlyPlain(url)) continue;
    const { must, may, path } = rulesFor(by, url);
    if (isOdd) {
      expect(may.length, decodeText(url)).toBeGreaterThan(12);
      continue;
    }
    expect(isUrl(url) && isPrepared(url, by.options), decodeText(url)).toBe(true);
    if (line === undefined) {
      expect(must, decodeText(url)).toEqual([]);
      continue;
    }
    const [end, pathAt, ...found] = line;
    expect([end, pathAt]).toEqual([start + url.length, start + path]);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(must.filter((rule) => !found.includes(rule))).toEqual([]);
    expect(found.filter((rule) => !may.includes(rule))).toEqual([]);
  }
}

/** The hosts become known first. */
function expectSwept(rules: readonly Rule[], options: CanonizerOptions, block: Uint8Array): Map<number, Seen> {
  const by = sweptBy(rules, options);
  knowHosts(by, block);
  const seen = bySweep(by, block);
  expectRight(by, block, seen);
  return seen;
}

function knowHosts({ look }: SweptBy, block: Uint8Array): void {
  for (const url of contentsOf(block).values()) look.isSeen(url, 0, url.length);
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
  it('finds for each line the rules that change it, and none whose text does not occur', { timeout: 60_000 }, () => {
    let found = 0;
    let passed = 0;
    let plain = 0;
    fc.assert(
      fc.property(anyRules, someOptions, anyBlock, (rules, options, block) => {
        const seen = expectSwept(rules, options, block);
        found += seen.size;
        plain += [...seen.values()].filter((line) => line![0]! >= 0).length;
        passed += startsOf(block).length - seen.size;
      }),
      { numRuns: amount(1600, 7.5), seed: 4 },
    );
    expect(found).toBeGreaterThan(amount(10_000, 15));
    expect(plain).toBeGreaterThan(amount(3000, 15));
    expect(passed).toBeGreaterThan(amount(3000, 15));
  });

  it('leaves a new host to JavaScript, and then knows its other lines', () => {
    const one = sweptBy([sampleRule('b', 'c')], paths);
    const block = Buffer.from('http://h/a\n/a\nhttp://h/b\n');
    expect([...bySweep(one, block)]).toEqual([
      [0, [-1]],
      [14, [-1]],
    ]);
    knowHosts(one, block);
    expect([...bySweep(one, block)]).toEqual([[14, [24, 22, 0]]]);
  });

  it('knows a thousand hosts', () => {
    const lines = Array.from({ length: 1200 }, (_, k) => `http${k % 2 === 0 ? 's' : ''}://h${k}.test/b${k % 3}`);
    const seen = expectSwept([sampleRule('b0', 'c', { site: '*' })], paths, Buffer.from(lines.join('\n')));
    expect(seen.size).toBe(400);
  });

  it('does not read past its block', () => {
    const one = sweptBy([sampleRule('/a/b', 'c', { site: '*' })], paths);
    for (const end of ['http', 'http:', 'https://', 'http://h', '/a', '/%', '/%4', 'x', '/a\r', '/a\n/']) {
      one.sweep.begin(Buffer.alloc(blockBytes, '/b'));
      const block = Buffer.from(`/a/c\n${end}`);
      expectRight(one, block, bySweep(one, block));
    }
  });

  it('continues after its results are full, and takes a block of any length up to the largest', () => {
    const lines = Array.from({ length: 9000 }, (_, k) => `http://h${k % 7}/b/${k}/b${k % 3 === 0 ? 'x' : ''}`);
    const block = Buffer.from(lines.join('\n').padEnd(blockBytes, 'x'));
    expect(block.length).toBe(blockBytes);
    const seen = expectSwept([sampleRule('b', 'c', { site: '*' })], paths, block);
    expect(seen.size).toBe(9000);
    expect(bySweep(sweptBy([], paths), new Uint8Array(0)).size).toBe(0);
  });

  it('finds up to 64 rules, ascending; a line with more is not plain', () => {
    for (const count of [62, 63, 64, 200]) {
      const rules = Array.from({ length: count }, (_, k) => sampleRule('a', `b${k}`, { rank: k + 1, site: '*' }));
      const always = [sampleParameter('', { site: '', rank: 300 })];
      const seen = expectSwept([...rules, ...always], paths, Buffer.from('/a\n/b\nhttp://h/x/a\n'));
      expect(seen.get(0)![0]).toBe(count < 64 ? 2 : -1);
      if (count < 64) expect(seen.get(0)).toEqual([2, 0, ...Array.from({ length: count + 1 }, (_, k) => k)]);
    }
  });

  it('knows no long host, and no form that is too long', () => {
    const hosts = [80, 88, 89, 90, 96].map((length) => `http://${'h'.repeat(length)}/a`);
    const forms = [4095, 4096, 4097].map((length) => `/${'x'.repeat(length - 1)}`);
    const seen = expectSwept([], paths, Buffer.from([...hosts, ...forms].join('\n')));
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
    const seen = expectSwept(rules, paths, Buffer.concat([...bytes, Buffer.from(lines.join(''))]));
    expect(seen.size).toBeGreaterThan(3 * tokens.length);
  });
});
