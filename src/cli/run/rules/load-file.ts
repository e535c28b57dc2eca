// Reads one rules file.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemName } from '../../../base/file-name.js';
import { readRules } from '../../../rule/file.js';
import type { RulesFile } from '../../../rule/rule.js';
import { refuseOddDefault } from '../../context.js';
import { unreadable } from '../../files.js';

/** `-` is standard input. Throws a UserError for a file that cannot be read or is not a rules file. */
export async function loadFile(name: string, effects: Effects): Promise<RulesFile> {
  refuseOddDefault(name, effects);
  if (name === '-') effects.access?.noteOpen(0);
  else effects.access?.note(resolve(effects.cwd, name));
  const reading = name === '-' ? readAll(effects.stdin) : readFile(systemName(resolve(effects.cwd, name)));
  const bytes = await reading.catch((error: unknown) => {
    throw unreadable(error, name, 'Write one with `dustbuster mine`, or name another file');
  });
  const file = readRules(bytes, printable(name));
  if (file.partial !== undefined) {
    const got = `${printable(name)} is partial: its run was stopped with ${printable(file.partial)}`;
    effects.stderr.write(`dustbuster: ${got}. validate goes on with it\n`);
  }
  return file;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
