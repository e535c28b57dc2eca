// Braces in globs of files: what a shell makes of them, and no more than can be looked up.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/base/error.js';
import { expandBraces } from '../../../src/log/glob/files.js';
import { amount } from '../../amount.js';

const hasBash = spawnSync('bash', ['--version']).status === 0;

/** What bash makes of texts of letters, digits and signs of braces. */
function inBash(globs: readonly string[]): readonly (readonly string[])[] {
  const script = globs.map((glob) => `printf '%s\\0' ${glob}; printf '\\0'`).join('\n');
  const { stdout } = spawnSync('bash', ['--norc', '-c', `set -f\n${script}`], { encoding: 'utf8', maxBuffer: 1 << 28 });
  return stdout
    .split('\0\0')
    .slice(0, -1)
    .map((texts) => texts.split('\0'));
}

describe('braces of a glob', () => {
  it.each<[string, readonly string[]]>([
    ['a', ['a']],
    ['', ['']],
    ['{a,b}', ['a', 'b']],
    ['x{a,b}{1,2}y', ['xa1y', 'xa2y', 'xb1y', 'xb2y']],
    ['a{b,c{1..3}}', ['ab', 'ac1', 'ac2', 'ac3']],
    ['{08..11}', ['08', '09', '10', '11']],
    ['{3..1}', ['3', '2', '1']],
    ['{-1..1}', ['-1', '0', '1']],
    ['{1..9..4}', ['1', '5', '9']],
    ['{c..a}', ['c', 'b', 'a']],
    ['{a,}', ['a', '']],
    ['{a,a}', ['a']],
    ['{a}', ['{a}']],
    ['{a{b,c}}', ['{ab}', '{ac}']],
    ['{a,b', ['{a,b']],
    ['{a,{b,c}', ['{a,b', '{a,c']],
    ['a,b}', ['a,b}']],
    ['\\{a,b}', ['\\{a,b}']],
    ['[{,}]*', ['[{,}]*']],
    ['{[,],b}', ['[,]', 'b']],
    ['[{a,b}', ['[a', '[b']],
    ['{1..b}', ['{1..b}']],
    ['{1..2..}', ['{1..2..}']],
    ['{é,\udce9}', ['é', '\udce9']],
  ])('%j stand for %j', (glob, patterns) => {
    expect(expandBraces(glob)).toEqual(patterns);
  });

  it.skipIf(!hasBash)('mean what they mean in a shell', () => {
    const parts = fc.constantFrom('a', 'b7', '{', '}', ',', '{a,b}', '{1..3}', '{03..1}', '{c..a..2}', '..');
    const globs = fc.sample(
      fc.array(parts, { minLength: 1, maxLength: 7 }).map((some) => `x${some.join('')}`),
      { numRuns: amount(1000), seed: 38 },
    );
    // Of braces with dots that are no range bash takes some away: `x{..{a,b}}` gives x..a and x..b.
    const isOdd = (glob: string) => /\{\}/.test(glob) || glob.replace(/\{\w+\.\.\w+(\.\.\d+)?\}/g, '').includes('..');
    const known = globs.filter((glob) => !isOdd(glob));
    let several = 0;
    for (const [at, texts] of inBash(known).entries()) {
      const found = expandBraces(known[at]!);
      expect({ glob: known[at], found }).toEqual({ glob: known[at], found: [...new Set(texts)] });
      if (found.length > 1) several++;
    }
    expect(several).toBeGreaterThan(amount(300, 30));
  });

  it('are refused before a list is made if they stand for too many names', () => {
    const wide = ['{1..99999999}', '{99999999..1}', '{1..9007199254740993}', '{9007199254740992..9007199254740993}'];
    const many = ['{a,b}'.repeat(18), '{1..101}{1..100}', `{${'{a,b}'.repeat(14)},c}`, '{a,a}'.repeat(800)];
    for (const glob of [...wide, ...many]) {
      expect(() => expandBraces(glob)).toThrow(UserError);
      expect(() => expandBraces(glob)).toThrow('stand for more than 10000 names; expected fewer');
    }
    expect(expandBraces('{1..100}-{1..100}')).toHaveLength(10_000);
  });

  it('may be open or nested as deep as a glob is long', () => {
    const half = 2048;
    expect(expandBraces('{'.repeat(2 * half))).toEqual(['{'.repeat(2 * half)]);
    expect(expandBraces('{'.repeat(half) + '}'.repeat(half))).toHaveLength(1);
    expect(expandBraces('{a,'.repeat(1000) + '}'.repeat(1000))).toEqual(['a', '']);
    expect(expandBraces('{,'.repeat(half))).toEqual(['{,'.repeat(half)]);
  });
});
