// Is there a query beside the paths of a log in JSON that its name does not tell? Then the paths of all its queries would
// be one page, and nobody would see why.
import type { ColumnNames } from './column.js';
import { createColumnReader } from './column.js';
import { jsonObject } from './jsonl.js';

/** `a=1&b=2`, with or without its question mark. */
const QUERY = /^\??[\w.~%[\]-]{1,64}=[^\s?]*$/;
/** Other fields that look like one. */
const OTHERS = /cookie|refer|agent|tag|label|set|header/i;
const MOST_DEPTH = 5;
/** One line in so many must have it. */
const SHARE = 10;

/** The name of the field that looks like a query; null if there is none, or if queries are read. */
export function unreadQueryOf(lines: readonly Buffer[], named: ColumnNames | undefined): string | null {
  const meaningOf = createColumnReader(named);
  const counts = new Map<string, number>();
  let paths = 0;
  for (const line of lines) {
    const fields = [...textsOf(jsonObject(line.toString()) ?? {}, '', 0)];
    for (const [name, value] of fields) {
      const column = meaningOf(name)?.column;
      if (column === 'query' && value.length > 1) return null;
      if (column === 'url' || column === 'target' || column === 'request') {
        if (value.includes('?')) return null;
        if (/^([A-Z]+ )?\//.test(value)) paths++;
      } else if (column === undefined && QUERY.test(value) && !OTHERS.test(name))
        counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return paths > 0 && most !== undefined && most[1] * SHARE >= lines.length ? most[0] : null;
}

/** The texts in an object, by name. */
function* textsOf(object: object, path: string, depth: number): Generator<readonly [string, string]> {
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    if (typeof value === 'string') yield [path + key, value];
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < MOST_DEPTH)
      yield* textsOf(value, `${path}${key}.`, depth + 1);
  }
}
