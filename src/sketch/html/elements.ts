// What does the text of a page have to know of an element, and how is its name found?

/**
 * Which of the known names is in these bytes, whatever its case? A hash table that is asked without making strings:
 * names of elements and attributes are met some thousand times a page.
 */
export class NameTable {
  readonly #names: readonly Uint8Array[];
  readonly #slots: Uint8Array;
  readonly #mask: number;
  readonly #longest: number;

  /** Distinct names in lower case, at most 255. */
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

  /** The number of the name in bytes[start, end): its place among the names, from 1 on; 0 for any other name. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#longest) return 0;
    let slot = hashOf(bytes, start, end) & this.#mask;
    for (let number = this.#slots[slot]!; number !== 0; number = this.#slots[slot]!) {
      if (isName(this.#names[number]!, bytes, start, end)) return number;
      slot = (slot + 1) & this.#mask;
    }
    return 0;
  }

  /** The number of one of the names. */
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

/** Includes the elements by which, in the HTML standard, SVG and MathML around them end. */
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
/** Their content is text up to their own end tag, without and with character references. */
const raw = namesOf('script style iframe noembed noframes xmp');
const escapable = namesOf('title textarea');
const plain = ['plaintext'];
/** Their text has lines of its own. */
const lined = namesOf('pre listing xmp plaintext textarea');
/** Of the parting elements, those that stand in a line. */
const inline = new Set(
  namesOf(
    'audio button canvas embed iframe img image input marquee math meter object progress select svg text textarea video ' +
      'td th rt rp noscript',
  ),
);
const others = namesOf('a area base link meta basefont bgsound');

/** Separates words. */
export const PARTING = 1;
/** Its content is not seen. */
export const HIDDEN = 2;
/** It begins a drawing or a formula. */
export const FOREIGN = 4;
/** It may be in one. */
export const FOREIGN_TOO = 8;
/** It has HTML in a drawing. */
export const EMBEDDING = 16;
export const RAW = 32;
export const ESCAPABLE = 64;
export const PLAIN = 128;
export const LINED = 256;
/** It begins a line. */
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

/** Elements by number; 0 is any other, which has no trait. */
export const elements = new NameTable(names);

export const traitsOf = Uint16Array.from(['', ...names], (name) =>
  traits.reduce((all, [trait, known]) => (known.includes(name) ? all | trait : all), 0),
);
