// The naive twin of `sketch/html`: the same text by htmlparser2's Tokenizer, which calls a function for every part of a
// string.
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

const namesOf = (names: string) => new Set(names.split(' '));

const hiddenElements = namesOf('script style template noscript noframes noembed iframe datalist');

/** Includes the elements by which, in the HTML standard, SVG and MathML around them end. */
const partingElements = namesOf(
  'address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav noscript ol ' +
    'optgroup option p pre rp rt search section summary table tbody td tfoot th thead title tr ul xmp plaintext listing ' +
    'applet audio br button canvas embed iframe img image input marquee math meter object progress select svg text ' +
    'textarea video',
);

const foreignElements = namesOf('svg math');
const foreignToo = namesOf('text title image svg math');
const embedding = 'foreignobject';

export function twinText(source: string): string {
  const listener = new Listener(source);
  const tokenizer = new Tokenizer({}, listener);
  tokenizer.write(source);
  tokenizer.end();
  return listener.text;
}

class Listener implements TokenizerCallbacks {
  text = '';
  readonly #source: string;
  #element = '';
  #isAlt = false;
  /** The open hidden element, and its depth: of these only `template` nests. */
  #hidden = '';
  #hiddenDepth = 0;
  /** How many of svg and math are open, and how many foreignObject, which embeds HTML in SVG. */
  #foreignDepth = 0;
  #embeddedDepth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  isInForeignContext(): boolean {
    return this.#foreignDepth > 0;
  }

  ontext(start: number, end: number): void {
    this.#see(this.#source.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#see(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    this.#element = name;
    if (partingElements.has(name)) {
      this.#see(' ');
      if (this.#embeddedDepth === 0 && !foreignToo.has(name)) this.#foreignDepth = 0;
    }
    if (foreignElements.has(name)) this.#foreignDepth++;
    if (name === embedding && this.#foreignDepth > 0) this.#embeddedDepth++;
    if (this.#hiddenDepth === 0 ? hiddenElements.has(name) : name === 'template' && name === this.#hidden) {
      this.#hidden = name;
      this.#hiddenDepth++;
    }
  }

  onclosetag(start: number, end: number): void {
    this.#close(this.#nameAt(start, end));
  }

  onselfclosingtag(): void {
    // In HTML `<div/>` opens a div; in SVG and MathML it is empty.
    if (this.#foreignDepth > 0) this.#close(this.#element);
  }

  onattribname(start: number, end: number): void {
    this.#isAlt = end - start === 3 && this.#source.slice(start, end).toLowerCase() === 'alt';
    if (this.#isAlt) this.#see(' ');
  }

  onattribdata(start: number, end: number): void {
    if (this.#isAlt) this.#see(this.#source.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    if (this.#isAlt) this.#see(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    if (this.#isAlt) this.#see(' ');
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.#foreignDepth > 0) this.#see(this.#source.slice(start, end - endOffset));
  }

  onopentagend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #close(name: string): void {
    if (this.#hiddenDepth > 0 && name === this.#hidden) this.#hiddenDepth--;
    if (foreignElements.has(name) && this.#foreignDepth > 0) this.#foreignDepth--;
    if (name === embedding && this.#embeddedDepth > 0) this.#embeddedDepth--;
    if (partingElements.has(name)) this.#see(' ');
  }

  #see(text: string): void {
    if (this.#hiddenDepth === 0) this.text += text;
  }

  /** Lower case; empty for names too long to matter. */
  #nameAt(start: number, end: number): string {
    return end - start > embedding.length ? '' : this.#source.slice(start, end).toLowerCase();
  }
}
