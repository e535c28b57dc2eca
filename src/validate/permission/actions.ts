// Would fetching this URL do something, or hand in a secret? A GET should be safe, but on many sites `/cart/add/7`,
// `?action=delete` or `/logout` is not, `/verify?token=…` works once, and a log is full of them. Such URLs are never
// fetched.
//
//   /shop/add-to-cart;x=1/page.php?action=user.delete&id=7&r=post/delete
//    |    |           |   |        |      |                | a value that is a route is tested as a path
//    |    segment     |   |        name   value: any verb in it, as the name selects an action
//    segment          field   segment of a script
//
// A piece is an act by its words (`action/act`), a verb of some forty languages (`action/table`). Where it stands
// decides the rest (`action/path`, `action/field`):
//
//   /tag/purge/, /wiki/Delete_key, /docs/git-rm      a title: behind a shelf
//   /posts/7/like, /switch/7/on, /light/off          an order: the last segment, behind an id or a thing
//   /job/x/build?token=1, /verify/0a1b2c             in front of a secret
//   ?q=delete, ?title=How+to+delete, ?next=/logout   what people look for, read, or see afterwards: no order
//
// When in doubt, refuse: a page that is not fetched costs one sample, a deleted one somebody's work. No list of words is
// complete, and `?a=6` can delete, too: what the log shows of readers is another test.
import { createFieldOf, type Field } from './action/field.js';
import { createLexicon } from './action/lexicon.js';
import { pathReason, type ActionReason } from './action/path.js';
import { createSegmentOf, type Segment } from './action/segment.js';

export type { ActionReason } from './action/path.js';
/** The reason why a request target must not be requested; undefined if it may be. */
export type ActionTest = (requestPath: string) => ActionReason | undefined;

/**
 * A test for request targets (path and query, ASCII). `extraPhrases` are refused like `add-to-cart` in any segment,
 * name or value, with up to two more words: `bestellen`, `in-den-warenkorb`.
 */
export function createActionTest(extraPhrases: readonly string[] = []): ActionTest {
  const lexicon = createLexicon(extraPhrases);
  const segmentOf = remembered(createSegmentOf(lexicon));
  const fieldOf = remembered(createFieldOf(lexicon, segmentOf));
  return (requestPath) => {
    const [texts, fields] = cutTarget(requestPath);
    const segments = texts.map(segmentOf);
    const reason = pathReason(segments, fields.length > 0);
    return reason === 'action-url' ? reason : (fieldsReason(fields.map(fieldOf), segments) ?? reason);
  };
}

/** The segments, and the fields of the query and of the segments (`;name=value`). */
function cutTarget(target: string): readonly [segments: readonly string[], fields: readonly string[]] {
  const cut = target.indexOf('?');
  const path = cut < 0 ? target : target.slice(0, cut);
  const segments = path.split('/').filter((segment) => segment !== '');
  const inPath = path.includes(';') ? segments.flatMap((segment) => segment.split(';').slice(1)) : [];
  const inQuery = cut < 0 ? [] : target.slice(cut + 1).split(/[?&;]/);
  return [segments, [...inPath, ...inQuery].filter((field) => field !== '')];
}

function fieldsReason(fields: readonly Field[], path: readonly Segment[]): ActionReason | undefined {
  const isDevice = path.some((segment) => segment.isDevice);
  if (fields.some(({ reason, isSwitch }) => reason === 'action-url' || (isSwitch && isDevice))) return 'action-url';
  return fields.some(({ reason }) => reason === 'token-url') ? 'token-url' : undefined;
}

const MAX_REMEMBERED = 4_000;
const MAX_REMEMBERED_LENGTH = 200;

/** Remembers results, as most URLs of a site have the same segments and fields. */
function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = compute(text);
    if (text.length > MAX_REMEMBERED_LENGTH) return made;
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, made);
    return made;
  };
}
