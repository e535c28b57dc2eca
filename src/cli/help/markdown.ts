// What is in a page of src/docs? Parses the subset of Markdown that the pages use into blocks, for two writers: roff
// and the terminal.
//
//   # title · ## section · paragraphs · fenced code · `- ` and `1. ` items · | term | what it is |
//   inside a line: `code`, **strong**, _emphasis_, [text](address)
//
// The first column of a table is a term and the others its description; neither writer prints the heading row. A table
// of figures has four columns or more. It is printed as a table if it is narrow; otherwise each figure follows its
// heading.

export type Block =
  | { readonly kind: 'heading'; readonly depth: number; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly lines: readonly string[] }
  | { readonly kind: 'items'; readonly isNumbered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'terms'; readonly rows: readonly Term[] };

export interface Term {
  readonly term: string;
  readonly text: string;
}

/** A part of a line in one style. */
interface Span {
  readonly voice: 'plain' | 'code' | 'strong' | 'emphasis';
  readonly text: string;
}

export function parsePage(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length;) {
    const { block, next } = blockAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** Blocks under `## title`, up to the next heading of the same depth; none if there is no such section. */
export function sectionOf(blocks: readonly Block[], title: string): readonly Block[] {
  const start = blocks.findIndex((block) => isSection(block) && block.text === title);
  if (start < 0) return [];
  const rest = blocks.slice(start + 1);
  const end = rest.findIndex(isSection);
  return end < 0 ? rest : rest.slice(0, end);
}

function isSection(block: Block): block is Block & { kind: 'heading' } {
  return block.kind === 'heading' && block.depth <= 2;
}

interface Cut {
  readonly block?: Block;
  readonly next: number;
}

function blockAt(lines: readonly string[], at: number): Cut {
  const line = lines[at]!;
  if (line.trim() === '') return { next: at + 1 };
  const heading = /^(#+) (.*)$/.exec(line);
  if (heading !== null) {
    return { block: { kind: 'heading', depth: heading[1]!.length, text: heading[2]! }, next: at + 1 };
  }
  if (line.startsWith('```')) return codeAt(lines, at);
  const end = lines.findIndex((other, k) => k > at && startsAnother(other));
  const own = lines.slice(at, end < 0 ? lines.length : end);
  const next = at + own.length;
  const isNumbered = NUMBERED.test(line);
  if (isNumbered || line.startsWith('- ')) {
    return { block: { kind: 'items', isNumbered, items: itemsOf(own, isNumbered ? NUMBERED : BULLET) }, next };
  }
  if (line.startsWith('|')) return { block: tableOf(own), next };
  return { block: { kind: 'text', text: own.join(' ') }, next };
}

function startsAnother(line: string): boolean {
  return line.trim() === '' || line.startsWith('```') || /^#+ /.test(line);
}

function codeAt(lines: readonly string[], at: number): Cut {
  const end = lines.findIndex((line, k) => k > at && line.startsWith('```'));
  if (end < 0) throw new Error(`a fence is open at line ${at + 1}`);
  return { block: { kind: 'code', language: lines[at]!.slice(3), lines: lines.slice(at + 1, end) }, next: end + 1 };
}

const BULLET = /^- /;
const NUMBERED = /^\d+\. /;

function itemsOf(lines: readonly string[], mark: RegExp): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ''));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

/** The widest table that fits into a man page of 80 columns, as code. */
const TABLE_WIDTH = 69;

function tableOf(lines: readonly string[]): Block {
  const [heads = [], marks = [], ...rows] = lines.map(cellsOf);
  if (heads.length < 4) return { kind: 'terms', rows: rows.map(([term = '', ...texts]) => termOf(term, texts)) };
  const all = [heads, ...rows].map((cells) => heads.map((_, column) => plainOf(cells[column] ?? '')));
  const widths = heads.map((_, column) => Math.max(...all.map((cells) => cells[column]!.length)));
  if (widths.reduce((sum, width) => sum + width + 2, -2) > TABLE_WIDTH) {
    const named = (texts: readonly string[]) =>
      texts.map((text, at) => (text === '' ? '' : `${heads[at + 1]!}: ${text}`));
    return { kind: 'terms', rows: rows.map(([term = '', ...texts]) => termOf(term, named(texts))) };
  }
  const set = (cell: string, column: number) =>
    marks[column]!.endsWith(':') ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return { kind: 'code', language: '', lines: all.map((cells) => cells.map(set).join('  ').trimEnd()) };
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\|\s*|\s*\|$/g, '')
    .split(/\s*(?<!\\)\|\s*/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
}

function termOf(term: string, texts: readonly string[]): Term {
  return { term, text: texts.filter((text) => text !== '').join('; ') };
}

/** The line without its styles. */
export function plainOf(line: string): string {
  return spansOf(line)
    .map(({ text }) => text)
    .join('');
}

const VOICES = /(?<!\\)(?:`([^`]+)`|\*\*([^*]+)\*\*|(?<!\w)_((?:\\_|[^_])+)_(?!\w)|\[([^\]]+)\]\(([^)]+)\))/g;

/** Splits a line where its style changes. A link keeps its text, and its address if that is on the web. */
export function spansOf(line: string): Span[] {
  const spans: Span[] = [];
  const say = (voice: Span['voice'], text: string) => {
    if (text !== '') spans.push({ voice, text });
  };
  let end = 0;
  for (const match of line.matchAll(VOICES)) {
    say('plain', unescaped(line.slice(end, match.index)));
    const [whole, code, strong, emphasis, link, address = ''] = match;
    if (code !== undefined) say('code', code);
    else if (strong !== undefined) say('strong', unescaped(strong));
    else if (emphasis !== undefined) say('emphasis', unescaped(emphasis));
    else say('plain', address.startsWith('http') ? `${link} <${address}>` : link!);
    end = match.index + whole.length;
  }
  say('plain', unescaped(line.slice(end)));
  return spans;
}

function unescaped(text: string): string {
  return text.replace(/\\([\\`*_|[\]<>#])/g, '$1');
}

/** Escapes `text`, because option descriptions are not Markdown. */
export function literal(text: string): string {
  return text.replace(/[\\`*_|[\]<>#]/g, '\\$&');
}
