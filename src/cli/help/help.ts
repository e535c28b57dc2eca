// The text of `dustbuster help`, `-h` and `--help`. Examples come first; the short form fits on a screen.
import type { Command } from 'commander';
import { printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { didYouMean } from '../flags/parse.js';
import type { HelpAsked } from './asked.js';
import {
  briefOptionTerms,
  descriptionBlocks,
  operandBlocks,
  optionBlocks,
  section,
  type CommandSheet,
  optionsOfAll,
  sheetOf,
} from './tree.js';
import { type Block, literal, type Term } from './markdown.js';
import { commandNamed, findPage, helpSection, pageNames, topicNames } from './pages.js';
import { writeText } from './text.js';

const MAX_WIDTH = 100;
/** How many examples short help shows. */
const FEW = 3;

/** The options that short help shows, by long name. Other commands show their first ones. */
const MOST_USED: Readonly<Record<string, readonly string[]>> = {
  dustbuster: ['--config', '--version'],
  mine: ['--output', '--format', '--base', '--since', '--exclude', '--state', '--fetch', '--memory', '--quiet'],
  validate: ['--test', '--pages', '--base', '--dry-run', '--max-fetches', '--rate', '--budget', '--output'],
  canonize: ['--rules', '--input', '--output', '--pairs', '--changed', '--unique', '--accept', '--line-buffered'],
  eval: ['--urls', '--rules', '--truth', '--accept', '--json', '--max-false-merges', '--min-coverage'],
};

/** The help that a command line asked for. Throws a UserError for an unknown topic. */
export function helpText({ form, topic = 'dustbuster' }: HelpAsked, program: Command, width: number): string {
  const command = commandNamed(topic, program);
  if (command !== undefined)
    return writeText(form === 'full' ? full(command, program) : short(command, program), width);
  const page = findPage(topic, program);
  if (page === undefined) throw unknownTopic(topic, program);
  return writeText([{ kind: 'text', text: `${page.summary}.` }, ...page.blocks], width);
}

export function helpWidth({ stdout }: Effects): number {
  const { columns } = stdout as { readonly columns?: number };
  return Math.min(columns || 80, MAX_WIDTH); // some terminals say 0
}

export function unknownTopic(topic: string, program: Command): UserError {
  const names = pageNames(program);
  const expected = `expected one of ${names.join(', ')}.${didYouMean(topic, names)}`;
  return new UserError(`no help for "${printable(topic)}"; ${expected}`);
}

function full(command: Command, program: Command): Block[] {
  const sheet = sheetOf(command);
  const isProgram = command === program;
  const exitCodes = helpSection(sheet.name, 'Exit codes');
  return [
    usage(sheet, isProgram),
    ...section('Examples', helpSection(sheet.name, 'Examples')),
    { kind: 'heading', depth: 2, text: 'Description' },
    ...descriptionBlocks(sheet),
    ...section('Arguments', operandBlocks(sheet.operands)),
    ...(isProgram ? programParts(program) : []),
    ...optionBlocks([...(isProgram ? [] : sheet.options), ...optionsOfAll(program)]).map(asSection),
    ...section('Exit codes', exitCodes),
    ...section('More', [{ kind: 'text', text: more(sheet.name, isProgram) }]),
  ];
}

function short(command: Command, program: Command): Block[] {
  const sheet = sheetOf(command);
  const isProgram = command === program;
  const names = MOST_USED[sheet.name] ?? sheet.options.slice(0, 8).map(({ long }) => long);
  const shown = names.flatMap((name) => sheet.options.find(({ long }) => long === name) ?? []);
  const rest = isProgram
    ? 'dustbuster COMMAND -h shows the same for a command; --help shows everything.'
    : `dustbuster ${sheet.name} --help shows everything, dustbuster man ${sheet.name} the manual page.`;
  return [
    usage(sheet, isProgram),
    { kind: 'text', text: literal(`${sheet.summary.charAt(0).toUpperCase()}${sheet.summary.slice(1)}.`) },
    ...section('Examples', firstExamples(helpSection(sheet.name, 'Examples'))),
    ...(isProgram ? programParts(program) : []),
    ...section(shown.length < sheet.options.length ? 'Most used options' : 'Options', [briefOptionTerms(shown)]),
    { kind: 'text', text: rest },
  ];
}

function usage({ usage: words }: CommandSheet, isProgram: boolean): Block {
  const line = isProgram ? 'dustbuster COMMAND [options]' : `dustbuster ${words}`;
  return { kind: 'heading', depth: 1, text: `Usage: ${line.replaceAll(/([[\]<>])/g, '\\$1')}` };
}

function asSection(block: Block): Block {
  return block.kind === 'heading' ? { ...block, depth: 2 } : block;
}

function programParts(program: Command): Block[] {
  const commands = program.commands.map((command): Term => {
    const { name, summary } = sheetOf(command);
    return { term: name, text: summary };
  });
  const topics = topicNames().map((name): Term => ({ term: name, text: findPage(name, program)!.summary }));
  return [
    ...section('Commands', [{ kind: 'terms', rows: commands }]),
    ...section('Pages (dustbuster help PAGE)', [{ kind: 'terms', rows: topics }]),
  ];
}

function more(name: string, isProgram: boolean): string {
  if (isProgram)
    return '`dustbuster help COMMAND` shows the full help of a command, `dustbuster man COMMAND` its manual page.';
  return `\`dustbuster man ${name}\` has all of this at length.`;
}

function firstExamples(blocks: readonly Block[]): readonly Block[] {
  let seen = 0;
  const end = blocks.findIndex((block) => block.kind === 'code' && ++seen === FEW);
  return end < 0 ? blocks : blocks.slice(0, end + 1);
}
