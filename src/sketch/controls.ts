// The state of the controls of an HTML page. Two addresses may show the same words, but another selected tab or filter,
// or a form that would send another reply:
//
//     <a class="selected" href="?tab=notes">…<input type=hidden name=parent value=809>…<input type=checkbox name=all checked>
//
//     shown    a digest of classes, and of what is checked or selected (also by ARIA), in the order of the page
//     sent     digests of the values of its forms' fields, except addresses and random values, which nobody wrote
//     fields   names that visitors fill in or choose in its search forms (`method=get`)
//     boxes    those of them that are check boxes; unchecked, a form sends them empty (by a hidden twin) or not at all
//
// Menus (`select`) are left out: a menu of branches or languages may differ on pages that are otherwise the same.
import { createHash } from 'node:crypto';
import { secretKindOf } from '../url/secret.js';
import { elements, NameTable } from './html/elements.js';

import { scanMarkup, type MarkupSink } from './html/scan.js';
import { sourceOf } from './text.js';

export interface Controls {
  readonly shown: string;
  readonly sent: readonly string[];
  readonly fields: readonly string[];
  readonly boxes: readonly string[];
}

/** The most names to keep of a page. */
const MOST_FIELDS = 60;
const MOST_SENT = 100;
const LONGEST_NAME = 60;
/** A longer value is a text, not a state. */
const LONGEST_VALUE = 80;
const DIGEST_CHARS = 16;

const [TEMPLATE, FORM, INPUT, SELECT] = ['template', 'form', 'input', 'select'].map((name) => elements.number(name));

const NAMES = [
  'class',
  'checked',
  'type',
  'name',
  'value',
  'method',
  'aria-selected',
  'aria-checked',
  'aria-current',
  'aria-expanded',
  'aria-pressed',
] as const;
type Name = (typeof NAMES)[number];

const attributes = new NameTable(NAMES);
const SHOWN: readonly Name[] = NAMES.filter((name) => name === 'class' || name.startsWith('aria-'));
/** Elements that count even without a class: of three links, the second may be the selected one. */
const COUNTED: ReadonlySet<number> = new Set(['a', 'li', 'td', 'th', 'button'].map((name) => elements.number(name)));
/** Types of fields without state. */
const BUTTONS = /^(?:submit|button|image|reset|file|password)$/i;

/** Undefined for a body that is not HTML. `contentType` is the header as sent. Takes linear time, never throws. */
export function controlsOf(body: Uint8Array, contentType: string | undefined): Controls | undefined {
  const source = sourceOf(body, contentType);
  if (source?.kind !== 'html') return undefined;
  const sink = new ControlSink(source.utf8);
  scanMarkup(source.utf8, sink);
  return { shown: digestOf(sink.shown), sent: [...sink.sent].sort(), fields: [...sink.fields], boxes: [...sink.boxes] };
}

function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, DIGEST_CHARS);
}

export type Difference = 'shown' | 'sent';

/**
 * The differences between the controls of two pages. `addresses`: values of these URLs do not count, as a form may just
 * pass on the values of its page's address.
 */
export function differencesOf(a: Controls, b: Controls, addresses: readonly string[]): Difference[] {
  const passed = new Set(addresses.flatMap((url) => digestsOf(url)));
  const own = (sent: readonly string[]) => sent.filter((one) => !passed.has(one)).join(' ');
  return [
    ...(a.shown === b.shown ? [] : ['shown' as const]),
    ...(own(a.sent) === own(b.sent) ? [] : ['sent' as const]),
  ];
}

function digestsOf(url: string): string[] {
  const query = url.slice(url.indexOf('?') + 1 || url.length);
  return [...new URLSearchParams(query.replaceAll(';', '&'))].map(([name, value]) => digestOf([`${name}=${value}`]));
}

class ControlSink implements MarkupSink {
  readonly shown: string[] = [];
  readonly sent = new Set<string>();
  readonly fields = new Set<string>();
  readonly boxes = new Set<string>();
  readonly isForeign = false;
  readonly isDone = false;
  readonly #source: Buffer;
  readonly #values = new Map<Name, string>();
  #templates = 0;
  #element = 0;
  #attribute: Name | undefined;
  /** True inside of a form with `method=get`. */
  #isGet = false;

  constructor(source: Uint8Array) {
    this.#source = Buffer.from(source.buffer, source.byteOffset, source.length);
  }

  open(element: number): void {
    this.#element = element;
    this.#values.clear();
    if (element === TEMPLATE) this.#templates++;
  }

  close(element: number): void {
    if (element === TEMPLATE && this.#templates > 0) this.#templates--;
    if (element === FORM) this.#isGet = false;
  }

  attribute(start: number, end: number): boolean {
    const name = NAMES[attributes.find(this.#source, start, end) - 1];
    // The first of two attributes with the same name counts.
    this.#attribute = name === undefined || this.#values.has(name) ? undefined : name;
    if (this.#attribute !== undefined) this.#values.set(this.#attribute, '');
    return this.#attribute !== undefined;
  }

  value(start: number, end: number): void {
    this.#add(this.#source.toString('utf8', start, end));
  }

  valueReference(text: Uint8Array): void {
    this.#add(Buffer.from(text).toString());
  }

  #add(text: string): void {
    const name = this.#attribute;
    if (name !== undefined) this.#values.set(name, (this.#values.get(name) ?? '') + text);
  }

  openEnd(): void {
    if (this.#templates > 0) return;
    const shown = SHOWN.flatMap((name) => (this.#values.has(name) ? [`${name} ${this.#values.get(name)}`] : []));
    if (shown.length > 0 || COUNTED.has(this.#element)) this.shown.push(...shown, '');
    if (this.#element === FORM) this.#isGet = !/^\s*(?:post|dialog)\s*$/i.test(this.#values.get('method') ?? '');
    else if (this.#element === INPUT) this.#input();
    else if (this.#element === SELECT) this.#field();
  }

  #input(): void {
    const type = this.#values.get('type') ?? 'text';
    if (BUTTONS.test(type)) return;
    if (!/^hidden$/i.test(type)) this.#field();
    if (/^(?:checkbox|radio)$/i.test(type) && this.fields.has(this.#name)) this.boxes.add(this.#name);
    if (this.#values.has('checked')) this.shown.push('checked');
    const [name, value] = [this.#name, this.#values.get('value') ?? ''];
    if (isWritten(name, value) && this.sent.size < MOST_SENT) this.sent.add(digestOf([`${name}=${value}`]));
  }

  get #name(): string {
    return this.#values.get('name') ?? '';
  }

  #field(): void {
    const name = this.#name;
    const isWanted = this.#isGet && name !== '' && name.length <= LONGEST_NAME;
    if (isWanted && this.fields.size < MOST_FIELDS) this.fields.add(name);
  }

  attributeEnd(): void {}
  text(): void {}
  reference(): void {}
  cdata(): void {}
}

/** False for an address, which a page echoes, and for a token. */
function isWritten(name: string, value: string): boolean {
  return (
    value !== '' && value.length <= LONGEST_VALUE && !/[/?&]/.test(value) && secretKindOf(name, value) === undefined
  );
}
