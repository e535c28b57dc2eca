import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { sed } from '../../src/export/sed.js';
import type { ExportRequest } from '../../src/export/target.js';
import { scratchFolder } from '../cli/process.js';
import { sampleParameter, sampleRule } from '../rule/sample.js';
import { requestOf, ruleSets, settings, urls } from './arbitrary.js';
import { bytesOf, carriedForm } from './canonized.js';

const scratch = scratchFolder();
afterAll(() => scratch.remove());
const env = { ...process.env, LC_ALL: 'C' };

/** Lines through `sed -E -f`, each byte a char. */
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
  it('gives every URL the form that canonize gives it with the rules it carries', { timeout: 60_000 }, () => {
    let [changed, rules, carried] = [0, 0, 0];
    const cases = fc.tuple(ruleSets, settings, fc.array(urls, { minLength: 20, maxLength: 20 }));
    for (const [list, more, lines] of fc.sample(cases, { numRuns: 200, seed: 6 })) {
      const request = requestOf(list, more);
      const written = sed.write(request);
      const expected = lines.map((line) => bytesOf(carriedForm(request, written, line)));
      const forms = throughSed(written.text, lines);
      expect({ lines, request, forms }).toEqual({ lines, request, forms: expected });
      changed += forms.filter((form, at) => form !== bytesOf(lines[at]!)).length;
      rules += list.length;
      carried += written.carried.length;
    }
    expect(changed).toBeGreaterThan(500);
    expect(carried / rules).toBeGreaterThan(0.6);
  });
});
