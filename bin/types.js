// dist/types: the declarations that a program which imports the package needs, of the several hundred that tsc writes.
import { cpSync, readFileSync, rmSync } from 'node:fs';

const from = new URL('../dist/src/', import.meta.url);
const to = new URL('../dist/types/', import.meta.url);

const needed = new Set(['index', 'canonizer'].map((entry) => new URL(`${entry}.d.ts`, from).href));
for (const file of needed) {
  for (const [, name] of readFileSync(new URL(file), 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g)) {
    needed.add(new URL(`${name}.d.ts`, file).href);
  }
}
rmSync(to, { recursive: true, force: true });
for (const file of needed) cpSync(new URL(file), new URL(file.slice(from.href.length), to));
