// Writes blocks as a man page: man(7) macros that groff and mandoc read alike.
//
// There are libraries for this: marked-man is a separate program that needs a version of marked four releases old, and
// remark-man is unified with ten packages below it. Neither has lists of terms, which are most of a man page, nor
// passes `mandoc -T lint`.
import { spansOf, type Block, type Term } from './markdown.js';

interface ManHead {
  /** Such as `dustbuster-mine`. */
  readonly name: string;
  readonly section: number;
  /** Such as 2026-11-21. */
  readonly date: string;
  readonly version: string;
}

const LINE = 76;

export function writeRoff(head: ManHead, blocks: readonly Block[]): string {
  const { name, section, date, version } = head;
  const title = `.TH ${name.toUpperCase()} ${section} ${date} "dustbuster ${version}" "dustbuster manual"`;
  const lines = [title, ...blocks.flatMap((block, at) => roffOf(block, blocks[at - 1]))];
  return `${lines.join('\n')}\n`;
}

function roffOf(block: Block, before: Block | undefined): string[] {
  switch (block.kind) {
    case 'heading':
      return [`.${block.depth <= 2 ? 'SH' : 'SS'} ${quoted(block.depth <= 2 ? block.text.toUpperCase() : block.text)}`];
    case 'text':
      return [...(before === undefined || before.kind === 'heading' ? [] : ['.PP']), ...running(block.text)];
    case 'code':
      return [...gap(before), '.RS 4', '.EX', ...block.lines.map(verbatim), '.EE', '.RE'];
    case 'items':
      return block.items.flatMap((item, at) => [
        block.isNumbered ? `.IP ${at + 1}. 3` : '.IP \\(bu 2',
        ...running(item),
      ]);
    case 'terms':
      return block.rows.flatMap(termLines);
  }
  return block satisfies never;
}

/** A line of space before a block. `.EX` does not make one by itself. */
function gap(before: Block | undefined): string[] {
  return before === undefined || before.kind === 'heading' ? [] : ['.sp'];
}

function termLines({ term, text }: Term): string[] {
  return ['.TP', running(term).join(' '), ...running(text === '' ? ' ' : text)];
}

/** Text that the reader's program fills, split into lines at spaces. */
function running(text: string): string[] {
  const words = spansOf(text)
    .map(({ voice, text: own }) => FONTS[voice](escaped(own)))
    .join('')
    .split(' ');
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > LINE) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map(guarded);
}

const FONTS = {
  plain: (text: string) => text,
  code: (text: string) => `\\fB${text.replaceAll('-', '\\-')}\\fR`,
  strong: (text: string) => `\\fB${text}\\fR`,
  emphasis: (text: string) => `\\fI${text}\\fR`,
} as const;

function verbatim(line: string): string {
  return guarded(escaped(line).replaceAll('-', '\\-'));
}

/** Escapes a dot or quote at the start of a line, where roff would read a request. */
function guarded(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

/**
 * Writes non-ASCII characters by number, which every reader knows. Escapes quotes and all other characters that groff
 * would replace by typographic ones.
 */
function escaped(text: string): string {
  return text.replace(/[\\`'^~]|[^\x20-\x7e]/gu, (char) => SIGNS[char] ?? `\\[u${hexOf(char)}]`);
}

const SIGNS: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '`': '\\(ga',
  "'": '\\(aq',
  '^': '\\(ha',
  '~': '\\(ti',
  '\u2014': '\\-',
};

function hexOf(char: string): string {
  return char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`;
}
