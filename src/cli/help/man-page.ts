// Assembles a man page: the text from src/docs, and names, arguments and options from the commander tree.
import type { Command } from 'commander';
import { descriptionBlocks, operandBlocks, optionBlocks, ownStandard, section, type StandardOf } from './blocks.js';
import { sectionOf, type Block, type Term } from './markdown.js';
import { commandNamed, findPage, pageNames, type Page } from './pages.js';
import { optionsOfAll, sheetOf } from './tree.js';
import { writeRoff } from './roff.js';
import { packageVersion } from '../version.js';

export interface ManPage {
  /** `dustbuster-mine.1`. */
  readonly file: string;
  readonly roff: string;
  readonly blocks: readonly Block[];
}

/** The day on which the pages were last written; a build may set another one with SOURCE_DATE_EPOCH. */
const WRITTEN = '2026-11-21';

/** The man page of a command or a topic; undefined if there is none of this name. */
export function manPage(name: string, program: Command, date = WRITTEN): ManPage | undefined {
  const page = findPage(name, program);
  if (page === undefined) return undefined;
  const title = name === 'dustbuster' ? name : `dustbuster-${name}`;
  const command = commandNamed(name, program);
  const body = command === undefined ? page.blocks : commandBlocks(command, page, program);
  const blocks = [...section('Name', [{ kind: 'text', text: `${title} \u2014 ${page.summary}` }]), ...body];
  const head = { name: title, section: page.section, date, version: packageVersion() };
  return { file: `${title}.${page.section}`, roff: writeRoff(head, blocks), blocks };
}

export function manPages(program: Command, date?: string): ManPage[] {
  return pageNames(program).map((name) => manPage(name, program, date)!);
}

function commandBlocks(command: Command, { blocks }: Page, program: Command): Block[] {
  const sheet = sheetOf(command);
  const isProgram = command === program;
  const lead = blocks.slice(
    0,
    Math.max(
      0,
      blocks.findIndex((block) => block.kind === 'heading'),
    ),
  );
  const examples = sectionOf(blocks, 'Examples');
  const rest = blocks.slice(lead.length + (examples.length === 0 ? 0 : examples.length + 1));
  const line = isProgram
    ? '`dustbuster` _COMMAND_ \\[_options_\\]'
    : `\`dustbuster ${sheet.name}\` ${operands(sheet.usage)}`;
  return [
    ...section('Synopsis', [{ kind: 'text', text: line }]),
    ...section('Examples', examples),
    ...section('Description', [...descriptionBlocks(sheet), ...lead, ...operandBlocks(sheet.operands)]),
    ...(isProgram ? commandList(program) : []),
    ...section('Options', optionBlocks([...(isProgram ? [] : sheet.options), ...optionsOfAll(program)], standardOf)),
    ...rest,
  ];
}

/** The words of a usage line after its command: `[options] [INPUT...]`. */
function operands(usage: string): string {
  const words = usage.split(' ').slice(1);
  return words.map((word) => word.replace(/^([[<])(.*?)([\]>])$/, '\\$1_$2_\\$3')).join(' ');
}

/** Pages are the same on every machine. */
const standardOf: StandardOf = (option) => option.standardOfAll ?? ownStandard(option);

function commandList(program: Command): Block[] {
  const rows = program.commands.map((command): Term => {
    const { name, summary } = sheetOf(command);
    return { term: `\`dustbuster-${name}\`(1)`, text: summary };
  });
  return section('Commands', [{ kind: 'terms', rows }]);
}
