// May the files that options name be the same? A result is not written over what the command reads, nor two into one.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { UserError } from '../base/error.js';
import { isInput } from './files.js';
import { TableOption } from './flags/option.js';

interface Named {
  readonly option: TableOption;
  readonly file: string;
}

/** Throws a UserError if a result would be lost, or what it is made from. Arguments are left to their commands. */
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

/** Not one of several results beside the main one. */
function isMain({ option }: Named): boolean {
  return option.attributeName() === 'output' || option.attributeName() === 'outParquet';
}

function filesOf(option: TableOption, command: Command): Named[] {
  // Rules and their result are compared by each command.
  if (!/<(?:file|input)(?:\.\.\.)?>/.test(option.flags) || option.attributeName() === 'rules') return [];
  const value = command.getOptionValue(option.attributeName()) as unknown;
  const files = Array.isArray(value) ? (value as unknown[]) : [value];
  return files.flatMap((file) => (typeof file === 'string' ? [{ option, file }] : []));
}

/** Results need not be there yet. */
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
