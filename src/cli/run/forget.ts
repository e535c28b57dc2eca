// `dustbuster forget`: removes URLs and rules from a state that contain a text.
import { resolve } from 'node:path';
import { many } from '../../base/amounts.js';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { releaseLocks } from '../../base/lock.js';
import { createSink, pour } from '../../base/output.js';
import { checkFile } from '../../rule/check-file.js';
import { StateFolder } from '../../state/folder.js';
import { forget, type Forgotten } from '../../state/forget.js';
import type { ForgetFlags } from '../flags/state.js';
import { computed, onSignal } from '../terminal/signals.js';

/** Shorter texts are also in URLs of other visitors. */
const LEAST_CHARS = 4;

/** Returns the exit code. Throws a UserError if there is no state, or a text is too short to mean one visitor. */
export async function forgetTexts(given: readonly string[], { state }: ForgetFlags, effects: Effects): Promise<number> {
  if (state === undefined) throw new UserError('forget: got no state; expected --state FOLDER');
  const texts = await textsOf(given, effects);
  const ignoreSignals = onSignal(releaseLocks);
  // Other processes can see the command that holds a lock, so it omits the text to forget.
  const command = `dustbuster forget --state ${state}`;
  const folder = await StateFolder.openMade(resolve(effects.cwd, state), effects.now(), command).finally(ignoreSignals);
  try {
    const content = folder.readRules();
    const rules = content === undefined ? undefined : checkFile(content, `the rules in ${printable(folder.path)}`);
    const forgotten = await computed(() => forget(folder, texts, rules), effects);
    await pour([`${saying(forgotten, state)}\n`], createSink(effects.stdout));
  } finally {
    folder.close();
  }
  return 0;
}

async function textsOf(given: readonly string[], { stdin }: Effects): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const text of given) {
    if (text !== '-') texts.push(text);
    else texts.push(...(await linesOf(stdin)));
  }
  if (texts.length === 0) throw new UserError('forget: got no text on standard input; expected one a line');
  if (texts.every((text) => text.length >= LEAST_CHARS)) return texts;
  throw new UserError(
    `forget: got a text of fewer than ${LEAST_CHARS} characters; expected more, as it would be in URLs of others too`,
  );
}

async function linesOf(stream: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '');
}

function saying({ urls, rules }: Forgotten, state: string): string {
  return `${printable(state)}: ${many(urls, 'URL')} and ${many(rules, 'rule')} removed`;
}
