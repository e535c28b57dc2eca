// Which words are verbs, and which are things? Sets of words for the test of a URL, made once from `table.ts`: stems
// with their endings, accents folded, umlauts also as two letters, Cyrillic and Greek romanized.
import * as data from './table.js';
import { folded } from './text.js';

export interface Lexicon {
  /** Verbs that are destructive or irreversible in any place: `delete`, `logout`. */
  readonly strong: ReadonlySet<string>;
  /** The strong verbs and all others. */
  readonly verbs: ReadonlySet<string>;
  /** Verbs of other languages than English, which rarely mean anything else in a URL. */
  readonly foreign: ReadonlySet<string>;
  /** Words that are verbs only beside an id or a thing. */
  readonly beside: ReadonlySet<string>;
  /** Words that are verbs only as the last segment, behind an id. */
  readonly after: ReadonlySet<string>;
  /** The same in other languages; these also act behind a thing. */
  readonly weak: ReadonlySet<string>;
  /** Verbs of programs' names, if there is a thing beside them. */
  readonly withThing: ReadonlySet<string>;
  /** Words that are verbs as the value of `action=`. */
  readonly dispatched: ReadonlySet<string>;
  /** Words that precede a secret. */
  readonly secret: ReadonlySet<string>;
  /** Phrases of one or several words, joined: `addtocart`, `logout`. */
  readonly phrases: ReadonlySet<string>;
  readonly things: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
}

export function listOf(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}

/** `extraPhrases` are treated like `add-to-cart`. */
export function createLexicon(extraPhrases: readonly string[]): Lexicon {
  const strong = new Set(listOf(data.ENGLISH_STRONG));
  const foreign = new Set<string>();
  const phrases = new Set(listOf(PHRASES));
  const weak = new Set<string>();
  const things = new Set(listOf(data.ENGLISH_THINGS));
  for (const language of Object.values(data.LANGUAGES)) {
    for (const word of verbsOf(language)) add(word.includes('-') ? phrases : foreign, word);
    for (const word of listOf(language.weak ?? '')) add(weak, word);
    for (const word of listOf(language.things ?? '')) add(things, word);
  }
  for (const phrase of extraPhrases) add(phrases, folded(phrase).replace(/[^\p{L}\p{N}]/gu, ''));
  const english = listOf(data.ENGLISH_VERBS);
  for (const word of [...listOf(data.NO_VERBS), ...english]) foreign.delete(word);
  const verbs = new Set([...strong, ...english, ...foreign]);
  return {
    strong,
    verbs,
    foreign,
    weak,
    things,
    phrases,
    after: new Set(listOf(data.ENGLISH_AFTER)),
    beside: new Set(listOf(data.ENGLISH_BESIDE)),
    withThing: new Set([...listOf(data.ENGLISH_WITH_THING), ...listOf(data.ENGLISH_BESIDE)]),
    dispatched: new Set([...verbs, ...listOf(data.ENGLISH_DISPATCHED)]),
    secret: new Set(listOf(data.SECRET_WORDS)),
    devices: new Set(listOf(data.DEVICES)),
  };
}

/** Phrases for logging in and out, subscribing and unsubscribing, filling and emptying a cart. */
const PHRASES = `
  logout logoff signout signoff unsubscribe optout optin addtocart addtobasket addtobag addtowishlist addtofavorites
  addtofavourites addtocompare addcart cartadd removefromcart removefrombasket removefromwishlist emptycart
  clearcart updatecart buynow placeorder markasread markread markallread closeaccount endsession killsession
  wpcron wpadmin loginas switchuser magiclink lostpassword passwordreset resetpassword turnon turnoff poweron poweroff
  eraseme forgetme deleteme downloadmydata exportmydata doingwpcron runcron factoryreset factorydefault
  hardfactorydefault tobasket tocart tonoticelist towishlist tocomparelist voteup votedown thumbup thumbsup thumbsdown
  thumbdown singlelogout payfororder readall markall seenall closesession closeticket leavegroup leavelist flushdb flushall pauseall wpcommentspost makeadmin placeorder deletebyquery updatebyquery`;

function verbsOf({ ends, stems, words }: data.LanguageWords): string[] {
  if (ends === undefined || stems === undefined) return [...listOf(words)];
  const endings = listOf(ends);
  return [...listOf(words), ...listOf(stems).flatMap((stem) => endings.map((end) => stem + end))];
}

/** Adds a word in all spellings that URLs use. */
function add(set: Set<string>, word: string): void {
  const joined = word.replaceAll('-', '');
  const plain = folded(joined);
  if (plain === '') return;
  set.add(plain);
  if (/[äöüåøæ]/.test(joined)) set.add(folded(joined.replace(/[äöüåøæ]/g, (letter) => TWO_LETTERS[letter]!)));
  if (/^[\u0370-\u03ff]/.test(plain)) set.add(romanized(plain, GREEK));
  if (!/^[\u0400-\u04ff]/.test(plain)) return;
  set.add(romanized(joined, CYRILLIC));
  set.add(romanized(joined, CYRILLIC_OTHER));
  set.add(romanized(plain, CYRILLIC));
}

const TWO_LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', æ: 'ae' };
const GREEK = lettersOf(
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
);
const CYRILLIC = lettersOf(`
  а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ shch ы y э e ю yu
  я ya і i ї yi є ye ј j љ lj њ nj ћ c ђ dj џ dz ґ g`);
const CYRILLIC_OTHER = new Map([...CYRILLIC, ...lettersOf('й j х kh ц c щ sch ё yo')]);

function lettersOf(pairs: string): ReadonlyMap<string, string> {
  const letters = listOf(pairs);
  return new Map(letters.flatMap((letter, i) => (i % 2 === 0 ? [[letter, letters[i + 1]!] as const] : [])));
}

function romanized(word: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(word, (letter) => letters.get(letter) ?? '').join('');
}
