// The elements of HTML and their traits that matter for the text of a page, and a fast look-up of names.

/**
 * Finds a known name in bytes, ignoring case. It is a hash table that makes no strings, as a page has some thousand
 * names of elements and attributes.
 */
export class NameTable {
  readonly #names: readonly Uint8Array[];
  readonly #slots: Uint8Array;
  readonly #mask: number;
  readonly #longest: number;

  /** `names` are distinct, in lower case, at most 255. */
  constructor(names: readonly string[]) {
    this.#names = [new Uint8Array(0), ...names.map((name) => Buffer.from(name, 'latin1'))];
    this.#longest = Math.max(...names.map((name) => name.length));
    this.#mask = 4 * 2 ** Math.ceil(Math.log2(names.length)) - 1;
    this.#slots = new Uint8Array(this.#mask + 1);
    for (let number = 1; number < this.#names.length; number++) {
      const name = this.#names[number]!;
      let slot = hashOf(name, 0, name.length) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = number;
    }
  }

  /** The number of the name in bytes[start, end): its index among the names plus 1, or 0 for an unknown name. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#longest) return 0;
    let slot = hashOf(bytes, start, end) & this.#mask;
    for (let number = this.#slots[slot]!; number !== 0; number = this.#slots[slot]!) {
      if (isName(this.#names[number]!, bytes, start, end)) return number;
      slot = (slot + 1) & this.#mask;
    }
    return 0;
  }

  /** The number of a known name. */
  number(name: string): number {
    return this.find(Buffer.from(name, 'latin1'), 0, name.length);
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at]! | 0x20)) | 0;
  return hash ^ (hash >>> 7);
}

function isName(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let k = 0; k < name.length; k++) {
    const byte = bytes[start + k]!;
    if (name[k] !== (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)) return false;
  }
  return true;
}

const namesOf = (names: string) => names.split(' ');

const hidden = namesOf('script style template noscript noframes noembed iframe datalist');

/** Includes the elements at which, by the HTML standard, an open SVG or MathML ends. */
const parting = namesOf(
  'address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav noscript ol ' +
    'optgroup option p pre rp rt search section summary table tbody td tfoot th thead title tr ul xmp plaintext listing ' +
    'applet audio br button canvas embed iframe img image input marquee math meter object progress select svg text ' +
    'textarea video',
);
const foreign = namesOf('svg math');
const foreignToo = namesOf('text title image svg math');
const embedding = ['foreignobject'];
/** Elements whose content is text up to their own end tag: without character references, and with. */
const raw = namesOf('script style iframe noembed noframes xmp');
const escapable = namesOf('title textarea');
const plain = ['plaintext'];
/** Elements whose text keeps its line feeds. */
const lined = namesOf('pre listing xmp plaintext textarea');
/** Parting elements that do not begin a line. */
const inline = new Set(
  namesOf(
    'audio button canvas embed iframe img image input marquee math meter object progress select svg text textarea video ' +
      'td th rt rp noscript',
  ),
);
const others = namesOf('a area base link meta basefont bgsound');

/** The element separates words. */
export const PARTING = 1;
/** The content of the element is not seen. */
export const HIDDEN = 2;
/** The element begins a drawing or a formula. */
export const FOREIGN = 4;
/** The element may also occur inside of a drawing or formula. */
export const FOREIGN_TOO = 8;
/** The element embeds HTML in a drawing. */
export const EMBEDDING = 16;
export const RAW = 32;
export const ESCAPABLE = 64;
export const PLAIN = 128;
export const LINED = 256;
/** The element begins a line. */
export const LINE = 512;

const traits = [
  [PARTING, parting],
  [HIDDEN, hidden],
  [FOREIGN, foreign],
  [FOREIGN_TOO, foreignToo],
  [EMBEDDING, embedding],
  [RAW, raw],
  [ESCAPABLE, escapable],
  [PLAIN, plain],
  [LINED, lined],
  [LINE, parting.filter((name) => !inline.has(name))],
] as const;

const names = [...new Set([...traits.flatMap(([, known]) => known), ...others])];

/** Elements by number. 0 is any other element, without traits. */
export const elements = new NameTable(names);

export const traitsOf = Uint16Array.from(['', ...names], (name) =>
  traits.reduce((all, [trait, known]) => (known.includes(name) ? all | trait : all), 0),
);
