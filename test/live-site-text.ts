// The bodies of the planted live site. The text of a document depends only on the seed and its id; around it is the
// template of its host:
//
//   <nav> about 140 words </nav>  <main> 30 to 400 words of its own </main>  <footer> about 60 words </footer>
import { hashBytes } from '../src/base/hash.js';
import { seededRandom } from './planted.js';

/** An HTML page, all but its id optional. */
export interface PageView {
  readonly id: string;
  /** The page has the text of document `id` and exactly this length: pages of one length with different texts. */
  readonly ownBytes?: number;
  /** The text is a list of so many lines, reversed and rotated as given. */
  readonly order?: { readonly lines: number; readonly shift: number; readonly backwards: boolean };
  /** Without navigation and footer. */
  readonly isPrint?: boolean;
  /** At least 200 words of its own, and a counter and a clock that change with each request. */
  readonly isDynamic?: boolean;
}

/** The document of a page: another order makes another document, missing navigation does not. */
export function documentOf({ id, order }: PageView): string {
  if (order === undefined || (order.shift === 0 && !order.backwards)) return id;
  return `${id} from ${order.shift}${order.backwards ? ' backwards' : ''}`;
}

type Random = () => number;

function randomOf(seed: number, name: string): Random {
  const bytes = Buffer.from(name);
  return seededRandom(hashBytes(bytes, 0, bytes.length, seed));
}

const SYLLABLES = 'ka lo mi ren tas vu bel dor fin gra hes jo nu pel qui sor tam ur wen zil'.split(' ');

function word(random: Random): string {
  let text = '';
  for (let syllables = 1 + Math.floor(random() * 3); syllables >= 0; syllables--) {
    text += SYLLABLES[Math.floor(random() * SYLLABLES.length)]!;
  }
  return text;
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ');
}

/** The text of a document: words, a paragraph for about every forty of them. */
export function ownText(seed: number, view: PageView): string {
  const random = randomOf(seed, view.id);
  if (view.ownBytes !== undefined) return words(random, view.ownBytes).slice(0, view.ownBytes);
  if (view.order !== undefined) return inOrder(random, view.order).join('\n');
  return words(random, view.isDynamic === true ? 200 + Math.floor(random() * 200) : 30 + Math.floor(random() * 371));
}

function inOrder(random: Random, { lines, shift, backwards }: NonNullable<PageView['order']>): string[] {
  const all = Array.from({ length: lines }, () => words(random, 5));
  const shifted = all.map((_, at) => all[(at + shift) % lines]!);
  return backwards ? shifted.toReversed() : shifted;
}

/** The response for a page; `visit` is the counter of a dynamic page. */
export function renderPage(seed: number, host: string, view: PageView, visit: number): Buffer {
  const { navigation, footer } = templateOf(seed, host);
  const text = ownText(seed, view)
    .split('\n')
    .map((line) => `<p>${line}</p>`)
    .join('\n');
  const parts = [
    `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>${host}</title>`,
    '<style>nav { float: left }</style><script>var shown = "not text";</script></head><body>',
    ...(view.isPrint === true ? [] : [navigation]),
    `<main>\n${text}\n</main>`,
    ...(view.isDynamic === true ? [counter(visit)] : []),
    ...(view.isPrint === true ? [] : [footer]),
    '</body></html>\n',
  ];
  return Buffer.from(parts.join('\n'));
}

interface Template {
  readonly navigation: string;
  readonly footer: string;
}

const templates = new Map<string, Template>();

function templateOf(seed: number, host: string): Template {
  const name = `template of ${host}`;
  const made = templates.get(`${seed} ${name}`);
  if (made !== undefined) return made;
  const random = randomOf(seed, name);
  const items = Array.from({ length: 28 }, () => `<li><a href="/">${words(random, 5)}</a></li>`).join('\n');
  const template = { navigation: `<nav><ul>${items}</ul></nav>`, footer: `<footer>${words(random, 60)}</footer>` };
  templates.set(`${seed} ${name}`, template);
  return template;
}

function counter(visit: number): string {
  const seconds = String(visit % 60).padStart(2, '0');
  return `<p class="dynamic">visitor ${99_000 + visit} at 12 07 ${seconds}</p>`;
}

const GIF = Buffer.from('GIF89a');

/** A picture of 700 bytes that depends on its name. */
export function renderPicture(seed: number, name: string): Buffer {
  const random = randomOf(seed, name);
  return Buffer.concat([GIF, Buffer.from(Array.from({ length: 694 }, () => Math.floor(random() * 256)))]);
}
