// What is known about a command? Read from the commander tree in one place, for help, man pages, completion and
// configuration.
import type { Argument, Command, Option } from 'commander';
import { addTo } from '../../base/group-by.js';
import { isRepeatable, portableDefault } from '../flags/option.js';
import { type Block, literal, type Term } from './markdown.js';

export interface CommandSheet {
  readonly name: string;
  readonly summary: string;
  readonly description: readonly string[];
  /** Such as `mine [options] [INPUT...]`. */
  readonly usage: string;
  readonly operands: readonly OperandSheet[];
  readonly options: readonly OptionSheet[];
}

export interface OperandSheet {
  readonly name: string;
  readonly text: string;
  readonly takes: Taking;
  readonly choices: readonly string[];
  readonly isRepeatable: boolean;
}

export interface OptionSheet {
  /** The heading of the option in the help. */
  readonly group: string;
  readonly short?: string;
  readonly long: string;
  /** `file` of `--output <file>`; undefined for a switch. */
  readonly placeholder?: string;
  readonly text: string;
  readonly takes: Taking;
  readonly choices: readonly string[];
  readonly isRepeatable: boolean;
  /** True if the option takes every word up to the next option. */
  readonly isVariadic: boolean;
  readonly standard?: string;
  /** If the real default depends on the machine: the default in pages that have to be the same everywhere, as man pages. */
  readonly standardOfAll?: string;
}

/** What a shell can offer as the value of an option. */
export type Taking = 'nothing' | 'choice' | 'file' | 'folder' | 'text';

export function sheetOf(command: Command): CommandSheet {
  const description = command.description();
  return {
    name: command.name(),
    summary: command.summary() || firstSentence(description),
    description: description.split('\n\n'),
    usage: [command.name(), ...(command.options.length > 0 ? ['[options]'] : []), ...operandWords(command)].join(' '),
    operands: command.registeredArguments.map(operandSheet),
    options: command.options.filter(({ hidden }) => !hidden).map(optionSheet),
  };
}

const helpOption: OptionSheet = {
  group: 'Anywhere:',
  short: '-h',
  long: '--help',
  text: 'short help, or all of it',
  takes: 'nothing',
  choices: [],
  isRepeatable: false,
  isVariadic: false,
};

/** Options that every command takes: those of the program, and help. */
export function optionsOfAll(program: Command): OptionSheet[] {
  return [helpOption, ...sheetOf(program).options.map((option) => ({ ...option, group: 'Anywhere:' }))];
}

function firstSentence(text: string): string {
  const [sentence = ''] = text.split(/\.(?:\s|$)/);
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function operandWords(command: Command): string[] {
  return command.registeredArguments.map((operand) => {
    const name = `${operand.name()}${operand.variadic ? '...' : ''}`;
    return operand.required ? `<${name}>` : `[${name}]`;
  });
}

function operandSheet(operand: Argument): OperandSheet {
  const choices = operand.argChoices ?? [];
  return {
    name: operand.name(),
    text: withDefault(operand.description, operand.defaultValueDescription ?? operand.defaultValue),
    takes: takingOf(operand.name(), choices),
    choices,
    isRepeatable: operand.variadic,
  };
}

function optionSheet(option: Option): OptionSheet {
  const { short, long, flags, description, variadic } = option;
  const choices = option.argChoices ?? [];
  const placeholder = /<([^>]*?)(?:\.\.\.)?>/.exec(flags)?.[1];
  const standard = standardOf(option);
  const standardOfAll = portableDefault(option);
  return {
    group: option.helpGroupHeading ?? 'Options:',
    ...(short !== undefined && { short }),
    long: long ?? short!,
    ...(placeholder !== undefined && { placeholder }),
    text: description,
    takes: placeholder === undefined ? 'nothing' : takingOf(placeholder, choices),
    choices,
    isRepeatable: isRepeatable(option),
    isVariadic: variadic,
    ...(standard !== undefined && { standard }),
    ...(standardOfAll !== undefined && { standardOfAll }),
  };
}

/** The default as help shows it. A switch has none: it exists to change the default. */
function standardOf({ required, defaultValue, defaultValueDescription }: Option): string | undefined {
  if (!required || defaultValue === undefined) return undefined;
  if (Array.isArray(defaultValue) && defaultValue.length === 0) return undefined;
  return defaultValueDescription ?? String(defaultValue);
}

function withDefault(text: string, standard: unknown): string {
  return typeof standard === 'string' ? `${text} (default: ${standard})` : text;
}

function takingOf(placeholder: string, choices: readonly string[]): Taking {
  if (choices.length > 0) return 'choice';
  const word = placeholder.toLowerCase();
  if (['file', 'input', 'rules', 'old', 'new'].includes(word)) return 'file';
  return word === 'folder' ? 'folder' : 'text';
}

// Blocks that help and man pages generate from the tree, like those of the written pages.

/** Options as terms under their headings, in the order of the tree. */
export function optionBlocks(options: readonly OptionSheet[], standardOf: StandardOf = ownStandard): Block[] {
  const groups = new Map<string, OptionSheet[]>();
  for (const option of options) addTo(groups, option.group, option);
  return [...groups].flatMap(([group, members]): Block[] => [
    { kind: 'heading', depth: 3, text: group.replace(/:$/, '') },
    optionTerms(members, standardOf),
  ]);
}

/** Options as terms, without an option's list of words: `--format` alone has twenty. */
export function briefOptionTerms(options: readonly OptionSheet[]): Block {
  return { kind: 'terms', rows: options.map((option) => optionTerm(option, option.standard, { isBrief: true })) };
}

function optionTerms(options: readonly OptionSheet[], standardOf: StandardOf = ownStandard): Block {
  return { kind: 'terms', rows: options.map((option) => optionTerm(option, standardOf(option))) };
}

/** Describes the default of an option, or returns undefined. */
export type StandardOf = (option: OptionSheet) => string | undefined;

export function ownStandard({ standard }: OptionSheet): string | undefined {
  return standard;
}

function optionTerm(option: OptionSheet, standard: string | undefined, { isBrief = false } = {}): Term {
  const { short, long, placeholder, text, choices, isVariadic } = option;
  const names = [short, long].flatMap((name) => (name === undefined || name === '' ? [] : [`\`${name}\``])).join(', ');
  const value = placeholder === undefined ? '' : ` _${literal(`<${placeholder}${isVariadic ? '...' : ''}>`)}_`;
  const words = choices.length === 0 ? '' : ` (${choices.join(', ')})`;
  const standing = standard === undefined ? '' : ` (default: ${standard})`;
  const own = isBrief ? '' : words;
  return { term: `${names}${value}`, text: literal(text + own + standing) };
}

export function operandBlocks(operands: readonly OperandSheet[]): Block[] {
  if (operands.length === 0) return [];
  const rows = operands.map(({ name, text, choices }) => {
    const words = choices.length === 0 ? '' : ` (${choices.join(', ')})`;
    return { term: `_${literal(name)}_`, text: literal(text + words) };
  });
  return [{ kind: 'terms', rows }];
}

export function descriptionBlocks({ description }: CommandSheet): Block[] {
  return description.map((text) => ({ kind: 'text', text: literal(text.replaceAll('\n', ' ')) }));
}

export function section(text: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ kind: 'heading', depth: 2, text }, ...blocks];
}
