// Is a piece of a URL, cut into words, an order to do something?
//
//   one word         delete, loschen, sil                   a verb by itself
//   glued            deleteaddress, kontoloeschen, 删除用户   a verb and things, nothing else
//   phrase           sign out, add to cart, ta bort         with up to two more words (`tiki-logout`)
//   verb and things  delete-user-account, admin_user_delete
//   program          deleteFoo, delete_foo, foo-delete.php  a name that people give to functions, not to pages
//   two words        delete-foo                             if the verb is a strong one
//
// Titles are none of these: `how-to-delete-a-file`, `killer-whale`, `cancel-culture`, `changelog`.
import type { Lexicon } from './lexicon.js';

/** How certain an act is. `strong` acts anywhere, `verb` where verbs are expected; the others need more around them. */
export type Act = 'strong' | 'verb' | 'beside' | 'weak' | 'after' | undefined;

/** `camel` and `program` are names of functions: camelCase; underscores, or the extension of a script. */
export type Style = 'camel' | 'program' | 'title';

const QUESTION_WORDS = new Set('how why what when where wie como comment faq jak kak cara come hoe hur'.split(' '));
/** Beside a verb, these make the name of a value: `edit_id`, `block_type`. */
const NAMING = new Set(
  'id ids type types url uri date time count page mode name by at num number size to version status color class'.split(
    ' ',
  ),
);
/** Endings of a word after its verb: `deleted`, `removable`, `eraser`. */
const ENDING = /^(?:d|r|rs|ed|ers?|ing|ions?|ive|s|able|ables|ment|ments|ness|bg|rious|rio|ria|gate|ware|gatory|tive)$/;
const GLUED_STRONG = /^(?:delete|remove|unsubscribe|destroy|erase|purge|reboot|shutdown|uninstall)(.{2,})$/;
const STRONG_IN = /logout|signout|signoff|.logoff$|unsub|.{2}(?:delete|remove|reboot|shutdown|abmelden|loeschen)$/;
const NO_ORDERS = new Set(
  'changelog changelogs starlink blocklist stopwatch lockfile droplist mutelist stoppage'.split(' '),
);
const SHORT_THINGS = new Set('all log msg bin job tag bag img row pad'.split(' '));
/** With two words, one of these is enough. Other strong verbs need more: `government-shutdown` is news. */
const TITLE_STRONG = new Set(
  'delete remove destroy erase unsubscribe uninstall deactivate unpublish undelete logout'.split(' '),
);
const MAX_PROGRAM_WORDS = 5;
const MAX_ORDER_WORDS = 7;

export type ActOf = (words: readonly string[], style: Style) => Act;

export function createActOf(lexicon: Lexicon): ActOf {
  const { strong, verbs, foreign, beside, weak, after, things, devices, withThing, phrases } = lexicon;

  function actOfWord(word: string): Act {
    if (strong.has(word) || (foreign.has(word) && word.length > 3)) return 'strong';
    if (verbs.has(word)) return 'verb';
    if (beside.has(word)) return 'beside';
    if (weak.has(word)) return 'weak';
    if (after.has(word)) return 'after';
    return isGlued(word) ? 'strong' : undefined;
  }

  function isGlued(word: string): boolean {
    if (word.length < 4 && /^[a-z]/.test(word)) return false;
    if (NO_ORDERS.has(word) || things.has(word) || word.length > 32) return false;
    if (word.startsWith('do') && word.length > 7 && isGlued(word.slice(2))) return true;
    const rest = GLUED_STRONG.exec(word)?.[1];
    return (rest !== undefined && !ENDING.test(rest)) || STRONG_IN.test(word) || isVerbAndThings(word);
  }

  /** True if the word can be cut into verbs and things. In scripts without spaces, both may be short. */
  function isVerbAndThings(word: string): boolean {
    const isLatin = /[a-z]/.test(word);
    const least = isLatin ? 3 : 1;
    // For each length of a prefix: can it be cut, and can it be cut with a verb in it?
    const canCut: boolean[] = [true];
    const hasVerb: boolean[] = [false];
    for (let end = least; end <= word.length; end++) {
      for (let start = 0; start <= end - least; start++) {
        if (!canCut[start]) continue;
        const part = word.slice(start, end);
        // `deluser`, but not `citadel`.
        const isVerb = verbs.has(part) && (part !== 'del' || start === 0);
        if (!isVerb && (!isThing(part) || (isLatin && part.length === 3 && !SHORT_THINGS.has(part)))) continue;
        canCut[end] = true;
        hasVerb[end] ||= isVerb || hasVerb[start]!;
      }
    }
    return hasVerb[word.length] === true;
  }

  const isVerb = (word: string) => verbs.has(word) || phrases.has(word) || isGlued(word);

  /** True for words with a verb at one end and things in all other places. */
  function isOrder(words: readonly string[], isHere: (word: string) => boolean, style: Style): boolean {
    if (words.length > MAX_ORDER_WORDS) return false;
    const [first, last] = [words[0]!, words.at(-1)!];
    const isObject = (word: string) => isThing(word) || (style !== 'title' && devices.has(word));
    // Things are tested first, because the test for glued words takes longer.
    if (words.every((word, i) => i === 0 || isObject(word)) && isHere(first)) return true;
    return words.every((word, i) => i === words.length - 1 || isObject(word)) && isHere(last);
  }
  const isThing = (word: string) => things.has(word) || (word.endsWith('s') && things.has(word.slice(0, -1)));

  function isProgramAct(words: readonly string[], style: Style): boolean {
    if (words[0] === 'do' && words.length > 1) return actOf(words.slice(1), style) === 'strong' || isVerb(words[1]!);
    const [first, last] = [words[0]!, words.at(-1)!];
    if (words.length <= MAX_PROGRAM_WORDS && (strong.has(first) || strong.has(last))) return true;
    if (words.slice(1).some((word) => NAMING.has(word))) return false;
    if (words.length <= 4 && verbs.has(first)) return true;
    if (words.length <= 3 && verbs.has(last)) return true;
    return isOrder(words, style === 'camel' ? isCamelVerb : isSent, style);
  }
  const isBeside = (word: string) => beside.has(word);
  const isCamelVerb = (word: string) => withThing.has(word);
  const isSent = (word: string) => word === 'send' || word === 'update' || word === 'unset' || word === 'run';

  function actOf(words: readonly string[], style: Style): Act {
    const { length } = words;
    if (length === 0) return undefined;
    if (length > 2 && style === 'title' && QUESTION_WORDS.has(words[0]!)) return undefined;
    if (someRun(words, style === 'title' ? length - 1 : length - 2, (run) => phrases.has(run))) return 'strong';
    if (length === 1) return actOfWord(words[0]!);
    if (length === 2 && NO_ORDERS.has(words[0]! + words[1]!)) return undefined;
    if (isOrder(words, isVerb, style) || (words.includes('all') && isOrder(words, isBeside, style))) return 'strong';
    if (style !== 'title' && isProgramAct(words, style)) return 'strong';
    return length === 2 && words.some((word) => TITLE_STRONG.has(word)) ? 'strong' : undefined;
  }
  return actOf;
}

/** True if `test` holds for all words joined, or for at least `least` adjacent ones, joined. */
export function someRun(words: readonly string[], least: number, test: (run: string) => boolean): boolean {
  for (let start = 0; start < words.length; start++) {
    let run = '';
    for (let end = start + 1; end <= words.length; end++) {
      run += words[end - 1]!;
      if (end - start >= least && test(run)) return true;
    }
  }
  return false;
}
