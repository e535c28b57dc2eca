// What is known about an option? One row of a table, which everything else is derived from: commander's parser and,
// through its tree, help, man pages, completion, configuration files and variables (`addOptions`); the type of the
// flags (`FlagsOf`); the options that a file in the working folder may set (config/apply); the options that a program
// passes to `mine` (library/settings).
import { Option, type Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { numberOption, wordOption } from './parse.js';

/** A default that differs between machines, with a description that is the same in all man pages. */
export interface ByMachine<Value> {
  readonly of: (effects: Effects) => Value;
  /** Adjusts the value once the other options of the command are known. */
  readonly among?: (value: Value, options: Readonly<Record<string, unknown>>) => Value;
  readonly described: string;
}

/** A range of harmless numbers: with them a run costs at most a few times as much as by default. */
export interface HarmlessRange {
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface Row {
  /** Such as `-o, --output <file>`. The name of the value decides what a shell offers: `file`, `folder`. */
  readonly flags: string;
  readonly text: string | ((effects: Effects) => string);
  /** True if the option names a file for a result. */
  readonly isOutput?: true;
  /** True if the option names an input that the main result may replace. */
  readonly mayBeReplaced?: true;
  /** The heading of the option in the help. */
  readonly group?: string;
  /** True, or a range, if a file in the working folder may set the option (config/apply). */
  readonly isHarmless?: true | HarmlessRange;
  /** True if programs can set it, by its name in the table. */
  readonly inLibrary?: true;
}

type Kind =
  /** A switch. `no` describes the option that reverts it. */
  | { readonly kind: 'switch'; readonly no?: string }
  /** `--no-…`: the value is true unless the option is given. */
  | { readonly kind: 'unless' }
  /**
   * With `no` there is also `--no-…`, which means none at all. `when` and `size` are parsed later, so that programs can
   * pass dates and bytes.
   */
  | {
      readonly kind: 'text' | 'when' | 'size';
      readonly standard?: string | ByMachine<string>;
      readonly no?: string;
    }
  /** `--option a b c`, so that a shell can expand a glob. */
  | { readonly kind: 'list'; readonly isRequired?: true }
  /** `--option a --option b`; the description gets a note about that. */
  | { readonly kind: 'repeated'; readonly standard?: readonly string[] }
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max?: number;
      readonly fraction?: true;
      readonly standard?: number | ByMachine<number>;
    }
  | {
      readonly kind: 'word';
      readonly words: readonly string[];
      readonly standard?: string;
      readonly described?: string;
    }
  | {
      readonly kind: 'parsed';
      readonly parse: (text: string, name: string) => unknown;
      readonly standard?: unknown;
      readonly described?: string;
    };

export type OptionRow = Row & Kind;

/** Rows by the name of their flag (`maxUrlLength` for `--max-url-length`), in the order of the help. */
export type OptionTable = Readonly<Record<string, OptionRow>>;

/** Options under one heading. */
export function group<const Table extends OptionTable>(heading: string, table: Table): Table {
  const rows = Object.entries(table).map(([name, row]) => [name, { ...row, group: heading }]);
  return Object.fromEntries(rows) as Table;
}

type ValueOf<R> = R extends { readonly parse: (text: string, name: string) => infer Value }
  ? Value
  : R extends { readonly words: readonly (infer Word)[] }
    ? Word
    : R extends { readonly kind: 'number' }
      ? number
      : R extends { readonly kind: 'switch' | 'unless' }
        ? boolean
        : R extends { readonly kind: 'list' | 'repeated' }
          ? readonly string[]
          : R extends { readonly no: string }
            ? string | false
            : string;

/** Options that always have a value. */
type Sure = { readonly standard: unknown } | { readonly kind: 'unless' } | { readonly isRequired: true };

/** The flags of a command that has these options. */
export type FlagsOf<Table extends OptionTable> = {
  readonly [Name in keyof Table as Table[Name] extends Sure ? Name : never]: ValueOf<Table[Name]>;
} & {
  readonly [Name in keyof Table as Table[Name] extends Sure ? never : Name]?: ValueOf<Table[Name]>;
};

/** A commander option that keeps its row. */
export class TableOption extends Option {
  readonly row: OptionRow;

  constructor(row: OptionRow, effects: Effects) {
    super(row.flags, textOf(row, effects));
    this.row = row;
    if (row.group !== undefined) this.helpGroup(row.group);
    this.#take(row);
    if ('standard' in row && row.standard !== undefined) {
      const { standard } = row;
      this.default(
        isByMachine(standard) ? standard.of(effects) : standard,
        'described' in row ? row.described : undefined,
      );
    }
    if ('isRequired' in row) this.makeOptionMandatory();
  }

  #take(row: OptionRow): void {
    const name = this.long!;
    if (row.kind === 'number') this.argParser(numberOption(name, row));
    if (row.kind === 'parsed') this.argParser((text: string) => row.parse(text, name));
    if (row.kind === 'repeated') {
      this.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), text]);
    }
    if (row.kind === 'word') {
      this.argParser(wordOption(name, row.words));
      this.argChoices = [...row.words]; // for help and completion
    }
  }
}

/** The default values of a table's options. */
export function standardsOf(table: OptionTable, effects: Effects): Record<string, unknown> {
  const standards: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(table)) {
    if (!('standard' in row) || row.standard === undefined) continue;
    standards[name] = isByMachine(row.standard) ? row.standard.of(effects) : row.standard;
  }
  return standards;
}

/** Defaults that depend on other options, by the name of their flag. `options` are the values of those. */
export function* standardsAmong(
  command: Command,
  options: Readonly<Record<string, unknown>>,
): Generator<[name: string, value: unknown]> {
  for (const option of command.options) {
    if (!(option instanceof TableOption) || !('standard' in option.row)) continue;
    const { standard } = option.row;
    const name = option.attributeName();
    if (isByMachine(standard) && standard.among !== undefined) yield [name, standard.among(options[name], options)];
  }
}

/** Sets defaults that depend on other options in a parsed command, where no value was given. */
export function settleStandards(command: Command): void {
  for (const [name, value] of standardsAmong(command, command.opts())) {
    if (command.getOptionValueSource(name) === 'default') command.setOptionValueWithSource(name, value, 'default');
  }
}

function textOf({ text, kind }: OptionRow, effects: Effects): string {
  const own = typeof text === 'string' ? text : text(effects);
  return kind === 'repeated' ? `${own}; may be repeated` : own;
}

function isByMachine(standard: unknown): standard is ByMachine<unknown> {
  return typeof standard === 'object' && standard !== null && 'of' in standard;
}

/** The name of an option in files and variables: without dashes and without `no-`. */
export function keyOf({ flags }: OptionRow): string {
  return /--(?:no-)?([\w-]+)/.exec(flags)![1]!;
}

/** Adds these options to the command. */
export function addOptions(command: Command, table: OptionTable, effects: Effects): void {
  for (const row of Object.values(table)) {
    command.addOption(new TableOption(row, effects));
    if (!('no' in row) || row.no === undefined) continue;
    const opposite = new Option(`--no-${keyOf(row)}`, row.no);
    command.addOption(row.group === undefined ? opposite : opposite.helpGroup(row.group));
  }
}

/** True if a second `--option value` adds to the first. */
export function isRepeatable(option: Option): boolean {
  return option.variadic || (option instanceof TableOption && option.row.kind === 'repeated');
}

/** The description of a default that differs between machines, for man pages. */
export function portableDefault(option: Option): string | undefined {
  if (!(option instanceof TableOption) || !('standard' in option.row)) return undefined;
  return isByMachine(option.row.standard) ? option.row.standard.described : undefined;
}
