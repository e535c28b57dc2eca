// What is a segment of a path by itself: a verb, an id, a thing, a shelf of titles, a file?
import { secretKindOf } from '../../../url/secret.js';
import { createActOf, type Act, type ActOf, type Style } from './act.js';
import { listOf, type Lexicon } from './lexicon.js';
import { decoded, folded, parted, wordsOf } from './text.js';

/**
 * What follows a segment like `wiki`: only titles (`all`), titles unless an id comes between (`deep`), one title
 * (`next`), or one title if it has hyphens (`slug`).
 */
export type Shelf = 'all' | 'deep' | 'next' | 'slug';

export interface Segment {
  /** The words of the segment, joined. */
  readonly joined: string;
  readonly act: Act;
  /** True for `run-daily`: its first word is a verb if something stands beside it. */
  readonly startsBeside: boolean;
  /** True for a number or a code. */
  readonly isId: boolean;
  readonly isYear: boolean;
  readonly isDigit: boolean;
  /** True for letters and digits that are not words. */
  readonly isCode: boolean;
  /** True for `_refresh`: interfaces of databases name their calls so. */
  readonly isCall: boolean;
  readonly isThing: boolean;
  readonly isDevice: boolean;
  readonly isScript: boolean;
  /** True for a file without logic, such as a picture or a style sheet. */
  readonly isStatic: boolean;
  /** True for several words. With hyphens, they are a slug. */
  readonly isTitle: boolean;
  readonly isSlug: boolean;
  /** True for a title with an id at its end: `delete_88`. */
  readonly isNumbered: boolean;
  /** True for a title with a year at its end: `vote-2024`. */
  readonly isDated: boolean;
  /** True for a page of MediaWiki that does something or shows it: `Special:UserLogout`. */
  readonly isSpecial: boolean;
  readonly shelf: Shelf | undefined;
  /** True for a word that precedes a secret. */
  readonly isSecret: boolean;
  /** True if the segment contains a key or a person's address. */
  readonly isPrivate: boolean;
}

const shelves = (shelf: Shelf, words: string) => listOf(words).map((word) => [folded(word), shelf] as const);
const SHELVES: ReadonlyMap<string, Shelf> = new Map([
  ...shelves('all', 'man manpage manpages manual manuals dictionary translate glossary thesaurus tree blob'),
  ...shelves(
    'deep',
    `docs doc documentation reference package packages crate crates gem gems commit lyrics define definition
     specs rfc javadoc apidocs tutorial tutorials`,
  ),
  ...shelves(
    'next',
    `wiki tag tags t thread threads topic topics question questions category categories catalogue catalog product
     products search term terms lexikon wikipedia вики issue author authors movie movies game games album albums species
     keyword keywords tagged`,
  ),
  ...shelves(
    'slug',
    `help support guide guides howto faq kb knowledgebase blog blogs news story stories article articles hilfe ratgeber
     aide ayuda ajuda aiuto recipes recipe noticias actualites nachrichten notizie novosti haber haberler berita`,
  ),
]);
/** Words that make a shelf of a name: `api-reference`, `man-pages`. */
const DEEP_WORDS = new Set(listOf('docs documentation reference manual dictionary pages'));

const SCRIPT = /\.(?:php\d?|phtml|aspx?|jspa?|jspx|jsf|xhtml|do|f?cgi|pl|py|cfm|action|ashx|axd|exe)$/i;
const EXTENSION = /\.(?:html?|xml|json|shtml|sh)$/i;
const STATIC =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|m?js|map|woff2?|ttf|otf|eot|pdf|zip|t?gz|bz2|xz|7z|mp[34]|webm|ogg|wav|c|h|cc|cpp|hpp|go|rs|java|tsx?|md|rst|rb|patch|diff|txt)$/i;
const SPECIAL = /^(?:special|spezial|sp.cial|especial|speciale|speciaal|specjalna|служебная):/i;
/** Verbs in names of scripts that only show something: `start_page.php`. */
const NAMES_OF_PAGES = new Set(listOf('start play call change'));
/** Scripts that count visits and clicks, or that send mail or commands. */
const COUNTERS = new Set(
  listOf('piwik matomo ck lg adclick sendmail formmail mailer digg cmd click track out gpio relay ptz led ledctl wol'),
);

export function isStaticFile(text: string): boolean {
  return STATIC.test(text);
}

export function createSegmentOf(lexicon: Lexicon): (segment: string) => Segment {
  const actOf = createActOf(lexicon);
  return (segment) => {
    const cut = segment.indexOf(';');
    const text = decoded(cut < 0 ? segment : segment.slice(0, cut));
    const isFile = text.includes('.');
    const isScript = isFile && SCRIPT.test(text);
    const stem = isFile ? text.replace(isScript ? SCRIPT : EXTENSION, '') : text;
    const words = wordsOf(parted(stem));
    const joined = words.join('');
    const isCode = looksLikeCode(stem);
    const style = styleOf(stem, isScript);
    return {
      joined,
      act: isCode ? undefined : isScript && COUNTERS.has(joined) ? 'strong' : actOfName(stem, style, actOf),
      startsBeside:
        words.length === 2 && (lexicon.beside.has(words[0]!) || words[0] === 'set') && !NAMES_OF_PAGES.has(words[0]!),
      isTitle: words.length > 1,
      isSlug: words.length > 1 && style === 'title',
      isCall: /^_[a-z]+$/.test(stem),
      isThing: words.length > 0 && words.every((word) => lexicon.things.has(word) || lexicon.devices.has(word)),
      isDevice: words.some((word) => lexicon.devices.has(word)),
      isSecret: lexicon.secret.has(joined),
      shelf: shelfOf(words, joined, text),
      isCode,
      isScript,
      isStatic: isFile && isStaticFile(text),
      isSpecial: text.includes(':') && SPECIAL.test(text),
      isPrivate: isPrivate('', segment),
      ...numbersOf(stem, isCode),
    };
  };
}

type Numbers = Pick<Segment, 'isId' | 'isYear' | 'isDigit' | 'isNumbered' | 'isDated'>;
const NO_NUMBERS: Numbers = { isId: false, isYear: false, isDigit: false, isNumbered: false, isDated: false };

function numbersOf(stem: string, isCode: boolean): Numbers {
  if (!/\d/.test(stem)) return NO_NUMBERS;
  return {
    isId: isCode || /^(?:[^\p{L}]*|\p{L}{1,3}[-_]?\d+)$/u.test(stem),
    isYear: /^(?:19|20)\d\d$/.test(stem),
    isDigit: stem.length === 1,
    isNumbered: /[-_.]\d+$/.test(stem),
    isDated: /^\p{L}+-(?:19|20)\d\d$/u.test(stem),
  };
}

function shelfOf(words: readonly string[], joined: string, text: string): Shelf | undefined {
  if (text.endsWith('.git')) return 'all';
  return SHELVES.get(joined) ?? (words.length === 2 && words.some((word) => DEEP_WORDS.has(word)) ? 'deep' : undefined);
}

/** `camel` and `program` are names of functions: camelCase; underscores and dots, or the extension of a script. */
export function styleOf(name: string, isScript: boolean): Style {
  if (/\p{Ll}\p{Lu}|\p{Lu}\p{Ll}+\.\p{Lu}/u.test(name)) return 'camel';
  return isScript || /[_.]/.test(name) ? 'program' : 'title';
}

const RANKS = ['strong', 'verb', 'beside', 'weak', 'after'] as const;

/** The act of a name or of a part of it: `Logout!default`, `DeleteEntry,12`, `core.ItemDelete`. */
export function actOfName(name: string, style: Style, actOf: ActOf): Act {
  if (/^[a-z\d_-]*$/.test(name)) return actOf(wordsOf(name), style);
  const parts = /[,!~|.]/.test(name) ? [name, ...name.split(/[,!~|]/), name.slice(name.lastIndexOf('.') + 1)] : [name];
  const acts = new Set<Act>();
  for (const part of parts) {
    // Capitals may separate words, but not in `dELETE`, so the text is tried both ways.
    if (!/^\d/.test(part) || part === name)
      for (const text of [parted(part), part]) acts.add(actOf(wordsOf(text), style));
  }
  return RANKS.find((rank) => acts.has(rank));
}

/** True for letters and digits that are not words: `0a1b2c`, `Zk81mQp0aBcD`; not for `photo-12`, `v2`. */
export function looksLikeCode(text: string): boolean {
  if (text.length < 4 || !/\d/.test(text) || !/[a-z]/i.test(text) || !/^[\w~.=:-]+$/.test(text)) return false;
  return /\d[a-z]+\d|\d[a-z]{1,4}$|[A-Z]\d[a-z]|[a-z]\d[A-Z]/.test(text) && !/[a-z]{6}/.test(text);
}

/** True for a value that reveals its sender, such as a key or an address. */
export function isPrivate(name: string, value: string): boolean {
  // Without a name, only its shape can make a value private: an address, or a key of sixteen characters or more.
  if (value.length < 6 || (name === '' && value.length < 16 && !/@|%40/.test(value))) return false;
  // `underscore@1.13.4` is a package, not an address.
  if (name === '' && /@\d/.test(value)) return false;
  const kind = secretKindOf(name, value);
  return kind === 'key' || kind === 'person';
}
