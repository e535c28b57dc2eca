// The URLs that the head of an HTML page names:
//
//     <head><base href="/a/"><link rel="canonical" href="story?id=7">…</head>   →   base /a/, canonical story?id=7
//
// The head ends with its end tag or with the first tag of a body. Scripts, comments and templates are skipped.
import { elements, NameTable } from './html/elements.js';
import { type MarkupSink, scanMarkup } from './html/scan.js';

export interface HeadLinks {
  /** The `href` of each link with the relation canonical, as it is in the page. */
  readonly canonicals: readonly string[];
  /** The `href` of the first `base`. */
  readonly base: string | undefined;
}

/** The most links that are read. No real page has more. */
const MAX_LINKS = 8;

const names = 'html head title meta link base script style noscript template bgsound basefont object';
const headElements = new Set(names.split(' ').map((name) => elements.number(name)));
const [HEAD, LINK, BASE, TEMPLATE] = ['head', 'link', 'base', 'template'].map((name) => elements.number(name));

const attributes = new NameTable(['rel', 'href']);
const [REL, HREF] = [1, 2];

/** The links of a page in UTF-8, with any bytes. Takes linear time. */
export function headLinks(source: Uint8Array): HeadLinks {
  const sink = new HeadSink(source);
  scanMarkup(source, sink);
  return sink;
}

class HeadSink implements MarkupSink, HeadLinks {
  readonly canonicals: string[] = [];
  base: string | undefined;
  readonly isForeign = false;
  isDone = false;
  readonly #source: Buffer;
  #templates = 0;
  #element = 0;
  #attribute = 0;
  #rel = '';
  #href = '';

  constructor(source: Uint8Array) {
    this.#source = Buffer.from(source.buffer, source.byteOffset, source.length);
  }

  open(element: number): void {
    this.#element = element;
    this.#rel = this.#href = '';
    if (!headElements.has(element)) this.isDone = true;
    if (element === TEMPLATE) this.#templates++;
  }

  close(element: number): void {
    if (element === HEAD) this.isDone = true;
    if (element === TEMPLATE && this.#templates > 0) this.#templates--;
  }

  attribute(start: number, end: number): boolean {
    if (this.#element !== LINK && this.#element !== BASE) return false;
    const name = attributes.find(this.#source, start, end);
    // The first of two attributes with the same name counts.
    const isKnown = (name === REL && this.#rel !== '') || (name === HREF && this.#href !== '');
    this.#attribute = isKnown ? 0 : name;
    return this.#attribute !== 0;
  }

  value(start: number, end: number): void {
    this.#add(this.#source.toString('utf8', start, end));
  }

  valueReference(text: Uint8Array): void {
    this.#add(Buffer.from(text).toString());
  }

  #add(text: string): void {
    if (this.#attribute === REL) this.#rel += text;
    if (this.#attribute === HREF) this.#href += text;
  }

  openEnd(): void {
    if (this.isDone || this.#templates > 0 || this.#href === '') return;
    if (this.#element === BASE) this.base ??= this.#href;
    const isCanonical = this.#element === LINK && /(?:^|\s)canonical(?:\s|$)/i.test(this.#rel);
    if (isCanonical && this.canonicals.length < MAX_LINKS) this.canonicals.push(this.#href);
  }

  attributeEnd(): void {}
  text(): void {}
  reference(): void {}
  cdata(): void {}
}
