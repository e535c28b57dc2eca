// The contents of the wiki: the manual pages of Debian's packages as wiki text, in MediaWiki's export format: articles
// with links, categories and a template, aliases as redirects, older revisions, talk. The same at each run.
//
//   node dist/test/bench/sites/wiki-content.js > pages.xml
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const SECTIONS: Readonly<Record<string, string>> = {
  '1': 'User commands',
  '2': 'System calls',
  '3': 'Library functions',
  '4': 'Devices',
  '5': 'File formats',
  '7': 'Overviews',
  '8': 'Administration',
};
/** How many of the pages of a section become articles; otherwise the two large ones would dominate. */
const MOST: Readonly<Record<string, number>> = { '2': 170, '3': 150, '7': 90 };
const MOST_REDIRECTS = 160;
/** Limit for a page: longer ones take the server seconds. */
const MOST_CHARACTERS = 30_000;
const EDITORS = ['Alba', 'Benno', 'Chidi', 'Dorte', 'Emre', 'Fumiko'];
const START = Date.UTC(2021, 2, 1, 9);

interface ManualPage {
  readonly name: string;
  readonly section: string;
  readonly path: string;
  /** The page that this is only another name of. */
  readonly aliasOf: string | null;
}

interface Revision {
  readonly text: string;
  readonly comment: string;
}

interface WikiPage {
  readonly title: string;
  readonly revisions: readonly Revision[];
}

const manual = manualPages();
const articles = chosen(manual.filter((page) => page.aliasOf === null));
const titles = new Set(articles.map(titleOf));
const redirects = inOrderOfHash(manual.filter((page) => page.aliasOf !== null && titles.has(page.aliasOf))).slice(
  0,
  MOST_REDIRECTS,
);
const linked = new Set([...titles, ...redirects.map(titleOf)]);

const written: WikiPage[] = [];
const users = new Map<string, number>();
for (const page of articles) written.push(...(await pagesOf(page)));
for (const page of redirects) {
  written.push({
    title: titleOf(page),
    revisions: [{ text: `#REDIRECT [[${page.aliasOf!}]]`, comment: 'another name' }],
  });
}
written.push(...overviews());
process.stdout.write(
  `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n${written.map(xmlOf).join('')}</mediawiki>\n`,
);

function manualPages(): ManualPage[] {
  const files = execFileSync('dpkg', ['-L', 'manpages', 'manpages-dev'], { encoding: 'utf8' }).split('\n');
  return files.flatMap((path) => {
    const [, name, section] = /\/man\d\/([^/]+)\.(\d)\.gz$/.exec(path) ?? [];
    if (name === undefined || section === undefined || !(section in SECTIONS)) return [];
    return [{ name, section, path, aliasOf: aliasOf(path) }];
  });
}

function aliasOf(path: string): string | null {
  const target = lstatSync(path).isSymbolicLink()
    ? readlinkSync(path)
    : /^\.so (\S+)/.exec(gunzipSync(readFileSync(path)).toString('latin1'))?.[1];
  const [, name, section] = /^(.+)\.(\d)(?:\.gz)?$/.exec(basename(target ?? '')) ?? [];
  return name === undefined ? null : `${capital(name)}(${section!})`;
}

function chosen(pages: readonly ManualPage[]): ManualPage[] {
  return Object.keys(SECTIONS).flatMap((section) =>
    inOrderOfHash(pages.filter((page) => page.section === section)).slice(0, MOST[section] ?? 60),
  );
}

function inOrderOfHash(pages: readonly ManualPage[]): ManualPage[] {
  return [...pages].sort((a, b) => (hashOf(a.path) < hashOf(b.path) ? -1 : 1));
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function titleOf({ name, section }: ManualPage): string {
  return `${capital(name)}(${section})`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The article, and a talk page for some. Every third has an older revision, every sixth two. */
async function pagesOf(page: ManualPage): Promise<WikiPage[]> {
  const { sections, headers } = await textOf(page);
  const end = [
    `[[Category:${SECTIONS[page.section]!}]]`,
    ...headers.slice(0, 3).map((header) => `[[Category:Header ${header}]]`),
  ].join('\n');
  for (const header of headers.slice(0, 3)) users.set(header, (users.get(header) ?? 0) + 1);
  const box = `{{Manual page|section=${page.section}|name=${escaped(page.name)}|about=${SECTIONS[page.section]!}}}`;
  const whole = [box, ...sections, end].join('\n');
  const kind = parseInt(hashOf(page.name).slice(0, 6), 16);
  const revisions: Revision[] = [{ text: whole, comment: 'complete' }];
  if (kind % 3 === 0) {
    revisions.unshift({
      text: [box, ...sections.slice(0, Math.ceil(sections.length * 0.6)), end].join('\n'),
      comment: 'first part',
    });
  }
  if (kind % 6 === 0)
    revisions.push({ text: whole.replace('\n== ', '\n<!-- read through -->\n== '), comment: 'read through' });
  const title = titleOf(page);
  if (kind % 5 !== 0) return [{ title, revisions }];
  return [
    { title, revisions },
    { title: `Talk:${title}`, revisions: [{ text: remarksOn(page), comment: 'remark' }] },
  ];
}

async function textOf({ path }: ManualPage): Promise<{ readonly sections: string[]; readonly headers: string[] }> {
  const env = { ...process.env, MANWIDTH: '6000', MAN_KEEP_FORMATTING: '', LC_ALL: 'C.UTF-8' };
  const { stdout } = await promisify(execFile)('man', ['--nj', '--nh', '-l', path], { env, maxBuffer: 1 << 26 });
  const lines = stdout.trim().split('\n').slice(1, -1);
  const sections: string[][] = [];
  for (const line of lines) {
    if (/^\S/.test(line)) sections.push([`== ${escaped(capital(line.toLowerCase()))} ==`]);
    else sections.at(-1)?.push(wikiLine(line));
  }
  const headers = [...new Set(Array.from(stdout.matchAll(/#include <([\w/.]+)>/g), ([, header]) => header!))];
  return {
    sections: atMost(
      MOST_CHARACTERS,
      sections.map((section) => section.join('\n')),
    ),
    headers,
  };
}

/** As many of the first sections as fit together, at least one. */
function atMost(characters: number, sections: readonly string[]): string[] {
  let length = 0;
  return sections.filter((section, k) => (length += section.length) <= characters || k === 0);
}

/** Three blanks stand before a heading, seven before text, more before code and what is said of a word. */
function wikiLine(line: string): string {
  const depth = line.length - line.trimStart().length;
  const text = linkedIn(escaped(line.trim()));
  if (text === '') return '';
  if (depth === 3) return `=== ${text} ===`;
  if (depth <= 7) return `${text}\n`;
  return line.length > 120 ? `:${text}` : ` ${text}`;
}

function escaped(text: string): string {
  return text.replace(/[[\]{}|<>&~'_*#:;=!]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function linkedIn(text: string): string {
  return text.replace(/\b((?:[\w.+-]|&#95;)+)\((\d)\)/g, (words, name: string, section: string) => {
    const title = `${capital(name.replaceAll('&#95;', '_'))}(${section})`;
    return linked.has(title) ? `[[${title}|${words}]]` : words;
  });
}

/** Sayings of the fortunes package serve as remarks of people. */
function remarksOn({ name }: ManualPage): string {
  const sayings = readFileSync('/usr/share/games/fortunes/computers', 'utf8').split('\n%\n');
  const first = parseInt(hashOf(`${name} talk`).slice(0, 6), 16);
  const remarks = Array.from({ length: 2 + (first % 5) }, (_, k) => {
    const saying = sayings[(first + k * 37) % sayings.length]!;
    return `== Remark ${k + 1} ==\n${escaped(saying).replaceAll('\n', '<br />\n')}\n\n[[User:${EDITORS[(first + k) % EDITORS.length]!}]]`;
  });
  return remarks.join('\n\n');
}

/** The pages about pages: main page, help, the template, categories, users. */
function overviews(): WikiPage[] {
  const one = (title: string, text: string): WikiPage => ({ title, revisions: [{ text, comment: 'written' }] });
  const sections = Object.entries(SECTIONS).map(([section, about]) => {
    const some = articles.filter((page) => page.section === section).slice(0, 40);
    const list = some.map((page) => `* [[${titleOf(page)}]]`).join('\n');
    return `== [[:Category:${about}|${about}]] ==\n${list}`;
  });
  const welcome =
    "'''Manual pages''' has the manual of GNU/Linux for reading and for remarks. [[Help:Reading]] says how to find things.";
  return [
    // The installer has written a Main Page already, and imported revisions are older.
    one('MediaWiki:Mainpage', 'Start'),
    one('Start', `${welcome}\n\n${sections.join('\n\n')}`),
    one(
      'Help:Reading',
      'Pages have the name of a command, call, function or file, and its section: [[Open(2)]]. Use the search, the [[Special:AllPages|list of all pages]], or the [[Special:Categories|categories]].',
    ),
    one(
      'Manual pages:About',
      'The texts are those of the packages manpages and manpages-dev of Debian; their authors are named in them.',
    ),
    one(
      'Template:Manual page',
      "{| class=\"wikitable\"\n| '''{{{name}}}''' || section {{{section}}}: [[:Category:{{{about}}}|{{{about}}}]] || [[Special:WhatLinksHere/{{FULLPAGENAME}}|used by]] || [{{fullurl:{{FULLPAGENAME}}|printable=yes}} for printing] || [{{fullurl:{{FULLPAGENAME}}|action=history}} history] || [{{fullurl:{{FULLPAGENAME}}|oldid={{REVISIONID}}}} this version]\n|}",
    ),
    ...Object.values(SECTIONS).map((about) =>
      one(`Category:${about}`, `Manual pages of the section on ${about.toLowerCase()}. See [[Start]].`),
    ),
    ...[...users]
      .filter(([, count]) => count >= 4)
      .map(([header]) =>
        one(`Category:Header ${header}`, `What is declared in &lt;${escaped(header)}&gt;. [[Category:Headers]]`),
      ),
    ...EDITORS.map((name) => one(`User:${name}`, `${name} reads manual pages, and corrects them.`)),
  ];
}

function xmlOf({ title, revisions }: WikiPage): string {
  const kind = parseInt(hashOf(title).slice(0, 8), 16);
  const dated = revisions.map(({ text, comment }, k) => {
    const at = new Date(START + ((kind % 30_000) + k * 2_000) * 3_600_000).toISOString().replace('.000', '');
    const editor = EDITORS[(kind + k) % EDITORS.length]!;
    return `<revision><timestamp>${at}</timestamp><contributor><username>${editor}</username></contributor><comment>${comment}</comment><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">${xml(text)}</text></revision>`;
  });
  return `<page><title>${xml(title)}</title>${dated.join('\n')}</page>\n`;
}

function xml(text: string): string {
  return text
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
