import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { sed } from '../../src/export/sed.js';
import { scratchFolder } from '../cli/process.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { requestOf, ruleSets, settings, urls } from './arbitrary.js';
import { bytesOf, carriedForm } from './canonized.js';
import { amount } from '../amount.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const env = { ...process.env, LC_ALL: 'C' };

/** Lines through `sed -E -f`, one char per byte. */
function throughSed(script: string, lines: readonly string[]): string[] {
  const file = join(scratch.path, 'rules.sed');
  writeFileSync(file, encodeText(script));
  const input = encodeText(lines.map((line) => `${line}\n`).join(''));
  const { stdout, stderr, status } = spawnSync('sed', ['-E', '-f', file], { input, env });
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
  return stdout.toString('latin1').split('\n').slice(0, -1);
}

const hasSed =
  spawnSync('sed', ['-E', '-n', '-e', ':a', '-e', 'p'], { input: 'x\n', env }).stdout?.toString() === 'x\n';

describe.skipIf(!hasSed)('the script', () => {
  it('gives every URL the form that canonize gives it by the exported rules', { timeout: 60_000 }, () => {
    let [changed, rules, carried] = [0, 0, 0];
    const cases = fc.tuple(ruleSets, settings, fc.array(urls, { minLength: 20, maxLength: 20 }));
    for (const [list, more, lines] of fc.sample(cases, { numRuns: amount(80, 5), seed: 6 })) {
      const request = requestOf(list, more);
      const written = sed.write(request);
      const expected = lines.map((line) => bytesOf(carriedForm(request, written, line)));
      const forms = throughSed(written.text, lines);
      expect({ lines, request, forms }).toEqual({ lines, request, forms: expected });
      changed += forms.filter((form, at) => form !== bytesOf(lines[at]!)).length;
      rules += list.length;
      carried += written.carried.length;
    }
    expect(changed).toBeGreaterThan(amount(200, 20));
    expect(carried / rules).toBeGreaterThan(0.4);
  });

  const canonized = (request: ReturnType<typeof requestOf>, lines: readonly string[]) => {
    const written = sed.write(request);
    return {
      forms: throughSed(written.text, lines),
      expected: lines.map((line) => bytesOf(carriedForm(request, written, line))),
    };
  };

  it('normalizes as canonize does', () => {
    const odd = fc.constantFrom(
      ...'%41 %7e %2F %2f %4 %31 % %c3%a9 %5B ../ ./ .. . / // ? # @ : :80 :443 A é \udce9 []: [::1] & ='.split(' '),
    );
    const line = fc
      .tuple(
        fc.constantFrom('http://', 'HTTPS://', '/', 'hTtp://u%7e@', 'http://H%41'),
        fc.array(odd, { maxLength: 8 }),
      )
      .map(([origin, parts]) => `${origin}${parts.join('')}`);
    const lines = fc.sample(line, { numRuns: amount(1500), seed: 6 });
    const { forms, expected } = canonized(requestOf([]), lines);
    expect(forms).toEqual(expected);
    expect(forms.filter((form, at) => form !== bytesOf(lines[at]!)).length).toBeGreaterThan(amount(500, 20));
  });

  it('leaves alone what is not a URL, what never settles and what grows too long', () => {
    const request = requestOf([sampleRule('//', '/', { anchor: 'none' }), sampleRule('x', 'y-x-y', { rank: 2 })]);
    const long = `http://h/${'a'.repeat(4090)}`;
    const slashes = (count: number) => `/a${'/'.repeat(count)}b`;
    const lines = ['', 'a', 'ftp://h//a', '/a //b', '/a\t//b', slashes(10), slashes(11), long, `${long}//x`, '/x'];
    const { forms, expected } = canonized(request, lines);
    expect(forms).toEqual(expected);
    expect(forms[5]).toBe('/a/b');
    expect(forms[6]).toBe(slashes(11));
  });

  it('keeps the ending of a line', () => {
    const { forms, expected } = canonized(requestOf([sampleRule('/a', '/b')]), ['/a\r', '/c\r', 'x/a\r', '/a\rb\r']);
    expect(forms).toEqual(['/b\r', '/c\r', 'x/a\r', '/a\rb\r']);
    expect(expected.slice(2)).toEqual(['x/a\r', '/a\rb\r']);
  });

  it('cannot be escaped from by text of the rules or the name of their file', () => {
    const hostile = [
      '&',
      '\\',
      '\\n',
      ',',
      '/',
      '|',
      '}',
      '{',
      ';',
      "'",
      '"',
      '`id`',
      '$(id)',
      '\n',
      '\r',
      '\u0000',
      '\udc80',
      'é',
      '[',
      ']',
      '*',
      '^',
      '$',
      '.',
      '#',
      '\\1',
    ];
    const rules = hostile.flatMap((one, at) => [
      sampleRule(`/a${at}${one}`, `/b${one}`, {
        rank: 2 * at + 1,
        site: at % 4 === 0 ? one : '*',
        except: [`/${one}`],
      }),
      sampleParameter(`p${at}${one}`, {
        rank: 2 * at + 2,
        action: 'set',
        value: one,
        scope: 'prefix',
        path: `/${one}`,
      }),
    ]);
    const request = requestOf(rules, {
      source: 'a\nw /tmp/dustbuster-was-here\n',
      normalization: 'none',
      sitePolicy: 'host',
    });
    const lines = hostile
      .filter((one) => !/[\n\r]/.test(one))
      .flatMap((one) => {
        const at = hostile.indexOf(one);
        return [`/a${at}${one}`, `http://h/a${at}${one}`, `/${one}?p${at}${one}=x&y`, `/${one}`];
      });
    const { forms, expected } = canonized(request, lines);
    expect(forms).toEqual(expected);
    expect(forms).toContain('http://h/b\\1');
    expect(
      sed
        .write(request)
        .text.split('\n')
        .filter((line) => /^\s*[wer] /.test(line)),
    ).toEqual([]);
  });

  it('says which rules could not be exported, and why', () => {
    const circle = [sampleRule('/a', '/b'), sampleRule('/b', '/a', { rank: 2 })];
    const { text, carried, left } = sed.write(requestOf(circle));
    expect(carried).toEqual([circle[1]]);
    expect(left).toEqual([{ rule: circle[0], reason: 'could lead in a circle with the other rules' }]);
    expect(text).toContain(
      '# Left out:\n#   rule 1 (*), `/a` becomes `/b` wherever it stands: could lead in a circle with the other rules',
    );
  });
});
