// What is an item of a list? A token, or a head and what follows it:
//
//   red,blue                    red · blue                         every token may begin a list
//   Brand-X-Color-Red           Brand-X · Color-Red                Brand and Color begin lists, X and Red do not
//   color/red/size/m            color/red · size/m
//
// Heads are tokens that begin two lists or more. If nearly all later tokens are heads, too, each token is an item. So
// nothing has to be known of names and values.

/** The share of later tokens that are heads from which on each token is an item, and from which on it may be one. */
const FLAT = 0.9;
const PERHAPS_FLAT = 0.6;

/** Undefined if each token is an item. */
export type Heads = ReadonlySet<string> | undefined;

/**
 * Grammars to try, the first one first. In sets that the site sorts, the last items hardly ever begin a list, so that
 * fewer are heads: with a separator that stands between items only (`isStrong`), each token may still be one.
 */
export function grammarsOf(lists: readonly (readonly string[])[], isStrong: boolean): readonly Heads[] {
  const { heads, share } = headsOf(lists);
  if (share >= FLAT) return [undefined];
  return isStrong && share >= PERHAPS_FLAT ? [heads, undefined] : [heads];
}

/** The heads of lists, and the share of later tokens that are heads. */
function headsOf(lists: readonly (readonly string[])[]) {
  const first = new Map<string, number>();
  for (const [token] of lists) first.set(token!, (first.get(token!) ?? 0) + 1);
  const heads = new Set(Array.from(first).flatMap(([token, count]) => (count >= 2 ? [token] : [])));
  let [later, known] = [0, 0];
  for (const tokens of lists) {
    later += tokens.length - 1;
    for (let at = 1; at < tokens.length; at++) if (heads.has(tokens[at]!)) known++;
  }
  return { heads, share: later === 0 ? 1 : known / later };
}

/** The tokens of a decoded value; empty ones at the ends and between separators do not count. */
export function tokensOf(value: string, separator: string): string[] {
  return value.split(separator).filter((token) => token !== '');
}

/** Joins each head and what follows up to the next one. */
export function itemsOf(tokens: readonly string[], separator: string, heads: Heads): readonly string[] {
  if (heads === undefined) return tokens;
  const items: string[] = [];
  for (const token of tokens) {
    if (items.length === 0 || heads.has(token)) items.push(token);
    else items[items.length - 1] += separator + token;
  }
  return items;
}
