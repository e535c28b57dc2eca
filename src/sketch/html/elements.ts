// What does the text of a page have to know of an element?
import { NameTable } from './names.js';

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
