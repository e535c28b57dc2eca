// The contents of the blog: the sections of three Debian books as posts, with the sayings of the fortunes package as
// comments. The same at each run. JSON, for blog-load.php.
//
//   node dist/test/bench/sites/blog-content.js > posts.json
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';

const BOOKS = [
  { folder: '/usr/share/doc/debian-handbook/html/en-US', files: /^sect\..*\.html$/, category: 'Handbook' },
  { folder: '/usr/share/debian-reference', files: /^ch\d+\.en\.html$/, category: 'Reference' },
  {
    folder: '/usr/share/developers-reference',
    files: /^(best|beyond|developer|new|pkgs|resources).*\.html$/,
    category: 'Packages',
  },
] as const;
const TOPICS: readonly (readonly [string, RegExp])[] = [
  ['Network', /network|dns|dhcp|router|firewall|ssh/i],
  ['Storage', /disk|raid|lvm|partition|file ?system|backup/i],
  ['Packages', /package|apt|dpkg/i],
  ['Desktop', /desktop|x\.?org|window|gnome|kde|font/i],
  ['Security', /secur|password|crypt|attack|selinux/i],
  ['Mail and web', /mail|apache|http|web/i],
];
const AUTHORS = ['gita', 'henrik', 'ines', 'jun'];
const READERS = ['Kofi', 'Lena', 'Marek', 'Noor', 'Olu', 'Petra', 'Quentin', 'Rosa', 'Sven'];
const START = Date.UTC(2018, 0, 9, 8);
const FEWEST_WORDS = 160;
/** Longer posts have several pages. */
const WORDS_OF_A_PAGE = 900;
const MOST_POSTS = 330;

interface Block {
  readonly tag: 'h3' | 'p' | 'pre' | 'li';
  readonly text: string;
  readonly codes: readonly string[];
}

interface Section {
  readonly title: string;
  readonly category: string;
  readonly blocks: Block[];
}

interface Comment {
  readonly author: string;
  readonly text: string;
  readonly date: string;
  /** Which of the comments before it answers, or null. */
  readonly answers: number | null;
}

const sections = BOOKS.flatMap(({ folder, files, category }) =>
  readdirSync(folder)
    .filter((file) => files.test(file))
    .sort()
    .flatMap((file) => sectionsOf(readFileSync(join(folder, file), 'utf8'), category)),
);
const sayings = ['linux', 'computers', 'debian', 'perl']
  .map((name) => `/usr/share/games/fortunes/${name}`)
  .filter((path) => existsSync(path))
  .flatMap((path) => readFileSync(path, 'utf8').split('\n%\n'));
const kept = sections.filter((section) => wordsOf(section) >= FEWEST_WORDS);
kept.sort((a, b) => (hashOf(a.title + a.category) < hashOf(b.title + b.category) ? -1 : 1));
process.stdout.write(JSON.stringify(kept.slice(0, MOST_POSTS).map(postOf)));

/** One for each heading of the first three levels, with the text below it up to the next. */
function sectionsOf(html: string, category: string): Section[] {
  const found: Section[] = [];
  let heading: string | null = null;
  let block: { tag: Block['tag']; text: string; codes: string[] } | null = null;
  let code: string | null = null;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (/^h[1-4]$/.test(tag)) heading = '';
      else if (tag === 'p' || tag === 'pre' || tag === 'li' || attributes['class'] === 'para') {
        block = { tag: tag === 'pre' || tag === 'li' ? tag : 'p', text: '', codes: [] };
      } else if (tag === 'code') code = '';
    },
    ontext(text) {
      if (heading !== null) heading += text;
      else if (block !== null) block.text += text;
      if (code !== null) code += text;
    },
    onclosetag(tag) {
      if (/^h[1-4]$/.test(tag) && heading !== null) {
        const title = heading
          .replace(/^[\s\d.]+/, '')
          .replace(/[¶\s]+/g, ' ')
          .trim();
        if (tag === 'h4') found.at(-1)?.blocks.push({ tag: 'h3', text: title, codes: [] });
        else found.push({ title, category, blocks: [] });
        heading = null;
      } else if (tag === 'code' && code !== null) {
        block?.codes.push(code.trim());
        code = null;
      } else if (block !== null && (tag === block.tag || tag === 'div')) {
        const text = block.tag === 'pre' ? block.text.trimEnd() : block.text.replace(/\s+/g, ' ').trim();
        if (text !== '') found.at(-1)?.blocks.push({ ...block, text });
        block = null;
      }
    },
  });
  parser.end(html);
  return found;
}

function wordsOf({ blocks }: Section): number {
  return blocks.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
}

function hashOf(text: string): number {
  return parseInt(createHash('sha1').update(text).digest('hex').slice(0, 8), 16);
}

function postOf(section: Section, k: number): object {
  const date = new Date(START + k * 4.6 * 86_400_000 + (hashOf(section.title) % 40_000) * 1_000);
  const text = section.blocks.map((block) => block.text).join(' ');
  const topics = TOPICS.flatMap(([topic, words]) =>
    (text.match(new RegExp(words, 'gi'))?.length ?? 0) >= 5 ? [topic] : [],
  );
  const words = section.blocks.flatMap(({ codes }) => codes).filter((word) => /^[a-z][a-z0-9-]{2,14}$/.test(word));
  return {
    title: section.title,
    date: stampOf(date),
    author: AUTHORS[hashOf(`${section.title} by`) % AUTHORS.length],
    categories: [section.category, ...topics.slice(0, 2)],
    tags: [...new Set(words)].slice(0, 4),
    content: contentOf(section.blocks),
    comments: commentsOn(section.title, date),
  };
}

function contentOf(blocks: readonly Block[]): string {
  let words = 0;
  return blocks
    .map(({ tag, text }, k) => {
      words += text.split(/\s+/).length;
      const breaks = words > WORDS_OF_A_PAGE && k < blocks.length - 3;
      if (breaks) words = 0;
      const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      return `${tag === 'li' ? `<ul><li>${html}</li></ul>` : `<${tag}>${html}</${tag}>`}${k === 1 ? '<!--more-->' : ''}${breaks ? '<!--nextpage-->' : ''}`;
    })
    .join('\n\n');
}

/** None to twelve, a few more often than many; two of five answer one before. */
function commentsOn(title: string, posted: Date): Comment[] {
  const draw = hashOf(`${title} comments`);
  const count = Math.floor(13 * ((draw % 1000) / 1000) ** 2);
  return Array.from({ length: count }, (_, k) => {
    const one = hashOf(`${title} comment ${k}`);
    return {
      author: READERS[one % READERS.length]!,
      text: sayings[one % sayings.length]!,
      date: stampOf(new Date(posted.getTime() + (k + 1) * 7_300_000 + (one % 3_600_000))),
      answers: k > 0 && one % 5 < 2 ? one % k : null,
    };
  });
}

function stampOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
