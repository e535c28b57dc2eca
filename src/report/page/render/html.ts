// Markup from untrusted text: everything that is put into a template is made printable and escaped, unless it is Html.
//
//   markup`<td>${url}</td>`      <script> in the URL becomes &lt;script&gt;, ESC becomes \x1b
import { printable } from '../../../base/bytes.js';

export interface Html {
  readonly html: string;
}

type Part = Html | readonly Html[] | string | number;

export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.reduce((text, string, at) => text + asHtml(parts[at - 1]!) + string) };
}

/** For what this program wrote itself, and for nothing else. */
export function trusted(html: string): Html {
  return { html };
}

export const NOTHING = trusted('');

function asHtml(part: Part): string {
  if (typeof part === 'object') return 'html' in part ? part.html : part.map(({ html }) => html).join('');
  return escaped(printable(String(part)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);
}

/** Words in which text of addresses stands between backticks, as code. */
export function worded(text: string, most?: number): Html {
  const parts = shown(text, most).split('`');
  return {
    html: parts.map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`).html).join(''),
  };
}

/** Printable, and if it is longer than `most` characters, only its beginning and its end. */
export function shown(text: string, most = 400): string {
  const safe = printable(text);
  if (safe.length <= most) return safe;
  const characters = Array.from(safe);
  if (characters.length <= most) return safe;
  const [head, tail] = [Math.ceil(most * 0.7), Math.floor(most * 0.25)];
  const part = (from: number, to?: number) => characters.slice(from, to).join('');
  return `${part(0, head)} …[${characters.length - head - tail} characters]… ${part(-tail)}`;
}
