// dustbuster canonize: lines in, canonical lines out.
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { encodeText, printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { writeFileWhole } from '../base/output.js';
import { createCanonizer, defaultMaxIterations, maxFormBytes, type Canonizer } from '../canonize/canonizer.js';
import { createLineMapper, type LineMapper, type LineOptions } from '../canonize/lines.js';
import { readBytes, type Condition, type Input } from '../log/bytes.js';
import type { Rule } from '../rule/rule.js';
import { DEFAULT_RULES_FILE, type Outcome } from './context.js';
import { numberOption, wordOption } from './options.js';
import { loadRules, unreadable } from './rules-file.js';
import { guardingOutput } from './signals.js';

export interface RuleOptions {
  readonly rules: string;
  readonly accept: 'valid' | 'likely';
  readonly maxIterations: number;
}

interface CanonizeOptions extends RuleOptions, LineOptions {
  readonly input: readonly string[];
  readonly output: string;
  readonly lineBuffered?: boolean;
}

export function registerCanonize(program: Command, effects: Effects, outcome: Outcome): void {
  const command = program
    .command('canonize')
    .description('Give each URL its canonical form: line in, line out, in order.')
    .argument('[url...]', 'URLs; without any, and without -i, lines of standard input')
    .option(
      '-i, --input <file>',
      'read lines of FILE, plain or gzip; - is standard input; may be repeated',
      collect,
      [],
    )
    .option('-o, --output <file>', 'write to FILE, complete or not at all', '-')
    .option('--pairs', 'print the URL, a tab, and its canonical form')
    .option('--unique', 'print each canonical form once (holds every form that it has printed in memory)')
    .option('--changed', 'print only URLs that are not canonical already')
    .option('--line-buffered', 'hand over every line at once, for a reader that waits');
  addRuleOptions(command);
  command.addHelpText('after', lineHelp);
  command.action(async (urls: string[], options: CanonizeOptions) => {
    if (urls.length === 0 && options.input.length === 0 && effects.stdin.isTTY === true) {
      effects.stderr.write(`Usage: ${command.createHelp().commandUsage(command)}\n${nothingGiven}\n`);
      outcome.exitCode = 2;
      return;
    }
    outcome.exitCode = await guardingOutput(() => canonizeLines(urls, options, effects));
  });
}

const nothingGiven = `Got no URL, expected URLs as arguments, in files (-i FILE) or on standard input:
  dustbuster canonize < urls.txt`;

const lineHelp = `
A URL starts with / or http:// or https:// and has no space and no control byte. Its fragment is cut, and it is normalised
if the rules file says so. Any other line passes byte for byte (--changed drops it); so does a line of over 1 MiB.`;

export function addRuleOptions(command: Command): void {
  command
    .option('-r, --rules <file>', 'the rules file', DEFAULT_RULES_FILE)
    .option(
      '--accept <status>',
      'valid: use validated rules only; likely: use rules not yet validated as well',
      wordOption('--accept', ['valid', 'likely']),
      'valid',
    )
    .option(
      '--max-iterations <n>',
      'rounds through the rules before a URL is left as it came in',
      numberOption('--max-iterations', { min: 1, max: 1000 }),
      defaultMaxIterations,
    );
}

function collect(file: string, files: readonly string[]): readonly string[] {
  return [...files, file];
}

/** The rules file as a canonizer. Without any rule to use there is nothing to do, and the user has to be told why. */
export async function loadCanonizer(options: RuleOptions, effects: Effects): Promise<Canonizer> {
  const { rules: name, accept, maxIterations } = options;
  const file = await loadRules(name, effects);
  const canonizer = createCanonizer(file.rules, {
    normalize: file.normalization,
    accept,
    maxIterations,
    urlForm: file.urlForm,
    sitePolicy: file.options.site,
  });
  if (accept === 'valid' && canonizer.rules === 0) throw new UserError(noValidRule(file.rules, printable(name)));
  return canonizer;
}

function noValidRule(rules: readonly Rule[], name: string): string {
  const likely = rules.filter((rule) => rule.status === 'likely').length;
  const found = `no valid rule in ${name}: ${likely} likely, ${rules.length - likely} invalid`;
  if (likely === 0) return `${found}. Expected rules that passed validation; mine a longer log.`;
  return `${found}. Expected rules that passed validation: run dustbuster validate; to use likely ones as well, say --accept likely.`;
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
