// What becomes of a rules file that mine replaces, if pages were fetched for it?
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRules } from '../../../../src/rule/file.js';
import type { Verdict } from '../../../../src/rule/rule.js';
import { sampleFile, sampleRule } from '../../../rule/sample.js';
import { run, scratchFolder } from '../../process.js';

let folder: ReturnType<typeof scratchFolder>;
const at = (name: string) => `${folder.path}/${name}`;

beforeAll(() => {
  folder = scratchFolder();
  writeFileSync(at('urls.txt'), Array.from({ length: 30 }, (_, k) => `http://a.test/${k}\n`).join(''));
});
afterAll(() => folder.remove());

const verdict: Verdict = { source: 'live', positive: 9, negative: 0, unjudged: {}, positives: [], negatives: [] };
const judged = () =>
  [...writeRules(sampleFile([{ ...sampleRule('a', 'b', { site: 'a.test', status: 'valid' }), verdict }]))].join('');
const mine = (...more: string[]) => run(['mine', 'urls.txt', '-o', 'rules.json', ...more], { cwd: folder.path });

describe('mine', () => {
  test('keeps verdicts that it replaces, and names the file that they are in', async () => {
    writeFileSync(at('rules.json'), judged());
    writeFileSync(at('other'), 'other');
    symlinkSync(at('other'), at('rules.json~'));
    const { code, stderr } = await mine();
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('they are kept in rules.json~, and --history rules.json~ carries them over');
    expect(readFileSync(at('rules.json~'), 'utf8')).toBe(judged());
    expect(readFileSync(at('rules.json'), 'utf8')).not.toContain('"verdict"');
    // A link is not followed.
    expect(readFileSync(at('other'), 'utf8')).toBe('other');
    // Without verdicts there is nothing to keep, and what was kept stays.
    expect((await mine()).stderr).not.toContain('kept');
    expect(readFileSync(at('rules.json~'), 'utf8')).toBe(judged());
    expect((await mine('--history', 'rules.json~')).stderr).not.toContain('kept');
    expect(readFileSync(at('rules.json'), 'utf8')).toContain('"verdict"');
  });

  test('does not replace rules by none where the log has no line', async () => {
    writeFileSync(at('empty.log'), '');
    writeFileSync(at('some.json'), judged());
    const empty = () => run(['mine', '-q', 'empty.log', '-o', 'some.json'], { cwd: folder.path });
    const { code, stderr } = await empty();
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('found no line in the log, so some.json stays as it is'),
    ]);
    expect(readFileSync(at('some.json'), 'utf8')).toBe(judged());
    writeFileSync(at('some.json'), [...writeRules(sampleFile([]))].join(''));
    expect((await empty()).code).toBe(0);
  });

  test('keeps nothing where nothing is replaced', async () => {
    const other = scratchFolder();
    try {
      writeFileSync(`${other.path}/rules.json`, judged());
      const args = ['mine', at('urls.txt'), '-o', 'rules.json'];
      await run([...args, '--check'], { cwd: other.path });
      await run([...args, '--history', 'rules.json'], { cwd: other.path });
      expect(existsSync(`${other.path}/rules.json~`)).toBe(false);
    } finally {
      other.remove();
    }
  });
});
