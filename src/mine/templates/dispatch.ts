// Which field of the query says what a script shows? The one by whose value the names of the other fields differ most:
// with `a=blob` there are `f` and `h`, with `a=log` there is `pg`. It stands in the template with its value. If there is
// none, the commonest field stands there without one.

/** The names of fields of a URL, with their values. */
export type Fields = ReadonlyMap<string, string>;

export interface Dispatch {
  readonly name: string;
  /** Values that stand in the template; empty if none does. */
  readonly values: ReadonlySet<string>;
}

const MOST_VALUES = 30;
/** Bits that the values say about the other names. */
const LEAST_GAIN = 0.3;
const LEAST_PRESENT = 0.5;
/** Of the URLs of a script, those with a value that stands in a template. */
const LEAST_OF_VALUE = 0.01;

/** Undefined if no URL has a field. */
export function dispatchOf(urls: readonly Fields[]): Dispatch | undefined {
  const withQuery = urls.filter((fields) => fields.size > 0);
  const counts = new Map<string, number>();
  for (const fields of withQuery) for (const name of fields.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  let best: Dispatch | undefined;
  let most = LEAST_GAIN;
  for (const [name, count] of counts) {
    if (count < LEAST_PRESENT * withQuery.length) continue;
    const values = valuesOf(withQuery, name);
    if (values === undefined) continue;
    const gain = gainOf(withQuery, name);
    if (gain > most) [best, most] = [{ name, values }, gain];
  }
  if (best !== undefined) return best;
  const [commonest] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return commonest && { name: commonest[0], values: new Set() };
}

/** Values that are common enough; undefined if there are too many of them. */
function valuesOf(urls: readonly Fields[], name: string): ReadonlySet<string> | undefined {
  const counts = new Map<string, number>();
  for (const fields of urls) {
    const value = fields.get(name);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > MOST_VALUES) return undefined;
  }
  const common = Array.from(counts).flatMap(([value, count]) => (count >= LEAST_OF_VALUE * urls.length ? [value] : []));
  return common.length >= 2 ? new Set(common) : undefined;
}

/** How many bits the value of a field says about the names of the others. */
function gainOf(urls: readonly Fields[], name: string): number {
  const all = new Map<string, number>();
  const byValue = new Map<string, Map<string, number>>();
  for (const fields of urls) {
    const others = [...fields.keys()]
      .filter((other) => other !== name)
      .sort()
      .join('&');
    all.set(others, (all.get(others) ?? 0) + 1);
    const value = fields.get(name) ?? '';
    let own = byValue.get(value);
    if (own === undefined) byValue.set(value, (own = new Map()));
    own.set(others, (own.get(others) ?? 0) + 1);
  }
  let left = 0;
  for (const own of byValue.values()) left += entropyOf(own) * sumOf(own);
  return entropyOf(all) - left / urls.length;
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

function entropyOf(counts: ReadonlyMap<string, number>): number {
  const all = sumOf(counts);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / all) * Math.log2(count / all);
  return bits;
}
