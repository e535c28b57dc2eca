// File names that are not UTF-8. On Linux a name is bytes. In the program it is text (`base/bytes`): a byte that is not
// UTF-8 is a lone surrogate, which JSON can carry but Node would turn into U+FFFD. So a name from the system goes back
// to it through `systemName`.
import { readFileSync, readlinkSync } from 'node:fs';
import { decodeText, encodeText, isWellFormed } from './bytes.js';
import { unlessRefused } from './error.js';

/** A name as functions of `node:fs` take it: bytes if it is not UTF-8. */
export function systemName(name: string): string | Buffer {
  return isWellFormed(name) ? name : Buffer.from(encodeText(name));
}

/** Node puts this in place of bytes that are not UTF-8. */
const REPLACED = '\ufffd';

/**
 * The arguments of this process as they were given: Node has put U+FFFD where bytes are not UTF-8. /proc has the
 * original bytes on Linux; where it is missing or differs, the arguments stay as they are.
 */
export function givenArguments(args: readonly string[]): readonly string[] {
  if (!args.some((arg) => arg.includes(REPLACED))) return args;
  const line = unlessRefused(() => readFileSync('/proc/self/cmdline'));
  if (line === undefined) return args;
  const all: Buffer[] = [];
  for (let at = 0; at < line.length;) {
    const end = line.indexOf(0, at);
    const to = end < 0 ? line.length : end;
    all.push(line.subarray(at, to));
    at = to + 1;
  }
  const own = args.length === 0 ? [] : all.slice(-args.length);
  const isSame = own.length === args.length && own.every((bytes, at) => bytes.toString() === args[at]);
  return isSame ? own.map((bytes) => decodeText(bytes)) : args;
}

/** The working folder, with its original bytes. Throws what `process.cwd` throws. */
export function workingFolder(): string {
  const folder = process.cwd();
  if (!folder.includes(REPLACED)) return folder;
  const found = unlessRefused(() => readlinkSync('/proc/self/cwd', 'buffer'));
  return found?.toString() === folder ? decodeText(found) : folder;
}
