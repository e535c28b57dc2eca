// Which pages are there, and what is in them? There is a page for each command, one for the program, and a few topics.
// src/docs/<command>.md has what the commander tree lacks: examples, exit codes, files.
import { readFileSync, readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { packageFile } from '../../base/package-file.js';
import { parsePage, sectionOf, type Block } from './markdown.js';
import { sheetOf } from './tree.js';

export interface Page {
  /** Such as `mine` or `cron`; `dustbuster` for the program. */
  readonly name: string;
  /** Section of the manual: 1 commands, 5 files, 7 everything else. */
  readonly section: number;
  readonly summary: string;
  /** Everything after the title; for a topic, without its summary. */
  readonly blocks: readonly Block[];
}

/** Pages are read from the sources. */
const FOLDER = packageFile('src/docs/');

/** Pages that are not about a command, in the order of the help. */
export function topicNames(): string[] {
  return [
    'site-owners',
    'reports',
    'cron',
    'crawlers',
    'researchers',
    'library',
    'spark',
    'privacy',
    'local',
    'changes',
    'spec',
  ];
}

/** The page of a command or a topic; undefined if neither has this name. */
export function findPage(name: string, program: Command): Page | undefined {
  const command = commandNamed(name, program);
  if (command !== undefined) {
    return { name, section: sectionOfCommand(name), summary: sheetOf(command).summary, blocks: readPage(name) };
  }
  if (!topicNames().includes(name)) return undefined;
  const [title, summary, ...blocks] = parsePage(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'));
  const section = title?.kind === 'heading' ? /\((\d)\)$/.exec(title.text)?.[1] : undefined;
  if (section === undefined || summary?.kind !== 'text') throw new Error(`${name}.md has no title and summary`);
  return { name, section: Number(section), summary: summary.text.replace(/\.$/, ''), blocks };
}

/** The page of the command `rules` describes the file, so it is in section 5. */
export function sectionOfCommand(name: string): number {
  return name === 'rules' ? 5 : 1;
}

/** All names that {@link findPage} accepts. */
export function pageNames(program: Command): string[] {
  return ['dustbuster', ...program.commands.map((command) => command.name()), ...topicNames()];
}

/** One section of a command's page, or of the program's, for its help. */
export function helpSection(name: string, title: string): readonly Block[] {
  return sectionOf(readPage(name), title);
}

export function commandNamed(name: string, program: Command): Command | undefined {
  return name === 'dustbuster' ? program : program.commands.find((command) => command.name() === name);
}

/** The blocks of a command's page without the title; empty if it has no page. */
function readPage(name: string): readonly Block[] {
  if (!readdirSync(FOLDER).includes(`${name}.md`)) return [];
  return parsePage(readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')).slice(1);
}
