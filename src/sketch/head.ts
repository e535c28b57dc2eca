// Which URLs does the head of an HTML page name?
//
//     <head><base href="/a/"><link rel="canonical" href="story?id=7">…</head>   →   base /a/, canonical story?id=7
//
// The head ends with its end tag or with the first tag of a body. Scripts, comments and templates do not count.
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

export interface HeadLinks {
  /** The `href` of each link with the relation canonical, as it is in the page. */
  readonly canonicals: readonly string[];
  /** The `href` of the first `base`. */
  readonly base: string | undefined;
}

/** No real page has more, and a page with thousands costs no more than one with this many. */
const MAX_LINKS = 8;

const headElements = new Set(
  'html head title meta link base script style noscript template bgsound basefont object'.split(' '),
);

/** Any string is a page; takes linear time. */
export function headLinks(source: string): HeadLinks {
  const listener = new Listener(source);
  const tokenizer = new Tokenizer({}, listener);
  listener.onbody = () => tokenizer.pause();
  tokenizer.write(listener.source);
  return listener;
}

class Listener implements TokenizerCallbacks, HeadLinks {
  readonly source: string;
  readonly canonicals: string[] = [];
  base: string | undefined;
  onbody: () => void = () => undefined;
  #isOver = false;
  #templates = 0;
  #element = '';
  #attribute = '';
  #rel = '';
  #href = '';

  constructor(source: string) {
    this.source = source;
  }

  isInForeignContext(): boolean {
    return false;
  }

  onopentagname(start: number, end: number): void {
    this.#element = this.#nameAt(start, end);
    this.#rel = this.#href = this.#attribute = '';
    if (!headElements.has(this.#element)) this.#end();
    if (this.#element === 'template') this.#templates++;
  }

  onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    if (name === 'head') this.#end();
    if (name === 'template' && this.#templates > 0) this.#templates--;
  }

  onattribname(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    // Of two attributes with the same name the first counts.
    const isKnown = (name === 'rel' && this.#rel !== '') || (name === 'href' && this.#href !== '');
    this.#attribute = isKnown ? '' : name;
  }

  onattribdata(start: number, end: number): void {
    this.#add(this.source.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    this.#add(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    this.#attribute = '';
  }

  onopentagend(): void {
    this.#close();
  }

  onselfclosingtag(): void {
    this.#close();
  }

  ontext(): void {}
  ontextentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #add(text: string): void {
    if (this.#attribute === 'rel') this.#rel += text;
    if (this.#attribute === 'href') this.#href += text;
  }

  #close(): void {
    if (this.#isOver || this.#templates > 0 || this.#href === '') return;
    if (this.#element === 'base') this.base ??= this.#href;
    const isCanonical = this.#element === 'link' && /(?:^|\s)canonical(?:\s|$)/i.test(this.#rel);
    if (isCanonical && this.canonicals.length < MAX_LINKS) this.canonicals.push(this.#href);
  }

  #end(): void {
    this.#isOver = true;
    this.onbody();
  }

  #nameAt(start: number, end: number): string {
    return end - start > 10 ? '' : this.source.slice(start, end).toLowerCase();
  }
}
