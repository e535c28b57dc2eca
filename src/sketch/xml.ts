// The text of an XML document (a feed, a site map, a drawing) that a reader sees:
//
//     <item><title>A &amp; B</title><link>http://h/7</link><description>&lt;b&gt;new&lt;/b&gt;</description></item>
//     →  A & B  http://h/7  new
//
// Text and CDATA without markup. If such a text is HTML, as in feeds, its visible text. Attributes do not count in
// feeds and site maps, where they are addresses. Other documents may have all their text in attributes (outlines,
// drawings, settings), so there they count, unless they are addresses.
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { htmlText } from './html.js';

/** Root elements of documents whose attributes have no text. */
const plainRoots = new Set('rss feed rdf:rdf urlset sitemapindex opensearchdescription html'.split(' '));

/** Attributes that are addresses or machine names, whatever their value. */
const unseen = /^(?:xmlns|xml:|id$|class$|style$|(?:.*:)?(?:href|src|url|rel|type|schemalocation)$)|url$|uri$/;

const markup = /<[a-z!/]/i;

/** The text of an XML document, words separated by white space. Any string is a document; takes linear time. */
export function xmlText(source: string): string {
  const listener = new Listener(source);
  const tokenizer = new Tokenizer({ xmlMode: true }, listener);
  tokenizer.write(source);
  tokenizer.end();
  return listener.end();
}

class Listener implements TokenizerCallbacks {
  readonly #source: string;
  readonly #parts: string[] = [];
  #run = '';
  #value = '';
  #root: string | undefined;
  #isSeen = false;

  constructor(source: string) {
    this.#source = source;
  }

  end(): string {
    this.#endRun();
    return this.#parts.join(' ');
  }

  ontext(start: number, end: number): void {
    this.#run += this.#source.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    this.#run += String.fromCodePoint(codePoint);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.#run += this.#source.slice(start, end - endOffset);
  }

  onopentagname(start: number, end: number): void {
    this.#endRun();
    this.#root ??= this.#nameAt(start, end);
  }

  onclosetag(): void {
    this.#endRun();
  }

  onattribname(start: number, end: number): void {
    this.#isSeen = !plainRoots.has(this.#root ?? '') && !unseen.test(this.#nameAt(start, end));
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#isSeen) this.#value += this.#source.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#isSeen) this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.#isSeen && !/[/?&]/.test(this.#value)) this.#parts.push(this.#value);
  }

  onopentagend(): void {}
  onselfclosingtag(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  /** Parses HTML only once all of a text is there: a tag may begin in one CDATA section and end in the next. */
  #endRun(): void {
    if (this.#run !== '') this.#parts.push(markup.test(this.#run) ? htmlText(this.#run) : this.#run);
    this.#run = '';
  }

  #nameAt(start: number, end: number): string {
    return end - start > 40 ? '' : this.#source.slice(start, end).toLowerCase();
  }
}
