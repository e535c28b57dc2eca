// Exports that canonize by themselves give the known answers.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeText } from '../../src/base/bytes.js';
import { esm } from '../../src/export/esm.js';
import { python, scrapy } from '../../src/export/python/modules.js';
import { scratchFolder } from '../cli/process.js';
import { exportedVectors } from '../vectors.js';
import { requestOf } from './arbitrary.js';
import { bytesOf } from './canonized.js';

const all = exportedVectors();
const folder = scratchFolder();
afterAll(() => folder.remove());

describe('the ES module', () => {
  it.each(all)('$name', async ({ rules, forms }) => {
    const { text, left } = esm.write(requestOf(rules));
    expect(left).toEqual([]);
    const path = join(folder.path, `module-${all.findIndex((one) => one.rules === rules)}.mjs`);
    writeFileSync(path, text);
    const { canonize } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
      canonize: (url: string) => string;
    };
    expect(forms.map(([url]) => [url, canonize(url)])).toEqual(forms);
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)('the Python module', () => {
  it.each([python, scrapy])('of $name gives all of them', (target) => {
    const cases = all.map(({ name, rules, forms }) => {
      const { text, left } = target.write(requestOf(rules));
      expect({ name, left }).toEqual({ name, left: [] });
      return { module: text, urls: forms.map(([url]) => bytesOf(url)) };
    });
    const code = `import json, sys
out = []
for case in json.load(sys.stdin):
    module = {}
    exec(compile(case["module"], "canonical_urls.py", "exec"), module)
    out.append([module["canonize"](url.encode("latin-1")).decode("latin-1") for url in case["urls"]])
json.dump(out, sys.stdout)`;
    const input = encodeText(JSON.stringify(cases));
    const { stdout, stderr } = spawnSync('python3', ['-c', code], { input, maxBuffer: 1 << 26 });
    expect(stderr.toString()).toBe('');
    const given = JSON.parse(stdout.toString()) as string[][];
    for (const [at, { name, forms }] of all.entries())
      expect({ name, forms: given[at] }).toEqual({ name, forms: forms.map(([, form]) => bytesOf(form)) });
  });
});
