// What may appear on a command line, and where? One answer for the scripts of all shells, read from the commander tree.
import type { Command } from 'commander';
import { pageNames } from '../help/pages.js';
import { optionsOfAll, sheetOf, type CommandSheet, type OperandSheet, type OptionSheet } from '../help/tree.js';

/** What may appear on a command line. */
export interface Vocabulary {
  readonly commands: readonly CommandSheet[];
  /** Options that every command takes, `--help` among them. */
  readonly everywhere: readonly OptionSheet[];
}

/** `program` must have all its commands. */
export function vocabularyOf(program: Command): Vocabulary {
  const sheets = program.commands.map(sheetOf);
  const names: Readonly<Record<string, readonly string[]>> = {
    PAGE: pageNames(program),
    COMMAND: sheets.map(({ name }) => name),
  };
  const named = (operand: OperandSheet): OperandSheet => {
    const choices = names[operand.name];
    return choices === undefined ? operand : { ...operand, takes: 'choice', choices };
  };
  return {
    commands: sheets.map((sheet) => ({ ...sheet, operands: sheet.operands.map(named) })),
    everywhere: optionsOfAll(program),
  };
}
