// Lists of URLs without requests: plain ones, and sitemaps.
//
// In a sitemap (sitemaps.org) the text of each <loc> is a URL, like a line of a URL list. A sitemap index is not
// followed; its lines are dropped as `sitemap-index`.
//
//   <urlset>        <url>      <loc>http://h/a?b&amp;c</loc>  <xhtml:link href="…"/>  …
//   <sitemapindex>  <sitemap>  <loc>http://h/pages.xml.gz</loc>
//
// Pages in other languages (xhtml:link), images and videos have names with another prefix, and are not URLs of the
// list. The XML is untrusted, so only the open elements and the text of a <loc> are kept: entities are not defined, and
// names, comments and nesting are limited.
import { createRequire } from 'node:module';
import type { Parser } from 'htmlparser2';
import { BATCH_LINES, createLineBatch, type LineBatch, MAX_LINE_BYTES } from '../lines.js';
import type { Condition } from '../record.js';
import { type LineFormat, setSpan, SITEMAP_INDEX } from './format.js';

/** The most XML without an event of the parser, which would buffer a comment or a name of any length. */
const MAX_SILENT_BYTES = 1 << 20;
const MAX_DEPTH = 64;
const PIECE_BYTES = 1 << 16;

/** `<urlset` or `<sitemapindex`, as the first element. */
const ROOT = /^<(?:[A-Za-z_][\w.-]{0,50}:)?(?:urlset|sitemapindex)[\s/>]/;
const BEFORE_ROOT = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!', '>'],
] as const;

/** True if the first element of the XML in `head` is the root of a sitemap. */
export function isSitemap(head: Buffer): boolean {
  const text = head.toString('latin1');
  for (let at = 0; ;) {
    // A DOCTYPE with definitions inside ends with `]` and `>`.
    while (at < text.length && /[\s\]>]/.test(text[at]!)) at++;
    const before = BEFORE_ROOT.find(([open]) => text.startsWith(open, at));
    if (before === undefined) return ROOT.test(text.slice(at, at + 100));
    const end = text.indexOf(before[1], at);
    if (end < 0) return false;
    at = end + before[1].length;
  }
}

export function createSitemap(): LineFormat {
  const reader = new SitemapReader();
  return {
    name: 'sitemap',
    linesOf: (chunks, condition) => reader.read(chunks, condition),
    parse(bytes, start, end, fields) {
      setSpan(fields.url, bytes, start, end);
      return reader.isIndex ? SITEMAP_INDEX : null;
    },
  };
}

/** Texts of consecutive <loc> elements under roots of one kind. */
interface Run {
  readonly isIndex: boolean;
  readonly lines: string[];
}

class SitemapReader {
  /** True if the last lines returned are those of an index. */
  isIndex = false;
  readonly #batch = createLineBatch();
  #runs: Run[] = [];
  #isIndexRoot = false;
  #number = 0;
  /** Names of the open elements. */
  readonly #open: string[] = [];
  #isWhole = false;
  /** The text of the open <loc>, as bytes. `#coded` comes after it and has entities. */
  #loc = '';
  #coded = '';
  #isVerbatim = false;
  #isCut = false;
  #silentBytes = 0;

  async *read(chunks: AsyncIterable<Buffer>, condition: Condition): AsyncGenerator<LineBatch> {
    const parser = this.#createParser();
    let refusal: string | null = null;
    for await (const chunk of chunks) {
      // One character per byte, whether the bytes are UTF-8 or not, so that none is lost.
      const text = chunk.toString('latin1');
      for (let at = 0; at < text.length && refusal === null; at += PIECE_BYTES) {
        const piece = text.slice(at, at + PIECE_BYTES);
        this.#silentBytes += piece.length;
        parser.write(piece);
        refusal = this.#limit();
        yield* this.#take();
      }
      if (refusal !== null) break;
    }
    condition.reason ??= refusal ?? (this.#isWhole ? null : 'the sitemap ends too early');
  }

  #limit(): string | null {
    if (this.#open.length > MAX_DEPTH) return `the sitemap has more than ${MAX_DEPTH} elements inside of each other`;
    if (this.#silentBytes > MAX_SILENT_BYTES) return 'the sitemap has a tag or comment of more than 1 MiB';
    return null;
  }

  #createParser(): Parser {
    const listener = {
      onopentag: (name: string) => this.#openElement(name),
      onclosetag: () => this.#closeElement(),
      ontext: (text: string) => this.#addText(text),
      oncdatastart: () => this.#setVerbatim(true),
      oncdataend: () => this.#setVerbatim(false),
      oncomment: () => void (this.#silentBytes = 0),
    };
    // Loaded on first use, synchronously: takes 25 ms, which only readers of sitemaps pay.
    const load = createRequire(import.meta.url);
    const { Parser: XmlParser } = load('htmlparser2') as typeof import('htmlparser2');
    return new XmlParser(listener, { xmlMode: true, decodeEntities: false });
  }

  #openElement(name: string): void {
    this.#silentBytes = 0;
    if (this.#open.length === 0) this.#isIndexRoot = localName(name) === 'sitemapindex';
    this.#isWhole = false;
    this.#open.push(name);
    if (!this.#isLoc()) return;
    this.#loc = this.#coded = '';
    this.#isCut = false;
  }

  /** Also called when the element around it closes. */
  #closeElement(): void {
    this.#silentBytes = 0;
    if (this.#isLoc()) {
      this.#decode();
      // Line ends inside of a URL are removed, as browsers do.
      const line = trimBlanks(this.#loc.replace(/[\t\n\r]+/g, ''));
      this.#addLine(this.#isCut ? line.padEnd(MAX_LINE_BYTES + 1) : line);
    }
    this.#open.pop();
    this.#isWhole = this.#open.length === 0;
  }

  #addLine(line: string): void {
    const isIndex = this.#isIndexRoot;
    const last = this.#runs.at(-1);
    if (last?.isIndex === isIndex && last.lines.length < BATCH_LINES) last.lines.push(line);
    else this.#runs.push({ isIndex, lines: [line] });
  }

  /** True if the enclosing elements are those of a sitemap, all with the prefix of the first. */
  #isLoc(): boolean {
    const [root, entry, loc] = this.#open;
    if (this.#open.length !== 3 || root === undefined) return false;
    const prefix = root.slice(0, root.length - localName(root).length);
    return loc === `${prefix}loc` && entry === prefix + (this.#isIndexRoot ? 'sitemap' : 'url');
  }

  #addText(text: string): void {
    this.#silentBytes = 0;
    if (!this.#isLoc()) return;
    if (this.#loc.length + this.#coded.length > MAX_LINE_BYTES) this.#isCut = true;
    else if (this.#isVerbatim) this.#loc += text;
    else this.#coded += text;
  }

  #setVerbatim(isVerbatim: boolean): void {
    this.#decode();
    this.#isVerbatim = isVerbatim;
  }

  /** Decodes entities once the text is complete: it comes in parts, which may be cut within an entity. */
  #decode(): void {
    this.#loc += this.#coded.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, decodeEntity);
    this.#coded = '';
  }

  /** The lines collected so far. */
  *#take(): Generator<LineBatch> {
    for (const { isIndex, lines } of this.#runs) {
      const batch = this.#batch;
      this.isIndex = isIndex;
      batch.bytes = Buffer.from(lines.join('\n'), 'latin1');
      batch.lines = lines.length;
      let at = 0;
      for (const [line, text] of lines.entries()) {
        batch.start[line] = at;
        batch.end[line] = at + text.length;
        batch.number[line] = ++this.#number;
        at += text.length + 1;
      }
      yield batch;
    }
    this.#runs = [];
  }
}

/**
 * `trim` would remove 0xa0, which is part of a letter here; a regular expression ` +$` is quadratic in a long run of
 * blanks.
 */
function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntity(whole: string, name: string): string {
  const named = NAMED[name.toLowerCase()];
  if (named !== undefined) return named;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0x10_ffff ? whole : Buffer.from(String.fromCodePoint(code)).toString('latin1');
}

/** A plain list: one URL per line; blanks around it are ignored. */
export function createUrlList(): LineFormat {
  return {
    name: 'urls',
    plain: { kind: 'urls' },
    parse(bytes, start, end, fields) {
      let from = start;
      let to = end;
      while (from < to && bytes[from]! <= 0x20) from++;
      while (to > from && bytes[to - 1]! <= 0x20) to--;
      setSpan(fields.url, bytes, from, to);
      return null;
    },
  };
}

/** True if a line may begin a URL list: it is a web address, or a path without blanks. */
export function isUrlLine(line: string): boolean {
  return /^\s*(https?:\/\/\S|\/\S*\s*$)/i.test(line);
}
