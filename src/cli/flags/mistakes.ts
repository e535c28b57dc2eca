// Which command lines are legal but cannot be meant? An option without effect, an option that took the argument, a file
// that two options name.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { isInput } from '../files.js';
import { TableOption } from './option.js';

// An option that has no effect without another one is refused on the command line, as the user expects an effect. In
// files and variables it is allowed: it is for the runs that use it.

/**
 * Throws a UserError for the first of these options on the command line. `needed` names the options that it depends on.
 */
export function refuseIdle(command: Command, attributes: Iterable<string>, needed: string): void {
  const idle = new Set(attributes);
  for (const option of command.options) {
    const name = option.attributeName();
    if (!idle.has(name) || command.getOptionValueSource(name) !== 'cli') continue;
    throw new UserError(`${option.long}: got it without ${needed}, where it has no effect; add one, or leave it out`);
  }
}

// An option that takes several values takes all words up to the next option: `mine --pages crawl.warc.gz access.log`
// has two archives and no log. This is a legal command line, so the hint is printed only when the run fails for want of
// a log.

/** The words that such an option took, if the command got no argument; undefined if the option took only one. */
export function takenWords(command: Command): string | undefined {
  const [argument] = command.registeredArguments;
  if (argument === undefined || command.args.length > 0) return undefined;
  for (const option of command.options) {
    const name = option.attributeName();
    if (!option.variadic || command.getOptionValueSource(name) !== 'cli') continue;
    const values = command.getOptionValue(name) as readonly string[];
    if (values.length < 2) continue;
    const last = printable(values.at(-1) ?? '');
    return `${option.long} takes all names up to the next option, here ${values.length}; if the last, "${last}", is ${argument.name()}, name it before ${option.long}`;
  }
  return undefined;
}

// Options must not name the same file: a result must not overwrite what the command reads, nor another result.

interface Named {
  readonly option: TableOption;
  readonly file: string;
}

/**
 * Throws a UserError if a result would overwrite an input or another result. Each command checks its arguments itself.
 */
export function refuseSameFiles(command: Command, effects: Pick<Effects, 'cwd' | 'stdin'>): void {
  const named = command.options.flatMap((option) => (option instanceof TableOption ? filesOf(option, command) : []));
  for (const [at, output] of named.entries()) {
    if (output.option.row.isOutput !== true || output.file === '-') continue;
    const path = resolve(effects.cwd, output.file);
    for (const [k, other] of named.entries()) {
      const { row } = other.option;
      if (k === at || (row.isOutput === true && k > at)) continue;
      if (row.mayBeReplaced === true && isMain(output)) continue;
      const isSame = row.isOutput === true ? isSameName(other.file, path, effects) : isInput(other.file, path, effects);
      if (isSame) throw refusal(output, other);
    }
  }
}

/** True for the main result, false for one that is written beside it. */
function isMain({ option }: Named): boolean {
  return option.attributeName() === 'output' || option.attributeName() === 'outParquet';
}

function filesOf(option: TableOption, command: Command): Named[] {
  // Not the rules: each command compares them with its result.
  if (!/<(?:file|input)(?:\.\.\.)?>/.test(option.flags) || option.attributeName() === 'rules') return [];
  const value = command.getOptionValue(option.attributeName()) as unknown;
  const files = Array.isArray(value) ? (value as unknown[]) : [value];
  return files.flatMap((file) => (typeof file === 'string' ? [{ option, file }] : []));
}

/** True if both names are the same file. Compares paths too, as an output need not exist yet. */
function isSameName(name: string, path: string, effects: Pick<Effects, 'cwd' | 'stdin'>): boolean {
  return name !== '-' && (resolve(effects.cwd, name) === path || isInput(name, path, effects));
}

function refusal(output: Named, other: Named): UserError {
  const name = printable(output.file);
  const [mine, others] = [output.option.long!, other.option.long!];
  const message =
    other.option.row.isOutput === true
      ? `${name} is the file of ${others} and of ${mine}; expected another file for the result of one`
      : `${name} is an input; expected another file for the result, or it would be lost`;
  return new UserError(message);
}
