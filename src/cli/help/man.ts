// Makes man pages, and shows them with `dustbuster man`, for installations that have no man pages.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Effects } from '../../base/effects.js';
import { systemCode } from '../../base/error.js';
import { createSink, pour } from '../../base/output.js';
import { makeScratchFolder } from '../../base/draft.js';
import { packageVersion } from '../version.js';
import {
  descriptionBlocks,
  operandBlocks,
  optionBlocks,
  ownStandard,
  section,
  type StandardOf,
  optionsOfAll,
  sheetOf,
} from './tree.js';
import { helpWidth, unknownTopic } from './help.js';
import { type Block, sectionOf, type Term } from './markdown.js';
import { commandNamed, findPage, type Page, pageNames, sectionOfCommand } from './pages.js';
import { writeRoff } from './roff.js';
import { writeText } from './text.js';

interface ManPage {
  /** Such as `dustbuster-mine.1`. */
  readonly file: string;
  readonly roff: string;
  readonly blocks: readonly Block[];
}

/** The date on the pages, updated when they are rewritten; a build may set another date by SOURCE_DATE_EPOCH. */
const WRITTEN = '2026-11-21';

/** The man page of a command or a topic; undefined if no page has this name. */
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

/** A default that is the same on every machine, so that all builds have the same pages. */
const standardOf: StandardOf = (option) => option.standardOfAll ?? ownStandard(option);

function commandList(program: Command): Block[] {
  const rows = program.commands.map((command): Term => {
    const { name, summary } = sheetOf(command);
    return { term: `\`dustbuster-${name}\`(${sectionOfCommand(name)})`, text: summary };
  });
  return section('Commands', [{ kind: 'terms', rows }]);
}

// `dustbuster man`: the manual, for installations without man pages.

/** Shows a page with `man` or as text, or prints its source. Throws a UserError for an unknown page. */
export async function showManual(
  name: string,
  form: 'page' | 'source',
  program: Command,
  effects: Effects,
): Promise<void> {
  const page = manPage(name, program);
  if (page === undefined) throw unknownTopic(name, program);
  if (form === 'page' && effects.stdout.isTTY === true && showByMan(page, effects)) return;
  const text = form === 'source' ? page.roff : writeText(page.blocks, helpWidth(effects));
  await pour([text], createSink(effects.stdout));
}

/** Shows the page with a `man` that takes a path, as on Linux, the BSDs and macOS; false if there is none. */
function showByMan({ file, roff }: ManPage, effects: Effects): boolean {
  const folder = makeScratchFolder(effects.tmpdir, 'man');
  const leaveToPager = () => undefined; // Ctrl-C there ends a search, not the program
  process.on('SIGINT', leaveToPager);
  try {
    const path = join(folder, file);
    writeFileSync(path, roff);
    const { error, status } = spawnSync('man', [path], { stdio: 'inherit' });
    if (error !== undefined && systemCode(error) !== 'ENOENT') throw error;
    return error === undefined && status === 0;
  } finally {
    process.removeListener('SIGINT', leaveToPager);
    rmSync(folder, { recursive: true, force: true });
  }
}
