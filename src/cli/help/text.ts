// Writes blocks for a terminal: headings without indentation, text filled to the width, terms in a column of their own.
import { plainOf as plain, type Block, type Term } from './markdown.js';

/** Terms wider than this get a line of their own. */
const TERM_WIDTH = 26;
const INDENT = 2;

/** The text of `blocks`, filled to `width` columns, with an empty line between blocks. */
export function writeText(blocks: readonly Block[], width: number): string {
  const parts: string[] = [];
  for (const [at, block] of blocks.entries()) {
    parts.push(`${isTight(block, blocks[at - 1]) ? '' : '\n'}${textOf(block, width).join('\n')}`);
  }
  return parts.length === 0 ? '' : `${parts.join('\n')}\n`;
}

/** True if no empty line precedes the block: it follows a heading, or it is code that a sentence announces. */
function isTight(block: Block, before: Block | undefined): boolean {
  if (before === undefined) return true;
  if (block.kind === 'heading') return false;
  return before.kind === 'heading' || (before.kind === 'text' && block.kind === 'code');
}

function textOf(block: Block, width: number): string[] {
  const margin = ' '.repeat(INDENT);
  const room = width - INDENT;
  switch (block.kind) {
    case 'heading':
      return [block.depth === 1 ? plain(block.text) : `${plain(block.text)}:`];
    case 'text':
      return fill(plain(block.text), room).map((line) => margin + line);
    case 'code':
      return block.lines.map((line) => (line === '' ? '' : `${margin}  ${line}`));
    case 'items':
      return block.items.flatMap((item, at) => {
        const mark = block.isNumbered ? `${at + 1}. ` : '- ';
        const lines = fill(plain(item), room - mark.length);
        return lines.map((line, k) => `${margin}${k === 0 ? mark : ' '.repeat(mark.length)}${line}`);
      });
    case 'terms':
      return termLines(block.rows, room).map((line) => margin + line);
  }
  return block satisfies never;
}

function termLines(rows: readonly Term[], width: number): string[] {
  const terms = rows.map(({ term }) => plain(term));
  const fitting = terms.map((term) => term.length).filter((length) => length <= TERM_WIDTH);
  const column = Math.max(8, ...fitting) + 2;
  return rows.flatMap(({ text }, at) => {
    const term = terms[at]!;
    const lines = fill(plain(text), width - column);
    const first = term.length + 2 <= column ? [term.padEnd(column) + (lines.shift() ?? '')] : [term];
    return [...first, ...lines.map((line) => ' '.repeat(column) + line)].map((line) => line.trimEnd());
  });
}

function fill(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
