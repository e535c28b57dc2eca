// Does the package have every module that its exports load? `files` of package.json leaves some of dist out.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };

/** True for a file that `npm pack` takes: the last pattern that names it, or a folder above it, decides. */
function isPacked(path: string): boolean {
  const last = files.findLast(
    (one) => `${path}/`.startsWith(`${one.replace('!', '')}/`) || one === `!dist/program/**/*${extname(path)}`,
  );
  return last !== undefined && !last.startsWith('!');
}

/** A file and all that it imports, by path from the root. */
function withImports(entry: string, ending: string): readonly string[] {
  const seen = new Set([entry]);
  for (const path of seen) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, name] of text.matchAll(/(?:from|import\(|import)\s*['"](\.[^'"]+)\.js['"]/g)) {
      const file = relative(root, join(dirname(join(root, path)), `${name}${ending}`));
      // An export that writes a module has imports in its text.
      if (ending !== '.js' || existsSync(join(root, file))) seen.add(file);
    }
  }
  return [...seen];
}

test.each<[entry: string, ending: string, least: number]>([
  ['dist/program/index.js', '.js', 10],
  ['dist/bundle/canonizer.js', '.js', 1],
  ['bin/dustbuster.js', '.js', 20],
  ['dist/types/index.d.ts', '.d.ts', 20],
  ['dist/types/canonizer.d.ts', '.d.ts', 5],
])('of %s', (entry, ending, least) => {
  const files = withImports(entry, ending);
  expect(files.filter((path) => !isPacked(path) || !existsSync(join(root, path)))).toEqual([]);
  expect(files.length).toBeGreaterThanOrEqual(least);
});

test('and no more than it needs', () => {
  const pack = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
  const [packed] = JSON.parse(pack.stdout) as readonly { readonly files: readonly { readonly path: string }[] }[];
  const paths = packed!.files.map(({ path }) => path);
  expect(paths.filter((path) => /\.(?:map|tsbuildinfo)$|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(paths.length).toBeLessThan(600);
});
