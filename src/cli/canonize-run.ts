// What `dustbuster canonize` does: lines in, canonical lines out.
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { encodeText, printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { writeFileWhole } from '../base/output.js';
import { maxFormBytes } from '../canonize/limits.js';
import { createLineMapper, type LineMapper } from '../canonize/lines.js';
import { readBytes, type Condition, type Input } from '../log/bytes.js';
import type { CanonizeOptions } from './canonize.js';
import { loadCanonizer } from './canonize-rules.js';
import { unreadable } from './rules-file.js';
import { guardingOutput } from './signals.js';

/** Runs the command; gives the exit code. */
export function canonize(urls: readonly string[], options: CanonizeOptions, effects: Effects): Promise<number> {
  return guardingOutput(() => canonizeLines(urls, options, effects));
}

async function canonizeLines(urls: readonly string[], options: CanonizeOptions, effects: Effects): Promise<number> {
  const names = urls.length === 0 && options.input.length === 0 ? ['-'] : options.input;
  const canonizer = await loadCanonizer(options, effects);
  for (const name of names) await checkReadable(name, effects);
  const inputs = names.map((name) => ({ name, open: () => openInput(name, effects) }));
  const damages: string[] = [];
  const lines = mapInputs(urls, inputs, createLineMapper(canonizer, options), damages);
  await writeFileWhole(options.output, lines, effects, { lineBuffered: options.lineBuffered === true });
  for (const damage of damages) effects.stderr.write(`dustbuster: ${damage}\n`);
  if (canonizer.unsettled > 0) {
    effects.stderr.write(`dustbuster: ${describeUnsettled(canonizer.unsettled, options.maxIterations)}\n`);
  }
  return damages.length > 0 ? 3 : 0;
}

function describeUnsettled(count: number, rounds: number): string {
  const urls = count === 1 ? '1 URL is' : `${count} URLs are`;
  return `${urls} left as given: no canonical form after ${rounds} rounds or within ${maxFormBytes} bytes.`;
}

async function* mapInputs(
  urls: readonly string[],
  inputs: readonly Input[],
  mapper: LineMapper,
  damages: string[],
): AsyncIterable<Uint8Array> {
  for (const url of urls) yield* mapper.push(encodeText(`${url}\n`));
  for (const [at, input] of inputs.entries()) {
    const condition: Condition = { reason: null };
    let last: number | undefined = newline;
    for await (const chunk of readBytes(input, condition)) {
      last = chunk.at(-1) ?? last;
      yield* mapper.push(chunk);
    }
    // The last line of a file is a line of its own, also where another file follows.
    if (last !== newline && at < inputs.length - 1) yield* mapper.push(Uint8Array.of(newline));
    if (condition.reason !== null) {
      damages.push(`${printable(input.name)}: ${condition.reason}. What came before was used; the rest is missing.`);
    }
  }
  yield* mapper.end();
}

const newline = 0x0a;

function openInput(name: string, effects: Effects): AsyncIterable<Uint8Array> {
  return name === '-' ? effects.stdin : createReadStream(resolve(effects.cwd, name), { highWaterMark: 1 << 18 });
}

/** Before anything is written: a wrong name among the inputs should not cost half an output. */
async function checkReadable(name: string, effects: Effects): Promise<void> {
  if (name === '-') return;
  const advice = 'Name a file with -i, or - for standard input';
  const found = await stat(resolve(effects.cwd, name)).catch((error: unknown) => {
    throw unreadable(error, name, advice);
  });
  if (found.isDirectory()) throw new UserError(`cannot read ${printable(name)}: it is a folder. ${advice}.`);
  await access(resolve(effects.cwd, name), constants.R_OK).catch((error: unknown) => {
    throw unreadable(error, name, advice);
  });
}
