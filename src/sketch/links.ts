// The addresses that an HTML page links to, as the page writes them:
//
//     <base href="/a/"><a href="b?c=1&amp;d=2#e">…<area href=f><iframe src="g">      →   base /a/, links b?c=1&d=2#e, f, g
//
// Links are those of `a` and `area`, and the pages in `frame` and `iframe`. Contents of a template do not belong to the
// page.
import { elements, NameTable } from './html/elements.js';
import { type MarkupSink, scanMarkup } from './html/scan.js';

interface PageLinks {
  /** The addresses, in the order of the page. */
  readonly links: readonly string[];
  /** The `href` of the first `base`. */
  readonly base: string | undefined;
}

const [BASE, TEMPLATE, A, AREA] = ['base', 'template', 'a', 'area'].map((name) => elements.number(name));
const [FRAME, IFRAME] = ['frame', 'iframe'].map((name) => elements.number(name));

const attributes = new NameTable(['href', 'src']);
const [HREF, SRC] = [1, 2];

/** The links of a page in UTF-8, with any bytes. Takes linear time. */
export function pageLinks(source: Uint8Array): PageLinks {
  const sink = new LinkSink(source);
  scanMarkup(source, sink);
  return sink;
}

class LinkSink implements MarkupSink, PageLinks {
  readonly links: string[] = [];
  base: string | undefined;
  readonly isForeign = false;
  readonly isDone = false;
  readonly #source: Buffer;
  #templates = 0;
  #element = 0;
  /** The attribute with the address of the current element; 0 if the element has none. */
  #wanted = 0;
  /** Its value. The first of two attributes with the same name counts. */
  #value: string | undefined;

  constructor(source: Uint8Array) {
    this.#source = Buffer.from(source.buffer, source.byteOffset, source.length);
  }

  open(element: number): void {
    this.#element = element;
    this.#value = undefined;
    const isLink = element === A || element === AREA || element === BASE;
    this.#wanted = isLink ? HREF! : element === FRAME || element === IFRAME ? SRC! : 0;
    if (element === TEMPLATE) this.#templates++;
  }

  close(element: number): void {
    if (element === TEMPLATE && this.#templates > 0) this.#templates--;
  }

  attribute(start: number, end: number): boolean {
    const isWanted =
      this.#wanted !== 0 && this.#value === undefined && attributes.find(this.#source, start, end) === this.#wanted;
    if (isWanted) this.#value = '';
    return isWanted;
  }

  value(start: number, end: number): void {
    this.#value += this.#source.toString('utf8', start, end);
  }

  valueReference(text: Uint8Array): void {
    this.#value += Buffer.from(text).toString();
  }

  openEnd(): void {
    if (this.#value === undefined || this.#templates > 0) return;
    if (this.#element === BASE) this.base ??= this.#value;
    else this.links.push(this.#value);
  }

  attributeEnd(): void {}
  text(): void {}
  reference(): void {}
  cdata(): void {}
}
