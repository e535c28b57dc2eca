// Would asking for this URL do something? A GET should be safe, but on many sites `/cart/add/7`, `?action=delete` or
// `/logout` is not, and a log is full of them. Such URLs are never fetched.
//
// Judged are the pieces of path and query, escapes decoded, cut into words (`addToCart`, `add-to-cart` and
// `add_to_cart` are the words add, to, cart; numbers do not count), in lower case, without accents:
//
//   /shop/add-to-cart;x=1/page.php?action=user.delete&id=7
//    |    |           |   |        |      |           | value
//    |    segment     |   |        name   value       name
//    segment          name, value  segment (`php` does not count)
//
//   a piece is a phrase (`log out`, `add to cart`)      refused, with one or two more words as well (`Special:UserLogout`)
//   a piece is a verb and at most one more word         refused: `delete`, `delete-user`, `comment_remove.php`
//   a segment or a name is an order                     refused: `/posts/7/like`, `?vote=up`; not `/like-new`
//   the value of `action=`, `do=`, `op=` … has a verb or an order in it: refused
//
// A title is none of these: `/blog/how-to-delete-a-file` has too many words, and so have sentences in values. The lists
// lean towards refusing: a page that is not fetched costs one sample, a deleted one somebody's work.

/** Endings and beginnings of a session, of a subscription; and what fills and empties a cart. Words run together. */
const PHRASES = listOf(`
  logout logoff signout signoff unsubscribe optout addtocart addtobasket addtobag addtowishlist addtofavorites
  addtofavourites addtocompare addcart cartadd removefromcart removefrombasket removefromwishlist emptycart
  clearcart updatecart buynow placeorder markasread markread markallread closeaccount endsession killsession
  wpcron wpadmin abmelden ausloggen abbestellen deconnexion cerrarsesion desconectar uitloggen loggaut
`);

/** What destroys, or changes for good. */
const VERBS = listOf(`
  delete del remove destroy erase purge drop truncate unlink wipe kill expunge unpublish deactivate uninstall
  rollback revert undelete unfollow unlike unban upvote downvote subscribe reboot shutdown loschen loeschen
  entfernen supprimer eliminar borrar verwijderen elimina excluir
`);

/** Words that mean an act only where they stand alone. */
const ORDERS = listOf(`
  add edit save insert cancel confirm approve reject accept decline publish like dislike vote buy purchase pay
  checkout follow flag ban block mute activate enable disable reset restore undo flush trash empty rename move
  restart install upgrade cron trackback repost retweet upload unlock lock
`);

/** Fields that say what is to be done; and what they say then. */
const DISPATCH = new Set(
  listOf('action act actions do op operation cmd command task func function method mode event todo a m doaction'),
);
const DISPATCHED = listOf(`
  submit send post update create set write put patch run exec execute start stop rate order clear report
  register invite join leave book share import watch unwatch protect merge markpatrolled rsd cart xclick
`);

/** Fields in which people write what they look for. */
const SEARCH = new Set(listOf('q query search s keyword keywords kw term text tag tags'));
const QUESTION_WORDS = new Set(listOf('how why what when where wie como faq'));
const EXTENSIONS = new Set(
  listOf('php php3 php4 php5 phtml html htm asp aspx jsp jspx jsf do cgi pl py cfm action ashx axd json xml'),
);

function listOf(words: string): readonly string[] {
  return words.trim().split(/\s+/);
}

export type ActionTest = (requestPath: string) => boolean;

/**
 * A test for request targets (path and query, ASCII). `extraPhrases` are refused like `add-to-cart`, wherever a
 * segment, a name or a value is one of them, give or take two words: `bestellen`, `in-den-warenkorb`.
 */
export function createActionTest(extraPhrases: readonly string[] = []): ActionTest {
  const phrases = new Set([...PHRASES, ...extraPhrases.map((phrase) => wordsOf(phrase).join(''))]);
  const verbs = new Set(VERBS);
  const orders = new Set([...ORDERS, ...VERBS]);
  const dispatched = new Set([...ORDERS, ...VERBS, ...DISPATCHED]);
  phrases.delete('');

  const isPhrase = (words: readonly string[]) => someRun(words, words.length - 2, (run) => phrases.has(run));

  /** `delete`, `delete-user`, `user_delete`, `deleteuser` where `user` is a thing that programs delete. */
  function isVerb(words: readonly string[]): boolean {
    if (words.length > 2) return false;
    return verbs.has(words[0]!) || verbs.has(words.at(-1)!) || words.some((word) => COMPOUND.test(word));
  }

  function isAct(words: readonly string[]): boolean {
    if (words.length === 0 || QUESTION_WORDS.has(words[0]!)) return false;
    return isPhrase(words) || isVerb(words);
  }

  const isOrder = (words: readonly string[]) => words.length === 1 && orders.has(words[0]!);

  function isFieldAct(field: string): boolean {
    const cut = field.indexOf('=');
    const name = wordsOf(cut < 0 ? field : field.slice(0, cut));
    const value = wordsOf(cut < 0 ? '' : field.slice(cut + 1));
    if (isAct(name) || isOrder(name)) return true;
    if (DISPATCH.has(name.join(''))) return isAct(value) || value.some((word) => dispatched.has(word));
    return !SEARCH.has(name[0] ?? '') && isValueAct(value);
  }

  /** Of other fields only what is a phrase or a verb and nothing else: `x=logout`, not `title=Delete_key`. */
  function isValueAct(value: readonly string[]): boolean {
    return isPhrase(value) || (value.length === 1 && isVerb(value));
  }

  return (requestPath) => {
    const [path = '', ...query] = requestPath.split('?');
    const [segments, fields] = cutPath(path);
    fields.push(...query.join('?').split(/[&;]/));
    return segments.some((words) => isAct(words) || isOrder(words)) || fields.some(isFieldAct);
  };
}

/** Verbs that are written together with what they are done to, where letter case does not part them. */
const COMPOUND =
  /(?:logout|logoff|signout|signoff)$|^(?:delete|remove)(?:user|account|item|comment|post|page|file|message|product|image|photo|topic|record|entry|all)s?$/;

/** Segments as words, and the parameters that stand in them (`;name=value`). */
function cutPath(path: string): [segments: (readonly string[])[], fields: string[]] {
  const segments: (readonly string[])[] = [];
  const fields: string[] = [];
  for (const segment of path.split('/')) {
    const [name = '', ...parameters] = segment.split(';');
    segments.push(withoutExtension(name));
    fields.push(...parameters);
  }
  return [segments, fields];
}

function withoutExtension(segment: string): readonly string[] {
  const words = wordsOf(segment);
  const last = words.at(-1);
  return words.length > 1 && EXTENSIONS.has(last!) && /\.\w+$/.test(segment) ? words.slice(0, -1) : words;
}

/** True if `test` holds for all words run together, or for at least `least` neighbours of them, run together. */
function someRun(words: readonly string[], least: number, test: (run: string) => boolean): boolean {
  for (let start = 0; start < words.length; start++) {
    for (let end = Math.max(start + 1, start + least); end <= words.length; end++) {
      if (test(words.slice(start, end).join(''))) return true;
    }
  }
  return false;
}

/** At most this many words are looked at: with more of them a piece is prose, or made to waste time. */
const MAX_WORDS = 12;

function wordsOf(text: string): readonly string[] {
  const parted = decoded(text)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  const words = parted.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
  return words.length > MAX_WORDS ? [] : words;
}

/** Escapes decoded twice, as what is behind a proxy may do; bytes that are no text stay out. */
function decoded(text: string): string {
  const decodeOnce = (escaped: string) =>
    escaped.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  return decodeOnce(decodeOnce(text.replaceAll('+', ' ')));
}
