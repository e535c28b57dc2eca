// Does the package have every module that its exports load? `files` of package.json leaves some of dist out.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };

/** True for a file that `npm pack` takes: the last pattern that names it, or a folder above it, decides. */
function isPacked(path: string): boolean {
  const last = files.findLast((one) => `${path}/`.startsWith(`${one.replace('!', '')}/`));
  return last !== undefined && !last.startsWith('!');
}

test.each(['dist/src/index.js', 'dist/src/canonizer.js', 'bin/dustbuster.js'])('of %s', (entry) => {
  const seen = new Set([entry]);
  for (const path of seen) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+\.js)['"]/g)) {
      const module = relative(root, join(dirname(join(root, path)), name!));
      if (existsSync(join(root, module))) seen.add(module);
    }
  }
  expect([...seen].filter((path) => !isPacked(path))).toEqual([]);
  if (entry === 'dist/src/index.js') expect(seen.size).toBeGreaterThan(50);
});
