// The text of an HTML page that a reader sees:
//
//     <title>Kø</title><script>x()</script><p>Gr<b>ø</b>d<br>og <img src=k.png alt="kål">&amp;mere</p>
//     →  Kø  Grød og  kål &mere
//
// Seen: text, the title, and alt texts, as pages of a gallery may differ only in the alt text of their picture. Not
// seen: markup, comments, script, style, and other elements that browsers do not show (`hiddenElements`). One of these
// is `noscript`: readers' browsers run scripts, and if scripts fill the page, its notice would be the whole text of
// every page. Values of forms are left out, as they may be tokens or typed by the reader. What a style sheet hides is
// unknown here. Loose text in the head is seen: by the HTML standard it begins the body.
//
// Block elements separate words. All other elements, including unknown ones, are inline and do not. No tree is needed:
// raw text ends at its own end tag only (`html/scan`), and of the hidden elements only `template` nests.
import {
  elements,
  EMBEDDING,
  FOREIGN,
  FOREIGN_TOO,
  HIDDEN,
  LINE,
  LINED,
  NameTable,
  PARTING,
  traitsOf,
} from './html/elements.js';
import { type MarkupSink, scanMarkup } from './html/scan.js';

const template = elements.number('template');
const attributes = new NameTable(['alt']);

/** The text of an HTML page, words separated by white space. Any string is a page; takes linear time. */
export function htmlText(source: string): string {
  return Buffer.from(htmlTextBytes(Buffer.from(source))).toString();
}

/** The same for a source in UTF-8, as UTF-8. The next call overwrites the result. */
export function htmlTextBytes(source: Uint8Array): Uint8Array {
  const sink = new TextSink(source);
  scanMarkup(source, sink);
  return sink.written();
}

/**
 * The same with a line feed wherever a browser begins a line, whatever its width: at blocks and `br`, and at the line
 * feeds of `pre` and the like. The cells of a table row are one line.
 */
export function htmlLines(source: Uint8Array): Uint8Array {
  const sink = new LineSink(source);
  scanMarkup(source, sink);
  return sink.written();
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;
/** Buffers of longer texts are not kept. */
const KEPT_BYTES = 1 << 20;
let keptBytes = new Uint8Array(1 << 16);

/**
 * The most that a text can take: a tag of three bytes adds a space, and a reference of five bytes gives at most six.
 */
function roomFor(sourceBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = 2 * sourceBytes + 16;
  if (bytes > KEPT_BYTES) return new Uint8Array(bytes);
  if (bytes > keptBytes.length) keptBytes = new Uint8Array(Math.min(KEPT_BYTES, 2 * bytes));
  return keptBytes;
}

class TextSink implements MarkupSink {
  readonly #source: Uint8Array;
  protected readonly out: Uint8Array;
  protected length = 0;
  protected separator = SPACE;
  #element = 0;
  #isAlt = false;
  /** The open hidden element and its depth. Of these elements only `template` nests. */
  #hidden = 0;
  #hiddenDepth = 0;
  /** The number of open svg and math elements, and of open foreignObject elements, which embed HTML in SVG. */
  #foreignDepth = 0;
  #embeddedDepth = 0;
  readonly isDone = false;

  constructor(source: Uint8Array) {
    this.#source = source;
    this.out = roomFor(source.length);
  }

  written(): Uint8Array {
    return this.out.subarray(0, this.length);
  }

  get isForeign(): boolean {
    return this.#foreignDepth > 0;
  }

  text(start: number, end: number): void {
    if (this.#hiddenDepth > 0) return;
    const [source, out] = [this.#source, this.out];
    let length = this.length;
    for (let at = start; at < end; at++) out[length++] = source[at]!;
    this.length = length;
  }

  reference(text: Uint8Array): void {
    if (this.#hiddenDepth > 0) return;
    for (let k = 0; k < text.length; k++) this.out[this.length++] = text[k]!;
  }

  cdata(start: number, end: number): void {
    if (this.#foreignDepth > 0) this.text(start, end);
  }

  open(element: number): void {
    const traits = traitsOf[element]!;
    this.#element = element;
    if (traits === 0) return;
    if ((traits & PARTING) !== 0) {
      this.#part();
      if (this.#embeddedDepth === 0 && (traits & FOREIGN_TOO) === 0) this.#foreignDepth = 0;
    }
    if ((traits & FOREIGN) !== 0) this.#foreignDepth++;
    if ((traits & EMBEDDING) !== 0 && this.#foreignDepth > 0) this.#embeddedDepth++;
    if (this.#hiddenDepth === 0 ? (traits & HIDDEN) !== 0 : element === template && element === this.#hidden) {
      this.#hidden = element;
      this.#hiddenDepth++;
    }
  }

  close(element: number): void {
    const traits = traitsOf[element]!;
    if (traits === 0) return;
    if (this.#hiddenDepth > 0 && element === this.#hidden) this.#hiddenDepth--;
    if ((traits & FOREIGN) !== 0 && this.#foreignDepth > 0) this.#foreignDepth--;
    if ((traits & EMBEDDING) !== 0 && this.#embeddedDepth > 0) this.#embeddedDepth--;
    if ((traits & PARTING) !== 0) this.#part();
  }

  attribute(start: number, end: number): boolean {
    this.#isAlt = end - start === 3 && attributes.find(this.#source, start, end) !== 0;
    if (this.#isAlt) this.#part();
    return this.#isAlt;
  }

  value(start: number, end: number): void {
    this.text(start, end);
  }

  valueReference(text: Uint8Array): void {
    this.reference(text);
  }

  attributeEnd(): void {
    if (this.#isAlt) this.#part();
  }

  openEnd(isSelfClosing: boolean): void {
    // In HTML `<div/>` opens a div; in SVG and MathML it is empty.
    if (isSelfClosing && this.#foreignDepth > 0) this.close(this.#element);
  }

  #part(): void {
    if (this.#hiddenDepth === 0) this.out[this.length++] = this.separator;
  }
}

class LineSink extends TextSink {
  /** The number of open elements whose text has its own lines. */
  #lined = 0;

  override text(start: number, end: number): void {
    const from = this.length;
    super.text(start, end);
    if (this.#lined > 0) return;
    for (let at = from; at < this.length; at++) if (this.out[at] === LINE_FEED) this.out[at] = SPACE;
  }

  override open(element: number): void {
    const traits = traitsOf[element]!;
    this.separator = (traits & LINE) !== 0 ? LINE_FEED : SPACE;
    super.open(element);
    this.separator = SPACE;
    if ((traits & LINED) !== 0) this.#lined++;
  }

  override close(element: number): void {
    const traits = traitsOf[element]!;
    this.separator = (traits & LINE) !== 0 ? LINE_FEED : SPACE;
    super.close(element);
    this.separator = SPACE;
    if ((traits & LINED) !== 0 && this.#lined > 0) this.#lined--;
  }
}
