// Programs that canonize a list of URLs, one per line, by an exported file.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encodeText } from '../../src/base/bytes.js';

/** The forms of `list`, made by the program with the exported text, which may be stored in `folder`. */
type MakeForms = (exported: string, list: Uint8Array, folder: string) => Uint8Array;

const MODULE_IN_PYTHON = `import sys
from canonical_urls import canonize
sys.stdout.buffer.write(b"\\n".join(map(canonize, sys.stdin.buffer.read().split(b"\\n"))))`;

/** By target. */
export const formsBy: ReadonlyMap<string, MakeForms> = new Map([
  [
    'scrapy',
    (text, list, folder) => {
      kept(text, folder, 'canonical_urls.py');
      return output(['python3', '-c', MODULE_IN_PYTHON], list, { PYTHONPATH: folder });
    },
  ],
  [
    'esm',
    (text, list, folder) => {
      const module = pathToFileURL(kept(text, folder, 'canonize.mjs')).href;
      const code = `import { readFileSync } from 'node:fs';
const { canonize } = await import(${JSON.stringify(module)});
process.stdout.write(readFileSync(0, 'utf8').split('\\n').map(canonize).join('\\n'));`;
      return output([process.execPath, '--input-type=module', '-e', code], list, {});
    },
  ],
]);

function kept(text: string, folder: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, encodeText(text));
  return path;
}

function output([program, ...args]: readonly string[], input: Uint8Array, env: Record<string, string>): Uint8Array {
  const { status, stdout, stderr } = spawnSync(program!, args, {
    input,
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.toString()}`);
  return stdout;
}
