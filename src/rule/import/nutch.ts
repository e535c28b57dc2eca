// The rules of a regex-normalize.xml of Apache Nutch, whose rules are expressions:
//
//     <regex-normalize><regex><pattern>/index\.html$</pattern><substitution>/</substitution></regex> …
import { Parser } from 'htmlparser2';
import type { Faults } from './faults.js';
import type { Row } from './table.js';

const ROOT = 'regex-normalize';
/** The elements by the elements around them. */
const PATHS = [ROOT, `${ROOT} regex`, `${ROOT} regex pattern`, `${ROOT} regex substitution`];

/** Deeper files are not read on: the parser takes time for each element that is open. */
const MOST_DEPTH = 16;
const CHUNK_CHARS = 1 << 16;

/** The rows of the elements `regex`, `most` at least if there are as many. */
export function rowsOfNutch(text: string, most: number, faults: Faults): readonly Row[] {
  const reader = new NutchReader(text, faults);
  for (let at = 0; at < text.length && reader.depth <= MOST_DEPTH && reader.rows.length < most; at += CHUNK_CHARS)
    reader.parser.write(text.slice(at, at + CHUNK_CHARS));
  if (reader.depth <= MOST_DEPTH && reader.rows.length < most) reader.parser.end();
  return reader.rows;
}

class NutchReader {
  readonly rows: Row[] = [];
  readonly parser: Parser;
  readonly #text: string;
  readonly #faults: Faults;
  readonly #open: string[] = [];
  /** The texts of the current `regex`, by element, and its line. */
  readonly #texts = new Map<string, string>();
  #firstLine = 0;
  #line = 1;
  #lineAt = 0;

  constructor(text: string, faults: Faults) {
    this.#text = text;
    this.#faults = faults;
    const listener = {
      onopentag: (name: string) => this.#openElement(name),
      ontext: (piece: string) => this.#addText(piece),
      onclosetag: (name: string, isImplied: boolean) => this.#closeElement(name, isImplied),
    };
    this.parser = new Parser(listener, { xmlMode: true });
  }

  get depth(): number {
    return this.#open.length;
  }

  #openElement(name: string): void {
    this.#open.push(name);
    const isKnown = this.depth <= 3 && PATHS.includes(this.#open.join(' '));
    if (!isKnown)
      this.#add(`got <${name.slice(0, 40)}>, expected ${ROOT}, in it regex, in it pattern and substitution`);
    else if (this.depth === 2) this.#begin();
    else if (this.#texts.has(name)) this.#add(`got <${name}> twice, expected it once in a regex`);
    else if (this.depth === 3) this.#texts.set(name, '');
  }

  #begin(): void {
    this.#texts.clear();
    this.#firstLine = this.#lineNow();
  }

  #addText(piece: string): void {
    const before = this.depth === 3 ? this.#texts.get(this.#open[2]!) : undefined;
    if (before !== undefined) this.#texts.set(this.#open[2]!, before + piece);
  }

  #closeElement(name: string, isImplied: boolean): void {
    const isEmpty = this.#text.startsWith('/>', this.parser.endIndex - 1);
    if (isImplied && !isEmpty) this.#add(`got no </${name.slice(0, 40)}>, expected one`);
    else if (this.depth === 2 && name === 'regex') this.#addRow();
    this.#open.pop();
  }

  #addRow(): void {
    const from = this.#texts.get('pattern') ?? '';
    const to = this.#texts.get('substitution') ?? '';
    if (from === '') this.#faults.add(this.#firstLine, 'got a regex without a pattern, expected one');
    else this.rows.push({ line: this.#firstLine, cells: { kind: 'regex', from, to } });
  }

  #add(fault: string): void {
    this.#faults.add(this.#lineNow(), fault);
  }

  /** The line of the current tag; lines only grow. */
  #lineNow(): number {
    for (; this.#lineAt < this.parser.startIndex; this.#lineAt++)
      if (this.#text.charCodeAt(this.#lineAt) === 0x0a) this.#line++;
    return this.#line;
  }
}
