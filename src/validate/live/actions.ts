// Would fetching this URL do something? A GET should be safe, but on many sites `/cart/add/7`, `?action=delete` or
// `/logout` is not, and a log is full of them. Such URLs are never fetched.
//
// The test is on the pieces of path and query, escapes decoded, split into words (`addToCart`, `add-to-cart` and
// `add_to_cart` are the words add, to, cart; numbers do not count), in lower case, without accents:
//
//   /shop/add-to-cart;x=1/page.php?action=user.delete&id=7
//    |    |           |   |        |      |           | value
//    |    segment     |   |        name   value       name
//    segment          name, value  segment (`php` does not count)
//
//   a piece is a phrase (`log out`, `add to cart`)      refused, also with up to two more words (`Special:UserLogout`)
//   a piece is a verb and at most one more word         refused: `delete`, `delete-user`, `comment_remove.php`
//   a segment or a name is an order                     refused: `/posts/7/like`, `?vote=up`; not `/like-new`
//   the value of `action=`, `do=`, `op=` … has a verb or an order in it: refused
//
// A title is none of these: `/blog/how-to-delete-a-file` has too many words, and so have sentences in values. When in
// doubt, refuse: a page that is not fetched costs one sample, a deleted one somebody's work.

/** Log-in and log-out, subscribing and unsubscribing, filling and emptying a cart. Words are joined. */
const PHRASES = listOf(`
  logout logoff signout signoff unsubscribe optout addtocart addtobasket addtobag addtowishlist addtofavorites
  addtofavourites addtocompare addcart cartadd removefromcart removefrombasket removefromwishlist emptycart
  clearcart updatecart buynow placeorder markasread markread markallread closeaccount endsession killsession
  wpcron wpadmin abmelden ausloggen abbestellen deconnexion cerrarsesion desconectar uitloggen loggaut
`);

/** Destructive or irreversible. */
const VERBS = listOf(`
  delete del remove destroy erase purge drop truncate unlink wipe kill expunge unpublish deactivate uninstall
  rollback revert undelete unfollow unlike unban upvote downvote subscribe reboot shutdown loschen loeschen
  entfernen supprimer eliminar borrar verwijderen elimina excluir
`);

/** Words that mean an action only if they stand alone. */
const ORDERS = listOf(`
  add edit save insert cancel confirm approve reject accept decline publish like dislike vote buy purchase pay
  checkout follow flag ban block mute activate enable disable reset restore undo flush trash empty rename move
  restart install upgrade cron trackback repost retweet upload unlock lock
`);

/** Parameters that select an action, and values that are one only there. */
const DISPATCH = new Set(
  listOf('action act actions do op operation cmd command task func function method mode event todo a m doaction'),
);
const DISPATCHED = listOf(`
  submit send post update create set write put patch run exec execute start stop rate order clear report
  register invite join leave book share import watch unwatch protect merge markpatrolled rsd cart xclick
`);

/** Parameters with what people search for. */
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
 * segment, a name or a value is one of them, with up to two more words: `bestellen`, `in-den-warenkorb`.
 */
export function createActionTest(extraPhrases: readonly string[] = []): ActionTest {
  const phrases = new Set([...PHRASES, ...extraPhrases.map((phrase) => wordsOf(phrase).join(''))]);
  const verbs = new Set(VERBS);
  const orders = new Set([...ORDERS, ...VERBS]);
  const dispatched = new Set([...ORDERS, ...VERBS, ...DISPATCHED]);
  phrases.delete('');

  const isPhrase = (words: readonly string[]) => someRun(words, words.length - 2, (run) => phrases.has(run));

  /** `delete`, `delete-user`, `user_delete`, or `deleteuser` if `user` is a thing that programs delete. */
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

  /** In other fields, only a value that is exactly a phrase or a verb: `x=logout`, not `title=Delete_key`. */
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

/** A verb and its object in one word, without a capital between them. */
const COMPOUND =
  /(?:logout|logoff|signout|signoff)$|^(?:delete|remove)(?:user|account|item|comment|post|page|file|message|product|image|photo|topic|record|entry|all)s?$/;

/** The segments as words, and the path parameters in them (`;name=value`). */
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

/** True if `test` holds for all words joined, or for at least `least` adjacent ones, joined. */
function someRun(words: readonly string[], least: number, test: (run: string) => boolean): boolean {
  for (let start = 0; start < words.length; start++) {
    for (let end = Math.max(start + 1, start + least); end <= words.length; end++) {
      if (test(words.slice(start, end).join(''))) return true;
    }
  }
  return false;
}

/** At most so many words are tested: a piece with more is prose, or made to waste time. */
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

/** Escapes decoded twice, as a server behind a proxy may do; bytes that are not text are dropped. */
function decoded(text: string): string {
  const decodeOnce = (escaped: string) =>
    escaped.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  return decodeOnce(decodeOnce(text.replaceAll('+', ' ')));
}
